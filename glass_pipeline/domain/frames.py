"""Holds the way from records to tables and back, for the records that are stored as rows.

Never checks or computes anything beyond the text hash of a twin.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

import polars as pl

from glass_pipeline.domain.fingerprint import text_hash
from glass_pipeline.domain.records import Decline, Distractor, Problem, Twin
from glass_pipeline.domain.schemas import BASE_PROBLEMS, DECLINES, DISTRACTORS, TWINS


def problems_frame(problems: Iterable[Problem]) -> pl.DataFrame:
    """Return base problems as a table."""
    return BASE_PROBLEMS.frame(asdict(problem) for problem in problems)


def problems_of(frame: pl.DataFrame) -> list[Problem]:
    """Return the base problems of a table."""
    return [Problem(**row) for row in frame.iter_rows(named=True)]


def distractors_frame(distractors: Iterable[Distractor]) -> pl.DataFrame:
    """Return sentences that may be injected as a table."""
    return DISTRACTORS.frame(asdict(distractor) for distractor in distractors)


def distractors_of(frame: pl.DataFrame) -> list[Distractor]:
    """Return the sentences of a table."""
    return [Distractor(**row) for row in frame.iter_rows(named=True)]


def twins_frame(twins: Iterable[Twin]) -> pl.DataFrame:
    """Return twins as a table, with the hash of each text."""
    return TWINS.frame({**asdict(twin), "text_hash": text_hash(twin.text)} for twin in twins)


def twins_of(frame: pl.DataFrame) -> list[Twin]:
    """Return the twins of a table."""
    return [Twin(**row) for row in frame.drop("text_hash").iter_rows(named=True)]


def declines_frame(declines: Iterable[Decline]) -> pl.DataFrame:
    """Return declines as a table."""
    return DECLINES.frame(asdict(decline) for decline in declines)
