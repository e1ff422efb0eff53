"""`glass audit-sheet`: a sheet out, a reviewed sheet in, and nobody's verdicts overwritten."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from glass_pipeline.cli.app import app
from glass_pipeline.cli.errors import BAD_INPUT, exit_code
from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.warehouse import Provenance, Warehouse
from glass_pipeline.domain.audit import audit_twins
from glass_pipeline.domain.audit.adjudication import adjudicated
from glass_pipeline.domain.audit.verdicts import Verdict
from glass_pipeline.domain.frames import problems_frame, twins_frame
from glass_pipeline.domain.problems import generate
from glass_pipeline.domain.twins import harvest, make_twins

STUDY = """
[study]
adjudicator = "none"
[suites.mini]
source = "glassmini"
size = 6
[solvers.planted]
kind = "planted"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project folder whose warehouse holds the audited twins of two doses, judged by one model."""
    (tmp_path / "glass.toml").write_text(STUDY)
    monkeypatch.chdir(tmp_path)
    warehouse = Warehouse(tmp_path / "warehouse")
    made = Provenance(data_version="1", code_version="1", settings="1")
    problems = generate(6, seed=42, split="test", max_steps=4)
    pool = harvest(generate(40, seed=42, split="train", max_steps=2))
    warehouse.write(Cell("mini", "base_problems"), problems_frame(problems), made)
    for dose in (1, 3):
        twins = make_twins(problems, suite="mini", seed=42, dose=dose, distractors=pool).twins
        verdicts = [
            Verdict(
                twin_id=twin.twin_id,
                adjudicator="judge",
                finding="no_op" if number % 4 else "contradiction",
                rationale="so",
            )
            for number, twin in enumerate(twins)
        ]
        warehouse.write(Cell("mini", "twins", dose), twins_frame(twins), made)
        warehouse.write(Cell("mini", "noop_audit", dose), adjudicated(audit_twins(problems, twins), verdicts), made)
    return tmp_path


def glass(*arguments: str) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(app, ["audit-sheet", "mini", *arguments])


def rows_of(table: Path) -> list[dict[str, str]]:
    """Return the rows of a sheet."""
    return list(csv.DictReader(io.StringIO(table.read_bytes().decode(), newline="")))


def fill_in(table: Path, *verdicts: str) -> None:
    """Write these verdicts into a sheet, in turn."""
    rows = rows_of(table)
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows({**row, "verdict": verdicts[number % len(verdicts)]} for number, row in enumerate(rows))


def test_a_sheet_is_drawn_by_outcome(folder: Path) -> None:
    """Page and table hold the same pairs, of every outcome."""
    drawn = json.loads(glass("--pairs", "40", "--to", "sheet", "--json").stdout)

    page = (folder / "sheet" / "review.html").read_text(encoding="utf-8")
    rows = rows_of(folder / "sheet" / "review.csv")
    assert drawn["pairs"] == len(rows) == page.count("<article") == 40
    assert all(f'data-twin="{row["twin_id"]}"' in page for row in rows)
    assert {"contradiction", "kept"} <= drawn["outcomes"].keys()


def test_a_reviewed_sheet_says_how_far_the_judge_is_right(folder: Path) -> None:
    """A reviewer who finds nothing wrong puts contamination at 0 with an upper bound, and agrees on what was kept."""
    glass("--pairs", "40", "--to", "sheet")
    fill_in(folder / "sheet" / "review.csv", "no_op")

    found = json.loads(glass("--import", "sheet/review.csv", "--json").stdout)
    text = glass("--import", "sheet/review.csv").stdout

    assert found["contamination"]["rate"] == 0
    assert 0 < found["contamination"]["wilson"]["high"] < 0.25
    assert found["contamination"]["clopper_pearson"]["high"] > found["contamination"]["wilson"]["low"]
    judge = found["agreements"][0]
    contradictions = next(each for each in found["outcomes"] if each["outcome"] == "contradiction")
    assert judge["n_agreed"] == judge["n_pairs"] - contradictions["n_reviewed"]
    assert judge["kappa"] == 0
    assert "Contamination of what was kept: 0.00 % (Wilson [0.0000" in text
    assert "judge: agrees on" in text


def test_a_dose_of_its_own(folder: Path) -> None:
    """Only the pairs of the dose that was asked for are drawn."""
    glass("--dose", "m3", "--pairs", "20", "--to", "sheet")

    assert all("-m3-" in row["twin_id"] for row in rows_of(folder / "sheet" / "review.csv"))


def test_a_sheet_is_never_overwritten(folder: Path) -> None:
    """A second draw into the same folder leaves the verdicts there alone."""
    glass("--to", "sheet")
    before = (folder / "sheet" / "review.csv").read_bytes()

    refused = glass("--to", "sheet", "--pairs", "5").exception

    assert isinstance(refused, ValueError)
    assert exit_code(refused) == BAD_INPUT
    assert "may hold verdicts" in str(refused)
    assert (folder / "sheet" / "review.csv").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--import", "nowhere.csv"), "nowhere.csv: cannot be read"),
        (("--dose", "m9"), "mini/twins.m9.: no file"),
        (("--dose", "m2"), "No dose 'm2'"),
    ],
)
def test_bad_input_gets_one_sentence(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    """What was found, where, and what to do."""
    refused = glass(*arguments).exception

    assert isinstance(refused, Exception)
    assert exit_code(refused) == BAD_INPUT
    with pytest.raises(type(refused), match=message):
        raise refused


def test_nothing_audited_names_the_command(folder: Path) -> None:
    """An empty warehouse says which command fills it."""
    warehouse = Warehouse(folder / "warehouse")
    for dose in (1, 3):
        warehouse.remove(Cell("mini", "noop_audit", dose))

    refused = glass().exception

    assert "no twin has been audited yet; `glass run mini --dose m1`" in str(refused)
