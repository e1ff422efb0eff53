"""The warehouse in a bucket: the same tables as in a folder, whole or not at all, and clear sentences."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from glass_pipeline.cli.graph import make
from glass_pipeline.defs.catalogue import is_current, publish
from glass_pipeline.defs.item import item_tables, suite_of
from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.plan import selected_cells, whole
from glass_pipeline.defs.query import run_query
from glass_pipeline.defs.reaudit import draw_in_use
from glass_pipeline.defs.resources import SolverResource, SourceResource
from glass_pipeline.defs.warehouse import Provenance, Warehouse, WarehouseError
from glass_pipeline.domain.errors import BadInput
from glass_pipeline.llm.sources import SourceError
from glass_pipeline.location import LocationError, location_of
from glass_pipeline.study import Settings, Study, settings_from

pytestmark = pytest.mark.far

CELL = Cell("mini", "solver_labels", 3, "planted")
MADE_FROM = Provenance(data_version="d", code_version="1", settings="s", inputs={"mini/twins[m3]": "t"})
HERE = Path()


@pytest.fixture
def bucket(s3: Mapping[str, str], tmp_path: Path) -> Warehouse:
    """An empty warehouse in a bucket, under a prefix of the test's own."""
    return Warehouse(location_of(f"s3://glass/{tmp_path.name}/warehouse", HERE, s3))


def test_a_table_comes_back_with_its_provenance(bucket: Warehouse) -> None:
    """Rows, types, order of columns and footer are what was written; partitions come in the order asked for."""
    other = Cell("mini", "solver_labels", 1, "planted")
    frame = pl.DataFrame({"a": [3, None], "b": [["x"], []], "c": ["é", None], "d": [True, False], "e": [0.5, None]})
    path = bucket.write(CELL, frame, MADE_FROM)
    bucket.write(other, frame.with_columns(a=pl.lit(1, pl.Int64)), MADE_FROM)

    assert str(path).endswith("/warehouse/mini/solver_labels/dose=m3/solver=planted/part.parquet")
    assert bucket.provenance(CELL) == MADE_FROM
    assert bucket.read([CELL]).equals(frame)
    assert bucket.read([CELL]).schema == frame.schema
    assert bucket.read([other, CELL], ["c", "a"]).to_dict(as_series=False) == {
        "c": ["é", None, "é", None],
        "a": [1, 1, 3, None],
    }


def test_what_is_not_there_is_named_with_the_command_that_makes_it(bucket: Warehouse) -> None:
    """Nothing has neither provenance nor rows; a folder of that name is no table."""
    assert bucket.provenance(CELL) is None
    assert bucket.held(CELL) is None
    assert bucket.suites_present() == ()
    assert bucket.parts("mini", "solver_labels") == []
    with pytest.raises(WarehouseError, match=r"no file at s3://.*`glass run mini --solver planted --dose m3` makes it"):
        bucket.read([CELL])
    bucket.write(CELL, pl.DataFrame({"a": [1]}), MADE_FROM)
    assert not bucket.files.holds(bucket.folder(CELL))


def test_only_wanted_columns_are_fetched(bucket: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    """A narrow column beside a wide one costs its own bytes and the footer, not the file."""
    from s3fs.core import S3File

    fetched: list[int] = []
    fetch = S3File._fetch_range

    def counted(self: S3File, start: int, end: int) -> bytes:
        fetched.append(end - start)
        return bytes(fetch(self, start, end))

    monkeypatch.setattr(S3File, "_fetch_range", counted)
    draws = random.Random(1)
    wide = pl.DataFrame({"a": range(2_000), "text": [draws.randbytes(1_000).hex() for _ in range(2_000)]})
    bucket.write(CELL, wide, MADE_FROM)
    size = bucket.path(CELL).stat().st_size

    assert bucket.read([CELL], ["a"])["a"].to_list() == list(range(2_000))
    assert size > 1_500_000
    assert sum(fetched) < 300_000


def test_tables_are_set_aside_and_removed(bucket: Warehouse) -> None:
    """No reader finds what was set aside; removing twice is no error."""
    bucket.write(CELL, pl.DataFrame({"a": [1]}), MADE_FROM)
    aside = bucket.set_aside(CELL)

    assert (bucket.has(CELL), bucket.files.holds(aside), bucket.parts("mini", "solver_labels")) == (False, True, [])
    bucket.remove(CELL)
    bucket.remove(CELL)
    assert not bucket.files.holds(aside)


def test_a_write_that_fails_leaves_the_old_table(bucket: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a failed upload nor a full scratch disk changes what readers see, and each is one sentence."""
    bucket.write(CELL, pl.DataFrame({"a": [1]}), MADE_FROM)
    held = [each.name for each in bucket.folder(CELL).iterdir()]

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    for owner, name in ((pl.DataFrame, "write_parquet"), (bucket.path(CELL).fs, "put_file")):
        with monkeypatch.context() as patched:
            patched.setattr(owner, name, full)
            with pytest.raises(WarehouseError, match="No space left on device; "):
                bucket.write(CELL, pl.DataFrame({"a": [2]}), MADE_FROM)

    assert bucket.read([CELL])["a"].to_list() == [1]
    assert [each.name for each in bucket.folder(CELL).iterdir()] == held == ["part.parquet"]


def test_a_damaged_object_is_one_sentence(bucket: Warehouse) -> None:
    """What is no parquet is named, for its footer and for its rows."""
    bucket.path(CELL).fs.pipe_file(str(bucket.path(CELL)), b"PAR1 no parquet PAR1")
    for reading in (bucket.provenance, lambda cell: bucket.read([cell])):
        with pytest.raises(WarehouseError, match=r"is damaged .* delete it and run again"):
            reading(CELL)


def test_a_server_that_does_not_answer_is_an_error_and_not_an_empty_warehouse(
    s3: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cell that cannot be looked up is not missing: a re-audit's history must not start anew for that."""
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    dead = {**s3, "AWS_ENDPOINT_URL": "http://127.0.0.1:9"}
    unreachable = Warehouse(location_of("s3://glass/dead", HERE, dead))
    for asking in (unreachable.has, unreachable.held, unreachable.provenance):
        with pytest.raises(WarehouseError, match=r"cannot be reached: .*check the bucket, the network and the AWS_"):
            asking(CELL)


def test_a_bucket_that_does_not_exist_cannot_be_written(s3: Mapping[str, str]) -> None:
    """It is not made silently: a mistyped name would hide a whole warehouse."""
    absent = Warehouse(location_of("s3://no-such-bucket/warehouse", HERE, s3))
    with pytest.raises(WarehouseError, match=r"Cannot write s3://no-such-bucket.*does not exist"):
        absent.write(CELL, pl.DataFrame({"a": [1]}), MADE_FROM)


@pytest.mark.parametrize("text", ["gs://bucket/a", "s3://", "s3://Bucket", "s3://glass/a b", "s3://glass/*", "s3:///a"])
def test_what_is_neither_folder_nor_bucket_is_refused(text: str) -> None:
    """Nothing is guessed about another scheme or a wildcard."""
    with pytest.raises(LocationError, match="name a folder, or s3://bucket/prefix"):
        location_of(text, HERE, {})


def test_no_secret_is_shown(s3: Mapping[str, str]) -> None:
    """A location may be printed, also by an error."""
    located = location_of("s3://glass/a", HERE, {**s3, "AWS_SECRET_ACCESS_KEY": "hush", "AWS_SESSION_TOKEN": "hush"})

    assert "hush" not in f"{located} {located!r} {Warehouse(located)!r}"


def test_replies_need_a_database(bucket: Warehouse, study: Study) -> None:
    """The sentence names the variable."""
    with pytest.raises(BadInput, match="set GLASS_RESPONSE_STORE to the URL of a database"):
        SolverResource(study, bucket, {}).store()


def test_a_hub_revision_is_read_from_a_bucket_but_not_locked_there(bucket: Warehouse, study: Study) -> None:
    """Two workers that lock at once would overwrite each other; the remedy is said before the hub is asked."""
    suite = study.suites["mini"].model_copy(update={"source": "gsm8k", "distractors": "gsm8k/train"})
    sources = SourceResource(study.model_copy(update={"suites": {"mini": suite}}), bucket, {})
    with pytest.raises(SourceError, match=r"source_lock.json holds no revision of gsm8k/test.*GLASS_SOURCE_GSM8K"):
        sources.problems("mini")


def test_a_folder_needs_nothing_of_s3(tmp_path: Path) -> None:
    """The study of one machine is loaded without s3fs and botocore."""
    (tmp_path / "glass.toml").write_text(
        '[study]\nadjudicator = "none"\n[suites.mini]\nsource = "glassmini"\n[solvers.p]\nkind = "planted"\n'
    )
    code = (
        "import sys\n"
        "import glass_pipeline.definitions\n"
        "print(sorted({'s3fs', 'botocore', 'aiobotocore'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"


def test_the_whole_graph_runs_in_a_bucket(s3: Mapping[str, str], study: Study, tmp_path: Path) -> None:
    """`glass run` makes the tables that a folder gets, and the second time none; every reading command reads them."""
    (tmp_path / "glass.toml").write_text("")
    environment = {**s3, "GLASS_RESPONSE_STORE": str(tmp_path / "replies.sqlite")}
    far = Settings(tmp_path / "glass.toml", location_of(f"s3://glass/{tmp_path.name}", HERE, s3), environment)
    near = replace(far, warehouse=tmp_path / "warehouse")
    selection = replace(whole("mini", study), doses=(1,), solvers=("planted",))
    first, again = (make(selection, study, far, quiet=True) for _ in range(2))
    make(selection, study, near, quiet=True)
    house, folder = Warehouse(far.warehouse), Warehouse(near.warehouse)

    cells = [*selected_cells(selection), Cell("", "overview")]
    assert {str(cell): house.provenance(cell) for cell in cells} == {str(c): folder.provenance(c) for c in cells}
    assert all(house.read([cell]).equals(folder.read([cell])) for cell in cells)
    assert (len(first["made"]) > 12, again["made"], again["samples_asked"]) == (True, [], 0)
    assert first["page"] == f"s3://glass/{tmp_path.name}/mini/report/report.html"
    assert first["verdicts"] == again["verdicts"]
    assert house.suites_present() == ("mini",)
    assert draw_in_use(house, "mini", 1) == draw_in_use(folder, "mini", 1)

    counted = "select dose, count(*) n from mini.solver_labels group by all order by all"
    assert run_query(counted, house).equals(run_query(counted, folder))
    with pytest.raises(WarehouseError, match="file system operations are disabled"):
        run_query("select * from 's3://glass/elsewhere/part.parquet'", house)
    assert (publish(house), is_current(house), (tmp_path / "glass.duckdb").exists()) == (None, False, False)
    (item, *_) = house.read([Cell("mini", "base_problems")], ["base_id"])["base_id"]
    assert suite_of(item, house, ("mini",)) == "mini"
    near_tables = item_tables("mini", item, folder, "planted")
    assert all(table.equals(near_tables[name]) for name, table in item_tables("mini", item, house, "planted").items())


def test_the_study_file_names_the_bucket(s3: Mapping[str, str], tmp_path: Path) -> None:
    """`warehouse` in glass.toml is enough; GLASS_WAREHOUSE overrides it; .env may hold the keys."""
    study_file = tmp_path / "glass.toml"
    study_file.write_text(
        '[study]\nadjudicator = "none"\nwarehouse = "s3://glass/a"\n'
        '[suites.mini]\nsource = "glassmini"\n[solvers.p]\nkind = "planted"\n'
    )
    (tmp_path / ".env").write_text("".join(f"{name}={value}\n" for name, value in s3.items()))
    _, settings = settings_from({}, study_file)
    _, moved = settings_from({"GLASS_WAREHOUSE": "s3://glass/b"}, study_file)

    Warehouse(settings.warehouse).write(CELL, pl.DataFrame({"a": [1]}), MADE_FROM)
    assert Warehouse(settings.warehouse).has(CELL)
    assert not Warehouse(moved.warehouse).has(CELL)
    assert str(moved.warehouse) == "s3://glass/b"
