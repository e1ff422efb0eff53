"""Holds which local files a suite is read from, and what they contain now, as hashes.

Never reads a problem, and never the hub: see ``sources``.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from pathlib import Path

from glass_pipeline.domain.problems import SourceError
from glass_pipeline.study import Suite

SUFFIXES = (".jsonl", ".jsonl.gz", ".parquet")
SPLIT_NAMES = frozenset(("train", "test", "validation", "val", "dev"))
SPLIT_SOURCES = frozenset(("gsm8k", "math", "svamp"))
"""Sources whose files are named after their split."""
LARGEST_LIST = 64 * 2**20
"""Bytes; a longer list of ids is no such list."""


def local_file(place: Path, source: str, split: str, setting: str) -> Path:
    """Return the file that a path names: itself, or the one of the split in a folder.

    Raises:
        SourceError: it does not exist, or is that of another split.
    """
    if place.is_dir():
        stems = (split, f"{source}_{split}", *([source] if split == "all" else []))
        candidates = [place / f"{stem}{suffix}" for stem in stems for suffix in SUFFIXES]
        found = next((candidate for candidate in candidates if candidate.is_file()), None)
        if found is None:
            raise SourceError(
                f"{place} ({setting}) holds no {split}.jsonl, {split}.jsonl.gz or {source}_{split}.jsonl."
            )
        return found
    if not place.is_file():
        raise SourceError(f"{place} ({setting}) does not exist; name a file, or a folder that holds {split}.jsonl.")
    named = SPLIT_NAMES.intersection(re.split(r"[^a-z]+", place.name.lower()))
    if source in SPLIT_SOURCES and split in SPLIT_NAMES and named and split not in named:
        raise SourceError(f"{place} ({setting}) is not the split {split!r}; name a folder that holds {split}.jsonl.")
    return place


def excluded_ids(path: str) -> tuple[str, ...]:
    """Return the ids that a file lists, one a line; empty lines are skipped.

    Raises:
        SourceError: there is no such file, or it is no list of ids.
    """
    place = Path(path).expanduser()
    try:
        if place.stat().st_size > LARGEST_LIST:
            raise SourceError(f"{place} (exclude) is larger than 64 MiB; write one base id a line.")
        lines = place.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise SourceError(f"{place} (exclude) cannot be read ({reason}); give it one base id a line.") from None
    return tuple(line.strip() for line in lines if line.strip())


def digests(suite: Suite) -> dict[str, str]:
    """Return the sha256 of every local file that decides which problems a suite has, by the key that names it.

    A file that is gone, or a folder without the split, has the digest "absent": reading it says what is wrong.
    """
    found: dict[str, str] = {}
    if suite.path is not None:
        try:
            found["path"] = _digest(local_file(Path(suite.path).expanduser(), suite.source, suite.split, "path"))
        except (SourceError, OSError):
            found["path"] = "absent"
    if suite.exclude is not None:
        found["exclude"] = _digest(Path(suite.exclude).expanduser())
    return found


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _digest(path: Path) -> str:
    try:
        state = path.stat()
        return _digest_at(path, state.st_mtime_ns, state.st_size)
    except OSError:
        return "absent"


@lru_cache(maxsize=256)
def _digest_at(path: Path, modified_ns: int, size: int) -> str:
    """Read a file once for each modification: its time and size are what the cache knows it by."""
    return sha256_of(path)
