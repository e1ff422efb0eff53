"""Every table of the estimates on studies too small or too uniform: no NaN, and no null without a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import pytest

from glass_pipeline.domain.estimands import causal_difficulty
from glass_pipeline.domain.estimands.budget_targets import budget_targets
from glass_pipeline.domain.estimands.identity_floor import identity_floor_table
from glass_pipeline.domain.estimands.orthogonality_table import orthogonality_table
from glass_pipeline.domain.records import FAMILIES
from glass_pipeline.domain.reliability.slice_ceilings import reliability_table, slices_table
from glass_pipeline.domain.reliability.solver_agreement import solver_agreement_table
from glass_pipeline.domain.schemas import BASE_PROBLEMS
from glass_pipeline.domain.table import TableError

Make = Callable[[Any], pl.DataFrame]


@dataclass(frozen=True, kw_only=True)
class Design:
    """A small study."""

    jobs: int = 40
    doses: tuple[int, ...] = (1, 9)
    solved: int = 1
    twins: int = 3
    breaks: Callable[[int, int], int] = lambda job, twin: job * (twin + 1) % 5 < 2
    complexity: Callable[[int], float] = lambda job: float(job % 4)


DESIGNS = {
    "nothing": Design(jobs=0),
    "one job": Design(jobs=1),
    "nine jobs": Design(jobs=9),
    "ordinary": Design(),
    "all-zero jobs": Design(breaks=lambda job, twin: 0),
    "all-one jobs": Design(breaks=lambda job, twin: 1),
    "one rate": Design(breaks=lambda job, twin: (job + twin) % 3 == 0),
    "half of each": Design(breaks=lambda job, twin: job % 2),
    "one dose": Design(doses=(9,)),
    "one twin": Design(doses=(1,), twins=1),
    "no twin": Design(twins=0),
    "no run solved": Design(solved=0),
    "one complexity": Design(complexity=lambda job: 2.0),
}


def study_of(design: Design, make_pairs: Make, make_runs: Make) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return problems, base labels and pairs of a design."""
    ids = [f"job-{number:02}" for number in range(design.jobs)]
    problem = {"text": "Ada has 3 pens.", "gold": "3", "answer_type": "numeric", "gold_solution": None, "level": None}
    problem |= {"category": "toys", "gold_steps": None, "complexity_score": 0.5, "revision": "r", "licence": "MIT"}
    problems = pl.DataFrame(
        [
            {"base_id": base, "declared_complexity": design.complexity(number), **problem}
            for number, base in enumerate(ids)
        ],
        schema=BASE_PROBLEMS.schema,
        orient="row",
    )
    runs = make_runs(
        {"base_id": base, "dose": dose, "y_base": design.solved, "n_correct": 5 * design.solved}
        for base in ids
        for dose in design.doses
    )
    pairs = make_pairs(
        {
            "base_id": base,
            "twin_id": f"{base}-{dose}-{twin}",
            "twin_text": f"{base} {dose} {twin}",
            "file_dose": dose,
            "family": FAMILIES[twin % 3],
            "inject_size": 1 if FAMILIES[twin % 3] == "math_irrelevant_context" else None,
            "y_base_run": design.solved,
            "y_twin": 1 - int(design.breaks(number, twin)),
        }
        for number, base in enumerate(ids)
        for dose in design.doses
        for twin in range(design.twins)
    )
    return problems, runs, pairs


def tables_of(problems: pl.DataFrame, runs: pl.DataFrame, pairs: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """Yield every table that is estimated from a study."""
    jobs = causal_difficulty(problems, runs, pairs, seed=42)
    yield "causal_difficulty", jobs
    yield "orthogonality", orthogonality_table(problems, jobs, seed=42)
    yield "budget_targets", budget_targets(jobs)
    yield "identity_floor", identity_floor_table(runs, seed=42)
    yield "reliability", reliability_table(jobs, seed=42, pairs=pairs)
    yield "slices", slices_table(jobs, runs, seed=42)
    both = pl.concat([jobs, jobs.with_columns(solver=pl.lit("other"))])
    yield "solver_agreement", solver_agreement_table(both, seed=42)


@pytest.mark.parametrize("name", DESIGNS)
def test_every_null_has_a_reason_and_nothing_is_nan(name: str, make_pairs: Make, make_runs: Make) -> None:
    """Rows with a null say why in ``note``; floats are finite or null."""
    for table, frame in tables_of(*study_of(DESIGNS[name], make_pairs, make_runs)):
        floats = [column for column, dtype in frame.schema.items() if dtype == pl.Float64]
        assert all(frame[column].drop_nulls().is_finite().all() for column in floats), table
        silent = frame.filter(pl.any_horizontal(pl.exclude("note").is_null()) & (pl.col("note") == ""))
        assert silent.is_empty(), (table, silent.head(1).to_dicts())


def test_reasons_of_a_job_are_the_true_ones(make_pairs: Make, make_runs: Make) -> None:
    """An unsolved base, a base without twins, and one whose only posing run failed each say so; the fourth has pi."""
    runs = make_runs(
        {"base_id": base, "dose": dose, "y_base": solved, "n_correct": right}
        for base, dose, solved, right in [
            ("low", 1, 0, 1),
            ("bare", 1, 1, 5),
            ("late", 1, 0, 2),
            ("late", 9, 1, 5),
            ("fine", 1, 1, 5),
        ]
    )
    problems, _, _ = study_of(Design(jobs=4), make_pairs, make_runs)
    problems = problems.with_columns(base_id=pl.Series(["low", "bare", "late", "fine"]))
    pairs = make_pairs(
        [
            {"base_id": "low", "y_base_run": 0, "y_twin": 0, "twin_text": "a"},
            {"base_id": "late", "y_base_run": 0, "y_twin": 0, "twin_text": "b"},
            {"base_id": "fine", "y_base_run": 1, "y_twin": 0, "twin_text": "c"},
        ]
    )
    pooled = causal_difficulty(problems, runs, pairs, seed=42).filter(slice="pooled")
    notes = dict(pooled.select("base_id", "note").iter_rows())

    assert notes["low"] == "base pass rate below 0.5"
    assert notes["bare"] == "no twin was labelled"
    assert notes["late"] == "no run that solved the base posed a twin"
    assert notes["fine"].startswith("no EB interval: fewer than 10 jobs")


@pytest.mark.parametrize("missing", [None, float("nan")], ids=["null", "NaN"])
def test_a_problem_without_complexity_is_refused_in_one_sentence(
    make_pairs: Make, make_runs: Make, missing: float | None
) -> None:
    """C is declared for every problem, so a gap is an error that names table and column."""
    problems, runs, pairs = study_of(Design(), make_pairs, make_runs)
    gap = pl.when(pl.col("base_id") == "job-03").then(pl.lit(missing, dtype=pl.Float64()))
    holed = problems.with_columns(declared_complexity=gap.otherwise("declared_complexity"))

    with pytest.raises(TableError, match=r"causal_difficulty\.declared_complexity: "):
        causal_difficulty(holed, runs, pairs, seed=42)


def test_a_dose_of_unsolved_runs_is_a_slice_without_jobs(make_pairs: Make, make_runs: Make) -> None:
    """The slice's rows stand with null pi; what is measured of it is absent, and no cell of it has a figure."""
    problems, runs, pairs = study_of(Design(), make_pairs, make_runs)
    nine = pl.col("file_dose") == 9
    pairs = pairs.with_columns(y_base_run=pl.when(nine).then(0).otherwise("y_base_run").cast(pl.Int64()))
    tables = dict(tables_of(problems, runs, pairs))

    of_nine = tables["causal_difficulty"].filter(slice="m9")
    assert (of_nine.height, of_nine["pi"].null_count()) == (40, 40)
    assert set(of_nine["note"]) == {"no run that solved the base posed a twin"}
    assert set(tables["budget_targets"]["slice"]) == {"m1", "pooled"}
    assert set(tables["orthogonality"]["slice"]) == {"m1", "pooled"}
    cells = tables["reliability"].filter(slice="m9")
    assert (set(cells["n_jobs"]), set(cells["note"])) == ({0}, {"n too small"})
    assert np.isnan(cells["r"].to_numpy()).all()
