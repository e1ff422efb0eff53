"""What the page prints so that it can be remade."""

from __future__ import annotations

import pytest

from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.manifest import manifest_of
from glass_pipeline.defs.warehouse import Provenance, Warehouse
from glass_pipeline.domain.schemas import BASE_PROBLEMS
from glass_pipeline.study import Settings, parse_study

PROBLEM = {
    "base_id": "p-1",
    "text": "Mia has 3 pens. She buys 4 more. How many pens has she?",
    "gold": "7",
    "answer_type": "numeric",
    "category": "math",
    "declared_complexity": 1.0,
    "complexity_score": 0.1,
    "revision": "r-9",
    "licence": "CC0",
}


@pytest.mark.parametrize(
    ("kind", "prompts"),
    [({"kind": "planted"}, []), ({"kind": "openai", "model": "m", "base_url": "http://127.0.0.1:9"}, ["zero-shot-v1"])],
)
def test_the_manifest_shows_what_was_asked_and_of_which_source(
    settings: Settings, kind: dict[str, str], prompts: list[str]
) -> None:
    """Licence and revision of the source, and the whole prompt of every solver that is prompted."""
    study = parse_study(
        {"study": {"adjudicator": "none"}, "suites": {"mini": {"source": "glassmini"}}, "solvers": {"s": kind}},
        "glass.toml",
    )
    warehouse = Warehouse(settings.warehouse)
    made = Provenance(data_version="v", code_version="1", settings="s")
    warehouse.write(Cell("mini", "base_problems"), BASE_PROBLEMS.frame([PROBLEM]), made)
    manifest = manifest_of("mini", study, warehouse)

    assert (manifest["source licence"], manifest["source revision"]) == ("CC0", "r-9")
    assert [name for name in manifest if name.startswith("prompt ")] == [f"prompt {name}, numeric" for name in prompts]
    assert all("{problem}" in manifest[f"prompt {name}, numeric"] for name in prompts)
