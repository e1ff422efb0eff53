"""Tests of the compressed details and their budget."""

from __future__ import annotations

import base64
import json
import random
import zlib
from typing import Any

from glass_pipeline.domain.report.item_details import ItemDetails
from glass_pipeline.domain.report.page_blobs import pack, squeeze


def unpack(blob: str) -> Any:
    """Read a blob back."""
    return json.loads(zlib.decompress(base64.b64decode(blob)))


def item(row: int, breaks: int) -> ItemDetails:
    """One item whose outputs are noise, so that they cannot be squeezed."""
    noise = random.Random(row)
    words = "".join(noise.choices("abcdefghijklmnopqrstuvwxyz", k=2000))
    return ItemDetails(f"item-{row}", row, {"text": "t"}, {"0/alpha": [words]}, {"1/alpha": [words[::-1]]}, breaks)


def test_a_blob_reads_back() -> None:
    """Base64 of zlib of JSON, any alphabet."""
    assert unpack(squeeze({"text": "ليلى <b>"})) == {"text": "ليلى <b>"}


def test_everything_fits_a_large_budget() -> None:
    """All three parts of an item with a break are there; one without has its outputs in one part."""
    blobs = pack([item(0, 1), item(1, 0)], 1_000_000)

    assert set(blobs.by_id) == {"core-0", "broken-0", "other-0", "core-1", "other-1"}
    assert (blobs.held, blobs.left_out) == (4, 0)
    assert set(unpack(blobs.by_id["other-1"])) == {"0/alpha", "1/alpha"}


def test_a_small_budget_keeps_the_outputs_of_the_most_broken_items() -> None:
    """Texts and answers stay whatever the budget; outputs go by breaks, most first."""
    items = [item(0, 1), item(1, 5), item(2, 0)]
    room = len(squeeze(items[1].broken_outputs)) + sum(len(squeeze(one.core)) for one in items)
    blobs = pack(items, room)

    assert set(blobs.by_id) == {"core-0", "core-1", "core-2", "broken-1"}
    assert (blobs.held, blobs.left_out) == (1, 5)


def test_no_budget_still_keeps_texts_and_answers() -> None:
    """Only outputs are ever left out."""
    assert set(pack([item(0, 1)], 0).by_id) == {"core-0"}
