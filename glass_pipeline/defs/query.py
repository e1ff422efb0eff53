"""Holds SQL over the warehouse: one question, its rows.

Never changes a table: the connection reads ``glass.duckdb`` and the parquet files behind it, and nothing else.
"""

from __future__ import annotations

import duckdb
import polars as pl

from glass_pipeline.defs.catalogue import connect
from glass_pipeline.defs.warehouse import Warehouse, WarehouseError


def run_query(sql: str, warehouse: Warehouse) -> pl.DataFrame:
    """Return the rows of a query.

    Raises:
        WarehouseError: the query is wrong, or asks for more than the warehouse.
    """
    with connect(warehouse) as connection:
        try:
            return connection.sql(sql).pl()
        except duckdb.Error as error:
            first_line = str(error).splitlines()[0]
            raise WarehouseError(f"{first_line} (tables: {', '.join(_tables(connection)) or 'none yet'})") from None


def _tables(connection: duckdb.DuckDBPyConnection) -> list[str]:
    rows = connection.execute("select suite, name from main.tables order by all").fetchall()
    return [f'"{suite}".{name}' for suite, name in rows]
