"""The graph as Dagster sees it."""

from __future__ import annotations

from pathlib import Path

import dagster as dg
import pytest

from glass_pipeline.defs.build import MOST_PARTITIONS, build_definitions
from glass_pipeline.defs.keys import cells_of, edges_of, upstream_cells
from glass_pipeline.defs.partitions import mapping_of
from glass_pipeline.defs.stages import LABELLING, PREDICTORS, STAGES
from glass_pipeline.study import Settings, Study, StudyError, load_study, parse_study

SHIPPED = Path(__file__).resolve().parents[2] / "glass.toml"


@pytest.fixture
def definitions(study: Study, settings: Settings) -> dg.Definitions:
    """The graph of the tiny study."""
    return build_definitions(study, settings)


def test_the_graph_loads(definitions: dg.Definitions) -> None:
    """Every input resolves, every job and sensor has its assets."""
    dg.Definitions.validate_loadable(definitions)


def test_the_asset_keys_are_these(definitions: dg.Definitions) -> None:
    """Keys are for ever: renaming one loses its history."""
    keys = {spec.key.to_user_string() for spec in definitions.resolve_all_asset_specs()}

    of_suite = {f"mini/{name}" for name, stage in STAGES.items() if not stage.spans_suites}
    absent = {f"mini/{stage}" for stage in ("base_probes", "reaudit", *PREDICTORS)}
    assert keys == {"solver_settings", "overview", "synth_cd/scores", "mini/study_settings"} | of_suite - absent


def test_the_shipped_study_builds(settings: Settings) -> None:
    """Every suite of the shipped file becomes a graph."""
    study = load_study(SHIPPED)
    definitions = build_definitions(study, settings)
    dg.Definitions.validate_loadable(definitions)
    keys = {spec.key for spec in definitions.resolve_all_asset_specs()}

    assert all(dg.AssetKey([suite, "report"]) in keys for suite in study.suites)


@pytest.mark.parametrize("stage", STAGES)
def test_no_edge_fans_in_from_a_hundred_partitions(stage: str) -> None:
    """Beyond ninety-nine upstream partitions Dagster silently stops seeing changes."""
    study = load_study(SHIPPED)
    names = study.predictor_names
    doses = study.doses_of("glassmini")
    for cell in cells_of("glassmini", stage, doses=doses, solvers=study.enabled_solvers, predictors=names):
        for edge in edges_of(stage, study, "glassmini"):
            assert len(list(upstream_cells(cell, edge, study))) <= MOST_PARTITIONS


def test_too_many_solvers_are_refused_in_one_sentence(settings: Settings) -> None:
    """A grid that Dagster could not watch is never built."""
    study = parse_study(
        {
            "study": {"adjudicator": "none"},
            "suites": {"mini": {"source": "glassmini"}},
            "solvers": {f"p{i}": {"kind": "planted"} for i in range(20)},
        },
        "glass.toml",
    )
    with pytest.raises(StudyError, match="100 dose-solver pairs, at most 99; disable some"):
        build_definitions(study, settings)


def test_mappings_are_declared_where_dagster_would_guess_wrong() -> None:
    """All doses of one solver, all doses, one solver of the grid; identity is left to Dagster."""
    kinds = {
        (name, edge.upstream): type(mapping_of(stage, edge)) for name, stage in STAGES.items() for edge in stage.edges
    }

    assert kinds["solver_labels", "base_labels"] is dg.MultiPartitionMapping
    assert kinds["multiop_mix", "twins"] is dg.AllPartitionMapping
    assert kinds["solver_labels", "multiop_mix"] is dg.MultiToSingleDimensionPartitionMapping
    assert kinds["causal_difficulty", "labeled_pairs"] is dg.MultiToSingleDimensionPartitionMapping
    assert kinds["noop_audit", "twins"] is type(None)
    assert kinds["predictions", "labeled_pairs"] is dg.MultiPartitionMapping
    assert kinds["predictions", "causal_difficulty"] is dg.MultiToSingleDimensionPartitionMapping
    assert kinds["predictor_scores", "predictions"] is dg.MultiToSingleDimensionPartitionMapping


def test_policy_is_on_every_asset(definitions: dg.Definitions) -> None:
    """No asset forgets its owner, code version, description or automation condition."""
    specs = [spec for spec in definitions.resolve_all_asset_specs() if spec.key.path[-1] in STAGES]

    assert {spec.key.path[-1] for spec in specs} == STAGES.keys() - {"base_probes", "reaudit", *PREDICTORS}
    assert all(spec.owners and spec.code_version and spec.description for spec in specs)
    assert {spec.key.path[-1] for spec in specs if spec.automation_condition is None} == {"declines"}


def test_sensors_start_stopped_and_paid_reruns_are_apart(definitions: dg.Definitions) -> None:
    """Nothing is made, and nothing is paid for, until a person turns it on; settings are watched from the start."""
    sensors = {sensor.name: sensor for sensor in definitions.sensors or []}
    running = {name for name, each in sensors.items() if each.default_status is dg.DefaultSensorStatus.RUNNING}

    assert running == {"settings_watch"}
    paid = sensors["paid_reruns"].asset_selection
    assert paid is not None
    keys = paid.resolve(definitions.resolve_asset_graph())
    assert keys == {dg.AssetKey(["mini", stage]) for stage in LABELLING if stage != "base_probes"}


def test_the_label_job_is_partitioned_by_dose_and_solver(definitions: dg.Definitions) -> None:
    """A backfill of job `label` fills the grid."""
    job = definitions.resolve_job_def("label")

    assert job.partitions_def is not None
    assert set(job.partitions_def.get_partition_keys()) == {
        f"{dose}|{solver}" for dose in ("m1", "m3") for solver in ("planted", "planted-b")
    }
