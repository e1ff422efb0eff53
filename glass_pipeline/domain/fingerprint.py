"""Holds content hashes: of text, of settings, of whole tables.

Never hashes anything that depends on time, paths or row order.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Sequence
from typing import Any

import polars as pl


def text_hash(text: str) -> str:
    """Return the identity of a problem text: sha256 of its NFC form with white space collapsed (methods §1.4)."""
    return hashlib.sha256(" ".join(unicodedata.normalize("NFC", text).split()).encode()).hexdigest()


def settings_hash(settings: Any) -> str:
    """Return the sha256 of any JSON-able value, independent of key order."""
    canonical = json.dumps(settings, sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def frame_hash(frame: pl.DataFrame, key: Sequence[str]) -> str:
    """Return the data version of a table: sha256 over its schema and its rows sorted by key.

    Two frames with the same rows in another order have the same version; one changed cell gives another.
    """
    ordered = frame.sort(list(key)) if key else frame
    digest = hashlib.sha256(json.dumps({name: str(dtype) for name, dtype in ordered.schema.items()}).encode())
    for row in ordered.iter_rows():
        digest.update(repr(row).encode())
        digest.update(b"\x1e")
    return digest.hexdigest()
