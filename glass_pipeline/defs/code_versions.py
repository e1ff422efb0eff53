"""Holds the code version of every stage and the settings that enter its result: the changelog of our numbers.

Never reads a table. A stage's version is bumped whenever its code can change its rows; a test compares the
digest of the code with the one recorded here and says what to write.
"""

from __future__ import annotations

import ast
import hashlib
from dataclasses import dataclass
from importlib import resources
from typing import Any

from glass_pipeline.declared_predictor import Predictor
from glass_pipeline.defs.keys import Cell
from glass_pipeline.domain.fingerprint import settings_hash
from glass_pipeline.study import DERIVED, Solver, Study, fold_source

SOLVER_OPERATION = {
    "enabled",
    "api_key_env",
    "concurrency",
    "rpm",
    "tpm",
    "timeout_s",
    "max_attempts",
    "supports_n",
    "max_cost_usd",
    "max_requests",
    "usd_per_million_prompt_tokens",
    "usd_per_million_completion_tokens",
}
"""Keys of a solver that say how it is operated, not what it answers."""


@dataclass(frozen=True, slots=True)
class StageCode:
    """Version of one stage and the code that it stands for."""

    version: str
    sources: tuple[str, ...]
    """Files and folders of the package, relative to it."""
    digest: str
    """sha256 of their code without comments, docstrings and layout."""


CODE_AND_DATA = (".py", ".csv", ".toml", ".txt")
"""What of a stage's files can change its rows."""

_GRADING = ("defs/assets/grading.py", "domain/grading", "llm/math_pool.py", "llm/solvers")

CODE: dict[str, StageCode] = {
    "base_problems": StageCode(
        "1", ("defs/assets/problems.py", "domain/problems", "llm/sources.py"), "2dfc3118cdba9f6c"
    ),
    "distractors": StageCode("1", ("defs/assets/problems.py", "domain/twins/distractors.py"), "ad8a5740f4cfed58"),
    "twins": StageCode("1", ("defs/assets/twins.py", "domain/twins"), "5757bd65d6672359"),
    "declines": StageCode("1", ("defs/assets/twins.py", "domain/twins"), "5757bd65d6672359"),
    "noop_audit": StageCode("1", ("defs/assets/audit.py", "domain/audit"), "1508e99d026d0ad4"),
    "multiop_mix": StageCode("1", ("defs/assets/corpus.py", "domain/corpus/mix.py"), "ed13d44fbcf736c2"),
    "base_labels": StageCode("1", _GRADING, "d0d66ea3bd367087"),
    "solver_labels": StageCode("1", _GRADING, "d0d66ea3bd367087"),
    "labeled_pairs": StageCode("1", ("defs/assets/corpus.py", "domain/corpus/labeled_pairs.py"), "28e8f4a12d88df40"),
    "causal_difficulty": StageCode(
        "1", ("defs/assets/estimands.py", "domain/estimands", "domain/stats"), "ee79234f08a63047"
    ),
    "base_probes": StageCode("1", _GRADING, "d0d66ea3bd367087"),
    "identity_floor": StageCode(
        "1", ("defs/assets/estimands.py", "domain/estimands", "domain/stats"), "ee79234f08a63047"
    ),
    "reliability": StageCode(
        "1", ("defs/assets/reliability.py", "domain/reliability", "domain/stats"), "7a35fe81caa242a5"
    ),
    "slices": StageCode(
        "1", ("defs/assets/reliability.py", "domain/reliability", "domain/estimands"), "6b2756b43648702f"
    ),
    "solver_agreement": StageCode(
        "1", ("defs/assets/reliability.py", "domain/reliability", "domain/estimands"), "6b2756b43648702f"
    ),
    "splits": StageCode(
        "1", ("defs/assets/predictors.py", "domain/splits.py", "domain/predictors/split_table.py"), "241ddc47ff7d5505"
    ),
    "predictions": StageCode("1", ("defs/assets/predictors.py", "domain/predictors"), "7435ee9b3a16fd83"),
    "predictor_scores": StageCode(
        "1", ("defs/assets/predictors.py", "domain/predictors/evaluation"), "690b63f9c3f2e04a"
    ),
    "predictor_verdicts": StageCode("1", ("defs/assets/predictors.py", "domain/comparison"), "b1ff8e1453577809"),
    "solver_transfer": StageCode(
        "1", ("defs/assets/predictors.py", "domain/predictors/evaluation"), "690b63f9c3f2e04a"
    ),
    "report": StageCode("1", ("defs/assets/report.py", "domain/report"), "c316ddc4ae2ccc01"),
}


def version_of(stage: str) -> str:
    """Return the code version of a stage."""
    return CODE[stage].version


def digest_of(sources: tuple[str, ...]) -> str:
    """Return the sha256 of code and data files, blind to comments, docstrings and layout of code."""
    digest = hashlib.sha256()
    for name, text in sorted(_read_sources(sources).items()):
        digest.update(name.encode())
        digest.update((_essence(text) if name.endswith(".py") else text).encode())
    return digest.hexdigest()[:16]


def _essence(code: str) -> str:
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [child for child in node.body if not _is_docstring(child)] or [ast.Pass()]
    return ast.unparse(tree)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _read_sources(sources: tuple[str, ...]) -> dict[str, str]:
    package = resources.files("glass_pipeline")
    found: dict[str, str] = {}
    for source in sources:
        pending = [(source, package.joinpath(source))]
        while pending:
            name, item = pending.pop()
            if item.is_dir():
                pending += [(f"{name}/{child.name}", child) for child in item.iterdir()]
            elif name.endswith(CODE_AND_DATA):
                found[name] = item.read_text(encoding="utf-8")
    return found


def settings_of(cell: Cell, study: Study) -> str:
    """Return the hash of every setting that can change the rows of a cell."""
    if cell.predictor is not None:
        return settings_hash(predictor_settings(study.predictor(cell.predictor)))
    return settings_hash(effective_settings(cell.suite, cell.stage, cell.solver, study))


def effective_settings(suite_slug: str, stage: str, solver: str | None, study: Study) -> dict[str, Any]:
    """Return the settings that can change the rows of a stage, and no others."""
    suite = study.suite(suite_slug)
    if stage == "base_problems":
        return {"seed": study.study.seed, "suite": suite.model_dump(exclude={"distractors", "generator", "solvers"})}
    if stage == "distractors":
        return {"seed": study.study.seed, "distractors": suite.distractors}
    if stage in {"twins", "declines"}:
        return {"seed": study.study.seed, "suite": root_suite(suite_slug), "generator": suite.generator}
    if stage == "multiop_mix":
        return {"seed": study.study.seed, "doses": study.study.doses}
    if stage in {"base_labels", "solver_labels", "base_probes"} and solver is not None:
        return _labelling_settings(stage, study, study.solver(solver))
    if stage == "splits":
        return {"source": fold_source(suite)}
    if stage in {"causal_difficulty", "identity_floor", "reliability", "slices", "solver_agreement"}:
        return {"seed": study.study.seed}
    if stage in {"predictor_scores", "predictor_verdicts", "solver_transfer"}:
        return {"seed": study.study.seed}
    return {}


def _labelling_settings(stage: str, study: Study, solver: Solver) -> dict[str, Any]:
    settings: dict[str, Any] = {"samples": study.study.samples, "solver": solver_settings(solver)}
    if solver.kind == "planted":
        settings["seed"] = study.study.seed
    if stage == "base_probes":
        settings["samples"] = study.study.probe_samples
    if stage == "solver_labels":
        settings |= {"label_scope": study.study.label_scope, "stratum_only": study.study.stratum_only}
    return settings


def solver_settings(solver: Solver) -> dict[str, Any]:
    """Return what of a solver's record can change its answers."""
    return solver.model_dump(exclude=SOLVER_OPERATION)


def predictor_settings(predictor: Predictor) -> dict[str, Any]:
    """Return what of a predictor's record can change its predictions."""
    return predictor.model_dump(exclude={"name"})


def solver_settings_version(solver: Solver) -> str:
    """Return the data version of a solver's effective settings."""
    return settings_hash(solver_settings(solver))


def root_suite(suite_slug: str) -> str:
    """Return the declared suite of a derived one, so that both seed the same twins."""
    derived = DERIVED.match(suite_slug)
    return derived["suite"] if derived else suite_slug
