"""Holds the step prepare: sources locked, splits written, thresholds declared.

Never overwrites a lock, and never declares a threshold after a result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.items import sample_items, shared_items
from glass_pipeline.domain.arc_lab.protocol import SPLITS
from glass_pipeline.domain.comparison.results import ComparisonError
from glass_pipeline.domain.comparison.thresholds import declaration, parse_thresholds
from glass_pipeline.llm.arc_lab.folder import BASELINE, LabFolder, read_bytes, read_json, write_bytes, write_json
from glass_pipeline.llm.arc_lab.series import Log
from glass_pipeline.llm.arc_source import Asked, LabHub, new_lock, read_splits, require_same_sources

DEFAULT_THRESHOLDS = b"""# Declared before any result is looked at; fractions, not percent.
minimum_gain = 0.01       # overall difference to reach: one percentage point
stratum_floor = -0.02     # no stratum may lie below it
smallest_stratum = 30     # smaller ones merge into "other"
weights = "share"         # of a stratum: its share of the items, or "uniform"
"""


def prepare(
    folder: LabFolder,
    asked: Asked,
    hub: LabHub,
    *,
    limits: Mapping[str, int],
    thresholds: bytes | None,
    log: Log,
) -> None:
    """Lock the sources, write the three splits, and declare the thresholds.

    Args:
        folder: Of the lab. A lock that is there is reused and never overwritten.
        asked: Sources; None for those locked, else the lab's own.
        hub: Where sources come from that are no local path.
        limits: Items to take of a split at most.
        thresholds: A thresholds file; None for those declared, else the lab's own.
        log: Told of every split.

    Raises:
        LabError: a source cannot be had or is not as locked, or a result was looked at before.
    """
    if folder.lock.exists():
        lock = folder.read_lock()
        require_same_sources(lock, asked)
    else:
        lock = new_lock(asked, hub)
    splits = read_splits(lock, hub)
    _declare(folder, thresholds)
    taken = _limits(folder, limits)
    write_json(folder.lock, asdict(lock))
    write_json(folder.limits, taken)
    kept = {split: sample_items(splits[split], taken.get(split)) for split in SPLITS}
    for split, items in kept.items():
        folder.write_items(split, items)
        log(f"prepared split={split} rows={len(items)}", {"event": "prepared", "split": split, "rows": len(items)})
    leaked = shared_items(kept["test"], (*kept["train"], *kept["validation"]))
    if leaked:
        line = f"contaminated rows={len(leaked)}: test items that are in train or validation too, first {leaked[0]}"
        log(line, {"event": "contaminated", "ids": list(leaked)})
    log(f"lock={folder.lock}", {"event": "locked", "lock": str(folder.lock), **asdict(lock)})


def require_thresholds(folder: LabFolder) -> str:
    """Return the hash of the declared thresholds.

    Raises:
        LabError: none are declared, or the file has changed since.
    """
    data = read_bytes(folder.thresholds, "prepare")
    declared = read_bytes(folder.declared, "prepare").decode("utf-8", "replace").strip()
    if declaration(data) != declared:
        raise LabError(f"{folder.thresholds} has changed since it was declared; restore it, the hash is {declared}.")
    return declared


def _declare(folder: LabFolder, thresholds: bytes | None) -> None:
    if thresholds is not None:
        try:
            parse_thresholds(thresholds)
        except ComparisonError as error:
            raise LabError(str(error)) from None
    if folder.declared.is_file():
        declared = folder.declared.read_text(encoding="utf-8").strip()
        if thresholds is not None and declaration(thresholds) != declared:
            raise LabError(
                "Other thresholds are declared already; those stay, or start again with `glass arc clean --data`."
            )
        return
    if folder.result(BASELINE).exists():
        raise LabError(
            "There are results, but no thresholds were declared before them; evaluate again after `glass arc clean "
            "--results` and `glass arc prepare`."
        )
    data = DEFAULT_THRESHOLDS if thresholds is None else thresholds
    write_bytes(folder.thresholds, data)
    write_bytes(folder.declared, f"{declaration(data)}\n".encode())


def _limits(folder: LabFolder, limits: Mapping[str, int]) -> dict[str, int]:
    if not folder.limits.exists():
        return dict(limits)
    held: dict[str, int] = read_json(folder.limits, "prepare")
    if limits and dict(limits) != held:
        raise LabError(
            f"The splits were prepared with the limits {held}, not {dict(limits)}; leave them, or start again with "
            "`glass arc clean --data`."
        )
    return held
