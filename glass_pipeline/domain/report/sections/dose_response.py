"""Holds how break rates change with dose: pooled rates, and the spread of a and b over items.

Never shows the fit on file dose without the fit on injection size beside it (methods §1.6).
"""

from __future__ import annotations

from glass_pipeline.domain.report.blocks import Aid, Block, Grid, Head, Missing, Section
from glass_pipeline.domain.report.display_text import family_name
from glass_pipeline.domain.report.evidence import Evidence, SolverEvidence
from glass_pipeline.domain.report.family_rates import family_rates
from glass_pipeline.domain.report.numerals import count, percent, percent_estimate, real
from glass_pipeline.domain.report.solver_column import SOLVER, named_if_several

QUARTILES = (0.25, 0.5, 0.75)
FITS = (
    ("a", "a, fragility at m = 5, logits", "file dose"),
    ("b", "b, change a dose unit, logits", "file dose"),
    ("a_inject", "a, fragility at size 5, logits", "injection size"),
    ("b_inject", "b, change an added sentence, logits", "injection size"),
)


def section(evidence: Evidence) -> Section:
    """Return rates by injection size and the quartiles of the fitted a and b."""
    fits = [row for one in evidence.solvers for row in _fit_rows(one)]
    sizes = [row for one in evidence.solvers for row in _size_rows(one, evidence)]
    blocks: list[Block] = []
    if not fits and not sizes:
        blocks.append(Missing("No dose response yet: no reworded twin of a solved problem has been answered."))
    else:
        blocks.append(
            Aid(
                "b above 0: more rewordings, more breaks. Renamed and reordered twins are the same at every dose, so "
                "a fit on file dose mostly shows what each dose is made of; the fit on the number of added sentences "
                "stands beside it. b of a single item is weakly identified."
            )
        )
    if fits:
        blocks.append(named_if_several(_fit_grid(fits), evidence))
    if sizes:
        blocks.append(named_if_several(_size_grid(sizes), evidence))
    return Section(
        slug="dose-response",
        title="Dose response",
        blocks=tuple(blocks),
        summary={one.solver: _medians(one) for one in evidence.solvers},
    )


def _medians(one: SolverEvidence) -> dict[str, float | None]:
    return {column: one.scored[column].median() for column, _, _ in FITS}  # type: ignore[misc]


def _fit_rows(one: SolverEvidence) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for column, name, dose in FITS:
        values = one.scored[column].drop_nulls()
        if not values.is_empty():
            low, middle, high = (values.quantile(q, "linear") for q in QUARTILES)
            above = percent(int((values > 0).sum()) / values.len(), 0)
            rows.append((name, one.solver, dose, real(middle), real(low), real(high), above, count(values.len())))
    return rows


def _fit_grid(rows: list[tuple[str, ...]]) -> Grid:
    return Grid(
        caption="Fitted dose response over items",
        heads=(
            Head("Coefficient", is_number=False),
            SOLVER,
            Head("Dose is", is_number=False),
            Head("Median"),
            Head("Lower quartile"),
            Head("Upper quartile"),
            Head("Above 0"),
            Head("Items"),
        ),
        rows=tuple(rows),
    )


def _size_rows(one: SolverEvidence, evidence: Evidence) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for cell in family_rates(one, evidence, "inject_size"):
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
    return rows


def _size_grid(rows: list[tuple[str, ...]]) -> Grid:
    return Grid(
        caption="Break rate by number of added sentences",
        heads=(
            Head("Rewording", is_number=False),
            SOLVER,
            Head("Sentences added"),
            Head("Break rate"),
            Head("95 % interval", "%"),
            Head("Breaks"),
            Head("Twins"),
            Head("Items"),
        ),
        rows=tuple(rows),
    )
