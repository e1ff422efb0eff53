"""``glass compare`` from files to exit code."""

from __future__ import annotations

import json
import os
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from glass_pipeline.cli import compare as command_module
from glass_pipeline.cli.app import app
from glass_pipeline.cli.errors import InputError

SOLVED_A = [1] * 30 + [0] * 30
SOLVED_B = [1] * 28 + [0] * 2 + [1] * 12 + [0] * 18


def write(path: Path, solved: list[int], **extra: object) -> Path:
    """Write a result file of items q0, q1 and so on."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [{"id": f"q{number}", "correct": each, **extra} for number, each in enumerate(solved)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def pair(tmp_path: Path) -> tuple[str, str]:
    """A baseline of 30 of 60, and a system that wins 12 and loses 2."""
    return str(write(tmp_path / "a.jsonl", SOLVED_A)), str(write(tmp_path / "b.jsonl", SOLVED_B))


def glass(*arguments: str, code: int = 0):
    """Run the command line in this process."""
    result = CliRunner().invoke(app, ["compare", *arguments])
    assert result.exit_code == code, (result.output, result.exception)
    return result


def refused(*arguments: str) -> str:
    """Run the command line and return the sentence with which it refuses."""
    result = CliRunner().invoke(app, ["compare", *arguments])
    assert isinstance(result.exception, InputError), (result.output, result.exception)
    return str(result.exception)


def test_it_prints_verdict_limits_and_figures(pair: tuple[str, str]) -> None:
    """12 won and 2 lost of 60: +16.67 pp, p = 2 * 106 / 2^14."""
    output = glass(*pair).stdout

    assert output.startswith("b.jsonl is higher (better) than a.jsonl by at least 1.00 pp (difference +16.67 pp")
    assert "sign-flip p = 0.01294 (exact)" in output
    assert "won                   12: q30, q31" in output
    assert "lost                  2: q28, q29" in output
    assert "smallest detectable" in output
    assert "- It says nothing of other benchmarks" in output


def test_json_keeps_the_names_of_all_fields(pair: tuple[str, str]) -> None:
    """Every comparison with its figures and gates."""
    found = json.loads(glass(*pair, "--json", "--gate", "delta > 0.1").stdout)["comparisons"][0]

    assert found["figures"]["delta"] == pytest.approx(1 / 6)
    assert found["over_items"]["bca"]["low"] < 1 / 6 < found["over_items"]["bca"]["high"]
    assert found["gates"] == {"delta > 0.1": True}
    assert found["flips"]["lost"] == ["q28", "q29"]


def test_a_gate_that_does_not_hold_exits_with_five(pair: tuple[str, str]) -> None:
    """The comparison is printed all the same, and stderr says which gate and why."""
    result = glass(*pair, "--gate", "delta > 0", "--gate", "delta_high < 0.02", code=5)

    assert result.stdout.startswith("b.jsonl is higher")
    assert "gate 'delta_high < 0.02' does not hold: delta_high of b.jsonl - a.jsonl is 0.2" in result.stderr
    assert "delta > 0" not in result.stderr


def test_gates_judge_every_system(tmp_path: Path, pair: tuple[str, str]) -> None:
    """One of two systems fails: exit 5, and Holm's p is shown."""
    equal = str(write(tmp_path / "c.jsonl", [1] * 30 + [1] + [0] * 29))

    result = glass(*pair, equal, "--gate", "delta > 0.1", code=5)

    assert "delta of c.jsonl - a.jsonl is 0.0166667" in result.stderr
    assert "several comparisons   2; Holm's p" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.jsonl"], "compare needs two files"),
        (["a.jsonl", "a.jsonl"], "the same file twice"),
        (["a.jsonl", "none.jsonl"], "none.jsonl: No such file"),
        (["a.jsonl", "empty"], "empty is an empty folder"),
        (["a.jsonl", "short.jsonl"], "Item 'q59' of a.jsonl is not in short.jsonl"),
        (["a.jsonl", "b.jsonl", "--gate", "delta ! 3"], "Gate 'delta ! 3'"),
        (["a.jsonl", "b.jsonl", "--gate", "delta_pi < 3"], "no figure 'delta_pi'"),
        (["a.jsonl", "b.jsonl", "--margin", "0"], "margin is 0.0, which is out of range"),
        (["a.jsonl", "b.jsonl", "--cluster", "topic"], "column 'topic' is missing"),
        (["a.jsonl", "rates.parquet"], "rates.parquet holds break rates and a.jsonl does not"),
    ],
)
def test_bad_input_is_one_sentence(
    tmp_path: Path, pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    """Every refusal is an InputError, which the command line turns into exit code 2."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    write(tmp_path / "short.jsonl", SOLVED_B[:-1])
    rates(tmp_path / "rates.parquet", 0.1)

    assert message in refused(*arguments)


def rates(path: Path, rate: float) -> Path:
    """Write a table of break rates of twenty bases; q0 is unsolved."""
    bases = [f"q{number}" for number in range(20)]
    frame = pl.DataFrame(
        {
            "slice": ["pooled"] * 20,
            "base_id": bases,
            "in_stratum": [base != "q0" for base in bases],
            "pi": [None if base == "q0" else rate + 0.001 * number for number, base in enumerate(bases)],
        }
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.write_parquet(path)
    return path


def test_two_solvers_by_their_break_rates(tmp_path: Path) -> None:
    """The gate of the study's own tables: delta_pi, here .1 on nineteen joint bases whose rates all rise alike."""
    a, b = (str(rates(tmp_path / name / "part.parquet", rate)) for name, rate in (("a", 0.1), ("b", 0.2)))

    held = glass(a, b, "--gate", "delta_pi < 0.2")
    result = glass(a, b, "--gate", "delta_pi < 0.02", code=5)

    assert "items                 19" in held.stdout
    assert "neither         19, 1" in held.stdout
    assert "\nrose most             q" in held.stdout
    assert f"delta_pi of {b} - {a} is 0.1" in result.stderr


def test_a_folder_holds_the_seeds_of_one_system(tmp_path: Path, pair: tuple[str, str]) -> None:
    """Each file one seed, named by its file."""
    for number in range(3):
        write(tmp_path / "runs" / f"seed-{number}.jsonl", [1] * (32 + number) + [0] * (28 - number))

    output = glass(pair[0], str(tmp_path / "runs")).stdout

    assert "over 3 seeds" in output
    assert "cannot give p below 0.25" in output
    assert "over all levels" in output


def test_the_baseline_may_not_lie_among_the_seeds(tmp_path: Path) -> None:
    """It would be compared with itself."""
    baseline = write(tmp_path / "runs" / "baseline.jsonl", SOLVED_A)
    write(tmp_path / "runs" / "seed-1.jsonl", SOLVED_B)

    assert "both a system of its own and a seed" in refused(str(baseline), str(tmp_path / "runs"))


def test_thresholds_must_come_first_and_stay(tmp_path: Path) -> None:
    """Older than the results: accepted and locked. Changed later, or younger: refused."""
    a = write(tmp_path / "a.jsonl", SOLVED_A, stratum="sums")
    b = write(tmp_path / "b.jsonl", SOLVED_B, stratum="sums")
    declared, late = tmp_path / "thresholds.toml", tmp_path / "late.toml"
    for path in (declared, late):
        path.write_text("stratum_floor = -0.03\n", encoding="utf-8")
    os.utime(declared, (1, 1))

    accepted = glass(str(a), str(b), "--thresholds", str(declared)).stdout
    assert "sums (60): +16.67 pp, above -3.00 pp, Holm p = " in accepted
    assert (tmp_path / "thresholds.toml.sha256").is_file()

    os.utime(late, (a.stat().st_mtime + 10,) * 2)
    assert "newer than the first result" in refused(str(a), str(b), "--thresholds", str(late))
    declared.write_text("stratum_floor = -0.5\n", encoding="utf-8")
    os.utime(declared, (1, 1))
    assert "changed after they were declared" in refused(str(a), str(b), "--thresholds", str(declared))


def test_a_terminal_obeys_no_item_id(tmp_path: Path) -> None:
    """Control characters in ids are replaced before printing."""
    for name, solved in (("a.csv", "10"), ("b.csv", "01")):
        lines = [f"q\x1b[2J{number},{mark}" for number, mark in enumerate(solved)]
        (tmp_path / name).write_text("id,correct\n" + "\n".join(lines) + "\n", encoding="utf-8")

    output = glass(str(tmp_path / "a.csv"), str(tmp_path / "b.csv")).stdout

    assert "\x1b" not in output
    assert "q\ufffd[2J1" in output


def test_the_exit_code_is_the_documented_one() -> None:
    """A gate that does not hold is 5."""
    assert command_module.GATE_DOES_NOT_HOLD == 5
