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

from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.stages import STAGES
from glass_pipeline.domain.fingerprint import settings_hash
from glass_pipeline.llm.endpoints import endpoint_identity
from glass_pipeline.llm.source_files import digests
from glass_pipeline.study import DERIVED, RULES, Predictor, Solver, Study, fold_source

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


SOURCE_KEYS = {"source", "split", "path", "answer_type", "complexity", "size", "max_steps", "limit"}
"""Keys of a suite that say which problems it has."""

CODE_AND_DATA = (".py", ".csv", ".toml", ".txt")
"""What of a stage's files can change its rows."""

SEEDED = {
    "causal_difficulty",
    "orthogonality",
    "identity_floor",
    "reliability",
    "slices",
    "solver_agreement",
    "predictor_scores",
    "predictor_verdicts",
    "solver_transfer",
}
"""Stages that read nothing of the study but its seed."""

_ASKING = ("llm/forms.py", "llm/structured.py", "llm/prompts")
"""How a JSON object is asked of a model and read."""
_TWINS = ("defs/assets/twins.py", "domain/twins", "llm/write_twins.py", *_ASKING)
_AUDIT = ("defs/assets/audit.py", "domain/audit", "domain/twins", "llm/adjudicate.py", *_ASKING)
_GRADING = ("defs/assets/grading.py", "domain/grading", "llm/math_pool.py", "llm/solvers")
_LAB_MODELS = (
    "llm/arc_source.py",
    *(
        f"domain/arc_lab/{name}.py"
        for name in ("adapters", "determinism", "encoding", "packing", "predicting", "prompt", "scoring", "training")
    ),
)
_LAB_ANALYSIS = (
    *(f"domain/arc_lab/{name}" for name in ("analysis.py", "report.py", "strata.py", "strata.toml")),
    "domain/comparison",
    "domain/stats",
)

CODE: dict[str, StageCode] = {
    "arc_lab/items": StageCode(
        "1", ("llm/arc_lab/prepare.py", "llm/arc_source.py", "domain/arc_lab/items.py"), "0edf645db4433efd"
    ),
    "arc_lab/lora_adapter": StageCode("1", ("llm/arc_lab/train.py", *_LAB_MODELS), "0761bbc56f921174"),
    "arc_lab/base_predictions": StageCode("1", ("llm/arc_lab/evaluate.py", *_LAB_MODELS), "71e0948582494379"),
    "arc_lab/predictions": StageCode("1", ("llm/arc_lab/evaluate.py", *_LAB_MODELS), "71e0948582494379"),
    "arc_lab/paired_report": StageCode("1", ("llm/arc_lab/analyze.py", *_LAB_ANALYSIS), "79e7b634f325edae"),
    "base_problems": StageCode(
        "1", ("defs/assets/problems.py", "domain/problems", "llm/source_files.py", "llm/sources.py"), "a520b76ed319a68e"
    ),
    "distractors": StageCode("2", ("defs/assets/problems.py", "domain/twins"), "590a30336c10b404"),
    "twins": StageCode("2", _TWINS, "fbf9c902e78bccd0"),
    "declines": StageCode("2", _TWINS, "fbf9c902e78bccd0"),
    "noop_audit": StageCode("2", _AUDIT, "79b650c6898400c1"),
    "reaudit": StageCode("2", _AUDIT, "79b650c6898400c1"),
    "multiop_mix": StageCode("1", ("defs/assets/corpus.py", "domain/corpus/mix.py"), "c2750862187a03a9"),
    "base_labels": StageCode("1", _GRADING, "bd9bed378e69d9ee"),
    "solver_labels": StageCode("1", _GRADING, "bd9bed378e69d9ee"),
    "labeled_pairs": StageCode("1", ("defs/assets/corpus.py", "domain/corpus/labeled_pairs.py"), "0f973a1d1a9745a9"),
    "causal_difficulty": StageCode(
        "2", ("defs/assets/estimands.py", "domain/estimands", "domain/stats"), "c8ac60c9989419f1"
    ),
    "base_probes": StageCode("1", _GRADING, "bd9bed378e69d9ee"),
    "orthogonality": StageCode(
        "1",
        ("defs/assets/estimands.py", "domain/estimands", "domain/problems/complexity.py", "domain/stats"),
        "8f2f0ea9c785d7c8",
    ),
    "budget_targets": StageCode(
        "1", ("defs/assets/estimands.py", "domain/estimands", "domain/stats"), "c8ac60c9989419f1"
    ),
    "identity_floor": StageCode(
        "2", ("defs/assets/estimands.py", "domain/estimands", "domain/stats"), "c8ac60c9989419f1"
    ),
    "reliability": StageCode(
        "2", ("defs/assets/reliability.py", "domain/reliability", "domain/stats"), "5077056c4e1a73dc"
    ),
    "slices": StageCode(
        "2", ("defs/assets/reliability.py", "domain/reliability", "domain/estimands"), "302acafc4286cf20"
    ),
    "solver_agreement": StageCode(
        "2", ("defs/assets/reliability.py", "domain/reliability", "domain/estimands"), "302acafc4286cf20"
    ),
    "report": StageCode("2", ("defs/assets/report.py", "domain/report"), "a4f7ad0770789550"),
    "overview": StageCode("1", ("defs/assets/overview.py", "domain/report"), "7d5409adac8cc43f"),
    "splits": StageCode(
        "1", ("defs/assets/predictors.py", "domain/splits.py", "domain/predictors/split_table.py"), "2b7d861b8bcd5fff"
    ),
    "predictions": StageCode("1", ("defs/assets/predictors.py", "domain/predictors"), "ec5589efa0abb9f7"),
    "predictor_scores": StageCode(
        "1", ("defs/assets/predictors.py", "domain/predictors/evaluation"), "2dd96ce77df1f49f"
    ),
    "predictor_verdicts": StageCode("1", ("defs/assets/predictors.py", "domain/comparison"), "53b869ed4c87d593"),
    "solver_transfer": StageCode(
        "1", ("defs/assets/predictors.py", "domain/predictors/evaluation"), "2dd96ce77df1f49f"
    ),
}
"""By stage of a suite, and by key for the assets of the ARC lab."""


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
    if STAGES[stage].spans_suites:
        return {"suites": list(study.suites), "simulated": sorted(study.simulated_solvers)}
    suite = study.suite(suite_slug)
    if stage == "base_problems":
        # A suite without local files hashes as it always did, so that no warehouse is made anew for nothing.
        files = {"files": held} if (held := digests(suite)) else {}
        return {"seed": study.study.seed, "suite": suite.model_dump(include=SOURCE_KEYS), **files}
    if stage == "distractors":
        return {"seed": study.study.seed, "distractors": suite.distractors}
    if stage in {"twins", "declines"}:
        return _twin_settings(suite_slug, study)
    if stage in {"noop_audit", "reaudit"}:
        judges = {slug: solver_settings(study.solver(slug)) for slug in study.adjudicators_of(suite_slug)}
        return {"adjudicators": judges, "adjudicate": study.study.adjudicate} if judges else {}
    if stage == "multiop_mix":
        return {"seed": study.study.seed, "doses": study.doses_of(suite_slug), "twins_per_base": suite.twins_per_base}
    if stage in {"base_labels", "solver_labels", "base_probes"} and solver is not None:
        return _labelling_settings(stage, study, study.solver(solver))
    if stage == "splits":
        return {"source": fold_source(suite)}
    return {"seed": study.study.seed} if stage in SEEDED else {}


def _twin_settings(suite_slug: str, study: Study) -> dict[str, Any]:
    suite = study.suite(suite_slug)
    writer = {} if suite.generator == RULES else {"writer": solver_settings(study.solver(suite.generator))}
    return {
        "seed": study.study.seed,
        "suite": root_suite(suite_slug),
        "generator": suite.generator,
        "operators": suite.operators,
        **writer,
    }


def _labelling_settings(stage: str, study: Study, solver: Solver) -> dict[str, Any]:
    settings: dict[str, Any] = {"samples": study.study.samples, "solver": solver_settings(solver)}
    if solver.kind == "planted":
        settings["seed"] = study.study.seed
    if stage == "base_probes":
        settings["samples"] = study.study.probe_samples
    if stage == "solver_labels":
        settings |= {"label_scope": study.study.label_scope, "stratum_only": study.study.stratum_only}
        # Y is the same either way; n_samples, answers and cost of a row are not.
        settings["curtail"] = study.study.curtails
    return settings


def solver_settings(solver: Solver) -> dict[str, Any]:
    """Return what of a solver's record can change its answers; an endpoint on this machine may change its port."""
    settings = solver.model_dump(exclude=SOLVER_OPERATION)
    return settings | {"base_url": solver.base_url and endpoint_identity(solver.base_url)}


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
