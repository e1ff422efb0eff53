"""Holds the reading of inspect logs: ``.eval`` (a zip) and JSON.

Never trusts the sizes a zip declares, and never picks one of several scorers.
"""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from glass_pipeline.domain.comparison.reading.rows import Columns, field
from glass_pipeline.domain.comparison.results import ComparisonError

Row = dict[str, Any]
GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Correct, partial, incorrect, no answer, as inspect counts them."""
SUMMARIES = "summaries.json"
LARGEST_ENTRY = 512 * 2**20
LARGEST_LOG = 8 * 2**30
"""Bytes after decompression; a log beyond them is refused."""
HEAD = 4096


def is_inspect_json(data: bytes) -> bool:
    """Say whether bytes are an inspect JSON log: one object that begins with its version, status and eval."""
    head = data[:HEAD].lstrip()
    keys = (b'"version"', b'"status"', b'"eval"')
    return head.startswith(b"{") and all(key in head for key in keys) and b'"samples"' in data


def inspect_rows(name: str, data: bytes, columns: Columns) -> tuple[list[Row], Columns]:
    """Return one row a sample and epoch, in the order of sample ids, and name their columns.

    Args:
        name: How messages call the file.
        data: The log.
        columns: As asked for; ``value`` is a scorer, or scorer.key where a scorer gives several values.

    Raises:
        ComparisonError: the log cannot be read, has no samples, or a sample has no score of the scorer.
    """
    samples = _zipped(name, data) if zipfile.is_zipfile(io.BytesIO(data)) else _plain(name, data)
    scorer = columns.value or _only_scorer(name, samples)
    rows = [{**sample, scorer: _value(name, sample, scorer)} for sample in sorted(samples, key=_place)]
    several = any(row.get("epoch", 1) != 1 for row in rows)
    renamed = replace(
        columns,
        id=columns.id or "id",
        value=scorer,
        decoding=columns.decoding or ("epoch" if several and columns.seed != "epoch" else None),
    )
    return rows, renamed


def _plain(name: str, data: bytes) -> list[Row]:
    log = _parse(name, "the log", data)
    return _samples(name, log.get("samples") if isinstance(log, dict) else None)


def _zipped(name: str, data: bytes) -> list[Row]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as log:
            if SUMMARIES in log.namelist():
                return _samples(name, _parse(name, SUMMARIES, _entry(name, log, SUMMARIES)))
            wanted = [each for each in log.namelist() if each.startswith("samples/") and each.endswith(".json")]
            if sum(log.getinfo(each).file_size for each in wanted) > LARGEST_LOG:
                raise ComparisonError(f"{name}: its samples take more than 8 GiB; export id, value and epoch to CSV.")
            return _samples(name, [_parse(name, each, _entry(name, log, each)) for each in wanted])
    except NotImplementedError:
        raise ComparisonError(
            f"{name}: its entries are compressed in a way this Python cannot read; convert the log to JSON with "
            "`inspect log convert --to json`."
        ) from None
    except ComparisonError:
        raise
    # A damaged directory makes zipfile raise whatever its arithmetic runs into.
    except (zipfile.BadZipFile, EOFError, OSError, ValueError, struct.error, zlib.error) as error:
        raise ComparisonError(f"{name}: not a readable .eval log ({error}).") from None


def _entry(name: str, log: zipfile.ZipFile, entry: str) -> bytes:
    with log.open(entry) as stream:
        data = stream.read(LARGEST_ENTRY + 1)
    if len(data) > LARGEST_ENTRY:
        raise ComparisonError(f"{name}: {entry} takes more than 512 MiB; export id, value and epoch to CSV.")
    return data


def _parse(name: str, entry: str, data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ComparisonError(f"{name}: {entry} is not JSON ({str(error)[:80]}).") from None


def _samples(name: str, found: Any) -> list[Row]:
    if not isinstance(found, list) or not found or not all(isinstance(each, dict) for each in found):
        raise ComparisonError(f"{name}: the log has no samples; run the evaluation with --log-samples.")
    return found


def _only_scorer(name: str, samples: list[Row]) -> str:
    scorers = sorted({str(scorer) for sample in samples for scorer in sample.get("scores") or {}})
    if len(scorers) == 1:
        return scorers[0]
    raise ComparisonError(f"{name}: scorers are {', '.join(scorers) or 'absent'}; choose one with --value SCORER.")


def _value(name: str, sample: Row, scorer: str) -> Any:
    scores = sample.get("scores") or {}
    whole = scores.get(scorer) if isinstance(scores, Mapping) else None
    if isinstance(whole, Mapping):
        found = whole.get("value")
    else:
        base, _, key = scorer.rpartition(".")
        inner = field(scores, base) if base and isinstance(scores, Mapping) else None
        values = inner.get("value") if isinstance(inner, Mapping) else None
        found = values.get(key) if isinstance(values, Mapping) else None
    if found is None:
        raise ComparisonError(
            f"{name}, item {str(sample.get('id'))!r}: no score of {scorer!r}; finish the run (inspect eval-retry), or "
            "name a scorer with --value."
        )
    return GRADES.get(found, found) if isinstance(found, str) else found


def _place(sample: Row) -> tuple[int, str, int]:
    identity, epoch = sample.get("id"), sample.get("epoch")
    number = identity if isinstance(identity, int) else 0
    return number, str(identity), epoch if isinstance(epoch, int) else 1
