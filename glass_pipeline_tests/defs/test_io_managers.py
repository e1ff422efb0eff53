"""Tables through Dagster's own doors."""

from __future__ import annotations

import dagster as dg
import polars as pl
import pytest

from glass_pipeline.defs.io_managers import ParquetIOManager
from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.warehouse import Warehouse, WarehouseError
from glass_pipeline.defs.wiring import wired
from glass_pipeline.domain.fingerprint import frame_hash
from glass_pipeline.domain.schemas import BASE_PROBLEMS, DISTRACTORS, TWINS
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
TWIN = {
    "base_id": "p-1",
    "twin_id": "p-1-m3-entity_rename-0",
    "dose": 3,
    "family": "entity_rename",
    "operator": "entity_rename",
    "text": "Ana has 3 pens. She buys 4 more. How many pens has she?",
    "text_hash": "h",
    "generator": "rules",
    "edit": "{}",
}


@pytest.fixture
def warehouse(settings: Settings) -> Warehouse:
    """The warehouse of the test's settings."""
    return Warehouse(settings.warehouse)


@pytest.fixture
def manager(warehouse: Warehouse, study: Study) -> ParquetIOManager:
    """An IO manager over that warehouse."""
    return ParquetIOManager(warehouse, study)


def written(manager: ParquetIOManager, stage: str, frame: pl.DataFrame, partition_key: str | None = None) -> None:
    """Write a frame as Dagster would."""
    key = dg.AssetKey(["mini", stage])
    with dg.build_output_context(asset_key=key, partition_key=partition_key) as context:
        manager.handle_output(context, frame)


def twins_read(
    manager: ParquetIOManager, first: str, last: str, metadata: dict[str, bool] | None = None
) -> pl.DataFrame:
    """Read a range of twin partitions as Dagster would."""
    with dg.build_input_context(
        asset_key=dg.AssetKey(["mini", "twins"]),
        asset_partitions_def=dg.StaticPartitionsDefinition(["m1", "m3"]),
        asset_partition_key_range=dg.PartitionKeyRange(first, last),
        definition_metadata=metadata or {},
    ) as context:
        return manager.load_input(context)


def test_the_data_version_is_the_hash_of_the_content(manager: ParquetIOManager, warehouse: Warehouse) -> None:
    """Two runs that make the same rows in another order make the same version."""
    rows = [PROBLEM, {**PROBLEM, "base_id": "p-0"}]
    written(manager, "base_problems", BASE_PROBLEMS.frame(rows))
    first = warehouse.provenance(Cell("mini", "base_problems"))
    written(manager, "base_problems", pl.DataFrame(rows[::-1], schema=BASE_PROBLEMS.schema))
    second = warehouse.provenance(Cell("mini", "base_problems"))

    assert first is not None
    assert first == second
    assert first.data_version == frame_hash(BASE_PROBLEMS.frame(rows), ("base_id",))


@pytest.mark.parametrize(
    ("frame", "sentence"),
    [
        (BASE_PROBLEMS.frame([PROBLEM]).drop("gold"), r"missing columns \['gold'\]"),
        (BASE_PROBLEMS.frame([PROBLEM]).with_columns(extra=1), r"unknown columns \['extra'\]"),
        (
            BASE_PROBLEMS.frame([PROBLEM]).with_columns(pl.col("complexity_score").cast(pl.Int64)),
            "Int64 found, Float64",
        ),
        (
            BASE_PROBLEMS.frame([PROBLEM]).with_columns(gold=pl.lit(None, pl.String)),
            "base_problems.gold: 1 null",
        ),
        (pl.concat([BASE_PROBLEMS.frame([PROBLEM])] * 2), "two rows share the key"),
    ],
    ids=["missing", "unknown", "type", "null", "duplicate"],
)
def test_a_frame_that_is_not_its_table_is_refused(
    manager: ParquetIOManager, warehouse: Warehouse, frame: pl.DataFrame, sentence: str
) -> None:
    """Each refusal names table and column, is not retried, and writes nothing."""
    with pytest.raises(dg.Failure, match=sentence) as refusal:
        written(manager, "base_problems", frame)

    assert refusal.value.allow_retries is False
    assert warehouse.provenance(Cell("mini", "base_problems")) is None


def test_what_was_read_is_recorded_in_what_is_made(
    manager: ParquetIOManager, warehouse: Warehouse, study: Study
) -> None:
    """A plan can tell later whether an input has changed."""
    written(manager, "base_problems", BASE_PROBLEMS.frame([PROBLEM]))
    written(manager, "distractors", DISTRACTORS.frame([]))

    @dg.multi_asset(
        outs={"twins": dg.AssetOut(key=dg.AssetKey(["mini", "twins"]))},
        ins=wired("mini", "twins", study)["ins"],
        partitions_def=wired("mini", "twins", study)["partitions_def"],
    )
    def twins(base_problems: pl.DataFrame, distractors: pl.DataFrame) -> pl.DataFrame:
        return TWINS.frame([{**TWIN, "base_id": base_problems["base_id"][0]}][: 1 + distractors.height])

    upstream = [dg.AssetSpec(["mini", "base_problems"]), dg.AssetSpec(["mini", "distractors"])]
    dg.materialize([twins, *upstream], partition_key="m3", resources={"io_manager": manager})

    provenance = warehouse.provenance(Cell("mini", "twins", 3))
    base = warehouse.provenance(Cell("mini", "base_problems"))
    assert provenance is not None
    assert base is not None
    assert set(provenance.inputs) == {"mini/base_problems", "mini/distractors"}
    assert provenance.inputs["mini/base_problems"] == base.data_version


def test_an_absent_partition_names_its_command(manager: ParquetIOManager) -> None:
    """Reading what was never made says how to make it."""
    with pytest.raises(WarehouseError, match=r"mini/twins\[m3\]: no file at .* `glass run mini --dose m3` makes it"):
        twins_read(manager, "m3", "m3")


def test_a_fan_in_takes_the_partitions_that_exist(manager: ParquetIOManager) -> None:
    """One dose alone is enough for an asset that reads all of them."""
    written(manager, "twins", TWINS.frame([TWIN]), "m3")

    assert twins_read(manager, "m1", "m3", {"allow_missing_partitions": True})["dose"].to_list() == [3]
