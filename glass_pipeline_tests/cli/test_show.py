"""``glass show``: one item in the terminal."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.warehouse import Provenance, Warehouse
from glass_pipeline.domain.schemas import TABLES

GLASS = Path(sys.executable).parent / "glass"
STUDY = """
[study]
adjudicator = "none"
doses = [1]
[suites.one]
source = "glassmini"
[suites.two]
source = "glassmini"
[suites.empty]
source = "glassmini"
[solvers.planted]
kind = "planted"
[solvers.idle]
kind = "planted"
"""
BASE = "Mia has 3 boxes of 6 pens. How many pens are there?"
TWIN = "Nora has 3 boxes of 6 pens. How many pens are there?"
STEER = "\x1b]0;owned\x07\x1b[2J[red]\u202e"
MADE = Provenance(data_version="v", code_version="1", settings="s")
ENVELOPE = {"solver": "planted", "base_id": "item-1"}
SAMPLES = {"n_samples": 2, "rules": ["hashes"] * 2, "statuses": ["ok", "ok"], "prompt_tokens": 1, "cost_usd": 0.0}


def write(warehouse: Warehouse, cell: Cell, row: dict[str, Any]) -> None:
    """Write a table of one row; columns that are not given are zero, empty or null."""
    blank = {"Int64": 0, "Float64": 0.0, "String": "", "Boolean": False}
    filled = {
        column.name: None if column.nullable else blank.get(str(column.dtype), [])
        for column in TABLES[cell.stage].columns
    }
    warehouse.write(cell, TABLES[cell.stage].frame([filled | row]), MADE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two suites with one item each: of the first, one twin broke, with words that would steer a terminal."""
    (tmp_path / "glass.toml").write_text(STUDY)
    warehouse = Warehouse(tmp_path / "warehouse")
    for suite, base_id in (("one", "item-1"), ("two", "item-1"), ("two-n5", "other-7")):
        write(warehouse, Cell(suite, "base_problems"), {"base_id": base_id, "text": BASE, "gold": "18"})
    right = {"modal_answer": "18", "answers": ["18", "18"], "n_correct": 2, "outputs": ["18", "18"]}
    wrong = {"modal_answer": "9", "answers": ["9", "9"], "n_correct": 0, "outputs": [f"Nine. {STEER}", "9"]}
    twin = {"twin_id": "item-1-m1-x", "text_hash": "h", "family": "entity_rename"}
    pair = {"base_text": BASE, "twin_text": TWIN, "file_dose": 1, "y_base_run": 1, "y_twin": 0}
    rate = {
        "slice": "pooled",
        "in_stratum": True,
        "n_base": 2,
        "y_base_mean": 1.0,
        "pi": 0.5,
        "pi_low": 0.1,
        "pi_high": 0.75,
        "n": 2,
        "k": 1,
    }
    cells: dict[str, dict[str, Any]] = {
        "base_labels": {"dose": 1, "y_base": 1, **SAMPLES, **right},
        "solver_labels": {"dose": 1, "y_twin": 0, **SAMPLES, **twin, **wrong},
        "labeled_pairs": {**twin, **pair},
    }
    for stage, row in cells.items():
        write(warehouse, Cell("one", stage, 1, "planted"), ENVELOPE | row)
    write(
        warehouse,
        Cell("one", "causal_difficulty", None, "planted"),
        ENVELOPE | rate | {"n_base": 2, "y_base_mean": 1.0},
    )
    write(warehouse, Cell("one", "orthogonality", None, "planted"), {"solver": "planted"})
    return tmp_path


def glass(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder."""
    return subprocess.run([GLASS, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def test_an_item_says_why_it_broke(folder: Path) -> None:
    """π with its interval, the twin as a word diff, the wrong answer with its rule; nothing steers the terminal."""
    done = glass(folder, "show", "item-1", "--suite", "one")

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "item-1 · one"
    assert "planted (simulated)\nπ 0.50, 1 of 2 twins broke; 90 % 0.10–0.75" in done.stdout
    assert "base right in 2 of 2 samples" in done.stdout
    assert "[-Mia-] {+Nora+} has 3 boxes of 6 pens." in done.stdout
    assert "2 of 2 answered 9, gold is 18; found by hashes" in done.stdout
    assert "Nine. ⟦U+001B⟧]0;owned⟦U+0007⟧⟦U+001B⟧[2J[red]⟦U+202E⟧" in done.stdout
    assert not set("\x1b\x07\u202e") & set(done.stdout)


def test_json_holds_the_whole_item(folder: Path) -> None:
    """Every output, answer, rule and status, for a script."""
    item = json.loads(glass(folder, "show", "item-1", "--suite", "one", "--json").stdout)
    label = item["twins"][0]["by"]["planted"]

    assert (item["suite"], item["solvers"][0]["pi"]) == ("one", 0.5)
    assert (label["answers"], label["rules"], label["statuses"]) == (["9", "9"], ["hashes"] * 2, ["ok"] * 2)
    assert label["outputs"][1] == "9"


def test_all_outputs_are_shown_on_demand(folder: Path) -> None:
    """Also those of samples that agreed, and of the base."""
    short, full = (glass(folder, "show", "item-1", "--suite", "one", *more).stdout for more in ((), ("--outputs",)))

    assert "sample 2: 9 by hashes" in full
    assert "sample" not in short.replace("samples", "")


def test_an_unasked_item_is_shown_as_far_as_it_goes(folder: Path) -> None:
    """Problems alone are enough, and a derived suite is looked through like any other."""
    done = glass(folder, "show", "other-7")

    assert (done.returncode, done.stderr) == (0, "")
    assert "No solver has answered it yet." in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("item-1",), "'item-1' is an item of one, two; name one with --suite."),
        (("itme-1",), "No item 'itme-1' in one, two, two-n5; near: 'item-1'."),
        (("\x1b[2J\nzz",), "No item '⟦U+001B⟧[2J\\nzz' in one, two, two-n5; ids look like 'item-1'."),
        (("item-1", "--suite", "empty"), "empty has no problems yet; `glass run empty` makes them."),
        (("item-1", "--suite", "nosuch"), "No suite 'nosuch' in glass.toml; it declares one, two, empty."),
        (("item-1", "--suite", "one", "--solver", "idle"), "'idle' has not answered item-1 of one; planted has."),
    ],
)
def test_a_wrong_name_is_one_sentence(folder: Path, arguments: tuple[str, ...], sentence: str) -> None:
    """Exit code 2, and what there is instead."""
    done = glass(folder, "show", *arguments)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"glass: {sentence}\n"
