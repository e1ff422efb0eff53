"""Requests out and responses in, as a person does it who runs inference elsewhere."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from glass_pipeline.cli import main

STUDY = """
[study]
adjudicator = "none"
doses = [1]
samples = 3
[suites.mini]
source = "glassmini"
size = 6
[solvers.far]
kind = "openai"
model = "m"
base_url = "http://127.0.0.1:9/v1"
timeout_s = 2
max_attempts = 1
"""
Glass = Callable[..., tuple[int, str, str]]


@pytest.fixture
def glass(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Glass:
    """Run the command in a project folder; returns exit code, stdout and stderr."""
    (tmp_path / "glass.toml").write_text(STUDY)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["glass", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run


def test_what_was_answered_elsewhere_is_not_asked_again(glass: Glass, tmp_path: Path) -> None:
    """Rounds of export and import until nothing is left; then a run labels everything though no endpoint is there."""
    rounds = []
    while (lines := glass("requests", "export", "mini", "--solver", "far")[1].splitlines()) and len(rounds) < 4:
        choice = {"message": {"content": "#### 7"}, "finish_reason": "stop"}
        answers = [
            {"custom_id": json.loads(line)["custom_id"], "response": {"body": {"choices": [choice]}}} for line in lines
        ]
        (tmp_path / "responses.jsonl").write_text("\n".join(map(json.dumps, answers)))
        code, out, _ = glass("requests", "import", "mini", "responses.jsonl", "--solver", "far", "--json")
        assert (code, json.loads(out)) == (0, {"stored": len(lines), "failed": {}, "unknown": 0})
        rounds.append(len(lines))
    code, out, _ = glass("run", "mini", "--solver", "far", "--json")

    assert len(rounds) == 1
    assert code == 0
    assert (json.loads(out)["requests"], json.loads(out)["samples_from_store"]) == (0, rounds[0])


def test_a_file_that_holds_no_responses_is_one_sentence(glass: Glass, tmp_path: Path) -> None:
    """The line is named, and the exit code is that of bad input."""
    (tmp_path / "responses.jsonl").write_text('{"id": 1}\n')

    code, _, err = glass("requests", "import", "mini", "responses.jsonl", "--solver", "far")

    assert code == 2
    assert "Line 1: no custom_id with a response or an error" in err
