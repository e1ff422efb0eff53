"""The ARC lab as assets: what is made, what is left alone, and what is refused."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import dagster as dg
import polars as pl
import pytest

from glass_pipeline.defs.arc_lab import LAB_STAGES, Lab, lab_key, lab_of
from glass_pipeline.defs.assets.arc_lab import ended
from glass_pipeline.defs.build import build_definitions
from glass_pipeline.defs.lab_figures import loss_curve
from glass_pipeline.defs.plan import Selection, selected_cells, stale_reason
from glass_pipeline.defs.run import run_selection
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.training import Epoch
from glass_pipeline.domain.schemas.arc_lab import LAB_COLUMNS
from glass_pipeline.llm.arc_lab.folder import LabFolder
from glass_pipeline.study import ArcLab, Settings, Study, StudyError, known_suites, load_study, parse_study

SHIPPED = Path(__file__).resolve().parents[2] / "glass.toml"
SEEDS = (1, 2, 3)
WEIGHTS = "adapter_model.safetensors"


class Graph:
    """The graph of a study with a lab, and the instance that remembers its runs."""

    def __init__(self, study: Study, settings: Settings, instance: dg.DagsterInstance) -> None:
        self.definitions = build_definitions(study, settings)
        self.instance = instance
        assert study.arc_lab is not None
        self.lab = lab_of(study.arc_lab, settings)
        self.files = self.lab.folder

    def make(self, stage: str, seed: int | None = None) -> dg.AssetMaterialization:
        """Materialize one asset of the lab, checks included, and return what Dagster recorded."""
        parts: list[Any] = [*(self.definitions.assets or ()), *(self.definitions.asset_checks or ())]
        result = dg.materialize(
            parts,
            selection=dg.AssetSelection.assets(lab_key(stage)),
            partition_key=None if seed is None else str(seed),
            instance=self.instance,
            resources=dict(self.definitions.resources or {}),
        )
        self.checked = [each.passed for each in result.get_asset_check_evaluations()]
        (event,) = result.get_asset_materialization_events()
        return event.materialization

    def make_all(self) -> dict[tuple[str, int | None], dg.AssetMaterialization]:
        """Materialize every partition of every asset, in the order of the graph."""
        cells = [(name, seed) for name, stage in LAB_STAGES.items() for seed in (SEEDS if stage.by_seed else (None,))]
        return {(name, seed): self.make(name, seed) for name, seed in cells}


def version(made: dg.AssetMaterialization) -> str:
    """Return the data version that a materialization carries."""
    return (made.tags or {})["dagster/data_version"]


def declared(exam_in_words: SimpleNamespace, **changes: Any) -> Study:
    """Return the shipped study with one small suite and a lab of three seeds."""
    lab = {
        "dataset": str(exam_in_words.exam),
        "model": str(exam_in_words.model),
        "seeds": SEEDS,
        "epochs": 2,
        "learning_rate": 0.05,
        "device": "cpu",
    }
    shipped = load_study(SHIPPED)
    small = shipped.suite("glassmini").model_copy(update={"size": 4})
    return shipped.model_copy(update={"suites": {"glassmini": small}, "arc_lab": ArcLab(**{**lab, **changes})})


@pytest.fixture
def study_with_lab(exam_in_words: SimpleNamespace) -> Study:
    """A study of one suite and a lab of three seeds."""
    return declared(exam_in_words)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, exam_in_words: SimpleNamespace) -> SimpleNamespace:
    """A warehouse whose lab went through the whole graph, and what Dagster recorded."""
    root = tmp_path_factory.mktemp("lab")
    settings = Settings(study_file=root / "glass.toml", warehouse=root / "warehouse", environment={})
    with dg.DagsterInstance.ephemeral() as instance:
        graph = Graph(declared(exam_in_words), settings, instance)
        made = graph.make_all()
        return SimpleNamespace(root=root, made=made, files=graph.files, checked=graph.checked)


@pytest.fixture
def graph(finished: SimpleNamespace, study_with_lab: Study, settings: Settings, instance: dg.DagsterInstance) -> Graph:
    """The graph over a copy of the finished lab."""
    shutil.copytree(finished.root / "warehouse", settings.warehouse)
    return Graph(study_with_lab, settings, instance)


def when_written(files: LabFolder) -> dict[str, int]:
    """Return when each adapter and each result file was last written."""
    paths = [*files.root.glob(f"adapters/*/{WEIGHTS}"), *files.root.glob("results/*.jsonl")]
    return {str(path.relative_to(files.root)): path.stat().st_mtime_ns for path in paths}


def test_without_its_table_the_graph_holds_no_lab(study: Study, settings: Settings) -> None:
    """Nothing can be trained by accident."""
    keys = {spec.key.path[0] for spec in build_definitions(study, settings).resolve_all_asset_specs()}

    assert study.arc_lab is None
    assert load_study(SHIPPED).arc_lab is None
    assert "arc_lab" not in keys


def test_the_table_that_ships_as_a_comment_is_a_lab(tmp_path: Path, settings: Settings) -> None:
    """Uncommented it parses, and its graph loads."""
    before, _, table = SHIPPED.read_text(encoding="utf-8").partition("# [arc_lab]")
    lines = ["[arc_lab]", *(line.removeprefix("# ") for line in table.splitlines())]
    written = tmp_path / "glass.toml"
    written.write_text(f"{before}\n" + "\n".join(lines), encoding="utf-8")
    study = load_study(written)
    definitions = build_definitions(study, settings)
    dg.Definitions.validate_loadable(definitions)

    assert study.arc_lab is not None
    assert study.arc_lab.sizes == {"train": 200, "validation": 100, "test": 200}
    assert {lab_key(stage) for stage in LAB_STAGES} <= {spec.key for spec in definitions.resolve_all_asset_specs()}


def test_every_asset_says_why_who_and_what(study_with_lab: Study, settings: Settings) -> None:
    """Description, owner, kinds, code version and columns; only adapters are never started by a sensor."""
    definitions = build_definitions(study_with_lab, settings)
    specs = {spec.key.path[1]: spec for spec in definitions.resolve_all_asset_specs() if spec.key.path[0] == "arc_lab"}

    assert specs.keys() == LAB_STAGES.keys()
    for name, spec in specs.items():
        assert spec.description == LAB_STAGES[name].why
        assert (spec.owners, spec.group_name, spec.code_version) == (["team:glass"], "arc_lab", "1")
        assert {"python"} < spec.kinds
        schema = spec.metadata["dagster/column_schema"]
        assert [column.name for column in schema.columns] == [column.name for column in LAB_COLUMNS[name]]
    assert [name for name, spec in specs.items() if spec.automation_condition is None] == ["lora_adapter"]
    by_seed = {name for name, spec in specs.items() if spec.partitions_def is not None}
    assert by_seed == {"lora_adapter", "predictions"}


def test_the_whole_graph_ends_in_a_complete_lab(finished: SimpleNamespace) -> None:
    """Three adapters, four result files, a report, and the check on it passes."""
    assert finished.checked == [True]
    assert sorted(path.parent.name for path in finished.files.root.glob(f"adapters/*/{WEIGHTS}")) == [
        "seed-1",
        "seed-2",
        "seed-3",
    ]
    assert sorted(path.name for path in finished.files.root.glob("results/*.jsonl")) == [
        "baseline.jsonl",
        "seed-1.jsonl",
        "seed-2.jsonl",
        "seed-3.jsonl",
    ]


def test_the_files_have_the_columns_that_are_shown(finished: SimpleNamespace) -> None:
    """Every row of every file reads as the declared schema, without a null where none may be."""
    files: LabFolder = finished.files
    by_asset = {
        "items": files.split("test"),
        "lora_adapter": files.adapter(2) / "epochs.jsonl",
        "base_predictions": files.result("baseline"),
        "predictions": files.result("seed-2"),
    }
    for name, path in by_asset.items():
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        columns = LAB_COLUMNS[name]
        frame = pl.DataFrame(rows, schema={column.name: column.dtype for column in columns}, strict=True)
        assert rows[0].keys() == {column.name for column in columns if not column.nullable}
        assert all(frame[column.name].null_count() == 0 for column in columns if not column.nullable)


def test_metadata_agree_with_the_report(finished: SimpleNamespace) -> None:
    """Accuracies, verdict, interval and plots are those of the lab's own files."""
    report = json.loads(finished.files.report.read_text(encoding="utf-8"))
    shown = finished.made["paired_report", None].metadata

    assert shown["verdict"].value == report["verdict"]
    assert [shown["bca_low_pp"].value, shown["bca_high_pp"].value] == report["bca_95_ci_pp"]
    base = finished.made["base_predictions", None].metadata
    assert 100 * base["accuracy"].value == pytest.approx(report["baseline_accuracy_pct"])
    assert base["dagster/row_count"].value == 24
    for seed in SEEDS:
        predicted = finished.made["predictions", seed].metadata
        assert 100 * predicted["accuracy"].value == pytest.approx(report["seed_accuracies_pct"][str(seed)])
        adapter = finished.made["lora_adapter", seed].metadata
        selection = json.loads((finished.files.adapter(seed) / "selection.json").read_text(encoding="utf-8"))
        assert adapter["selected_epoch"].value == selection["epoch"]
        assert adapter["target_modules"].value == ["query_key_value"]
        assert adapter["loss_curve"].value.count("batch") == 6
    assert [record.data["seed"] for record in shown["seeds"].records] == list(SEEDS)


def test_making_everything_again_makes_nothing(graph: Graph, finished: SimpleNamespace) -> None:
    """No adapter is trained and no item answered again, and every data version stays."""
    before = when_written(graph.files)
    again = graph.make_all()

    assert when_written(graph.files) == before
    assert {cell: version(made) for cell, made in again.items()} == {
        cell: version(made) for cell, made in finished.made.items()
    }


def test_a_lost_seed_brings_back_its_own_chain_only(graph: Graph, finished: SimpleNamespace) -> None:
    """Its adapter and its answers come back as they were; nothing of another seed, or of the base, is written."""
    shutil.rmtree(graph.files.adapter(2))
    graph.files.result("seed-2").unlink()
    before = when_written(graph.files)
    assert not ended(graph.files).passed

    again = graph.make_all()
    after = when_written(graph.files)
    assert after.keys() - before.keys() == {f"adapters/seed-2/{WEIGHTS}", "results/seed-2.jsonl"}
    assert {name: after[name] for name in before} == before
    assert {cell: version(made) for cell, made in again.items()} == {
        cell: version(made) for cell, made in finished.made.items()
    }


def test_another_adapter_is_answered_anew_where_it_is_asked_for(graph: Graph) -> None:
    """The end check sees that results are of another adapter; remaking its partition repairs it, others stay."""
    shutil.copy(graph.files.adapter(3) / WEIGHTS, graph.files.adapter(2) / WEIGHTS)
    found = ended(graph.files)
    assert not found.passed
    assert "seed-2.jsonl was not made with the adapter that is at" in found.metadata["found"].value
    before = when_written(graph.files)

    graph.make("base_predictions")
    graph.make("predictions", 3)
    assert when_written(graph.files) == before
    graph.make("predictions", 2)
    written = {name for name, time in when_written(graph.files).items() if time != before[name]}
    assert written == {"results/seed-2.jsonl"}
    assert graph.files.result("seed-2").read_bytes() == graph.files.result("seed-3").read_bytes()
    assert ended(graph.files).passed


def test_the_test_split_stays_shut_until_every_adapter_is_there(graph: Graph) -> None:
    """Also for the base model and for one seed alone."""
    shutil.rmtree(graph.files.root / "results")
    shutil.rmtree(graph.files.adapter(3))

    for stage, seed in (("base_predictions", None), ("predictions", 1)):
        with pytest.raises(LabError, match=r"No whole adapter at .*seed-3"):
            graph.make(stage, seed)
    assert not list(graph.files.root.glob("results/*.jsonl"))


def test_seeds_may_change_until_the_test_split_is_opened(
    graph: Graph, exam_in_words: SimpleNamespace, settings: Settings, instance: dg.DagsterInstance
) -> None:
    """Afterwards a new seed is refused; with the results forgotten it is trained, and the others are kept."""
    other = Graph(declared(exam_in_words, seeds=(1, 2, 4)), settings, instance)
    with pytest.raises(LabError, match=r"evaluated with the seeds \[1, 2, 3\], so \[1, 2, 4\] would be chosen knowing"):
        other.make("lora_adapter", 4)
    with pytest.raises(LabError, match=r"says seeds = \(1, 2, 4\), but the series in .* was trained with \(1, 2, 3\)"):
        other.make("predictions", 1)

    graph.files.clean(["results", "artifacts"])
    before = when_written(graph.files)
    for seed in (1, 2, 4):
        other.make("lora_adapter", seed)
    after = when_written(graph.files)
    assert after.keys() - before.keys() == {f"adapters/seed-4/{WEIGHTS}"}
    assert {name: after[name] for name in before} == before


def test_settings_of_another_series_are_refused(
    graph: Graph, exam_in_words: SimpleNamespace, settings: Settings, instance: dg.DagsterInstance
) -> None:
    """An adapter of other settings joins no series, and no report is made under settings that are not those."""
    other = Graph(declared(exam_in_words, batch_size=4), settings, instance)

    with pytest.raises(LabError, match=r"made with another config \(batch_size 8, now 4\)"):
        other.make("lora_adapter", 1)
    with pytest.raises(LabError, match="says batch_size = 4"):
        other.make("paired_report")


class Ticks:
    """Ticks of the sensors over the lab's assets, with data versions reported instead of made."""

    def __init__(self, study: Study, settings: Settings, instance: dg.DagsterInstance) -> None:
        definitions = build_definitions(study, settings)
        parts = [asset for asset in definitions.assets or () if "arc_lab" in str(getattr(asset, "keys", ""))]
        self.definitions = dg.Definitions(assets=parts)
        self.instance = instance
        self.cursor: Any = None

    def report(self, stage: str, seed: int | None, data_version: str) -> None:
        """Record a materialization with a data version."""
        self.instance.report_runless_asset_event(
            dg.AssetMaterialization(
                lab_key(stage),
                partition=None if seed is None else str(seed),
                tags={"dagster/data_version": data_version},
            )
        )

    def requested(self) -> set[tuple[str, str | None]]:
        """Evaluate one tick and return the partitions that it asks for."""
        result = dg.evaluate_automation_conditions(self.definitions, self.instance, cursor=self.cursor)
        self.cursor = result.cursor
        return {
            (each.key.path[1], key.partition_key)
            for each in result.results
            for key in each.true_subset.expensively_compute_asset_partitions()
        }


def test_a_changed_adapter_asks_for_its_own_answers_and_the_report(
    study_with_lab: Study, settings: Settings, instance: dg.DagsterInstance
) -> None:
    """Nothing for identical bytes; for other bytes one seed's answers, then the report; never an adapter."""
    ticks = Ticks(study_with_lab, settings, instance)
    for name, stage in LAB_STAGES.items():
        for seed in SEEDS if stage.by_seed else (None,):
            ticks.report(name, seed, "first")
    ticks.requested()

    ticks.report("lora_adapter", 2, "first")
    assert ticks.requested() == set()
    ticks.report("lora_adapter", 2, "second")
    assert ticks.requested() == {("predictions", "2")}
    ticks.report("predictions", 2, "second")
    assert ticks.requested() == {("paired_report", None)}
    ticks.report("paired_report", None, "second")
    assert ticks.requested() == set()


def test_the_lab_is_no_suite(study_with_lab: Study, settings: Settings, finished: SimpleNamespace) -> None:
    """Its folder in the warehouse is taken for no suite, and no suite can take its name."""
    assert Warehouse(finished.root / "warehouse").suites_present() == ()
    assert known_suites(study_with_lab, ["arc_lab"]) == ("glassmini",)
    document = tomllib.loads(SHIPPED.read_text(encoding="utf-8"))
    document["suites"]["arc_lab"] = document["suites"]["glassmini"]
    with pytest.raises(StudyError, match=r"suites.*arc_lab"):
        parse_study(document, "glass.toml")


def test_a_suite_is_run_beside_the_lab_without_touching_it(
    study_with_lab: Study, settings: Settings, instance: dg.DagsterInstance
) -> None:
    """`glass run` and `glass status` count the cells of suites, as they do without a lab."""
    selection = Selection("glassmini", (1,), ("planted",), ("base_problems", "distractors"))
    made = run_selection(selection, study_with_lab, settings, instance=instance)

    assert [str(each.cell) for each in made] == ["glassmini/base_problems", "glassmini/distractors"]
    warehouse = Warehouse(settings.warehouse)
    assert {stale_reason(cell, warehouse, study_with_lab) for cell in selected_cells(selection)} == {None}
    assert not (settings.warehouse / "arc_lab").exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seeds": (1, 1)}, r"glass.toml: \[arc_lab\] Seed 1 is given twice"),
        ({"seeds": tuple(range(100))}, r"glass.toml: \[arc_lab\] has 100 seeds, at most 99"),
        ({"epochs": 0}, r"glass.toml: \[arc_lab\] epochs is 0"),
    ],
)
def test_a_wrong_setting_is_named_when_the_graph_is_built(
    exam_in_words: SimpleNamespace, settings: Settings, changes: dict[str, Any], message: str
) -> None:
    """With file, table and key."""
    with pytest.raises(StudyError, match=message):
        build_definitions(declared(exam_in_words, **changes), settings)


def test_paths_are_relative_to_the_study_file(settings: Settings) -> None:
    """Data, folder and thresholds that lie beside glass.toml; the lab's default folder is in the warehouse."""
    home = settings.study_file.parent
    (home / "exam").mkdir()
    lab: Lab = lab_of(ArcLab(dataset="exam", folder="mine", thresholds="t.toml"), settings)

    assert (lab.asked.dataset, lab.folder.root) == (str(home / "exam"), home / "mine")
    assert lab.asked.model is None
    assert lab_of(ArcLab(), settings).folder.root == settings.warehouse / "arc_lab"
    with pytest.raises(LabError, match=r"t.toml cannot be read"):
        lab.declared_thresholds()
    (home / "t.toml").write_bytes(b"minimum_gain = 0.02\n")
    assert lab.declared_thresholds() == b"minimum_gain = 0.02\n"


def test_a_loss_curve_averages_neighbours() -> None:
    """Forty batches become twenty bars of two; epochs without batches are bars themselves."""
    losses = tuple(float(number) for number in range(40))
    curve = loss_curve([Epoch(seed=1, epoch=1, loss=19.5, validation_accuracy=0.5, batch_losses=losses)])
    assert curve.splitlines()[1].split()[:3] == ["batches", "1–2", "0.500"]
    assert len(curve.splitlines()) == 22

    assert "epoch 1      2.000" in loss_curve([Epoch(seed=1, epoch=1, loss=2.0, validation_accuracy=0.5)])
