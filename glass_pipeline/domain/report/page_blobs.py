"""Holds the compressed details that the page carries, within its byte budget.

Never drops a text, an answer or a verdict: only outputs stay out when the budget is spent, and the page says so.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable
from typing import Any, NamedTuple

from glass_pipeline.domain.report.item_details import ItemDetails, to_json

LEVEL = 6


class Blobs(NamedTuple):
    """What goes into the page, and what stayed out."""

    by_id: dict[str, str]
    """Base64 of zlib of JSON, by element id: ``core-7``, ``broken-7``, ``other-7``."""
    left_out: int
    """Sets of outputs that did not fit."""
    held: int
    """Sets of outputs that did."""


def pack(details: Iterable[ItemDetails], budget: int) -> Blobs:
    """Compress items into blobs, in the order in which they are worth their bytes.

    Every item's texts and answers first; then the outputs on twins that broke and their bases, items with most
    breaks first; then all other outputs in the same order, until the budget is spent.

    Args:
        details: Items, in any order.
        budget: Characters that the blobs may take together.
    """
    items = list(details)
    by_id = {f"core-{item.row}": squeeze(item.core) for item in items}
    room = budget - sum(map(len, by_id.values()))
    ordered = sorted(items, key=lambda item: (-item.breaks, item.base_id))
    queue = [(f"broken-{item.row}", item.broken_outputs) for item in ordered if item.breaks]
    queue += [(f"other-{item.row}", item.other_outputs) for item in ordered if item.breaks]
    for item in ordered:
        if not item.breaks:
            queue.append((f"other-{item.row}", {**item.broken_outputs, **item.other_outputs}))
    held = 0
    waiting = [(name, outputs) for name, outputs in queue if any(outputs.values())]
    for name, outputs in waiting:
        blob = squeeze(outputs)
        if len(blob) > room:
            break
        by_id[name] = blob
        room -= len(blob)
        held += len(outputs)
    return Blobs(by_id, sum(len(outputs) for _, outputs in waiting) - held, held)


def squeeze(value: Any) -> str:
    """Return base64 of zlib of compact JSON, which DecompressionStream("deflate") reads."""
    return base64.b64encode(zlib.compress(to_json(value).encode(), LEVEL)).decode()
