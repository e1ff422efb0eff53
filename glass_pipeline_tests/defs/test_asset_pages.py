"""What a person finds on the page of every asset in the Dagster UI."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import dagster as dg
import polars as pl
import pytest

from glass_pipeline.defs.asset_checks import checks_of
from glass_pipeline.defs.build import build_definitions
from glass_pipeline.defs.keys import Cell, cells_of, stages_of
from glass_pipeline.defs.lineage import LINEAGE, lineage_of
from glass_pipeline.defs.plan import Selection
from glass_pipeline.defs.run import make_overview, run_selection
from glass_pipeline.defs.stages import STAGES
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.domain.schemas import TABLES
from glass_pipeline.study import Settings, Study, parse_study

OBSERVED = ("solver_settings", "study_settings", "predictor_settings")
"""Settings that are observed, not made: they have neither rows nor columns, and Dagster gives them no owner."""
COMPUTED = {"base_problems", "distractors"}
"""Tables that read no other table."""


def lacks(spec: dg.AssetSpec) -> set[str]:
    """Return what the page of an asset lacks."""
    name, columns = spec.key.path[-1], spec.metadata.get("dagster/column_schema")
    described = columns is not None and all(column.description for column in columns.columns)
    found = {
        "why": bool(spec.description) and len(str(spec.description).split()) >= 6 and str(spec.description)[-1] == ".",
        "group": spec.group_name not in {None, "default"},
        "kinds": bool(spec.kinds),
        "owner": bool(spec.owners) or name in OBSERVED,
        "columns": described or name in OBSERVED,
        "suite": "suite" in spec.tags or len(spec.key.path) == 1 or spec.key.path[0] == "synth_cd" or name in OBSERVED,
    }
    return {what for what, is_there in found.items() if not is_there}


def study_of(adjudicator: object) -> Study:
    """A study with probes, and a suite of other people's labels."""
    return parse_study(
        {
            "study": {"adjudicator": adjudicator, "doses": [1], "probe_samples": 2},
            "suites": {
                "mini": {"source": "glassmini", "size": 8, "distractors": "glassmini/train"},
                "theirs": {"source": "imported", "solvers": ["their-model"]},
            },
            "predictors": [{"name": "length", "kind": "text_length"}],
            "solvers": {
                "planted": {"kind": "planted"},
                "judge": {"kind": "openai", "model": "m", "base_url": "http://127.0.0.1:1/v1", "enabled": False},
            },
        },
        "glass.toml",
    )


@pytest.fixture(scope="module")
def probing() -> Study:
    """A study that makes every stage but re-audits, which take a model that judges."""
    return study_of("none")


class Built:
    """One whole graph, made once."""

    def __init__(self, study: Study, settings: Settings, instance: dg.DagsterInstance) -> None:
        self.study = study
        self.instance = instance
        self.warehouse = Warehouse(settings.warehouse)
        self.stages = stages_of(study, "mini")
        run_selection(
            Selection("mini", (1,), ("planted",), self.stages, study.predictor_names),
            study,
            settings,
            instance=instance,
        )
        make_overview(study, settings, instance=instance)

    def read(self, stage: str) -> pl.DataFrame:
        """All rows of a stage."""
        suite = "" if STAGES[stage].spans_suites else "mini"
        return self.warehouse.read(
            list(cells_of(suite, stage, doses=(1,), solvers=("planted",), predictors=("length",)))
        )


@pytest.fixture(scope="module")
def built(probing: Study, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    """The graph of that study after one run."""
    folder = tmp_path_factory.mktemp("pages")
    settings = Settings(study_file=folder / "glass.toml", warehouse=folder / "warehouse", environment={})
    with dg.DagsterInstance.ephemeral() as instance:
        yield Built(probing, settings, instance)


def test_no_asset_lacks_what_its_page_should_say(settings: Settings) -> None:
    """Why it is there, who owns it, what kind it is, and what each of its columns means; imported ones too."""
    specs = build_definitions(study_of(["judge"]), settings).resolve_all_asset_specs()

    assert {spec.key.to_user_string(): missing for spec in specs if (missing := lacks(spec))} == {}
    assert {spec.key.path[-1] for spec in specs} == {*STAGES, *OBSERVED, "scores"}


def test_the_audit_of_assets_finds_a_bare_one() -> None:
    """An asset that says nothing lacks everything."""

    @dg.asset
    def bare() -> None: ...

    (spec,) = bare.specs
    assert lacks(spec) == {"why", "group", "kinds", "owner", "columns"} - ({"kinds"} if spec.kinds else set())


def test_every_check_says_what_it_asks(probing: Study, settings: Settings) -> None:
    """A check without a description is a red dot that nobody understands."""
    specs = [spec for check in build_definitions(probing, settings).asset_checks or [] for spec in check.check_specs]  # type: ignore[union-attr]

    assert [spec.name for spec in specs if not (spec.description or "").endswith((".", ")."))] == []
    assert {spec.asset_key.path[-1] for spec in specs} >= {"noop_audit", "causal_difficulty", "base_probes"}


def test_a_check_that_stops_the_graph_is_an_error_and_others_warn(built: Built) -> None:
    """Severities as the UI colours them, and each result holds what was found."""
    kind = dg.DagsterEventType.ASSET_CHECK_EVALUATION
    entries = [
        entry for run in built.instance.get_runs() for entry in built.instance.all_logs(run.run_id, of_type=kind)
    ]
    results = [entry.dagster_event.asset_check_evaluation_data for entry in entries if entry.dagster_event]

    declared = {spec.name for check in checks_of("mini", built.study) for spec in check.check_specs}
    assert {result.check_name for result in results} == declared
    wanted = {True: dg.AssetCheckSeverity.ERROR, False: dg.AssetCheckSeverity.WARN}
    assert [result.check_name for result in results if result.severity is not wanted[bool(result.blocking)]] == []
    assert [result.check_name for result in results if not result.metadata] == []


@pytest.mark.parametrize("stage", sorted(STAGES.keys() - {"reaudit"}))
def test_every_table_shows_its_rows_file_and_origin(built: Built, stage: str) -> None:
    """Row count, path and the columns that were carried over, on the materialization itself."""
    key = dg.AssetKey([stage] if STAGES[stage].spans_suites else ["mini", stage])
    event = built.instance.get_latest_materialization_event(key)
    assert event is not None
    assert event.asset_materialization is not None
    metadata = event.asset_materialization.metadata
    rows = "dagster/partition_row_count" if STAGES[stage].dimensions else "dagster/row_count"
    lineage: Any = metadata["dagster/column_lineage"].value

    assert metadata[rows].value == built.read(stage).height
    assert str(metadata["dagster/uri"].value).endswith("part.parquet")
    assert set(lineage.deps_by_column) == set(LINEAGE.get(stage, {}))


@pytest.mark.parametrize("stage", sorted(LINEAGE.keys() - {"reaudit"}))
def test_a_declared_origin_is_true(built: Built, stage: str) -> None:
    """Every value of a column that is said to be carried over occurs in the column it is said to come from."""
    for column, (upstream, origin) in LINEAGE[stage].items():
        held, there = set(built.read(stage)[column]), set(built.read(upstream)[origin])
        assert held <= there, f"{stage}.{column} is not {upstream}.{origin}"


def test_origins_name_declared_tables_and_columns() -> None:
    """A renamed column cannot leave a stale origin behind, and no table that reads another goes without one."""
    assert [
        f"{stage}.{column}"
        for stage, columns in LINEAGE.items()
        for column, (upstream, origin) in columns.items()
        if column not in TABLES[stage].schema or origin not in TABLES[upstream].schema
    ] == []
    assert set(STAGES) - set(LINEAGE) == COMPUTED


def test_imported_labels_have_no_origin_that_is_not_there(probing: Study) -> None:
    """Their problems and labels are in the warehouse; twins and mixes never were."""
    lineage = lineage_of(Cell("theirs", "causal_difficulty", None, "their-model"), probing, ("theirs",))
    keys = {dep.asset_key.path[-1] for deps in lineage.deps_by_column.values() for dep in deps}

    assert keys == {"base_problems", "base_labels"}
