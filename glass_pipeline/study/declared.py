"""Holds everything that glass.toml declares, and what follows from it. Sole owner of slugs and partition keys.

Never reads a file (see ``reading``), and knows nothing of Dagster.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import model_validator

from glass_pipeline.domain.errors import BadInput
from glass_pipeline.study.arc_lab import ArcLab
from glass_pipeline.study.every_suite import Common
from glass_pipeline.study.predictor import Predictor
from glass_pipeline.study.record import Record, Slug
from glass_pipeline.study.solver import Solver
from glass_pipeline.study.suite import RULES, Suite

DERIVED = re.compile(r"^(?P<suite>.+)-n(?P<limit>[1-9]\d*)$")
"""``<suite>-n<N>``: the first N items of a suite, kept apart from the full one (DESIGN §2)."""


class StudyError(BadInput):
    """The study file, or a name that should be in it, is wrong; one sentence says where and what to do."""


class Study(Record):
    """Everything that glass.toml declares."""

    study: Common = Common()
    suites: Mapping[Slug, Suite]
    solvers: Mapping[Slug, Solver]
    predictors: tuple[Predictor, ...] = ()
    """In order of declaration; none leaves the stages of predictors out."""
    arc_lab: ArcLab | None = None
    """None: the graph holds no lab, so nothing can be trained by accident."""

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
        names = self.predictor_names
        repeated = [name for name in names if names.count(name) > 1]
        if repeated:
            raise ValueError(f"two predictors are named {repeated[0]!r}; give each its own name")
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
    def predictor_names(self) -> tuple[str, ...]:
        """Names of the declared predictors."""
        return tuple(each.name for each in self.predictors)

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
