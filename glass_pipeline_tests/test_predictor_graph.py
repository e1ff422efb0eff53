"""Predictors in the graph: each a partition of its own, trained, scored and judged from the command's own stages."""

from __future__ import annotations

import json
from typing import Any

import dagster as dg
import polars as pl
import pytest

from glass_pipeline.cli.curate import Choice, curate
from glass_pipeline.cli.errors import InputError
from glass_pipeline.cli.graph import chosen_stages
from glass_pipeline.defs.build import build_definitions
from glass_pipeline.defs.keys import Cell, stages_of
from glass_pipeline.defs.plan import Selection
from glass_pipeline.defs.run import run_selection
from glass_pipeline.defs.stages import PREDICTORS
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.study import Settings, Study, StudyError, parse_study

FRAIL = {"name": "frail", "kind": "frail_pi", "features": "hashing", "epochs": 2, "seeds": [0, 1]}
LENGTH = {"name": "length", "kind": "text_length", "seeds": [0, 1]}


def study_of(*predictors: dict[str, Any], size: int = 40) -> Study:
    """A study of one suite, one dose and one simulated solver."""
    return parse_study(
        {
            "study": {"adjudicator": "none", "doses": [3]},
            "suites": {"mini": {"source": "glassmini", "size": size}},
            "solvers": {"planted": {"kind": "planted"}},
            "predictors": list(predictors),
        },
        "glass.toml",
    )


def made(study: Study, settings: Settings, instance: dg.DagsterInstance) -> list[str]:
    """Run everything that is missing or stale; names of what was made in the stages of predictors."""
    selection = Selection("mini", (3,), ("planted",), stages_of(study, "mini"), study.predictor_names)
    cells = [each.cell for each in run_selection(selection, study, settings, instance=instance)]
    return [str(cell) for cell in cells if cell.stage in PREDICTORS]


def test_a_new_predictor_reruns_itself_and_what_compares(settings: Settings, instance: dg.DagsterInstance) -> None:
    """First everything; then nothing; a second predictor is one more partition, and a changed one is remade alone."""
    first = made(study_of(FRAIL), settings, instance)
    again = made(study_of(FRAIL), settings, instance)
    wider = made(study_of(FRAIL, LENGTH), settings, instance)
    changed = made(study_of(FRAIL, LENGTH | {"seeds": [0]}), settings, instance)
    compared = ["mini/predictor_scores[planted]", "mini/predictor_verdicts[planted]", "mini/solver_transfer"]

    assert first == ["mini/splits", "mini/predictions[frail|planted]", *compared]
    assert again == []
    assert wider == ["mini/predictions[length|planted]", *compared]
    assert changed == ["mini/predictions[length|planted]", *compared]


def test_predictions_scores_and_verdicts_are_there(settings: Settings, instance: dg.DagsterInstance) -> None:
    """Each test job of two seeds is predicted, each predictor has a Spearman, each pair a verdict, the page a table.

    The materialization carries every epoch's loss and the held-out Spearman of each seed.
    """
    made(study_of(FRAIL, LENGTH), settings, instance)
    warehouse = Warehouse(settings.warehouse)
    splits = warehouse.read([Cell("mini", "splits")]).filter(pl.col("part") == "test", pl.col("seed") < 2)
    cell = Cell("mini", "predictions", None, "planted", "frail")
    predictions = warehouse.read([cell])
    scores = warehouse.read([Cell("mini", "predictor_scores", None, "planted")])
    verdicts = warehouse.read([Cell("mini", "predictor_verdicts", None, "planted")])
    page = (warehouse.folder(Cell("mini", "report")) / "report.md").read_text(encoding="utf-8")

    assert warehouse.folder(cell).relative_to(warehouse.root).as_posix() == (
        "mini/predictions/predictor=frail/solver=planted"
    )
    assert predictions.select("seed", "base_id").sort("seed", "base_id").equals(splits.select("seed", "base_id"))
    assert set(scores.filter(pl.col("metric") == "spearman")["predictor"]) == {"frail", "length"}
    assert set(zip(verdicts["candidate"], verdicts["baseline"], strict=True)) == {("frail", "length")}
    assert "Telling fragile items beforehand" in page
    assert "| length | text |" in page

    key = dg.AssetKey(["mini", "predictions"])
    event = instance.fetch_materializations(
        dg.AssetRecordsFilter(asset_key=key, asset_partitions=["frail|planted"]), limit=1
    ).records[0]
    assert event.asset_materialization is not None
    metadata = event.asset_materialization.metadata
    assert [len(curve) for curve in metadata["epochs"].value.values()] == [2, 2]
    assert set(metadata["held_out_spearman"].value) == {"0", "1"}
    assert "epoch 1" in metadata["loss"].value


def test_the_most_fragile_items_are_chosen(
    settings: Settings, instance: dg.DagsterInstance, capsys: pytest.CaptureFixture[str]
) -> None:
    """A tenth of the solvable items, by measured rates; items of a file are predicted; only Frail-π keeps a model."""
    study = study_of(FRAIL | {"seeds": [0]}, LENGTH)
    made(study, settings, instance)
    settings.study_file.write_text(
        '[study]\nadjudicator = "none"\ndoses = [3]\n[suites.mini]\nsource = "glassmini"\nsize = 40\n'
        '[solvers.planted]\nkind = "planted"\n'
        '[[predictors]]\nname = "length"\nkind = "text_length"\n[[predictors]]\nname = "frail"\nkind = "frail_pi"\n'
    )
    new = settings.study_file.parent / "items.jsonl"
    new.write_text('{"id": "a", "question": "Leo has 3 boats."}\n{"id": "b", "question": "Leo has 4 kites."}\n')
    curate(Choice("mini", None, "10%", None, None, None), settings.study_file, as_json=True)
    own = json.loads(capsys.readouterr().out)
    curate(Choice("mini", None, "50%", "planted", "frail", new), settings.study_file, as_json=False)
    line, err = capsys.readouterr()
    jobs = Warehouse(settings.warehouse).read([Cell("mini", "causal_difficulty", None, "planted")])
    solvable = jobs.filter(pl.col("slice") == "pooled", pl.col("in_stratum"))

    assert len(own["chosen"]) == round(solvable.height / 10)
    assert {row["id"] for row in own["chosen"]} <= set(solvable["base_id"])
    assert own["chosen"][0]["k"] > 0
    assert (own["model"]["predictor"], set(own["held_out"])) == (
        "frail",
        {"recall_10", "best_recall_10", "mean_ratio_10"},
    )
    assert "predicted" in line
    assert err.startswith("1 of 2 items. frail, trained on")
    with pytest.raises(InputError, match="mini keeps no such model"):
        curate(Choice("mini", None, "10%", None, "length", None), settings.study_file, as_json=True)


def test_a_suite_too_small_to_hold_jobs_out_still_has_its_report(
    settings: Settings, instance: dg.DagsterInstance
) -> None:
    """Four problems cannot be split: empty tables, a page that says so, no error."""
    names = made(study_of(FRAIL, LENGTH, size=4), settings, instance)
    warehouse = Warehouse(settings.warehouse)
    page = (warehouse.folder(Cell("mini", "report")) / "report.md").read_text(encoding="utf-8")

    assert len(names) == 6
    assert warehouse.read([Cell("mini", "predictor_scores", None, "planted")]).is_empty()
    assert "the problems are too few to hold some out" in page


def test_too_few_labels_are_said_in_the_table_of_predictors(settings: Settings, instance: dg.DagsterInstance) -> None:
    """Fourteen problems are split, but fewer than ten train: each row says what is missing."""
    made(study_of(FRAIL, LENGTH, size=14), settings, instance)
    scores = Warehouse(settings.warehouse).read([Cell("mini", "predictor_scores", None, "planted")])

    assert scores["mean"].null_count() == scores.height == 2
    assert all("training jobs have a break rate; label at least 10" in note for note in scores["note"])


def test_a_study_without_predictors_has_no_stage_of_theirs(settings: Settings) -> None:
    """Neither an asset nor observed settings; with predictors the graph loads and shows one grid."""
    without, there = study_of(), study_of(FRAIL, LENGTH)
    bare = {spec.key.path[-1] for spec in build_definitions(without, settings).resolve_all_asset_specs()}
    definitions = build_definitions(there, settings)
    dg.Definitions.validate_loadable(definitions)
    specs = {spec.key.path[-1]: spec for spec in definitions.resolve_all_asset_specs()}

    assert bare.isdisjoint({*PREDICTORS, "predictor_settings"})
    assert {*PREDICTORS, "predictor_settings"} <= set(specs)
    assert set(specs["predictions"].partitions_def.get_partition_keys()) == {"frail|planted", "length|planted"}


def test_a_group_selects_its_stages() -> None:
    """``--select predictors`` is all five stages; a name that is a stage and a group is the stage."""
    there = stages_of(study_of(FRAIL), "mini")

    assert chosen_stages(("predictors",), there) == PREDICTORS
    assert chosen_stages(("reliability",), there) == ("reliability",)
    assert chosen_stages((), there) == there
    with pytest.raises(StudyError, match="No stage 'oracle'; there are base_problems"):
        chosen_stages(("oracle",), there)
