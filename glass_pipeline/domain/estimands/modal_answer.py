"""Holds how often more samples change a base's modal answer.

Never asks whether the answer is right (see ``identity_floor``).
"""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from glass_pipeline.domain.estimands.strata import reference_run
from glass_pipeline.domain.grading.voting import modal


class ModalChange(NamedTuple):
    """Items whose overall modal answer is not that of the reference run."""

    n_items: int
    """Items of the reference run that another run asked again."""
    changed: int

    @property
    def share(self) -> float | None:
        """Changed / items; None where nothing was asked again."""
        return self.changed / self.n_items if self.n_items else None


def modal_change(base_labels: pl.DataFrame, *, reference_dose: int | None = None) -> ModalChange:
    """Count the items whose modal answer over the samples of every run differs from the reference run's own.

    Args:
        base_labels: Columns ``dose, base_id, modal_answer, answers`` of ``schemas.BASE_LABELS``, every dose run of one
            solver; samples are pooled in ascending dose.
        reference_dose: None takes the largest dose held.

    Source: methods §1.9.
    """
    pooled = (
        base_labels.sort("base_id", "dose")
        .group_by("base_id", maintain_order=True)
        .agg(pl.col("answers").explode(empty_as_null=False), runs=pl.len())
        .filter(pl.col("runs") > 1)
    )
    items = reference_run(base_labels, reference_dose).select("base_id", "modal_answer").join(pooled, on="base_id")
    changed = sum(
        modal(answers) != answer for answer, answers in items.select("modal_answer", "answers").iter_rows() if answers
    )
    return ModalChange(items.height, changed)
