"""The whole graph with the planted solver: made once, made again, broken and mended; runs are counted."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import dagster as dg
import polars as pl
import pytest

from glass_pipeline.defs.code_versions import version_of
from glass_pipeline.defs.keys import Cell, stages_of
from glass_pipeline.defs.plan import Selection, selected_cells, stale_reason
from glass_pipeline.defs.resources import SolverResource
from glass_pipeline.defs.run import CheckFailed, run_selection
from glass_pipeline.defs.stages import ESTIMATED, PREDICTORS, STAGES
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.domain.audit import audit_twins
from glass_pipeline.domain.records import Problem, Twin
from glass_pipeline.study import Settings, Study, Suite

PLAIN = tuple(
    name
    for name, stage in STAGES.items()
    if name not in {"base_probes", "reaudit", *PREDICTORS} and not stage.spans_suites
)
ALL = Selection("mini", (1, 3), ("planted",), PLAIN)


@pytest.fixture
def warehouse(settings: Settings) -> Warehouse:
    """The warehouse of the test's settings."""
    return Warehouse(settings.warehouse)


class Laboratory:
    """A study that can be run again and again, counting what each run made and asked."""

    def __init__(self, study: Study, settings: Settings, instance: dg.DagsterInstance) -> None:
        self.study, self.settings, self.instance = study, settings, instance
        self.solvers = SolverResource(study, Warehouse(settings.warehouse), settings.environment)

    def run(self, selection: Selection = ALL, study: Study | None = None) -> list[str]:
        """Run a selection and return the names of the cells that were made."""
        self.solvers.sent.clear()
        self.solvers = SolverResource(study or self.study, self.solvers.warehouse, self.settings.environment)
        made = run_selection(
            selection, study or self.study, self.settings, instance=self.instance, solvers=self.solvers
        )
        return [str(each.cell) for each in made]

    def asked(self) -> int:
        """Samples that the last run asked for, beyond those the store had."""
        return sum(sum(result.statuses.values()) - result.cached for result in self.solvers.sent)

    def checks(self) -> list[dg.AssetCheckEvaluation]:
        """Verdicts of every asset check that ran."""
        kind = dg.DagsterEventType.ASSET_CHECK_EVALUATION
        runs = [record.dagster_run.run_id for record in self.instance.get_run_records()]
        events = [event for run in runs for event in self.instance.all_logs(run, of_type=kind)]
        return [event.dagster_event.asset_check_evaluation_data for event in events if event.dagster_event]

    def recorded_runs(self) -> int:
        """Runs that Dagster knows of."""
        return self.instance.get_runs_count()


@pytest.fixture
def laboratory(study: Study, settings: Settings, instance: dg.DagsterInstance) -> Laboratory:
    """The tiny study, not yet run."""
    return Laboratory(study, settings, instance)


def test_the_first_run_makes_everything_and_the_second_nothing(laboratory: Laboratory) -> None:
    """Each table is made once, in a Dagster run of its own; the same command again starts none and asks nobody."""
    made = laboratory.run()

    # 2 problem tables, 2 doses × (twins, audit, mix), 2 cells × (base, twin labels, pairs),
    # difficulty, orthogonality, budget targets, floor, reliability, slices, agreement of solvers, report.
    assert len(made) == 2 + 2 * 3 + 2 * 3 + 7 + 1
    assert laboratory.recorded_runs() == len(made)
    assert laboratory.asked() > 0
    assert laboratory.run() == []
    assert laboratory.asked() == 0


def test_deleting_one_doses_labels_remakes_those_and_asks_nobody(laboratory: Laboratory, warehouse: Warehouse) -> None:
    """The store answers, the bytes are the same, so nothing that follows is made again."""
    laboratory.run()
    for stage in ("base_labels", "solver_labels"):
        shutil.rmtree(warehouse.folder(Cell("mini", stage, 3, "planted")))

    assert laboratory.run() == ["mini/base_labels[m3|planted]", "mini/solver_labels[m3|planted]"]
    assert laboratory.asked() == 0


def test_another_dose_adds_its_own_cells_and_what_reads_all_doses(laboratory: Laboratory) -> None:
    """A new dose remakes the mixes and what fans in over doses, not the other dose's base labels."""
    laboratory.run(Selection("mini", (1,), ("planted",), PLAIN))
    made = laboratory.run()

    assert "mini/base_labels[m1|planted]" not in made
    assert "mini/twins[m1]" not in made
    assert {"mini/twins[m3]", "mini/base_labels[m3|planted]", "mini/causal_difficulty[planted]"} <= set(made)


def test_one_dose_alone_says_which_doses_it_holds(laboratory: Laboratory, warehouse: Warehouse) -> None:
    """A causal difficulty over a part of the grid is right and says so."""
    laboratory.run(Selection("mini", (3,), ("planted",), PLAIN))
    frame = warehouse.read([Cell("mini", "causal_difficulty", None, "planted")])

    assert frame.height > 0
    assert frame["doses"].list.unique().explode().unique().to_list() == [3]
    assert set(frame["slice"]) == {"pooled", "m3"}


def test_a_changed_solver_setting_relabels_that_solver_only(laboratory: Laboratory, study: Study) -> None:
    """Problems, twins, audits and mixes ask no solver and stay; the other solver's labels stay too."""
    both = Selection("mini", (1, 3), ("planted", "planted-b"), PLAIN)
    laboratory.run(both)
    hotter = study.solvers["planted-b"].model_copy(update={"temperature": 0.9})
    changed = study.model_copy(update={"solvers": {**study.solvers, "planted-b": hotter}})
    made = laboratory.run(both, changed)

    assert {name for name in made if "[" in name and "planted-b" not in name} == set()
    assert "mini/solver_labels[m3|planted-b]" in made


def test_a_bumped_code_version_remakes_its_stage(
    laboratory: Laboratory, study: Study, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stage whose code changed is stale, and says why; equal bytes stop the wave there."""
    laboratory.run()

    def bumped(stage: str) -> str:
        return "bumped" if stage == "noop_audit" else version_of(stage)

    monkeypatch.setattr("glass_pipeline.defs.plan.version_of", bumped)
    reason = stale_reason(Cell("mini", "noop_audit", 1), warehouse, study)
    monkeypatch.setattr("glass_pipeline.defs.io_managers.version_of", bumped)

    assert reason == f"code version {version_of('noop_audit')} is now bumped"
    assert laboratory.run() == ["mini/noop_audit[m1]", "mini/noop_audit[m3]"]


def test_every_table_says_what_it_was_made_from(laboratory: Laboratory, warehouse: Warehouse, study: Study) -> None:
    """The recorded inputs are exactly the cells that the graph's shape names."""
    laboratory.run()
    provenance = {cell: warehouse.provenance(cell) for cell in selected_cells(ALL)}

    inputs = {str(cell): set(each.inputs) for cell, each in provenance.items() if each}
    assert inputs["mini/twins[m1]"] == {"mini/base_problems", "mini/distractors"}
    assert inputs["mini/base_labels[m1|planted]"] == {"mini/base_problems"}
    assert inputs["mini/solver_labels[m1|planted]"] == {"mini/base_problems", "mini/multiop_mix[m1]"}
    assert inputs["mini/multiop_mix[m3]"] == {
        f"mini/{stage}[m{dose}]" for stage in ("twins", "noop_audit") for dose in (1, 3)
    }
    assert {str(cell) for cell in provenance if provenance[cell] is None} == set()


def test_two_warehouses_hold_the_same_rows(
    laboratory: Laboratory,
    study: Study,
    settings: Settings,
    instance: dg.DagsterInstance,
    warehouse: Warehouse,
) -> None:
    """Every draw is seeded from names: a run elsewhere makes the same data versions."""
    laboratory.run()
    elsewhere = Settings(settings.study_file, settings.warehouse.parent / "elsewhere", {})
    Laboratory(study, elsewhere, instance).run()

    versions = [
        {str(cell): provenance.data_version for cell in selected_cells(ALL) if (provenance := house.provenance(cell))}
        for house in (warehouse, Warehouse(elsewhere.warehouse))
    ]
    assert versions[0] == versions[1]
    assert len(versions[0]) == len(list(selected_cells(ALL)))


def test_base_runs_are_two_sets_of_samples(laboratory: Laboratory, warehouse: Warehouse) -> None:
    """Each dose run solves every base anew: the draw is in the store's key, so nothing is shared."""
    laboratory.run()
    runs = [result for result in laboratory.solvers.sent if all(cell.draw != "twin" for cell in result.replies)]
    keys = [{reply.key for replies in run.replies.values() for reply in replies} for run in runs]
    first, third = (warehouse.read([Cell("mini", "base_labels", dose, "planted")]).sort("base_id") for dose in (1, 3))

    assert [run.cached for run in runs] == [0, 0]
    assert [len(each) for each in keys] == [12 * 5, 12 * 5]
    assert keys[0].isdisjoint(keys[1])
    assert first["outputs"].to_list() != third["outputs"].to_list()


def test_a_failed_blocking_check_holds_everything_after_it(
    laboratory: Laboratory, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that fails is set aside: nothing is solved, and the next run meets it again, until it is mended."""

    def forged(problems: list[Problem], twins: list[Twin]) -> pl.DataFrame:
        return audit_twins(problems, twins).with_columns(altered_base=pl.lit(True))

    with monkeypatch.context() as patched:
        patched.setattr("glass_pipeline.defs.resources.audit_twins", forged)
        for _ in range(2):
            with pytest.raises(
                CheckFailed, match=r"noop_audit\[m1\]: 1 blocking .* edits_are_reversible; .* set aside"
            ):
                laboratory.run()
    held = (warehouse.path(Cell("mini", "noop_audit", 1)).is_file(), laboratory.asked())
    made = laboratory.run()

    assert held == (False, 0)
    assert "mini/noop_audit[m1]" in made
    assert made[-1] == "mini/report"


def test_two_solvers_are_compared(laboratory: Laboratory, warehouse: Warehouse) -> None:
    """Every pair of solvers has a row, on the jobs that both can solve."""
    laboratory.run(Selection("mini", (1, 3), ("planted", "planted-b"), PLAIN))
    (row,) = warehouse.read([Cell("mini", "solver_agreement")]).iter_rows(named=True)

    assert (row["solver"], row["other"], row["note"]) == ("planted", "planted-b", "n too small")
    assert 0 < row["n_jobs"] <= 12


def test_probes_exist_only_where_asked_for(
    laboratory: Laboratory, study: Study, settings: Settings, warehouse: Warehouse
) -> None:
    """With probes in the study every solvable base is sampled further, under a draw of its own, and judged."""
    probing = study.model_copy(update={"study": study.study.model_copy(update={"probe_samples": 10})})
    made = laboratory.run(Selection("mini", (1, 3), ("planted",), stages_of(probing, "mini")), probing)
    probes = warehouse.read([Cell("mini", "base_probes", None, "planted")])
    jobs = warehouse.read([Cell("mini", "causal_difficulty", None, "planted")]).filter(pl.col("slice") == "pooled")
    names = {check.check_name for check in laboratory.checks()}

    assert "base_probes" not in stages_of(study, "mini")
    assert "mini/base_probes[planted]" in made
    assert probes["n_samples"].unique().to_list() == [10]
    assert set(probes["base_id"]) == set(jobs.filter("in_stratum")["base_id"])
    assert "probes_carry_signal" in names


def test_every_estimate_shows_figures_and_a_plot(
    laboratory: Laboratory, study: Study, instance: dg.DagsterInstance
) -> None:
    """The UI's page of each table of estimates has a number and an inline plot, and says whether R1 was judged."""
    probing = study.model_copy(update={"study": study.study.model_copy(update={"probe_samples": 10})})
    laboratory.run(Selection("mini", (1, 3), ("planted", "planted-b"), stages_of(probing, "mini")), probing)
    numbers = dg.FloatMetadataValue | dg.IntMetadataValue
    first = next(check for check in laboratory.checks() if check.check_name == "no_answer_drifts")

    for stage in (*ESTIMATED, "base_probes"):
        event = instance.get_latest_materialization_event(dg.AssetKey(["mini", stage]))
        assert event is not None
        assert event.asset_materialization is not None
        shown = event.asset_materialization.metadata
        own = {name: value for name, value in shown.items() if not name.startswith("dagster/")}
        assert any(isinstance(value, numbers) for value in own.values()), stage
        assert stage == "report" or any("```" in str(value.value) for value in own.values()), stage
    assert first.passed
    assert first.metadata["found"].value == "No twin's answer was audited yet."


def test_reports_are_written(laboratory: Laboratory, warehouse: Warehouse) -> None:
    """The run ends with a page, its text twin and its data."""
    laboratory.run()
    folder = warehouse.folder(Cell("mini", "report"))

    assert "Simulation:" in (folder / "report.html").read_text(encoding="utf-8")
    assert (folder / "report.md").is_file()
    assert (folder / "summary.json").is_file()
    assert not pl.read_parquet(folder / "part.parquet").is_empty()


def test_every_stage_was_covered(laboratory: Laboratory) -> None:
    """The selection of these tests reaches every stage there is."""
    made = laboratory.run()

    assert {name.split("/")[1].split("[")[0] for name in made} == set(PLAIN) - {"declines"}


def test_an_edited_problems_file_is_noticed(
    laboratory: Laboratory, study: Study, warehouse: Warehouse, tmp_path: Path
) -> None:
    """Status says that the file changed, the run remakes what depends on it, and then everything is up to date."""
    source = tmp_path / "problems.jsonl"
    rows = [
        {"id": f"p{n}", "question": f"Ana has {n} pens. She buys 4 pens. How many pens has Ana?", "answer": n + 4}
        for n in range(5)
    ]
    source.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    suite = Suite(source="jsonl", path=str(source), complexity="heuristic")
    own = study.model_copy(update={"suites": {"mini": suite}})
    problems = replace(ALL, stages=("base_problems", "distractors", "twins", "declines"))
    laboratory.run(problems, own)
    untouched = laboratory.run(problems, own)

    source.write_text("\n".join(json.dumps(row) for row in rows[:4]), encoding="utf-8")
    reason = stale_reason(Cell("mini", "base_problems"), warehouse, own)
    remade = laboratory.run(problems, own)

    assert untouched == []
    assert reason == "its settings or source files changed"
    assert remade == ["mini/base_problems", "mini/twins[m1]", "mini/twins[m3]"]
    assert warehouse.read([Cell("mini", "base_problems")]).height == 4
    assert laboratory.run(problems, own) == []
