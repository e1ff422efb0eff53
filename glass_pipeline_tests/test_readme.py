"""The README's examples: what it shows can be typed and works."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from glass_pipeline.cli.app import app
from glass_pipeline.study import load_study, parse_study

PROJECT = Path(__file__).resolve().parents[1]
README = (PROJECT / "README.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON = [body for language, body in FENCE.findall(README) if language == "python"]
TOML = [body for language, body in FENCE.findall(README) if language == "toml"]
COMMANDS = sorted(set(re.findall(r"^glass ([a-z-]+)", README, re.MULTILINE)))


def merged(base: Mapping[str, Any], example: Mapping[str, Any]) -> dict[str, Any]:
    """The shipped study with an example's tables written into it."""
    tables = {name: {**base.get(name, {}), **table} for name, table in example.items() if isinstance(table, dict)}
    return {**base, **example, **tables}


def test_there_are_examples_to_run() -> None:
    """The patterns above find what they are meant to find."""
    assert len(PYTHON) >= 5
    assert len(TOML) >= 3
    assert {"run", "show", "predict"} <= set(COMMANDS)


@pytest.mark.parametrize("number", range(len(PYTHON)))
def test_a_python_example_runs(number: int, tmp_path: Path) -> None:
    """Each block runs by itself, in a folder of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PYTHON[number]],
        cwd=tmp_path,
        env={"PYTHONPATH": str(PROJECT), "PATH": ""},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("number", range(len(TOML)))
def test_a_study_example_is_accepted(number: int) -> None:
    """Each block, written into the shipped study file, is a valid study."""
    shipped = tomllib.loads((PROJECT / "glass.toml").read_text(encoding="utf-8"))
    shipped["solvers"]["my-model"] = {"kind": "openai", "model": "m", "base_url": "http://127.0.0.1:1/v1"}
    example = tomllib.loads(TOML[number])
    predictors = [*shipped["predictors"], *example.get("predictors", ())]
    example["predictors"] = list({each["name"]: each for each in predictors}.values())

    study = parse_study(merged(shipped, example), "glass.toml")

    assert set(example.get("suites", {})) <= set(study.suites)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_exists(command: str) -> None:
    """Each is a subcommand with help."""
    assert CliRunner().invoke(app, [command, "--help"]).exit_code == 0


def test_the_graph_table_names_every_stage() -> None:
    """No asset is missing from the map of the graph."""
    from glass_pipeline.defs.stages import STAGES

    load_study(PROJECT / "glass.toml")
    table = README[README.index("## The graph, and why it is built so") : README.index("## How reruns decide")]
    assert [stage for stage in STAGES if f"`{stage}`" not in table] == []
