"""Holds the reading of CSV, JSON lines and parquet into rows.

Never interprets a column (see ``rows``).
"""

from __future__ import annotations

import io
import json
from typing import Any

import polars as pl

from glass_pipeline.domain.comparison.results import ComparisonError


def csv_rows(name: str, data: bytes) -> list[dict[str, Any]]:
    """Read CSV with a header line; every cell stays text, empty ones are None.

    Raises:
        ComparisonError: the bytes are not CSV.
    """
    try:
        return pl.read_csv(io.BytesIO(data), infer_schema=False).to_dicts()
    except pl.exceptions.PolarsError as error:
        raise ComparisonError(f"{name}: not CSV with a header line ({_first_line(error)}).") from None


def jsonl_rows(name: str, data: bytes) -> list[dict[str, Any]]:
    """Read JSON objects, one a line; empty lines are skipped.

    Raises:
        ComparisonError: a line is not a JSON object, or the bytes are not UTF-8.
    """
    try:
        lines = data.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise ComparisonError(f"{name}: byte {error.start} is not UTF-8; save the file as UTF-8.") from None
    return [_object(name, number, line) for number, line in enumerate(lines, start=1) if line.strip()]


def parquet_frame(name: str, data: bytes) -> pl.DataFrame:
    """Read parquet.

    Raises:
        ComparisonError: the bytes are not parquet.
    """
    try:
        return pl.read_parquet(io.BytesIO(data))
    except (pl.exceptions.PolarsError, OSError) as error:
        raise ComparisonError(f"{name}: not parquet ({_first_line(error)}).") from None


def _object(name: str, number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ComparisonError(f"{name}, line {number}: not JSON ({error}).") from None
    if not isinstance(row, dict):
        raise ComparisonError(f"{name}, line {number}: a JSON object is needed, found {type(row).__name__}.")
    return row


def _first_line(error: Exception) -> str:
    return str(error).split("\n")[0][:120]
