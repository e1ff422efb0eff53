"""Holds the chart of break rates by family and dose, and the table behind it.

Never pools solvers: each has its own drawing, all on one scale.
"""

from __future__ import annotations

from itertools import groupby

from glass_pipeline.domain.report.blocks import Aid, Block, Charts, Grid, Head, Missing, Section
from glass_pipeline.domain.report.display_text import family_name, short_family_name
from glass_pipeline.domain.report.evidence import FEWEST_JOBS, Evidence, SolverEvidence
from glass_pipeline.domain.report.family_rates import FamilyRate, family_rates
from glass_pipeline.domain.report.line_chart import LineChart, Series, highest, line_chart
from glass_pipeline.domain.report.numerals import count, listed, percent, percent_estimate
from glass_pipeline.domain.report.solver_column import SOLVER, named_if_several

AID = (
    "Each line is one way of rewording; m is how many rewordings of a problem the dose holds. Bands are 95 % "
    "intervals with each problem as one cluster."
)


def section(evidence: Evidence) -> Section:
    """Return one chart a solver."""
    rates = {one.solver: family_rates(one, evidence, "file_dose") for one in evidence.solvers}
    drawn = [one for one in evidence.solvers if rates[one.solver]]
    blocks: tuple[Block, ...]
    if not drawn:
        blocks = (Missing("No reworded twin of a solved problem has been answered yet.", _command(evidence)),)
    else:
        series = {one.solver: _series(rates[one.solver]) for one in drawn}
        top = max(highest(series[one.solver], _chance(one)) for one in drawn)
        several = len(evidence.solvers) > 1
        charts = tuple(_chart(one, series[one.solver], top, several) for one in drawn)
        blocks = (Charts(drawings=charts, grid=named_if_several(_grid(drawn, rates), evidence)), Aid(_aid(drawn)))
    return Section(
        slug="break-rates",
        title="Break rate by rewording and dose",
        blocks=blocks,
        summary={
            solver: [
                {"family": cell.family, "dose": cell.dose, "breaks": cell.breaks, "jobs": cell.jobs}
                | cell.rate._asdict()
                for cell in cells
            ]
            for solver, cells in rates.items()
        },
        place="lead",
    )


def _command(evidence: Evidence) -> str:
    return f"glass run {evidence.given.suite}"


def _series(rates: tuple[FamilyRate, ...]) -> list[Series]:
    series = []
    for family, group in groupby(rates, key=lambda rate: rate.family):
        cells = list(group)
        series.append(
            Series(
                name=short_family_name(family),
                x=tuple(float(cell.dose) for cell in cells),
                y=tuple(cell.rate.value for cell in cells),
                low=tuple(cell.rate.low for cell in cells),
                high=tuple(cell.rate.high for cell in cells),
            )
        )
    return series


def _chance(one: SolverEvidence) -> tuple[float, float] | None:
    return None if one.floor is None else (one.floor.low, one.floor.high)


def _chart(one: SolverEvidence, series: list[Series], top: float, several: bool) -> LineChart:
    said = listed([f"{line.name} from {percent(line.y[0])} to {percent(line.y[-1])}" for line in series])
    title = f"{one.solver}{' (simulated)' if one.is_simulated else ''}" if several else "Broken twins, %"
    return line_chart(
        series,
        title=title,
        description=f"Break rate of {one.solver} from the lowest to the highest dose: {said}.",
        x_name="dose m",
        chance=_chance(one),
        top=top,
    )


def _grid(drawn: list[SolverEvidence], rates: dict[str, tuple[FamilyRate, ...]]) -> Grid:
    rows = []
    for one in drawn:
        for cell in rates[one.solver]:
            value, interval = percent_estimate(cell.rate.value, cell.rate.low, cell.rate.high)
            rows.append(
                (
                    family_name(cell.family),
                    one.solver,
                    str(cell.dose),
                    value,
                    interval,
                    count(cell.breaks),
                    count(cell.rate.n),
                    count(cell.jobs),
                )
            )
    return Grid(
        caption="Break rate by rewording and dose",
        heads=(
            Head("Rewording", is_number=False),
            SOLVER,
            Head("Dose m"),
            Head("Break rate"),
            Head("95 % interval", "%"),
            Head("Breaks"),
            Head("Twins"),
            Head("Items"),
        ),
        rows=tuple(rows),
    )


def _aid(drawn: list[SolverEvidence]) -> str:
    few = [one.solver for one in drawn if one.scored.height < FEWEST_JOBS]
    rough = f" With so few items ({listed(few)}) the bands are rough." if few else ""
    return f"{AID}{rough} {_floor_aid(drawn)}"


def _floor_aid(drawn: list[SolverEvidence]) -> str:
    if any(one.floor is None for one in drawn):
        return "The identity floor is not measured yet, so no grey band shows what re-solving alone breaks."
    return "Grey: what re-solving the unchanged problem breaks."
