"""Holds the tables that stand in for problems and base labels where labelled pairs are all there is.

Never invents a value: what pairs do not say stays empty, and what an empty field means is said here.
"""

from __future__ import annotations

import polars as pl

from glass_pipeline.domain.corpus.fields import InterchangeError, Stated
from glass_pipeline.domain.corpus.interchange import base_runs_of
from glass_pipeline.domain.records import AnswerType
from glass_pipeline.domain.schemas import BASE_LABELS, BASE_PROBLEMS

NO_GOLD = ""
"""Gold of a problem whose file states none: such a suite can be estimated, but nobody can be graded on it."""


def golds_of(stated: Stated) -> pl.DataFrame:
    """Return ``base_id, gold`` of the bases whose gold a file states, which the format does not ask for."""
    return stated.rows.drop_nulls("gold").select("base_id", "gold").unique("base_id", keep="first").sort("base_id")


def problems_of_pairs(
    pairs: pl.DataFrame, golds: pl.DataFrame, *, answer_type: AnswerType, revision: str, licence: str
) -> pl.DataFrame:
    """Return the base problems of imported pairs; bases without pairs are unknown.

    Args:
        pairs: ``schemas.LABELED_PAIRS`` of any doses and solvers of one suite.
        golds: ``base_id, gold`` of the bases that have a stated gold.
        answer_type: How answers of the suite are compared.
        revision: Hash of the files.
        licence: Licence of the source.

    Returns:
        ``schemas.BASE_PROBLEMS``, with an empty gold where none is stated.

    Raises:
        InterchangeError: two files give one base another text.
    """
    differing = pairs.filter(pl.col("base_text") != pl.col("base_text").first().over("base_id"))
    if differing.height:
        raise InterchangeError(
            f"base {differing['base_id'][0]!r} has two texts in these files; import one suite at a time."
        )
    jobs = pairs.unique("base_id", keep="first", maintain_order=True).join(
        golds.unique("base_id", keep="first", maintain_order=True), on="base_id", how="left"
    )
    return BASE_PROBLEMS.check(
        jobs.select(
            "base_id",
            pl.col("base_text").alias("text"),
            pl.col("gold").fill_null(NO_GOLD),
            pl.lit(answer_type).alias("answer_type"),
            pl.lit(None, dtype=pl.String()).alias("gold_solution"),
            "category",
            pl.lit(None, dtype=pl.Int64()).alias("level"),
            "gold_steps",
            "declared_complexity",
            "complexity_score",
            pl.lit(revision).alias("revision"),
            pl.lit(licence).alias("licence"),
        )
    )


def base_labels_of_pairs(pairs: pl.DataFrame) -> pl.DataFrame:
    """Return the base labels of imported pairs: counts and verdict of each run, without the answers themselves.

    Args:
        pairs: ``schemas.LABELED_PAIRS`` of one dose and solver.

    Returns:
        ``schemas.BASE_LABELS``: no sample's answer, status or cost is known, so these lists and fields are empty.
    """
    runs = base_runs_of(pairs)
    unknown = [
        pl.lit([], dtype=dtype).alias(name) if isinstance(dtype, pl.List) else pl.lit(None, dtype=dtype).alias(name)
        for name, dtype in BASE_LABELS.schema.items()
        if name not in runs.columns
    ]
    return BASE_LABELS.check(runs.with_columns(unknown))
