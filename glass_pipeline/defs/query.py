"""Holds SQL over the warehouse: an in-memory DuckDB with one view a table, so that no file is ever locked.

Never writes: the connection reads parquet and nothing else.
"""

from __future__ import annotations

import duckdb
import polars as pl

from glass_pipeline.defs.warehouse import Warehouse, WarehouseError
from glass_pipeline.domain.schemas import TABLES


def connect(warehouse: Warehouse) -> duckdb.DuckDBPyConnection:
    """Open an in-memory DuckDB in which every table that exists is a view ``"<suite>".<stage>``.

    Partitions of a table appear as one view; the file system beyond the warehouse cannot be reached.
    """
    connection = duckdb.connect(":memory:")
    for suite in warehouse.suites_present():
        connection.execute(f'create schema "{suite}"')
        for stage in TABLES:
            if any((warehouse.root / suite / stage).rglob("part.parquet")):
                pattern = str(warehouse.root / suite / stage / "**" / "part.parquet").replace("'", "''")
                connection.execute(
                    f'create view "{suite}".{stage} as '
                    f"select * from read_parquet('{pattern}', hive_partitioning = false)"
                )
    allowed = str(warehouse.root).replace("'", "''")
    connection.execute(f"set allowed_directories = ['{allowed}']")
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")
    return connection


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
    rows = connection.execute(
        "select schema_name, view_name from duckdb_views() where not internal order by all"
    ).fetchall()
    return [f'"{schema}".{view}' for schema, view in rows]
