"""Holds ``glass compare``: files in, verdict and figures out, exit code 5 where a gate does not hold.

Never computes a figure; it asks ``domain.comparison`` and prints what it is told.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, NamedTuple

from glass_pipeline.cli.compare_text import comparison_text
from glass_pipeline.cli.errors import GATE_DOES_NOT_HOLD, InputError, fail
from glass_pipeline.domain.comparison import (
    BreakRates,
    ComparisonConfig,
    ComparisonError,
    PairedComparison,
    Results,
    compare_break_rates,
    compare_many,
    figures,
)
from glass_pipeline.domain.comparison.gate import Gate, holds, parse_gate
from glass_pipeline.domain.comparison.multiplicity import adjust
from glass_pipeline.domain.comparison.reading import Columns, read_results
from glass_pipeline.domain.comparison.reading.seed_files import join_seeds
from glass_pipeline.domain.comparison.thresholds import (
    Thresholds,
    declaration,
    parse_thresholds,
    require_declared,
)


class Asked(NamedTuple):
    """What ``glass compare`` was asked for, as typed."""

    files: tuple[Path, ...]
    columns: Columns = Columns()
    gates: tuple[str, ...] = ()
    part: str = "pooled"
    at_least: float = 0.01
    margin: float = 0.01
    lower_is_better: bool = False
    thresholds: Path | None = None


def compare(asked: Asked, *, as_json: bool) -> None:
    """Print the comparison of each file with the first; exit with 5 where a gate does not hold."""
    try:
        gates = [parse_gate(text) for text in asked.gates]
        found = comparisons(asked)
        broken = [
            (gate, each, figures(each)[gate.name]) for each in found for gate in gates if not holds(gate, figures(each))
        ]
    except ComparisonError as error:
        raise InputError(str(error)) from None
    print(_json(found, gates) if as_json else "\n\n".join(comparison_text(each) for each in found))
    if broken:
        fail("; ".join(_broken(*each) for each in broken) + ".", GATE_DOES_NOT_HOLD)


def comparisons(asked: Asked) -> tuple[PairedComparison, ...]:
    """Read the files and compare each with the first.

    Raises:
        InputError: fewer than two files, a file is absent, or break rates are mixed with other results.
        ComparisonError: what the files hold cannot be compared.
    """
    if len(asked.files) < 2:
        raise InputError("compare needs two files, the baseline first; one was given.")
    if len(set(asked.files)) < len(asked.files):
        raise InputError("compare was given the same file twice; name each system once.")
    config = ComparisonConfig(
        at_least=asked.at_least,
        margin=asked.margin,
        lower_is_better=asked.lower_is_better,
        thresholds=_thresholds(asked) if asked.thresholds else Thresholds(),
    )
    loaded = [_load(path, asked) for path in asked.files]
    rates = [each for each in loaded if isinstance(each, BreakRates)]
    results = [each for each in loaded if isinstance(each, Results)]
    if rates and results:
        raise InputError(f"{rates[0].name} holds break rates and {results[0].name} does not; compare like with like.")
    if rates:
        return adjust([compare_break_rates(rates[0], other, config) for other in rates[1:]])
    return compare_many(results[0], results[1:], config)


def _load(path: Path, asked: Asked) -> Results | BreakRates:
    """Read a file, or a folder whose files are the seeds of one system."""
    shared_name = [other.name for other in asked.files].count(path.name) > 1
    name = str(path) if shared_name else path.name
    if not path.is_dir():
        return read_results(name, _read(path), asked.columns, asked.part)
    files = sorted(each for each in path.iterdir() if each.is_file() and not each.name.startswith("."))
    if not files:
        raise InputError(f"{path} is an empty folder; it needs one result file a seed.")
    by_seed: dict[str, Results] = {}
    for each in files:
        if any(each.resolve() == other.resolve() for other in asked.files):
            raise InputError(f"{each} is both a system of its own and a seed of {path}; move it out of the folder.")
        read = read_results(each.name, _read(each), asked.columns, asked.part)
        if isinstance(read, BreakRates):
            raise InputError(f"{each} holds break rates; a folder holds the result files of seeds.")
        by_seed[each.stem] = read
    return join_seeds(name, by_seed)


def _thresholds(asked: Asked) -> Thresholds:
    """Read declared thresholds; the first use stores their hash beside them, and every later one must match it."""
    path = asked.thresholds
    if path is None:
        return Thresholds()
    data, lock = _read(path), path.with_name(f"{path.name}.sha256")
    require_declared(
        data,
        declared=_read(lock).decode("utf-8", "replace").strip() if lock.is_file() else None,
        written_at=path.stat().st_mtime,
        first_result_at=min(_written_at(each) for each in asked.files),
    )
    thresholds = parse_thresholds(data, path.name)
    if not lock.is_file():
        lock.write_text(declaration(data) + "\n", encoding="utf-8")
    return thresholds


def _written_at(path: Path) -> float:
    inside = [each for each in path.iterdir() if each.is_file()] if path.is_dir() else [path]
    try:
        return min((each.stat().st_mtime for each in inside), default=0.0)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}.") from None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}.") from None


def _broken(gate: Gate, comparison: PairedComparison, value: float | None) -> str:
    found = "has no value here" if value is None else f"is {value:.6g}"
    return f"gate '{gate}' does not hold: {gate.name} of {comparison.name_b} - {comparison.name_a} {found}"


def _json(found: tuple[PairedComparison, ...], gates: list[Gate]) -> str:
    rows: list[dict[str, Any]] = []
    for each in found:
        named = figures(each)
        judged = {str(gate): holds(gate, named) for gate in gates}
        rows.append({**_named(each), "figures": named, "gates": judged})
    return json.dumps({"comparisons": rows}, ensure_ascii=False, sort_keys=True)


def _named(value: Any) -> Any:
    """Return records as objects, named tuples among them, so that JSON keeps the names of their fields."""
    if is_dataclass(value):
        return {each.name: _named(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple):
        names = getattr(value, "_fields", None)
        return dict(zip(names, map(_named, value), strict=True)) if names else [_named(each) for each in value]
    return value
