"""Holds ``glass curate``: the items of a suite, or of a file, that rewording breaks most.

Never trains and never ranks by itself; it reads tables and a model, and prints the choice.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from glass_pipeline.cli.errors import InputError
from glass_pipeline.cli.predict import about_of, read_items, read_model, said_of
from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.location import on_this_machine
from glass_pipeline.study import Study, derived_slug, settings_from

if TYPE_CHECKING:
    import polars as pl

    from glass_pipeline.domain.predictors.jobs import JobSet

SHOWN = 70
"""Characters of a text that a terminal line holds."""
SCORED_PERCENTS = (5, 10, 20, 50)


class Choice(NamedTuple):
    """What is to be chosen, as typed."""

    suite: str
    limit: int | None
    top: str
    solver: str | None
    predictor: str | None
    items: Path | None


def curate(choice: Choice, study_file: Path | None, *, as_json: bool) -> None:
    """Print the chosen items, most fragile first, and how good such choices were on held-out items."""
    from glass_pipeline.domain.predictors.curating import most_fragile

    study, settings = settings_from(os.environ, study_file)
    warehouse, percent = Warehouse(settings.warehouse), percent_of(choice.top)
    cell = model_cell(choice, study, warehouse)
    model = read_model(on_this_machine(warehouse.folder(cell), "A model that is read"))
    jobs, measured, held_out = _candidates(choice, cell, warehouse)
    chosen = most_fragile(model, jobs, measured, held_out, percent=percent)
    texts = dict(jobs.problems.select("base_id", "text").iter_rows())
    rows = [{"id": row.pop("base_id"), **row} for row in chosen.iter_rows(named=True)]
    worth = _worth(cell, percent, warehouse)
    if as_json:
        print(json.dumps({"model": about_of(model), "held_out": worth, "chosen": rows}, ensure_ascii=False))
        return
    for row in rows:
        seen = f"{row['k']:.0f} of {row['n']:.0f} twins broke" if row["n"] else "predicted"
        text = " ".join(texts[row["id"]].split())
        print(f"{row['score']:.3f}  {seen:<22}  {row['id']}  {text[:SHOWN]}")
    print(f"{len(rows):,} of {len(jobs):,} items. {said_of(model)}{_said(worth, percent)}", file=sys.stderr)


def percent_of(top: str) -> float:
    """Return 5.0 for ``5%`` or ``5``.

    Raises:
        InputError: it is not a share above 0 and at most 100 %.
    """
    try:
        percent = float(top.strip().removesuffix("%"))
    except ValueError:
        percent = 0.0
    if not 0 < percent <= 100:
        raise InputError(f"--top {top}: give a share of the items, e.g. 5%.")
    return percent


def model_cell(choice: Choice, study: Study, warehouse: Warehouse) -> Cell:
    """Return the cell of the model that is asked for: of the named predictor, or the first that keeps one.

    Raises:
        InputError: several solvers and none named, or no model yet.
        StudyError: no such suite or predictor.
    """
    suite = derived_slug(choice.suite, choice.limit)
    solvers = study.solvers_of(suite) if choice.solver is None else (choice.solver,)
    names = study.predictor_names if choice.predictor is None else (study.predictor(choice.predictor).name,)
    cells = [Cell(suite, "predictions", None, solver, name) for solver in solvers for name in names]
    kept = [cell for cell in cells if (warehouse.folder(cell) / "about.json").is_file()]
    if not kept:
        raise InputError(
            f"{suite} keeps no such model; `glass run {choice.suite} --select predictors` trains it (baselines and "
            "averages of several starts keep none)."
        )
    if len({cell.solver for cell in kept}) > 1:
        raise InputError(f"{suite} has models of {', '.join(str(cell.solver) for cell in kept)}; name one by --solver.")
    return kept[0]


def _candidates(choice: Choice, cell: Cell, warehouse: Warehouse) -> tuple[JobSet, pl.DataFrame, pl.DataFrame]:
    """Return the items to choose among, what is measured of them, and what was predicted before they were seen.

    Items of the suite that the solver fails as they stand are left out: there is nothing to break.
    """
    import polars as pl

    from glass_pipeline.domain.predictors.jobs import jobs_of_texts

    held_out = warehouse.read([cell], ["base_id", "pi_hat"])
    rates = Cell(cell.suite, "causal_difficulty", None, cell.solver)
    jobs = warehouse.read([rates], ["slice", "base_id", "in_stratum", "n", "k"]).filter(pl.col("slice") == "pooled")
    if choice.items is not None:
        return read_items(choice.items)[0], jobs.clear(), held_out.clear()
    problems = warehouse.read([Cell(cell.suite, "base_problems")], ["base_id", "text"])
    solvable = problems.join(jobs.filter(~pl.col("in_stratum")), on="base_id", how="anti")
    return jobs_of_texts(solvable.iter_rows()), jobs.filter(pl.col("n") > 0), held_out


def _worth(cell: Cell, percent: float, warehouse: Warehouse) -> dict[str, Any]:
    """Return recall and mean-pi ratio of the predictor's held-out choices, where this share was scored."""
    import polars as pl

    scores = Cell(cell.suite, "predictor_scores", None, cell.solver)
    if percent not in SCORED_PERCENTS or not warehouse.path(scores).is_file():
        return {}
    own = warehouse.read([scores]).filter(
        pl.col("predictor") == cell.predictor, pl.col("target") == "pi", pl.col("part") == "all"
    )
    wanted = [f"{name}_{percent:.0f}" for name in ("recall", "best_recall", "mean_ratio")]
    return {metric: mean for metric, mean in own.select("metric", "mean").iter_rows() if metric in wanted}


def _said(worth: dict[str, Any], percent: float) -> str:
    ratio = worth.get(f"mean_ratio_{percent:.0f}")
    if ratio is None:
        return ""
    return f" Choosing {percent:g} % of held-out items by prediction alone reached {ratio:.0%} of the best mean π."
