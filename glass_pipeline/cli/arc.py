"""Holds the commands of ``glass arc``: a lab's steps, told line by line.

Never computes anything; the steps are those of ``llm.arc_lab``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from glass_pipeline.cli.errors import BAD_INPUT, InputError, fail
from glass_pipeline.domain.arc_lab.protocol import LabConfig
from glass_pipeline.llm.arc_lab.folder import LabFolder
from glass_pipeline.llm.arc_lab.series import Log
from glass_pipeline.llm.arc_source import Asked, HuggingFaceLabHub


def check(root: Path, asked: Asked, device: str, *, as_json: bool) -> None:
    """Print what was found on this machine; exit with 2 where something is missing."""
    from glass_pipeline.llm.arc_lab.preflight import check as look

    found = look(LabFolder(root), asked, device)
    if as_json:
        print(json.dumps({"findings": [each._asdict() for each in found]}, ensure_ascii=False))
    else:
        for each in found:
            print(f"{each.state:<8}{each.name:<12}{each.text}")
    missing = [each.name for each in found if each.state == "missing"]
    if missing:
        fail(f"{', '.join(missing)} must be put right before a series is started.", BAD_INPUT)


def prepare(
    root: Path, asked: Asked, limits: Mapping[str, int | None], thresholds: Path | None, *, as_json: bool
) -> None:
    """Lock the sources, write the splits and declare the thresholds."""
    from glass_pipeline.llm.arc_lab import prepare as step

    taken = {split: limit for split, limit in limits.items() if limit is not None}
    step(
        LabFolder(root),
        asked,
        HuggingFaceLabHub(),
        limits=taken,
        thresholds=None if thresholds is None else _read(thresholds),
        log=_log(as_json=as_json),
    )


def train_all(root: Path, config: LabConfig, device: str, *, as_json: bool) -> None:
    """Train every adapter of the series that is not there yet."""
    from glass_pipeline.llm.arc_lab import train as step

    step(LabFolder(root), config, device, HuggingFaceLabHub(), log=_log(as_json=as_json))


def evaluate(root: Path, device: str, *, as_json: bool) -> None:
    """Predict the test split with the base model and every adapter."""
    from glass_pipeline.llm.arc_lab import evaluate as step

    step(LabFolder(root), device, HuggingFaceLabHub(), log=_log(as_json=as_json))


def analyze(root: Path, *, as_json: bool) -> None:
    """Write the report and print it."""
    from glass_pipeline.domain.arc_lab import report_fields, report_page
    from glass_pipeline.llm.arc_lab import analyze_results

    found = analyze_results(LabFolder(root))
    print(json.dumps(report_fields(found), ensure_ascii=False) if as_json else report_page(found), end="")
    if as_json:
        print()


def verify(root: Path) -> None:
    """Print the line of the lab's end check."""
    from glass_pipeline.llm.arc_lab import verify as step

    print(step(LabFolder(root)))


def predict(root: Path, adapter: Path, device: str, question: str, choices: tuple[str, ...]) -> None:
    """Print which choice an adapter selects, with the scores of all."""
    from glass_pipeline.llm.arc_lab import answer

    found = answer(LabFolder(root), adapter, device, HuggingFaceLabHub(), question=question, choices=choices)
    print(json.dumps(found._asdict(), ensure_ascii=False, indent=2))


def clean(root: Path, parts: tuple[str, ...]) -> None:
    """Delete parts of the lab's folder; what the hub put into its own cache stays."""
    deleted = LabFolder(root).clean(parts)
    for path in deleted:
        print(f"deleted={path}")
    if not deleted:
        print(f"Nothing to delete in {root}.", file=sys.stderr)


def parse_seeds(text: str) -> tuple[int, ...]:
    """Read seeds from a list such as ``101,211,307``.

    Raises:
        InputError: one of them is no whole number.
    """
    try:
        return tuple(int(each) for each in text.replace(",", " ").split())
    except ValueError:
        raise InputError(f"--seeds {text}: write whole numbers with commas, e.g. 101,211,307.") from None


def lab_config(seeds: str | None, **settings: Any) -> LabConfig:
    """Return the settings of a series: those given, else the lab's own."""
    given = {name: value for name, value in settings.items() if value is not None}
    if seeds is not None:
        given["seeds"] = parse_seeds(seeds)
    return LabConfig(**given)


def _log(*, as_json: bool) -> Log:
    def told(line: str, fields: Mapping[str, Any]) -> None:
        print(json.dumps(dict(fields), ensure_ascii=False) if as_json else line, flush=True)

    return told


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}.") from None
