"""Holds what a declared table is, and the one function that checks a frame against it.

Never declares a table of the warehouse (see ``schemas``), reads or writes one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from glass_pipeline.domain.errors import BadInput

PolarsType = pl.DataType | type[pl.DataType]


class TableError(BadInput):
    """A frame is not the table it claims to be."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its polars type, what it means, whether it may be null."""

    name: str
    dtype: PolarsType
    meaning: str
    nullable: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """One table of the warehouse."""

    name: str
    """The stage that makes it."""
    key: tuple[str, ...]
    """Columns that together identify a row."""
    columns: tuple[Column, ...]

    @property
    def schema(self) -> dict[str, PolarsType]:
        """Column names and polars types, in order."""
        return {column.name: column.dtype for column in self.columns}

    def frame(self, rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
        """Build the table from records, and check it."""
        return self.check(pl.DataFrame(list(rows), schema=self.schema, orient="row"))

    def check(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the frame with its columns in order and its rows sorted by key.

        Raises:
            TableError: a column is missing, unknown, of another type, holds NaN, or is null where it may not be, or
                two rows share a key.
        """
        missing = [name for name in self.schema if name not in frame.columns]
        unknown = [name for name in frame.columns if name not in self.schema]
        if missing or unknown:
            raise TableError(f"{self.name}: missing columns {missing}, unknown columns {unknown}; see domain/schemas.")
        for column in self.columns:
            self._check_column(column, frame[column.name])
        ordered = frame.select(list(self.schema)).sort(list(self.key))
        repeated = ordered.filter(ordered.select(self.key).is_duplicated())
        if repeated.height:
            first = repeated.row(0, named=True)
            raise TableError(f"{self.name}: two rows share the key { {name: first[name] for name in self.key} }.")
        return ordered

    def _check_column(self, column: Column, values: pl.Series) -> None:
        if values.dtype != column.dtype:
            raise TableError(f"{self.name}.{column.name}: {values.dtype} found, {column.dtype} expected.")
        if values.dtype.is_float() and values.is_nan().any():
            raise TableError(f"{self.name}.{column.name}: NaN found; a value that cannot be had is null.")
        if not column.nullable and values.null_count():
            raise TableError(f"{self.name}.{column.name}: {values.null_count()} null values, none allowed.")
