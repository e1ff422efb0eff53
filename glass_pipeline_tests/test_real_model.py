"""A real language model through the whole graph: SmolLM2 from its wheel, served in-process, no key, no download."""

from __future__ import annotations

import dagster as dg
import pytest

from glass_pipeline.defs.keys import Cell, stages_of
from glass_pipeline.defs.plan import Selection
from glass_pipeline.defs.resources import SolverResource
from glass_pipeline.defs.run import run_selection
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.study import Settings, Solver, parse_study

ITEMS = 6
SAMPLES = 3


@pytest.mark.real
def test_a_real_model_solves_easy_items_and_the_store_serves_the_rest(
    smollm2: Solver, settings: Settings, instance: dg.DagsterInstance
) -> None:
    """It answers one-step problems, solves some, every reply is stored, and a second run sends no request."""
    study = parse_study(
        {
            "study": {"adjudicator": "none", "doses": [1], "samples": SAMPLES},
            "suites": {"easy": {"source": "glassmini", "size": ITEMS, "max_steps": 1}},
            "solvers": {"smollm2": smollm2.model_dump(exclude_none=True)},
        },
        "glass.toml",
    )
    warehouse = Warehouse(settings.warehouse)
    solvers = SolverResource(study, warehouse, {})
    selection = Selection("easy", (1,), ("smollm2",), stages_of(study, "easy"))
    run_selection(selection, study, settings, instance=instance, solvers=solvers)
    labels = warehouse.read([Cell("easy", "base_labels", 1, "smollm2")])
    sent = sum(result.requests for result in solvers.sent)

    warehouse.remove(Cell("easy", "base_labels", 1, "smollm2"))
    again = SolverResource(study, warehouse, {})
    made = run_selection(selection, study, settings, instance=instance, solvers=again)

    assert labels.height == ITEMS
    assert labels["y_base"].sum() > 0
    assert sent >= ITEMS * SAMPLES
    assert [result.simulated for result in solvers.sent] == [False, False]
    assert [each.cell.stage for each in made] == ["base_labels"]
    assert sum(result.requests for result in again.sent) == 0
    page = (warehouse.folder(Cell("easy", "report")) / "report.html").read_text(encoding="utf-8")
    assert "Simulation:" not in page
