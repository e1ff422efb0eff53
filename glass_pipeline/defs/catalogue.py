"""Holds glass.duckdb: what SQL sees of a warehouse, built whole beside the old file and then put in its place.

Never holds a row that no parquet file holds: delete the file, and the next run or query builds it again.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

import duckdb
import polars as pl
from filelock import FileLock

from glass_pipeline.defs.files import PART, refusal
from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.stages import STAGES
from glass_pipeline.defs.warehouse import Warehouse, WarehouseError
from glass_pipeline.domain.fingerprint import settings_hash
from glass_pipeline.domain.schemas import TABLES

FILE = "glass.duckdb"
WILDCARD = str.maketrans({char: f"[{char}]" for char in "*?["})
ALIAS = "glass_file"
"""Catalog name of the file inside ``glass query``; no suite can be called so."""


CONTENTS = {
    "warehouse": ("root",),
    "tables": ("suite", "name", "kind", "version", "why"),
    "columns": ("suite", "name", "column_name", "meaning"),
}
"""Tables of schema ``main`` that say what the file holds, with their columns."""


class Entry(NamedTuple):
    """One table of the warehouse, as SQL sees it."""

    suite: str
    """Schema; ``main`` for what spans suites."""
    stage: str
    kind: Literal["table", "view", "unreadable"]
    """Roll-ups are copied in; everything else is a view over its parquet files."""
    version: str
    """Changes where the entry must be made anew: content of a table, columns of a view."""


def entries(warehouse: Warehouse) -> tuple[Entry, ...]:
    """Return what the warehouse holds now, by suite and stage."""
    found = [_entry(warehouse, suite, stage) for suite in ("", *warehouse.suites_present()) for stage in TABLES]
    return tuple(sorted(entry for entry in found if entry is not None))


def _entry(warehouse: Warehouse, suite: str, stage: str) -> Entry | None:
    if bool(suite) == STAGES[stage].spans_suites:
        return None
    parts = warehouse.parts(suite, stage)
    if not parts:
        return None
    schema = suite or "main"
    try:
        if STAGES[stage].is_rollup:
            provenance = warehouse.provenance(Cell(suite, stage))
            return None if provenance is None else Entry(schema, stage, "table", provenance.data_version)
        columns = warehouse.files.metadata(parts[0]).schema.to_arrow_schema()
    except (WarehouseError, OSError, ValueError):
        return Entry(schema, stage, "unreadable", "")
    return Entry(schema, stage, "view", settings_hash({name: str(columns.field(name).type) for name in columns.names}))


def publish(warehouse: Warehouse) -> Path | None:
    """Build ``glass.duckdb`` anew and put it in place; whoever has the old file open goes on reading that.

    Returns:
        Its path; None where the warehouse lies in a bucket, from which no database can be opened.

    Raises:
        WarehouseError: the file system refused; the old file is untouched.
    """
    root = warehouse.root
    if not isinstance(root, Path):
        return None
    path = root / FILE
    try:
        root.mkdir(parents=True, exist_ok=True)
        # One at a time: each sees every table written before it began, so the last one leaves the newest file.
        with FileLock(root / f".{FILE}.lock"), _beside(path) as fresh:
            with duckdb.connect(fresh) as connection:
                fill(connection, warehouse)
            fresh.chmod(0o644)
            fresh.replace(path)
    except (OSError, duckdb.Error) as error:
        raise refusal(path, error) from None
    return path


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """Yield a path in a new folder beside ``path``; the lock is held, so any other such folder is of a killed run."""
    for orphan in path.parent.glob(f".{path.name}.*.tmp"):
        shutil.rmtree(orphan, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp") as folder:
        yield Path(folder) / path.name


def is_current(warehouse: Warehouse) -> bool:
    """Tell whether ``glass.duckdb`` shows what the warehouse holds now, where it lies now."""
    path = warehouse.root / FILE
    if not isinstance(path, Path) or not path.is_file():
        return False
    try:
        with duckdb.connect(path, read_only=True) as connection:
            root = connection.execute("select root from main.warehouse").fetchone()
            held = connection.execute("select suite, name, kind, version from main.tables").fetchall()
    except duckdb.Error:
        return False
    return root == (str(warehouse.root.resolve()),) and sorted(held) == sorted(entries(warehouse))


def fill(connection: duckdb.DuckDBPyConnection, warehouse: Warehouse) -> None:
    """Create every table of the warehouse in an empty database, and beside them ``tables`` and ``columns``.

    Paths are absolute, so that views work from any folder.
    """
    # A database may be called like a suite, or a suite like one of DuckDB's own: only full names are safe.
    catalog = _identifier(str(connection.execute("select current_database()").fetchall()[0][0]))
    held = [_created(connection, catalog, warehouse, entry) for entry in entries(warehouse)]
    contents = {
        "warehouse": [{"root": str(warehouse.root.resolve())}],
        "tables": [{**_named(entry), "why": STAGES[entry.stage].why} for entry in held],
        "columns": [
            {"suite": entry.suite, "name": entry.stage, "column_name": column.name, "meaning": column.meaning}
            for entry in held
            for column in TABLES[entry.stage].columns
        ],
    }
    for name, rows in contents.items():
        connection.register("given", pl.DataFrame(rows, schema=dict.fromkeys(CONTENTS[name], pl.String)).to_arrow())
        connection.execute(f"create table {catalog}.main.{name} as select * from given")
        connection.unregister("given")


def _named(entry: Entry) -> dict[str, str]:
    return {"suite": entry.suite, "name": entry.stage, "kind": entry.kind, "version": entry.version}


def _created(connection: duckdb.DuckDBPyConnection, catalog: str, warehouse: Warehouse, entry: Entry) -> Entry:
    """Create one table or view and return its entry; a damaged file costs only its own table."""
    schema = f"{catalog}.{_identifier(entry.suite)}"
    name = f"{schema}.{_identifier(entry.stage)}"
    if entry.kind == "unreadable":
        return entry
    try:
        connection.execute(f"create schema if not exists {schema}")
        connection.execute(f"create {entry.kind} {name} as {_select(warehouse, entry)}")
        connection.execute(f"comment on {entry.kind} {name} is {_literal(STAGES[entry.stage].why)}")
    except duckdb.Error:
        return entry._replace(kind="unreadable", version="")
    return entry


def _select(warehouse: Warehouse, entry: Entry) -> str:
    suite = "" if STAGES[entry.stage].spans_suites else entry.suite
    folder = str(warehouse.root.resolve() / suite / entry.stage).translate(WILDCARD)
    files = f"{folder}/{PART}" if STAGES[entry.stage].is_rollup else f"{folder}/**/{PART}"
    return f"select * from read_parquet({_literal(files)}, hive_partitioning = false)"


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def connect(warehouse: Warehouse) -> duckdb.DuckDBPyConnection:
    """Open the warehouse for reading; a ``glass.duckdb`` that is behind is brought up to date first.

    The file system beyond the warehouse cannot be reached. Where the warehouse lies in a bucket or may not be written,
    the same tables are laid out in memory.
    """
    connection = duckdb.connect(":memory:")
    if isinstance(warehouse.root, Path):
        _attach(connection, warehouse)
    else:
        connection.register_filesystem(warehouse.root.fs)
        fill(connection, warehouse)
    connection.execute(f"set allowed_directories = [{_literal(str(warehouse.root.resolve()))}]")
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")
    return connection


def _attach(connection: duckdb.DuckDBPyConnection, warehouse: Warehouse) -> None:
    try:
        path = warehouse.root / FILE if is_current(warehouse) else publish(warehouse)
        connection.execute(f"attach {_literal(str(path))} as {ALIAS} (read_only)")
        connection.execute(f"use {ALIAS}")
    except WarehouseError:
        fill(connection, warehouse)
