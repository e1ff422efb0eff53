"""The command line as a person meets it: exit codes, sentences, nothing half-done."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

GLASS = Path(sys.executable).parent / "glass"
STUDY = """
[study]
adjudicator = "none"
doses = [1]
[suites.mini]
source = "glassmini"
size = 6
[suites.mine]
source = "jsonl"
path = "{path}"
[solvers.planted]
kind = "planted"
[solvers.off]
kind = "openai"
model = "m"
base_url = "http://127.0.0.1:9/v1"
enabled = false
[solvers.keyless]
kind = "openai"
model = "m"
base_url = "http://127.0.0.1:9/v1"
api_key_env = "GLASS_TEST_KEY_THAT_IS_NOT_SET"
[solvers.weightless]
kind = "llama_cpp"
model = "nowhere/model.gguf"
[solvers.gone]
kind = "openai"
model = "m"
base_url = "http://127.0.0.1:9/v1"
timeout_s = 2
max_attempts = 1
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project folder with a study of one tiny suite and solvers that cannot be asked."""
    (tmp_path / "glass.toml").write_text(STUDY.format(path=tmp_path / "mine.jsonl"))
    return tmp_path


def glass(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder."""
    return subprocess.run([GLASS, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def made(folder: Path) -> list[Path]:
    """Every table that exists."""
    return list((folder / "warehouse").rglob("*.parquet"))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("run", "nosuch"), "No suite 'nosuch' in glass.toml; it declares mini, mine."),
        (("run", "mini", "--solver", "x"), "No solver 'x' in glass.toml; it declares planted, off,"),
        (("run", "mini", "--dose", "m3"), "No dose 'm3' for mini; glass.toml declares m1."),
        (("run", "mini", "--select", "x"), "No stage 'x'; there are base_problems,"),
        (("run", "mini", "--solver", "off"), "is switched off; set enabled = true under [solvers.off]"),
        (("run", "mini", "--solver", "keyless"), "GLASS_TEST_KEY_THAT_IS_NOT_SET is not set"),
        (("run", "mini", "--solver", "weightless"), "no GGUF file at nowhere/model.gguf"),
        (("report", "mini"), "mini has no report yet; `glass run mini` makes one."),
        (("status", "--study", "nosuch.toml"), "no such study file"),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, tuple) else "",
)
def test_bad_input_is_one_sentence_and_writes_nothing(folder: Path, arguments: tuple[str, ...], sentence: str) -> None:
    """Exit code 2, one line on stderr with what was wrong and the remedy, no table."""
    done = glass(folder, *arguments)

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert sentence in done.stderr
    assert made(folder) == []


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "empty"),
        (b'{"id": "a", "question": "How many?"}\n', "answer"),
        (b'{"id": "a", "answer": "3"}\n', "question"),
        (b'{"question": "How many?", "answer": "3"}\n', "'id'"),
        (b'{"id": "a", "question": "How many?", "answer": "three and a bit"}\n', "not a number"),
        (b'{"id": "a", "question": "Q?", "answer": "3"}\n{"id": "a", "question": "R?", "answer": "4"}\n', "'a'"),
        (b'{"id": "a", "question": "\xff?", "answer": "3"}\n', "UTF-8"),
        (b"not json\n", "JSON"),
    ],
    ids=["empty", "no-answer", "no-question", "no-id", "not-a-number", "duplicate", "not-utf-8", "not-json"],
)
def test_a_bad_problem_file_is_one_sentence_and_writes_nothing(folder: Path, content: bytes, sentence: str) -> None:
    """Exit code 2, and the sentence names what is wrong with the file."""
    (folder / "mine.jsonl").write_bytes(content)
    done = glass(folder, "run", "mine", "--solver", "planted")

    assert done.returncode == 2
    assert sentence in done.stderr.splitlines()[-1]
    assert made(folder) == []


def test_an_endpoint_that_is_gone_exits_three_and_can_be_resumed(folder: Path) -> None:
    """The free tables stand, no label is made up, and the sentence names the solver."""
    done = glass(folder, "run", "mini", "--solver", "gone")

    assert done.returncode == 3
    assert "gone" in done.stderr.splitlines()[-1]
    assert not [path for path in made(folder) if "labels" in str(path)]


def test_run_status_report_and_query_agree(folder: Path) -> None:
    """What a run made is up to date, has a report, and can be asked in SQL."""
    run = glass(folder, "run", "mini", "--solver", "planted", "--json")
    summary = json.loads(run.stdout)
    again = json.loads(glass(folder, "run", "mini", "--solver", "planted", "--json").stdout)
    status = json.loads(glass(folder, "status", "mini", "--json").stdout)
    counted = glass(folder, "query", "select count(*) as n from mini.base_problems", "--json")

    assert run.returncode == 0
    assert summary["verdicts"][0].startswith("Simulation:")
    assert Path(summary["page"]).is_file()
    assert (again["made"], again["requests"], again["samples_asked"]) == ([], 0, 0)
    assert status["mini/report"] is None
    assert status["mini/base_labels[m1|gone]"] == "missing"
    assert json.loads(counted.stdout) == {"n": 6}
    assert "Simulation:" in glass(folder, "report", "mini").stdout
    assert (folder / "warehouse" / "glass.duckdb").is_file()
    overview = json.loads(glass(folder, "overview", "--json").stdout)
    assert {(row["suite"], row["solver"]) for row in overview["figures"]} == {("mini", "planted")}
    assert "mine has no report yet." in Path(overview["page"]).with_suffix(".md").read_text("utf-8")


def test_a_dry_run_asks_nobody(folder: Path) -> None:
    """Requests, tokens and money are printed; neither labels nor a response store appear."""
    done = glass(folder, "run", "mini", "--solver", "gone", "--dry-run", "--json")
    estimate = json.loads(done.stdout)["gone"]

    assert done.returncode == 0
    assert estimate["samples"] >= 6 * 5
    assert estimate["requests"] > 0
    assert estimate["cost_usd_upper"] is None
    assert not [path for path in made(folder) if "labels" in str(path)]


def test_queries_cannot_leave_the_warehouse(folder: Path) -> None:
    """SQL reads the warehouse's tables and no other file, and writes nothing."""
    secret = folder / "secret.csv"
    secret.write_text("a\n1\n")
    reading = glass(folder, "query", f"select * from read_csv('{secret}')")
    writing = glass(folder, "query", f"copy (select 1) to '{folder / 'out.csv'}'")

    assert (reading.returncode, writing.returncode) == (2, 2)
    assert not (folder / "out.csv").exists()


def test_help_names_every_command(folder: Path) -> None:
    """A newcomer finds the commands of the README."""
    done = glass(folder, "--help")

    assert done.returncode == 0
    assert all(
        name in done.stdout
        for name in ("demo", "run", "status", "report", "overview", "show", "query", "ui", "twins", "audit")
    )
