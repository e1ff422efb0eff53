"""Holds glass.toml as frozen records: suites, doses, solvers. Sole owner of slugs and partition keys.

Never reads the environment by itself, never talks to a network, and knows nothing of Dagster.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dotenv import dotenv_values
from pydantic import (
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from glass_pipeline.declared_predictor import Predictor, Record, Slug
from glass_pipeline.domain.errors import BadInput
from glass_pipeline.domain.records import DOSES

DERIVED = re.compile(r"^(?P<suite>.+)-n(?P<limit>[1-9]\d*)$")
"""``<suite>-n<N>``: the first N items of a suite, kept apart from the full one (DESIGN §2)."""


class StudyError(BadInput):
    """The study file, or a name that should be in it, is wrong; one sentence says where and what to do."""


class Suite(Record):
    """One benchmark, one generator of twins."""

    source: Literal["gsm8k", "math", "svamp", "jsonl", "glassmini", "imported"]
    """``imported``: labelled pairs of others, put into the warehouse by ``glass import-pairs``."""
    split: str = "test"
    path: str | None = None
    """Local file or folder instead of the hub; for ``jsonl`` the file itself."""
    answer_type: Literal["numeric", "math", "choice", "exact"] | None = None
    """None: the source's own (jsonl: numeric)."""
    complexity: Literal["gold_steps", "level", "heuristic"] | None = None
    """Declared complexity C; None: the source's own (methods §1.8)."""
    size: int = Field(default=240, ge=1, le=100_000)
    """glassmini only: how many problems to write."""
    max_steps: int = Field(default=8, ge=1, le=8)
    """glassmini only: hardest problem to write, in gold steps."""
    distractors: str = "glassmini/train"
    """Where injected sentences come from: ``gsm8k/train`` or ``glassmini/train``."""
    generator: str = "rules"
    solvers: tuple[Slug, ...] | None = None
    """Solvers that this suite uses; None: every enabled one. An imported suite names those of its labels."""
    limit: int | None = Field(default=None, ge=1)
    """Only the first N problems; set on derived suites."""

    @model_validator(mode="after")
    def _path_where_needed(self) -> Suite:
        if self.source == "jsonl" and not self.path:
            raise ValueError('a jsonl suite needs path = "FILE"')
        if self.source == "imported" and not self.solvers:
            raise ValueError('an imported suite names the solvers of its labels, e.g. solvers = ["their-model"]')
        return self


class Solver(Record):
    """One model behind one endpoint, or a simulation."""

    kind: Literal["openai", "llama_cpp", "planted"]
    model: str | None = None
    """Model name (openai), or a GGUF path, ``hub:<repo>/<file>`` or ``wheel:<package>`` (llama_cpp)."""
    base_url: str | None = None
    api_key_env: str | None = None
    """Name of the environment variable that holds the key; the key itself is written nowhere."""
    enabled: bool = True
    prompt: str = "zero-shot-v1"
    temperature: float | None = Field(default=0.2, ge=0, le=2)
    """None sends no temperature (reasoning models refuse it)."""
    max_tokens: int = Field(default=1024, ge=1)
    reasoning_effort: Literal["minimal", "low", "medium", "high"] | None = None
    supports_n: bool = True
    """False: one request a sample."""
    concurrency: int = Field(default=16, ge=1)
    rpm: int | None = Field(default=None, ge=1)
    tpm: int | None = Field(default=None, ge=1)
    timeout_s: float = Field(default=120.0, gt=0)
    max_attempts: int = Field(default=6, ge=1)
    usd_per_million_prompt_tokens: float | None = Field(default=None, ge=0)
    usd_per_million_completion_tokens: float | None = Field(default=None, ge=0)
    max_cost_usd: float | None = Field(default=None, gt=0)
    max_requests: int | None = Field(default=None, ge=1)

    @model_validator(mode="after")
    def _complete(self) -> Solver:
        if self.kind != "planted" and not self.model:
            raise ValueError(f'a solver of kind {self.kind} needs model = "…"')
        if self.kind == "openai" and not self.base_url:
            raise ValueError('a solver of kind openai needs base_url = "…"')
        return self


class Common(Record):
    """What holds for every suite of the study."""

    seed: int = 42
    doses: tuple[int, ...] = DOSES
    samples: int = Field(default=5, ge=1)
    label_scope: Literal["mix", "all"] = "mix"
    stratum_only: bool = False
    probe_samples: int = Field(default=0, ge=0)
    """Further samples of every solvable base, beside its dose runs; 0 leaves the asset ``base_probes`` out."""
    warehouse: str = "warehouse"

    @field_validator("doses")
    @classmethod
    def _known_doses(cls, doses: tuple[int, ...]) -> tuple[int, ...]:
        if not doses or not set(doses) <= set(DOSES):
            raise ValueError(f"doses are among {list(DOSES)}, for ever")
        return tuple(sorted(set(doses)))


class Study(Record):
    """Everything that glass.toml declares."""

    study: Common = Common()
    suites: Mapping[Slug, Suite]
    solvers: Mapping[Slug, Solver]
    predictors: tuple[Predictor, ...] = ()
    """In order of declaration; none leaves the stages of predictors out."""

    @model_validator(mode="after")
    def _no_reserved_slug(self) -> Study:
        taken = [slug for slug in self.suites if DERIVED.match(slug)]
        if taken:
            raise ValueError(f"suite name {taken[0]!r} is reserved for --limit; choose another")
        for slug, suite in self.suites.items():
            unknown = [name for name in suite.solvers or () if name not in self.solvers]
            if unknown and suite.source != "imported":
                raise ValueError(f"suite {slug!r} uses solver {unknown[0]!r}, which is not declared")
        names = self.predictor_names
        repeated = [name for name in names if names.count(name) > 1]
        if repeated:
            raise ValueError(f"two predictors are named {repeated[0]!r}; give each its own name")
        return self

    @property
    def predictor_names(self) -> tuple[str, ...]:
        """Names of the declared predictors."""
        return tuple(each.name for each in self.predictors)

    @property
    def dose_keys(self) -> tuple[str, ...]:
        """Partition keys of the dose dimension, e.g. ``m1``."""
        return tuple(dose_key(dose) for dose in self.study.doses)

    @property
    def enabled_solvers(self) -> tuple[str, ...]:
        """Slugs of the solvers that a run uses unless it names others."""
        return tuple(slug for slug, solver in self.solvers.items() if solver.enabled)

    def solvers_of(self, suite_slug: str) -> tuple[str, ...]:
        """Slugs of the solvers of one suite: for an imported one those of its labels, else the enabled ones it uses."""
        suite = self.suite(suite_slug)
        if suite.source == "imported":
            return suite.solvers or ()
        return tuple(slug for slug in self.enabled_solvers if suite.solvers is None or slug in suite.solvers)

    @property
    def simulated_solvers(self) -> frozenset[str]:
        """Slugs of the solvers whose labels are a simulation, to be called so wherever they are shown."""
        return frozenset(slug for slug, solver in self.solvers.items() if solver.kind == "planted")

    def suite(self, slug: str) -> Suite:
        """Return a declared or derived suite.

        Raises:
            StudyError: no such suite.
        """
        if slug in self.suites:
            return self.suites[slug]
        derived = DERIVED.match(slug)
        if derived and derived["suite"] in self.suites:
            return self.suites[derived["suite"]].model_copy(update={"limit": int(derived["limit"])})
        raise StudyError(f"No suite {slug!r} in glass.toml; it declares {', '.join(self.suites)}.")

    def solver(self, slug: str) -> Solver:
        """Return a declared solver.

        Raises:
            StudyError: no such solver.
        """
        if slug not in self.solvers:
            raise StudyError(f"No solver {slug!r} in glass.toml; it declares {', '.join(self.solvers)}.")
        return self.solvers[slug]

    def predictor(self, name: str) -> Predictor:
        """Return a declared predictor.

        Raises:
            StudyError: no such predictor.
        """
        for each in self.predictors:
            if each.name == name:
                return each
        declared = ", ".join(self.predictor_names) or "none"
        raise StudyError(f"No predictor {name!r} in glass.toml; it declares {declared}.")

    def dose(self, key: str) -> int:
        """Return the m of a partition key such as ``m3``.

        Raises:
            StudyError: the study has no such dose.
        """
        if key not in self.dose_keys:
            raise StudyError(f"No dose {key!r} in glass.toml; it declares {', '.join(self.dose_keys)}.")
        return int(key[1:])


def dose_key(dose: int) -> str:
    """Return the partition key of a dose m."""
    return f"m{dose}"


def fold_source(suite: Suite) -> str | None:
    """Return what keys the folds of a suite: its source and split, so that all its solvers and generators share them.

    None for an imported suite, whose folds are keyed by the content of its files.
    """
    if suite.source == "imported":
        return None
    return Path(suite.path).name if suite.source == "jsonl" and suite.path else f"{suite.source}/{suite.split}"


def derived_slug(suite: str, limit: int | None) -> str:
    """Return the slug under which the first ``limit`` items of a suite are kept."""
    return suite if limit is None else f"{suite}-n{limit}"


def known_suites(study: Study, present: Iterable[str]) -> tuple[str, ...]:
    """Return the declared suites, and of those ``present`` in a warehouse the ones derived from them."""
    derived = [slug for slug in present if (match := DERIVED.match(slug)) and match["suite"] in study.suites]
    return (*study.suites, *derived)


def load_study(path: Path) -> Study:
    """Read glass.toml.

    Raises:
        StudyError: the file is absent or not TOML, or a key is wrong; names file, table and key.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StudyError(
            f"{path}: no such study file; run from the project's folder or name one with --study."
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StudyError(f"{path}: not valid TOML: {error}.") from None
    return parse_study(document, path.name)


def parse_study(document: Mapping[str, Any], file_name: str) -> Study:
    """Check a parsed study file.

    Raises:
        StudyError: names file, table and key of the first error.
    """
    try:
        return Study.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        place = [str(part) for part in first["loc"] if part != "[key]"]
        table, key = ".".join(place[:-1]), place[-1] if place else "the file"
        message = first["msg"].removeprefix("Value error, ")
        where = f"[{table}] {key}" if table else f"[{key}]" if place else key
        raise StudyError(f"{file_name}: {where}: {message}.") from None


@dataclass(frozen=True, slots=True)
class Settings:
    """Where a study lives and what of the environment it may see."""

    study_file: Path
    warehouse: Path
    environment: Mapping[str, str]


def settings_from(environment: Mapping[str, str], study_file: Path | None = None) -> tuple[Study, Settings]:
    """Return the study and where it lives.

    Args:
        environment: The process environment; ``GLASS_STUDY`` names the study file, ``GLASS_WAREHOUSE`` another
            warehouse; a ``.env`` file beside the study fills in what is unset.
        study_file: Overrides ``GLASS_STUDY``.

    Raises:
        StudyError: the study file is absent or wrong.
    """
    path = (study_file or Path(environment.get("GLASS_STUDY", "glass.toml"))).resolve()
    study = load_study(path)
    dotenv = {name: value for name, value in dotenv_values(path.parent / ".env").items() if value is not None}
    merged = {**dotenv, **environment}
    warehouse = path.parent / merged.get("GLASS_WAREHOUSE", study.study.warehouse)
    return study, Settings(study_file=path, warehouse=warehouse, environment=merged)
