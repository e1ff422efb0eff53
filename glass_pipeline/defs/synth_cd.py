"""Holds how the scores of Synth-CD are made and stored, for the asset and the command alike.

Never draws or trains by itself (see ``domain.synth_cd``).
"""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.warehouse import Provenance, Warehouse
from glass_pipeline.domain.fingerprint import frame_hash, settings_hash
from glass_pipeline.domain.schemas.synth_cd import SYNTH_SCORES

SCORES = Cell("synth_cd", "scores")
"""Where the table lies; ``synth_cd`` is no suite."""
NUMBERS = ("spearman", "ndcg_10", "auroc", "mae", "abs_rho_c")


class SynthScores(NamedTuple):
    """The table, and what it looks like."""

    table: pl.DataFrame
    data_version: str
    text: str
    """A Markdown table."""


def make_synth_scores(warehouse: Warehouse, *, features: str, seed: int) -> SynthScores:
    """Draw both variants, train and score every method, and store the table.

    Args:
        warehouse: Where it is stored.
        features: Name of frozen features.
        seed: Of every draw and start.

    Raises:
        PredictorError: no such features, or their weights are not on this machine.
    """
    from glass_pipeline.domain.predictors.features import make_featurizer
    from glass_pipeline.domain.synth_cd.study import bernoulli_study, continuous_study

    parts = [
        continuous_study(make_featurizer(features), seed=seed),
        bernoulli_study(lambda: make_featurizer(features), seed=seed),
    ]
    table = SYNTH_SCORES.check(pl.concat(parts))
    version = frame_hash(table, SYNTH_SCORES.key)
    settings = settings_hash({"features": features, "seed": seed})
    warehouse.write(SCORES, table, Provenance(data_version=version, code_version="1", settings=settings))
    return SynthScores(table, version, markdown_of(table))


def markdown_of(table: pl.DataFrame) -> str:
    """Return the table as Markdown, best rank correlation of each variant first."""
    heads = ("variant", "method", "reads", *NUMBERS, "published")
    lines = [f"| {' | '.join(heads)} |", "|" + " --- |" * len(heads)]
    for row in table.sort("variant", "spearman", descending=[False, True]).iter_rows(named=True):
        numbers = ["—" if row[name] is None else f"{row[name]:.3f}" for name in NUMBERS]
        lines.append(f"| {' | '.join([row['variant'], row['method'], row['reads'], *numbers, row['published']])} |")
    return "\n".join(lines)
