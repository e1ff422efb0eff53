"""Holds the choice of the most surprising breaks: sure on the base, sure and wrong on the twin, little changed.

Never draws at random.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import polars as pl

from glass_pipeline.domain.report.evidence import Evidence, SolverEvidence
from glass_pipeline.domain.report.word_diff import Run, changed_words, word_diff

CANDIDATES = 300
"""Breaks, most certain first, of which the words are compared."""


class Surprise(NamedTuple):
    """One break and what makes it surprising."""

    solver: str
    pair: dict[str, Any]
    """A row of ``labeled_pairs``."""
    runs: tuple[Run, ...]


def most_surprising(evidence: Evidence, wanted: int) -> tuple[Surprise, ...]:
    """Return the most surprising breaks, one an item, real solvers before simulated ones.

    Ranked by Y_mean(J) (1 - share of the twin's samples that are right), both at two decimals, then by fewest
    changed words, then by id. A family that is already shown gives way to one that is not, among equals.

    Args:
        evidence: The suite.
        wanted: How many to return at most.
    """
    chosen: list[Surprise] = []
    for one in evidence.solvers:
        chosen += _of_solver(one, wanted - len(chosen), {surprise.pair["base_id"] for surprise in chosen})
    return tuple(chosen)


def _of_solver(one: SolverEvidence, wanted: int, taken: set[str]) -> list[Surprise]:
    if wanted <= 0:
        return []
    ranked = _ranked(one)
    chosen: list[Surprise] = []
    families: set[str] = set()
    # A first pass takes one break a family, a second fills what is left.
    for is_first_pass in (True, False):
        for certainty, surprise in ranked:
            pair = surprise.pair
            is_weak = is_first_pass and (pair["family"] in families or certainty < ranked[0][0])
            if len(chosen) < wanted and pair["base_id"] not in taken and not is_weak:
                chosen.append(surprise)
                taken.add(pair["base_id"])
                families.add(pair["family"])
    return chosen


def _ranked(one: SolverEvidence) -> list[tuple[float, Surprise]]:
    certainty = pl.col("y_base_job") * (1 - pl.col("twin_samples_correct") / pl.col("n_twin_samples").clip(1))
    rows = (
        one.pairs.filter("is_break")
        .join(one.stratum.select("base_id", y_base_job="y_base_mean"), on="base_id")
        .join(
            one.twin_labels.select("base_id", "text_hash", n_twin_samples="n_samples"),
            on=["base_id", "text_hash"],
            how="left",
        )
        .with_columns(pl.col("n_twin_samples").fill_null(pl.col("n_base")))
        .with_columns(certainty=certainty.round(2))
        .unique(["base_id", "text_hash"], keep="first", maintain_order=True)
        .sort("certainty", "declared_complexity", "base_id", "twin_id", descending=[True, False, False, False])
        .head(CANDIDATES)
    )
    compared = [
        (row["certainty"], Surprise(one.solver, row, word_diff(row["base_text"], row["twin_text"])))
        for row in rows.iter_rows(named=True)
    ]
    return sorted(
        compared,
        key=lambda entry: (-entry[0], changed_words(entry[1].runs), entry[1].pair["base_id"]),
    )
