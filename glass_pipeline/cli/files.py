"""Holds the commands that work on any file, without the graph: twins, audit, grade.

Each reads JSON lines, calls one public function of ``domain``, and writes JSON lines to stdout.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from glass_pipeline.cli.errors import InputError
from glass_pipeline.domain.records import DOSES


def twins(problems_file: Path, dose: str, seed: int) -> None:
    """Write the twins of a problem file to stdout and a count of declines by reason to stderr."""
    from glass_pipeline.domain.problems import parse_problems
    from glass_pipeline.domain.twins import make_twins
    from glass_pipeline.domain.twins.distractors import harvest

    if dose not in {f"m{each}" for each in DOSES}:
        raise InputError(f"--dose {dose}: no such dose; there are {', '.join(f'm{each}' for each in DOSES)}.")
    rows = list(read_lines(problems_file))
    revision = hashlib.sha256(problems_file.read_bytes()).hexdigest()
    problems = parse_problems("jsonl", rows, split="file", revision=revision)
    batch = make_twins(problems, suite=problems_file.stem, seed=seed, dose=int(dose[1:]), distractors=harvest(problems))
    write_lines({**asdict(twin), "edit": json.loads(twin.edit)} for twin in batch.twins)
    for decline in batch.declines:
        print(f"declined {decline.base_id} {decline.family}: {decline.reason}", file=sys.stderr)


def audit(pairs_file: Path) -> None:
    """Write each pair of a file with its audit verdict to stdout."""
    from glass_pipeline.domain.audit import audit_pair

    rows = list(read_lines(pairs_file, required=("base_text", "twin_text", "gold")))
    verdicts = [{**row, **asdict(audit_pair(row["base_text"], row["twin_text"], str(row["gold"])))} for row in rows]
    write_lines(verdicts)


def grade(responses_file: Path) -> None:
    """Write each row of a file with answer, rule, status and correct added to stdout."""
    from glass_pipeline.domain.grading import grade_rows
    from glass_pipeline.llm.math_pool import MathPool

    with MathPool() as pool:
        graded = list(grade_rows(read_lines(responses_file), second_opinion=pool))
    write_lines(graded)


def read_lines(path: Path, required: tuple[str, ...] = ()) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a file, one a line.

    Raises:
        InputError: the file is absent, empty or not UTF-8, or a line is not a JSON object with the required keys.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8.") from None
    if not any(line.strip() for line in lines):
        raise InputError(f"{path} is empty; it needs one JSON object a line.")
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _parse(path, number, line, required)


def _parse(path: Path, number: int, line: str, required: tuple[str, ...]) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}, line {number}: not JSON ({error}).") from None
    if not isinstance(row, dict):
        raise InputError(f"{path}, line {number}: a JSON object is needed, found {type(row).__name__}.")
    missing = [name for name in required if not isinstance(row.get(name), str | int | float)]
    if missing:
        raise InputError(f"{path}, line {number}: no {missing[0]!r}; each line needs {', '.join(required)}.")
    return row


def write_lines(rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows to stdout, one JSON object a line."""
    for row in rows:
        print(json.dumps(row, ensure_ascii=False))
