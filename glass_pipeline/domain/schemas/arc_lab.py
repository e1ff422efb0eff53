"""Holds the declared columns of the ARC lab's files, which are JSON lines in the lab's own folder.

Never reads or writes a file; these are no tables of a suite, so ``TABLES`` does not list them.
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from glass_pipeline.domain.schemas.columns import TEXTS
from glass_pipeline.domain.table import Column

PREDICTION = (
    Column("id", pl.String(), "id of the test item"),
    Column("gold", pl.Int64(), "place of the right choice, from 0"),
    Column("prediction", pl.Int64(), "place of the choice with the highest score; the first of equal ones"),
    Column("correct", pl.Int64(), "1 or 0"),
    Column("scores", pl.List(pl.Float64()), "mean log-probability of each choice; no probabilities"),
)

LAB_COLUMNS: Mapping[str, tuple[Column, ...]] = {
    "items": (
        Column("id", pl.String(), "id in the source; unique in the test split, may recur in train"),
        Column("question", pl.String(), "the question"),
        Column("labels", TEXTS, "what the prompt calls the choices"),
        Column("choices", TEXTS, "texts of the choices"),
        Column("answer_index", pl.Int64(), "place of the right choice, from 0"),
        Column("category", pl.String(), "what the source calls its kind", nullable=True),
    ),
    "lora_adapter": (
        Column("seed", pl.Int64(), "training seed"),
        Column("epoch", pl.Int64(), "pass over the training split, from 1"),
        Column("loss", pl.Float64(), "mean over the batches"),
        Column("validation_accuracy", pl.Float64(), "share of right predictions; the first best epoch is kept"),
        Column("batch_losses", pl.List(pl.Float64()), "loss of each batch, in order"),
    ),
    "base_predictions": PREDICTION,
    "predictions": PREDICTION,
    "paired_report": (
        Column("seed", pl.Int64(), "training seed"),
        Column("accuracy_pct", pl.Float64(), "of the seed's adapter on the test split"),
        Column("delta_pp", pl.Float64(), "accuracy minus that of the base model, percentage points"),
    ),
}
"""Columns by asset: of each split, of ``epochs.jsonl``, of a result file, and of the report's table of seeds."""
