"""Holds the five headline figures, each with its interval and what chance alone would give.

Never holds a figure without its n.
"""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import numpy as np
import scipy

from glass_pipeline.domain.estimands import Measure
from glass_pipeline.domain.estimands.ccd import FRAGILE_FROM
from glass_pipeline.domain.report.blocks import Block, Figure, Figures, Grid, Head, Section
from glass_pipeline.domain.report.evidence import FEWEST_JOBS, Evidence, SolverEvidence
from glass_pipeline.domain.report.numerals import (
    NONE,
    THIN,
    count,
    counted,
    percent,
    percent_estimate,
    real,
    real_estimate,
)
from glass_pipeline.domain.report.solver_column import SOLVER
from glass_pipeline.domain.report.spending import spent

NOT_YET = "not measured yet"
NO_INTERVAL = "too few items for an interval"


def section(evidence: Evidence) -> Section:
    """Return the figures of one solver, or one row of them for each of several."""
    blocks: tuple[Block, ...] = ()
    if len(evidence.solvers) == 1:
        one = evidence.solvers[0]
        blocks = (Figures(figures=_figures(one, evidence), below=_below(one)),)
    elif evidence.solvers:
        blocks = (_side_by_side(evidence),)
    return Section(
        slug="figures",
        title="In five figures",
        blocks=blocks,
        summary={one.solver: _numbers(one) for one in evidence.solvers},
        place="lead",
    )


def _figures(one: SolverEvidence, evidence: Evidence) -> tuple[Figure, ...]:
    return (_solvable(one, evidence), _fragile(one), _mean_pi(one), _floor(one), _reliability(one))


def _side_by_side(evidence: Evidence) -> Grid:
    return Grid(
        caption="Solvers side by side, each figure with its 95 % interval",
        heads=(
            SOLVER,
            Head("Solvable share"),
            Head("Fragile share"),
            Head("of items"),
            Head("by re-solving alone"),
            Head("Mean π"),
            Head("Identity floor"),
            Head("Reliability r"),
            Head("√r"),
            Head("Oracle"),
            Head("Completions"),
            Head("without an answer"),
            Head("Cost"),
        ),
        rows=tuple(_row(one, evidence) for one in evidence.solvers),
    )


def _row(one: SolverEvidence, evidence: Evidence) -> tuple[str, ...]:
    solvable, fragile, mean_pi, floor, reliability = map(_with_interval, _figures(one, evidence))
    chance, total = fragile_by_chance(one), spent(one)
    root, oracle = (NONE, NONE)
    if one.reliability is not None:
        root, oracle = real(math.sqrt(max(one.reliability.r, 0.0)), 3), real(one.reliability.oracle, 3)
    return (
        f"{one.solver} (simulated)" if one.is_simulated else one.solver,
        solvable,
        fragile,
        count(one.study.n_measured),
        NONE if chance is None else percent(chance),
        mean_pi,
        floor,
        reliability,
        root,
        oracle,
        count(total.completions),
        count(total.without_answer),
        total.cost,
    )


def _with_interval(figure: Figure) -> str:
    interval = "too few items" if figure.interval == NO_INTERVAL else figure.interval
    return figure.value if figure.value == NONE else f"{figure.value}\n{interval}"


def _solvable(one: SolverEvidence, evidence: Evidence) -> Figure:
    value, interval = _written(one.study.solvable)
    choice = "choice" in set(evidence.given.base_problems["answer_type"])
    return Figure(
        name="Solvable share",
        value=value,
        interval=interval,
        basis=f"{count(one.stratum.height)} of {counted(one.jobs.height, 'item')}, right at least half the time",
        chance="guessing: one in the number of choices" if choice else f"guessing: about 0{THIN}%",
    )


def _written(measure: Measure) -> tuple[str, str]:
    value, interval = percent_estimate(measure.value, measure.low, measure.high)
    return value, NOT_YET if measure.value is None else interval


def _is_too_few(one: SolverEvidence) -> bool:
    return 0 < one.study.n_measured < FEWEST_JOBS


def fragile_by_chance(one: SolverEvidence) -> float | None:
    """Return the share of jobs that re-solving alone would make fragile.

    Mean over jobs of P(X / n_j > 0.05), X ~ Bin(n_j, floor). None where the floor is not measured.
    """
    if one.floor is None or one.scored.is_empty():
        return None
    n = one.scored["n"].to_numpy()
    return float(scipy.stats.binom.sf(np.floor(FRAGILE_FROM * n + 1e-9), n, one.floor.rate).mean())


def _fragile(one: SolverEvidence) -> Figure:
    value, interval = _written(one.study.fragile)
    if _is_too_few(one):
        value = f"{count(one.study.n_fragile)} of {count(one.study.n_measured)}"
    chance = fragile_by_chance(one)
    return Figure(
        name="Fragile share",
        value=value,
        interval=interval,
        basis=f"of {counted(one.study.n_measured, 'solvable item')}, π above 5{THIN}%",
        chance="by re-solving alone: " + (NOT_YET if chance is None else percent(chance)),
    )


def _mean_pi(one: SolverEvidence) -> Figure:
    value, interval = _written(one.study.mean_pi)
    if _is_too_few(one):
        interval = NO_INTERVAL
    items, twins = counted(one.study.n_measured, "item"), counted(one.study.n_observations, "twin")
    return Figure(
        name="Mean π",
        value=value,
        interval=interval,
        basis=f"mean break rate of {items}, {twins}",
        chance="by re-solving alone: " + (NOT_YET if one.floor is None else percent(one.floor.rate)),
    )


def _floor(one: SolverEvidence) -> Figure:
    name, floor = "Identity floor", one.floor
    if floor is None:
        return Figure(name=name, value=NONE, interval=NOT_YET, basis="breaks when the base is merely asked again")
    value, interval = percent_estimate(floor.rate, floor.low, floor.high)
    return Figure(
        name=name,
        value=value,
        interval=interval,
        basis=f"{count(floor.breaks)} of {counted(floor.resolves, 're-solve')}, nothing reworded",
        chance="this is the chance level",
    )


def _reliability(one: SolverEvidence) -> Figure:
    name, figure = "Reliability r", one.reliability
    if figure is None:
        return Figure(name=name, value=NONE, interval=NOT_YET, basis="how well the ranking of items would repeat")
    value, interval = real_estimate(figure.r, figure.r_low, figure.r_high)
    decimals = len(value.partition(".")[2])
    root = real(math.sqrt(max(figure.r, 0.0)), decimals)
    return Figure(
        name=name,
        value=value,
        interval=interval,
        basis=f"√r {root}, oracle {real(figure.oracle, decimals)}, {counted(figure.jobs, 'item')}",
        chance="a random ranking: 0",
    )


def _below(one: SolverEvidence) -> str:
    total = spent(one)
    lost = total.without_answer
    parts = [
        f"cost: {total.cost}",
        counted(total.completions, "completion"),
        f"{count(lost)} without an answer" + (f" ({percent(lost / total.completions)})" if lost else ""),
    ]
    return " · ".join(parts)


def _numbers(one: SolverEvidence) -> dict[str, Any]:
    return {
        "is_simulated": one.is_simulated,
        **asdict(one.study),
        "fragile_by_chance": fragile_by_chance(one),
        "identity_floor": None if one.floor is None else one.floor._asdict() | {"rate": one.floor.rate},
        "reliability": None if one.reliability is None else one.reliability._asdict(),
    }
