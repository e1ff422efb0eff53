"""glass.duckdb: whole or not at all, never in a reader's way, open to any tool."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import dagster as dg
import duckdb
import polars as pl
import pytest

from glass_pipeline.defs import catalogue
from glass_pipeline.defs.catalogue import FILE, connect, is_current, publish
from glass_pipeline.defs.duckdb_io_manager import DuckDBIOManager
from glass_pipeline.defs.io_managers import ParquetIOManager
from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.query import run_query
from glass_pipeline.defs.warehouse import Provenance, Warehouse, WarehouseError
from glass_pipeline.domain.schemas import BASE_PROBLEMS, REPORT
from glass_pipeline.study import Settings, Study

PROBLEM = {
    "base_id": "p-1",
    "text": "Mia has 3 pens. She buys 4 more. How many pens has she?",
    "gold": "7",
    "answer_type": "numeric",
    "category": "math",
    "declared_complexity": 1.0,
    "complexity_score": 0.1,
    "revision": "r",
    "licence": "MIT",
}


def figures(value: float) -> pl.DataFrame:
    """A report's table with one figure."""
    row = {"solver": "s", "figure": "mean_pi", "value": value, "low": 0.0, "high": 1.0, "n": 3, "note": "fraction"}
    return REPORT.frame([row])


def held(warehouse: Warehouse, suite: str = "mini", value: float = 0.25) -> None:
    """Write a problem table and a report of a suite."""
    made = Provenance(data_version=f"v{value}", code_version="1", settings="s")
    warehouse.write(Cell(suite, "base_problems"), BASE_PROBLEMS.frame([PROBLEM]), made)
    warehouse.write(Cell(suite, "report"), figures(value), made)


def asked(file: Path, sql: str, *, cwd: Path | None = None) -> list[tuple[object, ...]]:
    """What another program sees: no package of ours, only DuckDB."""
    code = (
        "import duckdb, json, sys\n"
        "print(json.dumps(duckdb.connect(sys.argv[1], read_only=True).execute(sys.argv[2]).fetchall()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(file), sql], cwd=cwd, capture_output=True, text=True, check=True
    )
    return [tuple(row) for row in json.loads(done.stdout)]


@pytest.fixture
def warehouse(settings: Settings) -> Warehouse:
    """The warehouse of the test's settings."""
    return Warehouse(settings.warehouse)


def test_views_and_roll_ups_open_from_any_folder(warehouse: Warehouse, tmp_path: Path) -> None:
    """Parquet tables are views with absolute paths, roll-ups are tables, and both say what they are."""
    held(warehouse)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    file = publish(warehouse)

    assert asked(file, "select gold from mini.base_problems", cwd=elsewhere) == [("7",)]
    assert asked(file, "select value from mini.report", cwd=elsewhere) == [(0.25,)]
    assert asked(file, "select name, kind from tables order by name") == [
        ("base_problems", "view"),
        ("report", "table"),
    ]
    assert asked(file, "select meaning from columns where column_name = 'gold'") == [("canonical gold answer",)]


def test_a_relative_warehouse_gives_views_that_are_not(
    warehouse: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GLASS_WAREHOUSE may be relative to the study; what leaves the process is not."""
    held(warehouse)
    monkeypatch.chdir(tmp_path)
    file = publish(Warehouse(Path("warehouse")))

    assert asked(file.resolve(), "select count(*) from mini.base_problems", cwd=Path("/")) == [(1,)]
    assert is_current(warehouse)


def test_a_moved_warehouse_is_seen_where_it_lies_now(warehouse: Warehouse, tmp_path: Path) -> None:
    """Its old file still opens the roll-ups; the first query lays out the views anew."""
    held(warehouse)
    publish(warehouse)
    moved = Warehouse(warehouse.root.rename(tmp_path / "moved"))

    assert asked(moved.root / FILE, "select value from mini.report") == [(0.25,)]
    assert not is_current(moved)
    assert run_query("select gold from mini.base_problems", moved)["gold"].to_list() == ["7"]
    assert is_current(moved)


def test_a_reader_keeps_the_old_file_while_a_run_replaces_it(warehouse: Warehouse) -> None:
    """Who has it open goes on reading what they opened; who opens it next sees the new figures."""
    held(warehouse, value=0.25)
    file = publish(warehouse)
    code = (
        "import duckdb, sys\n"
        "connection = duckdb.connect(sys.argv[1], read_only=True)\n"
        "print('open', flush=True)\n"
        "sys.stdin.readline()\n"
        "print(connection.execute('select value from mini.report').fetchall()[0][0])\n"
    )
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code, file], stdin=pipe, stdout=pipe, text=True) as reader:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "open\n"
        held(warehouse, value=0.75)
        publish(warehouse)
        said, _ = reader.communicate("\n")

    assert (reader.returncode, said) == (0, "0.25\n")
    assert asked(file, "select value from mini.report") == [(0.75,)]


def test_a_kill_in_the_middle_leaves_the_old_file(warehouse: Warehouse) -> None:
    """Half a database is never put in place, the next run takes its remains away, and no lock stays behind."""
    held(warehouse, value=0.25)
    file = publish(warehouse)
    held(warehouse, value=0.75)
    code = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from glass_pipeline.defs import catalogue\n"
        "from glass_pipeline.defs.warehouse import Warehouse\n"
        "filled = catalogue.fill\n"
        "def slow(connection, warehouse):\n"
        "    filled(connection, warehouse)\n"
        "    print('half', flush=True)\n"
        "    time.sleep(60)\n"
        "catalogue.fill = slow\n"
        "catalogue.publish(Warehouse(Path(sys.argv[1])))\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, warehouse.root], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "half\n"
        os.kill(writer.pid, signal.SIGKILL)

    assert asked(file, "select value from mini.report") == [(0.25,)]
    assert list(warehouse.root.glob(f".{FILE}.*.tmp")) != []
    started = time.monotonic()
    publish(warehouse)
    assert time.monotonic() - started < 20
    assert asked(file, "select value from mini.report") == [(0.75,)]
    assert list(warehouse.root.glob(f".{FILE}.*.tmp")) == []


@pytest.mark.parametrize(
    "suite", ['x"; drop schema main; --', "o'brien", "glass", "temp", "system", "main", "we[i]rd*"]
)
def test_a_suite_is_a_name_and_never_sql(settings: Settings, suite: str) -> None:
    """Quotes, wildcards and DuckDB's own words in a folder's name stay part of a name."""
    warehouse = Warehouse(settings.warehouse)
    held(warehouse, suite)
    held(warehouse, "plain", value=0.5)
    publish(warehouse)
    with connect(warehouse) as connection:
        counted = connection.execute("select count(*) from tables where kind <> 'unreadable'").fetchall()
        name = '"' + suite.replace('"', '""') + '"'
        rows = connection.execute(f"select value from {catalogue.ALIAS}.{name}.report").fetchall()
        views = connection.execute(f"select gold from {catalogue.ALIAS}.{name}.base_problems").fetchall()

    assert (counted, rows, views) == ([(4,)], [(0.25,)], [("7",)])


def test_column_names_are_data(warehouse: Warehouse) -> None:
    """A file that someone else wrote, with SQL for column names, is read like any other."""
    hostile = 'a"; drop table x; --'
    folder = warehouse.root / "mini" / "base_problems"
    folder.mkdir(parents=True)
    pl.DataFrame({hostile: [1]}).write_parquet(folder / "part.parquet")

    assert run_query("select * from mini.base_problems", warehouse).to_dicts() == [{hostile: 1}]


def test_a_damaged_table_costs_only_itself(warehouse: Warehouse) -> None:
    """The others can be asked, and the list of tables names the damaged one."""
    held(warehouse)
    for stage in ("twins", "slices", "solver_agreement"):
        (warehouse.root / "mini" / stage).mkdir()
        (warehouse.root / "mini" / stage / "part.parquet").write_bytes(b"PAR1 is not enough")
    found = run_query("select name from tables where kind = 'unreadable' order by name", warehouse)

    assert found["name"].to_list() == ["slices", "solver_agreement", "twins"]
    assert run_query("select gold from mini.base_problems", warehouse).height == 1


def test_a_query_sees_a_table_made_a_moment_ago(warehouse: Warehouse) -> None:
    """No run has to end before its tables can be asked, and a remade roll-up is not served from the old file."""
    held(warehouse)
    publish(warehouse)
    held(warehouse, "other")
    held(warehouse, "mini", value=0.75)

    assert run_query("select count(*) as n from other.base_problems", warehouse)["n"].to_list() == [1]
    assert run_query("select value from mini.report", warehouse)["value"].to_list() == [0.75]


def test_where_nothing_may_be_written_a_query_still_answers(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A warehouse on read-only storage is laid out in memory."""
    held(warehouse)

    def refused(_: Warehouse) -> Path:
        raise WarehouseError("Cannot write.")

    monkeypatch.setattr(catalogue, "publish", refused)

    assert run_query("select gold from mini.base_problems", warehouse)["gold"].to_list() == ["7"]
    assert not (warehouse.root / FILE).exists()


def test_a_full_disk_is_one_sentence_and_leaves_the_old_file(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What DuckDB says of it is passed on, and whoever reads goes on reading."""
    held(warehouse, value=0.25)
    file = publish(warehouse)

    def full(connection: duckdb.DuckDBPyConnection, _: Warehouse) -> None:
        connection.execute("create table half as select 1")
        raise duckdb.IOException("Could not write all bytes\nNo space left on device")

    monkeypatch.setattr(catalogue, "fill", full)
    with pytest.raises(WarehouseError, match=r"Cannot write .*glass\.duckdb: Could not write all bytes; free space"):
        publish(warehouse)

    assert asked(file, "select value from mini.report") == [(0.25,)]
    assert list(warehouse.root.glob(f".{FILE}.*.tmp")) == []


def test_a_file_that_is_no_database_is_replaced(warehouse: Warehouse) -> None:
    """What a power cut or a person left there is not believed."""
    held(warehouse)
    (warehouse.root / FILE).write_bytes(b"not a database")

    assert not is_current(warehouse)
    assert run_query("select value from mini.report", warehouse)["value"].to_list() == [0.25]


def test_the_manager_publishes_a_roll_up_with_its_provenance(warehouse: Warehouse, study: Study) -> None:
    """One table through Dagster's door: parquet first, which stays the truth, then the database."""
    manager = DuckDBIOManager(ParquetIOManager(warehouse, study))
    with dg.build_output_context(asset_key=dg.AssetKey(["mini", "report"])) as context:
        manager.handle_output(context, figures(0.5))

    provenance = warehouse.provenance(Cell("mini", "report"))
    assert provenance is not None
    assert (warehouse.root / FILE).is_file()
    with dg.build_input_context(asset_key=dg.AssetKey(["mini", "report"])) as reading:
        assert manager.load_input(reading).equals(figures(0.5))


def test_two_runs_that_end_together_leave_both_tables(warehouse: Warehouse) -> None:
    """Each takes its turn, and the last one has seen what the other wrote."""
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "sys.path.insert(0, sys.argv[3])\n"
        "from test_catalogue import held\n"
        "from glass_pipeline.defs.catalogue import publish\n"
        "from glass_pipeline.defs.warehouse import Warehouse\n"
        "warehouse = Warehouse(Path(sys.argv[1]))\n"
        "held(warehouse, sys.argv[2])\n"
        "publish(warehouse)\n"
    )
    arguments = [[sys.executable, "-c", code, warehouse.root, suite, Path(__file__).parent] for suite in ("one", "two")]
    runs = [subprocess.Popen(each) for each in arguments]

    assert [run.wait() for run in runs] == [0, 0]
    assert asked(warehouse.root / FILE, "select suite from tables where name = 'report' order by 1") == [
        ("one",),
        ("two",),
    ]
    assert is_current(warehouse)
