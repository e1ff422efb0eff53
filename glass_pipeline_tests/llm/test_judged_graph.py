"""The graph with adjudicators and a writer behind a real HTTP endpoint: judged once, re-audited, adopted, estimated."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import dagster as dg
import pytest

from glass_pipeline.defs.build import build_definitions
from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.plan import Selection, selected_cells, whole
from glass_pipeline.defs.reaudit import adopt, draw_in_use
from glass_pipeline.defs.resources import SolverResource
from glass_pipeline.defs.run import estimate_selection, free_part, run_selection
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.domain.errors import BadInput
from glass_pipeline.llm.adjudicate import DRAW
from glass_pipeline.study import Settings, Study, parse_study

SUITE = "mini"
UP_TO_MIX = ("base_problems", "distractors", "twins", "declines", "noop_audit", "multiop_mix")


def study_of(url: str, **suite: object) -> Study:
    """A study of four problems at two doses, with one model that can judge and write, and a simulated solver."""
    judge = {"kind": "openai", "model": "tiny", "base_url": url, "enabled": False, "max_attempts": 1}
    priced = {**judge, "usd_per_million_prompt_tokens": 1.0, "usd_per_million_completion_tokens": 2.0}
    return parse_study(
        {
            "study": {"adjudicator": ["judge"], "doses": [1, 3]},
            "suites": {SUITE: {"source": "glassmini", "size": 4, **suite}},
            "solvers": {"planted": {"kind": "planted"}, "judge": priced},
        },
        "glass.toml",
    )


def says(verdict: str) -> str:
    """An adjudicator's whole answer."""
    return json.dumps({"rationale": "The second text says the same.", "verdict": verdict})


class Bench:
    """One study, warehouse and instance, and how many requests the endpoint has seen."""

    def __init__(self, study: Study, settings: Settings, instance: dg.DagsterInstance, endpoint: Any) -> None:
        self.study, self.settings, self.instance, self.endpoint = study, settings, instance, endpoint
        self.warehouse = Warehouse(settings.warehouse)
        self.solvers = SolverResource(study, self.warehouse, settings.environment)

    def run(self, *stages: str, remake: frozenset[str] = frozenset()) -> list[str]:
        """Make what is stale of some stages and return the cells."""
        selection = Selection(SUITE, self.study.doses_of(SUITE), ("planted",), stages or UP_TO_MIX)
        made = run_selection(
            selection, self.study, self.settings, instance=self.instance, solvers=self.solvers, remake=remake
        )
        return [str(each.cell) for each in made]

    def requests(self) -> int:
        """Requests that the endpoint has answered since the last question."""
        seen = len(self.endpoint.bodies)
        self.endpoint.bodies.clear()
        return seen


@pytest.fixture
def bench(
    settings: Settings, instance: dg.DagsterInstance, endpoint: Any, answers: SimpleNamespace
) -> Callable[..., Bench]:
    """Return a maker of benches whose endpoint finds every twin in order."""

    def make(**suite: object) -> Bench:
        endpoint.behave = lambda *_: answers.completion(says("no_op"))
        return Bench(study_of(endpoint.url, **suite), settings, instance, endpoint)

    return make


def test_every_kept_twin_is_judged_once_over_doses(bench: Callable[..., Bench]) -> None:
    """A surface twin stands in both dose files but is the same text, so it is judged once; a rerun asks nothing."""
    mini = bench()
    mini.run()
    audit = mini.warehouse.read([Cell(SUITE, "noop_audit", 1), Cell(SUITE, "noop_audit", 3)])
    twins = mini.warehouse.read([Cell(SUITE, "twins", 1), Cell(SUITE, "twins", 3)])
    kept = twins.join(audit.filter("keep"), on="twin_id", how="semi")

    assert audit.filter("keep")["verdicts"].to_list() == [["no_op"]] * kept.height
    assert audit.filter("keep")["adjudicators"].to_list()[0] == ["judge (tiny, noop-audit-v1)"]
    assert mini.requests() == kept.unique(["base_id", "text_hash"]).height < kept.height
    assert mini.run() == []
    assert mini.run(remake=frozenset({"noop_audit"})) and mini.requests() == 0


def test_a_contradiction_keeps_a_twin_out_of_the_mix(bench: Callable[..., Bench], answers: SimpleNamespace) -> None:
    """What the adjudicator rejects is dropped with its reason, and no mix draws it; the twins stay as they were."""
    mini = bench()
    mini.run("base_problems", "distractors", "twins", "declines")
    before = mini.warehouse.provenance(Cell(SUITE, "twins", 1))

    def strict(body: dict[str, Any], _: int) -> Any:
        is_a_pair = "<reworded>" in body["messages"][-1]["content"]
        return answers.completion(says("contradiction" if is_a_pair else "no_op"))

    mini.endpoint.behave = strict
    mini.run()
    audit = mini.warehouse.read([Cell(SUITE, "noop_audit", 1)])

    assert not audit["keep"].any()
    assert set(audit.filter(audit["verdicts"].list.len() > 0)["reasons"].explode()) == {"contradiction"}
    assert mini.warehouse.read([Cell(SUITE, "multiop_mix", 1)]).is_empty()
    assert mini.warehouse.provenance(Cell(SUITE, "twins", 1)) == before


def test_a_re_audit_is_appended_and_adopted_only_on_command(
    bench: Callable[..., Bench], answers: SimpleNamespace
) -> None:
    """It judges anew, leaves the audit in use alone, and once adopted changes it and what depends on it."""
    mini = bench()
    mini.run()
    mini.requests()
    in_use = mini.warehouse.provenance(Cell(SUITE, "noop_audit", 1))

    mini.endpoint.behave = lambda *_: answers.completion(says("contradiction"))
    mini.run("reaudit", remake=frozenset({"reaudit"}))
    assert mini.requests() > 0
    history = mini.warehouse.read([Cell(SUITE, "reaudit", 1)])
    (date,) = history["date"].unique()
    assert not history["keep"].any()
    assert mini.warehouse.provenance(Cell(SUITE, "noop_audit", 1)) == in_use
    assert mini.run() == []

    mini.run("reaudit", remake=frozenset({"reaudit"}))
    assert mini.requests() == 0
    assert mini.warehouse.read([Cell(SUITE, "reaudit", 1)]).equals(history)

    adopt(mini.warehouse, SUITE, 1, date)
    assert draw_in_use(mini.warehouse, SUITE, 1) == f"reaudit/{date}"
    assert draw_in_use(mini.warehouse, SUITE, 3) == DRAW
    mini.run("noop_audit", remake=frozenset({"noop_audit"}))
    assert mini.requests() == 0
    assert not mini.warehouse.read([Cell(SUITE, "noop_audit", 1)])["keep"].any()
    assert mini.warehouse.read([Cell(SUITE, "noop_audit", 3)])["keep"].any()
    stale = [str(cell) for cell in selected_cells(whole(SUITE, mini.study)) if cell.stage == "multiop_mix"]
    assert mini.run() == stale


def test_only_a_date_that_is_held_can_be_adopted(bench: Callable[..., Bench]) -> None:
    """The sentence names the command, or the dates there are."""
    mini = bench()
    with pytest.raises(BadInput, match=r"mini/reaudit\[m1\] holds no re-audit of 2026-12-07; `glass reaudit mini`"):
        adopt(mini.warehouse, SUITE, 1, "2026-12-07")


def test_drifted_verdicts_fail_the_check(bench: Callable[..., Bench], answers: SimpleNamespace) -> None:
    """All twins kept, then all dropped: far outside the recorded interval, so the check fails as an error."""
    mini = bench()
    mini.run()
    mini.endpoint.behave = lambda *_: answers.completion(says("contradiction"))
    mini.run("reaudit", remake=frozenset({"reaudit"}))

    records = mini.instance.get_run_records()
    kind = dg.DagsterEventType.ASSET_CHECK_EVALUATION
    events = [event for each in records for event in mini.instance.all_logs(each.dagster_run.run_id, of_type=kind)]
    checks = [event.dagster_event.asset_check_evaluation_data for event in events if event.dagster_event]
    drifted = [check for check in checks if check.check_name == "verdicts_have_not_drifted"]
    assert [check.passed for check in drifted] == [False, False]
    assert all(check.severity is dg.AssetCheckSeverity.ERROR for check in drifted)
    assert "far outside the recorded interval" in str(drifted[0].metadata["found"].value)


def test_an_endpoint_that_fails_leaves_no_audit_behind(bench: Callable[..., Bench], answers: SimpleNamespace) -> None:
    """Nothing half-judged is written: the next run goes on from the verdicts that are stored."""
    mini = bench()
    mini.endpoint.behave = lambda _, seen: answers.completion(says("no_op")) if seen < 3 else answers.Act(status=500)
    with pytest.raises(Exception, match=r"judge gave no answer to .* run again, what was answered is stored"):
        mini.run()
    assert mini.warehouse.provenance(Cell(SUITE, "noop_audit", 1)) is None
    answered = 3

    mini.endpoint.behave = lambda *_: answers.completion(says("no_op"))
    mini.requests()
    mini.run()
    texts = mini.warehouse.read([Cell(SUITE, "twins", 1), Cell(SUITE, "twins", 3)])
    audit = mini.warehouse.read([Cell(SUITE, "noop_audit", 1), Cell(SUITE, "noop_audit", 3)])
    kept = texts.join(audit.filter("keep"), on="twin_id", how="semi").unique(["base_id", "text_hash"])
    assert mini.requests() == kept.height - answered


def test_a_dry_run_says_what_judging_costs_and_asks_nobody(bench: Callable[..., Bench]) -> None:
    """Before the audit there is no mix to solve, so only the adjudicators are estimated; afterwards the solvers."""
    mini = bench()
    everything = whole(SUITE, mini.study)
    free = free_part(everything, mini.study, mini.settings)
    assert free.stages == ("base_problems", "distractors", "twins", "declines")
    run_selection(free, mini.study, mini.settings, instance=mini.instance)
    judging = estimate_selection(everything, mini.study, mini.settings, mini.solvers)

    assert mini.requests() == 0
    assert list(judging) == ["judge"] and (judging["judge"].cost_usd_upper or 0) > 0
    mini.run()
    assert mini.requests() == judging["judge"].requests
    assert "multiop_mix" in free_part(everything, mini.study, mini.settings).stages
    assert list(estimate_selection(everything, mini.study, mini.settings, mini.solvers)) == ["planted"]


def test_a_writer_makes_the_twins_and_the_audit_checks_them(
    bench: Callable[..., Bench], answers: SimpleNamespace
) -> None:
    """A faithful reordering becomes a twin of its generator; a free paraphrase is declined with the reason."""
    mini = bench(generator="judge", operators=["sentence_reorder", "entity_rename"], adjudicator="none")
    paraphrase = json.dumps({"twin": "Something else altogether?"})
    mini.endpoint.behave = lambda *_: answers.completion(paraphrase)
    everything = whole(SUITE, mini.study)
    free = free_part(everything, mini.study, mini.settings)
    assert free.stages == ("base_problems", "distractors")
    run_selection(free, mini.study, mini.settings, instance=mini.instance)
    writing = estimate_selection(everything, mini.study, mini.settings, mini.solvers)
    assert list(writing) == ["judge"] and writing["judge"].requests > 0

    mini.run()
    declined = mini.warehouse.read([Cell(SUITE, "declines", 1)])
    assert mini.warehouse.read([Cell(SUITE, "twins", 1)]).is_empty()
    assert set(declined["family"]) == {"sentence_reorder", "entity_rename"}
    assert any(reason.startswith("written text") for reason in declined["reason"])


def test_what_asks_is_paid_for_deliberately(settings: Settings) -> None:
    """Judging and writing stand under the sensor that is off until somebody pays, and use the solvers' pool."""
    study = study_of("http://127.0.0.1:1/v1", generator="judge")
    definitions = build_definitions(study, settings)
    sensors = {sensor.name: sensor for sensor in definitions.sensors or []}
    graph = definitions.resolve_asset_graph()
    paid = sensors["paid_reruns"].asset_selection.resolve(graph)

    assert {dg.AssetKey([SUITE, stage]) for stage in ("twins", "noop_audit", "reaudit")} <= paid
    assert graph.get(dg.AssetKey([SUITE, "noop_audit"])).pools == {"solver_api"}


def test_re_audits_are_scheduled_only_where_the_environment_names_them(settings: Settings) -> None:
    """On a person's machine no schedule is registered; where one is, a Monday asks for one run a dose."""
    study = study_of("http://127.0.0.1:1/v1")
    assert not build_definitions(study, settings).schedules
    assert {job.name for job in build_definitions(study, settings).jobs or []} == {"label", "reaudit_mini"}

    scheduled = Settings(settings.study_file, settings.warehouse, {"GLASS_SCHEDULES": "reaudit"})
    definitions = build_definitions(study, scheduled)
    (weekly,) = definitions.schedules or []
    assert weekly.cron_schedule == "0 6 * * 1"
    repository = definitions.get_repository_def()
    with dg.DagsterInstance.ephemeral() as instance:
        moment = datetime.datetime(2026, 12, 7, 6, tzinfo=datetime.UTC)
        context = dg.build_schedule_context(
            instance=instance, scheduled_execution_time=moment, repository_def=repository
        )
        found = weekly.evaluate_tick(context).run_requests or []
    assert [(each.partition_key, each.tags["glass/date"]) for each in found] == [
        ("m1", "2026-12-07"),
        ("m3", "2026-12-07"),
    ]
    (spec,) = [each for each in definitions.resolve_all_asset_specs() if each.key.path[-1] == "reaudit"]
    assert spec.freshness_policy is not None
