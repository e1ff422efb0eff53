"""Holds the commands that work on any file, without the graph: twins, audit, grade.

Each reads JSON lines, from a file or from stdin, calls one public function of ``domain``, and writes to stdout.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from glass_pipeline.cli.errors import InputError
from glass_pipeline.domain.records import DOSES, FAMILIES

if TYPE_CHECKING:
    from glass_pipeline.domain.records import Family

STDIN = Path("-")
SUITE = "file"
"""Enters the seed of every draw, so that twins depend on the problems and not on the name of their file."""


class Line(NamedTuple):
    """One JSON object of a file."""

    number: int
    """From 1, empty lines counted."""
    row: dict[str, Any]


def twins(problems_file: Path, operators: Sequence[str], dose: str, seed: int, *, as_json: bool) -> None:
    """Write the twins of a problem file to stdout, ready for ``audit``, and each decline to stderr."""
    from glass_pipeline.domain.problems import parse_problems
    from glass_pipeline.domain.twins import make_twins
    from glass_pipeline.domain.twins.distractors import harvest

    if dose not in {f"m{each}" for each in DOSES}:
        raise InputError(f"--dose {dose}: no such dose; there are {', '.join(f'm{each}' for each in DOSES)}.")
    families = _families(operators)
    content = read_bytes(problems_file)
    rows = [line.row for line in parse_lines(content, problems_file)]
    revision = hashlib.sha256(content).hexdigest()
    problems = parse_problems("jsonl", rows, split="file", revision=revision)
    batch = make_twins(
        problems, suite=SUITE, seed=seed, dose=int(dose[1:]), distractors=harvest(problems), families=families
    )
    bases = {problem.base_id: problem for problem in problems}
    made = []
    for twin in batch.twins:
        base = bases[twin.base_id]
        row = {**asdict(twin), "edit": json.loads(twin.edit), "base_text": base.text, "gold": base.gold}
        made.append({**row, "twin_text": row.pop("text")})
    if as_json:
        print(json.dumps({"twins": made, "declines": [asdict(each) for each in batch.declines]}, ensure_ascii=False))
        return
    write_lines(made)
    for decline in batch.declines:
        print(f"declined {decline.base_id} {decline.family}: {decline.reason}", file=sys.stderr)


def _families(operators: Sequence[str]) -> tuple[Family, ...]:
    from glass_pipeline.domain.twins.registry import OPERATORS

    unknown = [each for each in operators if each not in OPERATORS]
    if unknown:
        raise InputError(f"--operator {unknown[0]}: no such operator; there are {', '.join(OPERATORS)}.")
    return tuple(family for family in OPERATORS if family in operators) or FAMILIES


def audit(pairs_file: Path, *, as_json: bool) -> None:
    """Write each pair of a file with its audit verdict to stdout; as JSON, with how often each rule spoke."""
    from glass_pipeline.domain.audit import PairError, audit_pair

    audited = []
    for line in parse_lines(read_bytes(pairs_file), pairs_file, required=("base_text", "twin_text", "gold")):
        base_text, twin_text = line.row["base_text"], line.row["twin_text"]
        if not isinstance(base_text, str) or not isinstance(twin_text, str):
            raise InputError(f"{_name(pairs_file)}, line {line.number}: base_text and twin_text are texts; quote them.")
        try:
            verdict = audit_pair(base_text, twin_text, str(line.row["gold"]))
        except PairError as error:
            raise InputError(f"{_name(pairs_file)}, line {line.number}: {error}") from None
        audited.append({**line.row, **asdict(verdict)})
    if not as_json:
        write_lines(audited)
        return
    reasons = Counter(reason for row in audited for reason in row["reasons"])
    kept = sum(row["keep"] for row in audited)
    summary = {
        "pairs": len(audited),
        "kept": kept,
        "dropped": len(audited) - kept,
        "reasons": dict(sorted(reasons.items())),
    }
    print(json.dumps({"summary": summary, "pairs": audited}, ensure_ascii=False))


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
    for line in parse_lines(read_bytes(path), path, required):
        yield line.row


def read_bytes(path: Path) -> bytes:
    """Return the content of a file, or of stdin for ``-``.

    Raises:
        InputError: the file cannot be read, or is empty.
    """
    try:
        content = sys.stdin.buffer.read() if path == STDIN else path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}.") from None
    if not content.strip():
        raise InputError(f"{_name(path)} is empty; it needs one JSON object a line.")
    return content


def parse_lines(content: bytes, path: Path, required: tuple[str, ...] = ()) -> Iterator[Line]:
    """Yield the JSON objects of a file's content with the number of their line.

    Raises:
        InputError: a line is not UTF-8 or not a JSON object with the required keys.
    """
    # Only a line feed ends a line: str.splitlines would also cut at characters that may stand inside a JSON text.
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip():
            yield Line(number, _parse(f"{_name(path)}, line {number}", line, required))


def _parse(place: str, line: bytes, required: tuple[str, ...]) -> dict[str, Any]:
    try:
        row = json.loads(line.decode("utf-8"))
        json.dumps(row, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise InputError(f"{place}: byte {error.start} is not UTF-8; save the file as UTF-8.") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place}: not JSON ({error}).") from None
    if not isinstance(row, dict):
        raise InputError(f"{place}: a JSON object is needed, found {type(row).__name__}.")
    missing = [name for name in required if not isinstance(row.get(name), str | int | float)]
    if missing:
        raise InputError(f"{place}: no {missing[0]!r}; each line needs {', '.join(required)}.")
    return row


def _name(path: Path) -> str:
    return "stdin" if path == STDIN else str(path)


def write_lines(rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows to stdout, one JSON object a line."""
    for row in rows:
        print(json.dumps(row, ensure_ascii=False))
