"""Holds glass.toml as frozen records: suites, doses, solvers. Sole owner of slugs and partition keys.

Never reads the environment by itself, never talks to a network, and knows nothing of Dagster.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from dotenv import dotenv_values
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)

from glass_pipeline.domain.errors import BadInput
from glass_pipeline.domain.records import DOSES, FAMILIES, Family
from glass_pipeline.location import Location, location_of

Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]*$", max_length=60)]
"""Lower-case letters, digits, dot and hyphen: safe in a path, a partition key and a URL. Append-only."""

DERIVED = re.compile(r"^(?P<suite>.+)-n(?P<limit>[1-9]\d*)$")
"""``<suite>-n<N>``: the first N items of a suite, kept apart from the full one (DESIGN §2)."""


RULES = "rules"
"""Generator of twins that no model writes; no solver may be called so."""


class StudyError(BadInput):
    """The study file, or a name that should be in it, is wrong; one sentence says where and what to do."""


class Record(BaseModel):
    """A frozen record that refuses keys it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _adjudicators(given: object) -> object:
    if given == "none":
        return ()
    if given in ([], ()):
        raise ValueError('an empty list judges nothing; say "none"')
    return (given,) if isinstance(given, str) else given


Adjudicators = Annotated[tuple[Slug, ...], BeforeValidator(_adjudicators)]
"""Names of solvers, one name, or "none"."""


def known_doses(doses: tuple[int, ...]) -> tuple[int, ...]:
    """Return doses in order, each once.

    Raises:
        ValueError: there is none, or one that no study has.
    """
    if not doses or not set(doses) <= set(DOSES):
        raise ValueError(f"doses are among {list(DOSES)}, for ever")
    return tuple(sorted(set(doses)))


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
    operators: tuple[Family, ...] = Field(default=FAMILIES, min_length=1)
    """Families of rewordings to make."""
    generator: Slug = RULES
    """Who writes the twins: the deterministic operators, or the solver of this name."""
    doses: tuple[int, ...] | None = None
    """None: the study's."""
    twins_per_base: int | None = Field(default=None, ge=1)
    """Twins of each base in every mix; None: as many as the dose, m (methods §3.1)."""
    adjudicator: Adjudicators | None = None
    """None: the study's."""
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

    @model_validator(mode="after")
    def _written_families(self) -> Suite:
        if self.generator != RULES and "gsm_ic" in self.operators:
            raise ValueError("gsm_ic is made by rule only; leave out generator, or gsm_ic among operators")
        return self

    @field_validator("doses")
    @classmethod
    def _known_doses(cls, doses: tuple[int, ...] | None) -> tuple[int, ...] | None:
        return None if doses is None else known_doses(doses)


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
    adjudicator: Adjudicators | None = None
    """Solvers that judge whether a twin keeps its gold answer. Who makes twins must say: it costs money or trust."""
    adjudicate: Literal["kept", "all"] = "kept"
    """Which twins they judge: those that the rules keep, or all, as the published audit did."""
    warehouse: str = "warehouse"

    @field_validator("doses")
    @classmethod
    def _known_doses(cls, doses: tuple[int, ...]) -> tuple[int, ...]:
        return known_doses(doses)


class Study(Record):
    """Everything that glass.toml declares."""

    study: Common = Common()
    suites: Mapping[Slug, Suite]
    solvers: Mapping[Slug, Solver]

    @model_validator(mode="after")
    def _no_reserved_slug(self) -> Study:
        if RULES in self.solvers:
            raise ValueError(f"solver name {RULES!r} is reserved for the deterministic operators; choose another")
        taken = [slug for slug in self.suites if DERIVED.match(slug)]
        if taken:
            raise ValueError(f"suite name {taken[0]!r} is reserved for --limit; choose another")
        for slug, suite in self.suites.items():
            unknown = [name for name in suite.solvers or () if name not in self.solvers]
            if unknown and suite.source != "imported":
                raise ValueError(f"suite {slug!r} uses solver {unknown[0]!r}, which is not declared")
        return self

    @model_validator(mode="after")
    def _adjudicator_is_said(self) -> Study:
        makes_twins = any(suite.source != "imported" and suite.adjudicator is None for suite in self.suites.values())
        if makes_twins and self.study.adjudicator is None:
            raise ValueError(
                '[study] adjudicator is missing; name the solvers that judge twins, e.g. ["gpt-4o-mini"], or say "none"'
            )
        return self

    @model_validator(mode="after")
    def _writers_and_judges_read(self) -> Study:
        asked = {
            slug: f"[suites.{name}] generator" for name, suite in self.suites.items() for slug in [suite.generator]
        }
        asked |= {slug: f"[suites.{name}] adjudicator" for name in self.suites for slug in self.adjudicators_of(name)}
        for slug, place in asked.items():
            if slug == RULES:
                continue
            if slug not in self.solvers:
                raise ValueError(f"{place} = {slug!r} is not a declared solver")
            if self.solvers[slug].kind == "planted":
                raise ValueError(f"{place} = {slug!r} is a simulation and reads no prompt; name another solver")
        return self

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

    def doses_of(self, suite_slug: str) -> tuple[int, ...]:
        """Doses of one suite: its own, else the study's."""
        return self.suite(suite_slug).doses or self.study.doses

    def adjudicators_of(self, suite_slug: str) -> tuple[str, ...]:
        """Slugs of the solvers that judge a suite's twins; none if only the rules do."""
        suite = self.suite(suite_slug)
        if suite.source == "imported":
            return ()
        return (self.study.adjudicator if suite.adjudicator is None else suite.adjudicator) or ()

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

    def dose(self, key: str, suite_slug: str) -> int:
        """Return the m of a partition key such as ``m3``.

        Raises:
            StudyError: the suite has no such dose.
        """
        by_key = {dose_key(dose): dose for dose in self.doses_of(suite_slug)}
        if key not in by_key:
            raise StudyError(f"No dose {key!r} for {suite_slug}; glass.toml declares {', '.join(by_key)}.")
        return by_key[key]


def dose_key(dose: int) -> str:
    """Return the partition key of a dose m."""
    return f"m{dose}"


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
        table, key = ".".join(place[:-1]), place[-1] if place else ""
        message = first["msg"].removeprefix("Value error, ")
        where = f"[{table}] {key}: " if table else f"[{key}]: " if place else ""
        raise StudyError(f"{file_name}: {where}{message}.") from None


@dataclass(frozen=True, slots=True)
class Settings:
    """Where a study lives and what of the environment it may see."""

    study_file: Path
    warehouse: Location
    environment: Mapping[str, str]


def settings_from(environment: Mapping[str, str], study_file: Path | None = None) -> tuple[Study, Settings]:
    """Return the study and where it lives.

    Args:
        environment: The process environment; ``GLASS_STUDY`` names the study file, ``GLASS_WAREHOUSE`` another
            warehouse, AWS_* how to reach one in a bucket; a ``.env`` file beside the study fills in what is unset.
        study_file: Overrides ``GLASS_STUDY``.

    Raises:
        StudyError: the study file is absent or wrong.
        LocationError: the warehouse can lie neither in a folder nor in a bucket.
    """
    path = (study_file or Path(environment.get("GLASS_STUDY", "glass.toml"))).resolve()
    study = load_study(path)
    dotenv = {name: value for name, value in dotenv_values(path.parent / ".env").items() if value is not None}
    merged = {**dotenv, **environment}
    warehouse = location_of(merged.get("GLASS_WAREHOUSE") or study.study.warehouse, path.parent, merged)
    return study, Settings(study_file=path, warehouse=warehouse, environment=merged)
