"""Labels of others: imported, declared, and estimated by the same graph without a solver."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest

from glass_pipeline.defs.build import build_definitions
from glass_pipeline.study import Settings, StudyError, parse_study

GLASS = Path(sys.executable).parent / "glass"
SOLVER = "qwen2.5-coder-0.5b-instruct-q4km"
STUDY = {
    "suites": {"theirs": {"source": "imported", "solvers": [SOLVER]}},
    "solvers": {"planted": {"kind": "planted"}},
}


def test_an_imported_suite_has_only_what_labels_are_enough_for(settings: Settings) -> None:
    """Its problems and labels are external, its estimates are assets, and nothing in it can ask a solver."""
    definitions = build_definitions(parse_study(STUDY, "glass.toml"), settings)
    dg.Definitions.validate_loadable(definitions)
    specs = {spec.key.path[-1]: spec for spec in definitions.resolve_all_asset_specs() if spec.key.path[0] == "theirs"}

    assert set(specs) == {
        *("study_settings", "base_problems", "base_labels", "labeled_pairs"),
        *("causal_difficulty", "orthogonality", "budget_targets", "identity_floor", "reliability", "slices"),
        *("solver_agreement", "report"),
    }
    assert list(definitions.jobs or []) == []


def test_an_imported_suite_names_its_solvers() -> None:
    """Nobody else can know whose labels they are."""
    with pytest.raises(StudyError, match="an imported suite names the solvers of its labels"):
        parse_study({**STUDY, "suites": {"theirs": {"source": "imported"}}}, "glass.toml")


def test_real_labels_are_imported_and_estimated(tmp_path: Path, shared: Path) -> None:
    """382 solved SVAMP items of a half-billion model: the published break rates and reliability come out."""
    (tmp_path / "glass.toml").write_text(
        f'[suites.theirs]\nsource = "imported"\nsolvers = ["{SOLVER}"]\n[solvers.planted]\nkind = "planted"\n'
    )

    def glass(*arguments: str) -> str:
        done = subprocess.run([GLASS, *arguments], cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout

    glass("import-pairs", *map(str, sorted((shared / "data/svamp_smalllm").glob("*_pairs.jsonl.gz"))), "--as", "theirs")
    first = json.loads(glass("run", "theirs", "--json"))
    again = json.loads(glass("run", "theirs", "--json"))
    rates = glass("query", "select name, mean_pi from theirs.slices where kind in ('all', 'family')", "--json")
    (pooled,) = glass(
        "query",
        "select r, oracle from theirs.reliability where slice = 'pooled' and kind = 'all' and unit = 'unique'",
        "--json",
    ).splitlines()
    mean_pi = {row["name"]: row["mean_pi"] for row in map(json.loads, rates.splitlines())}

    assert len(first["made"]) == 8
    assert (first["samples_asked"], again["made"]) == (0, [])
    # README of the labels: rename .182, mean pi about .72, r .67, oracle .80 (one plain script, one draw).
    assert mean_pi["entity_rename"] == pytest.approx(0.182, abs=0.01)
    assert mean_pi["all"] == pytest.approx(0.72, abs=0.03)
    assert json.loads(pooled)["r"] == pytest.approx(0.67, abs=0.05)
    assert json.loads(pooled)["oracle"] == pytest.approx(0.80, abs=0.03)
