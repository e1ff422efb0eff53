"""Holds how roll-ups leave Dagster: as parquet like every table, and at once as tables of ``glass.duckdb``.

Never stores a row that the parquet file lacks: that file, with its provenance, stays the truth.
"""

from __future__ import annotations

import dagster as dg
import polars as pl

from glass_pipeline.defs.catalogue import publish
from glass_pipeline.defs.io_managers import ParquetIOManager


class DuckDBIOManager(dg.IOManager):
    """Writes a roll-up through the parquet manager, then puts a fresh ``glass.duckdb`` in place of the old one.

    Readers are never blocked and never see half a file; two runs that end together take turns.
    """

    def __init__(self, tables: ParquetIOManager) -> None:
        self.tables = tables
        """The manager that loaded the step's inputs too, and so knows what the roll-up was made from."""

    def handle_output(self, context: dg.OutputContext, obj: pl.DataFrame) -> None:
        """Replace the roll-up's file, then the database."""
        self.tables.handle_output(context, obj)
        database = publish(self.tables.warehouse)
        if database is not None:
            context.add_output_metadata({"database": dg.MetadataValue.path(database)})

    def load_input(self, context: dg.InputContext) -> pl.DataFrame:
        """Return the roll-up from its parquet file."""
        return self.tables.load_input(context)
