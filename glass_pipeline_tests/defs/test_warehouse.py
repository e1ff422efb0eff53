"""Tables on disk: written whole or not at all, read by name, honest about what they were made from."""

from __future__ import annotations

import errno
from pathlib import Path

import polars as pl
import pytest

from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.warehouse import Provenance, Warehouse, WarehouseError

CELL = Cell("mini", "solver_labels", 3, "planted")
MADE_FROM = Provenance(
    data_version="d", code_version="1", settings="s", inputs={"mini/twins[m3]": "t"}, missing_items=2
)


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """An empty warehouse."""
    return Warehouse(tmp_path / "warehouse")


def test_a_partition_lies_where_the_readme_says(warehouse: Warehouse) -> None:
    """Hive-style folders, so that any parquet reader finds dose and solver."""
    path = warehouse.write(CELL, pl.DataFrame({"a": [1]}), MADE_FROM)

    assert path.relative_to(warehouse.root) == Path("mini/solver_labels/dose=m3/solver=planted/part.parquet")


def test_provenance_travels_in_the_file(warehouse: Warehouse) -> None:
    """What was written into the footer is read back from it."""
    warehouse.write(CELL, pl.DataFrame({"a": [1]}), MADE_FROM)

    assert warehouse.provenance(CELL) == MADE_FROM


def test_many_partitions_are_one_frame(warehouse: Warehouse) -> None:
    """Partitions come back in the order asked for, without columns that the path would add."""
    other = Cell("mini", "solver_labels", 1, "planted")
    warehouse.write(CELL, pl.DataFrame({"a": [3], "b": [0]}), MADE_FROM)
    warehouse.write(other, pl.DataFrame({"a": [1], "b": [0]}), MADE_FROM)

    assert warehouse.read([other, CELL], ["a"]).to_dict(as_series=False) == {"a": [1, 3]}


def test_a_missing_partition_names_the_command_that_makes_it(warehouse: Warehouse) -> None:
    """The sentence can be pasted into a terminal."""
    with pytest.raises(WarehouseError, match=r"`glass run mini --solver planted --dose m3` makes it"):
        warehouse.read([CELL])


def test_a_damaged_file_is_one_sentence(warehouse: Warehouse) -> None:
    """Truncated parquet is not a stack trace."""
    path = warehouse.write(CELL, pl.DataFrame({"a": [1]}), MADE_FROM)
    path.write_bytes(path.read_bytes()[:20])
    with pytest.raises(WarehouseError, match=r"is damaged .* delete it and run again"):
        warehouse.provenance(CELL)


def test_a_full_disk_leaves_the_old_file(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that fails half-way is a sentence, and nothing is half-written."""
    path = warehouse.write(CELL, pl.DataFrame({"a": [1]}), MADE_FROM)
    before = path.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(WarehouseError, match="No space left on device; free space or choose another warehouse"):
        warehouse.write(CELL, pl.DataFrame({"a": [2]}), MADE_FROM)

    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == ["part.parquet"]


def test_a_file_where_a_folder_should_be_is_one_sentence(tmp_path: Path) -> None:
    """A warehouse that cannot be written says so before anything is lost."""
    (tmp_path / "warehouse").write_text("in the way")
    with pytest.raises(WarehouseError, match="Cannot write"):
        Warehouse(tmp_path / "warehouse").write(CELL, pl.DataFrame({"a": [1]}), MADE_FROM)
