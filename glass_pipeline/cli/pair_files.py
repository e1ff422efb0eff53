"""Holds how files of labelled pairs are found and read: JSON lines by name, parquet in a release's layout.

Never understands a row (see ``domain.corpus``), and never writes.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from glass_pipeline.cli.errors import InputError
from glass_pipeline.domain.corpus.file_names import dataset_names, shard_dose

if TYPE_CHECKING:
    from glass_pipeline.domain.corpus.fields import Stated

BARE_NAMES_IN = (Path(), Path("data"))
"""Where a name without a folder is looked for, in this order."""
LARGEST_CONTENT = 2**30
"""Bytes of a file once unpacked; a small compressed one can hold any amount."""
LARGEST_NOTICE = 1_000_000
LINES, TABLE = (".jsonl", ".jsonl.gz"), ".parquet"


def find_pair_files(arguments: Sequence[str], solver: str | None) -> list[Path]:
    """Return the files that arguments name: absolute paths, bare names, suites, or folders of a release.

    Args:
        arguments: As typed; each may be a comma list.
        solver: In a release, its own folder is taken if there is one.

    Raises:
        ValueError: a relative path has a folder in it.
        InputError: a file or folder is absent, of another kind, or holds several suites.
    """
    found = [file for each in arguments for name in dataset_names(each) for file in _files(_located(name), solver)]
    repeated = [path for number, path in enumerate(found) if path in found[:number]]
    if repeated:
        raise InputError(f"{repeated[0]} is named twice; name each file once.")
    return found


def read_stated(path: Path, solver: str | None) -> Stated:
    """Return what a file states of one solver.

    Raises:
        InputError: the file cannot be read as what its name says it is.
        InterchangeError: its rows are not labelled pairs.
    """
    from glass_pipeline.domain.corpus.interchange import state_lines

    if path.name.endswith(LINES):
        return state_lines(_text_lines(path), name=path.name, solver=solver)
    return _read_table(path, solver)


def digest_of(path: Path) -> str:
    """Return the sha256 of a file."""
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def notice_beside(paths: Iterable[Path]) -> str | None:
    """Return the licence notice that came with some files: NOTICE.md in their folder or one that holds it."""
    for path in paths:
        for folder in path.resolve().parents[:3]:
            if (folder / "NOTICE.md").is_file():
                return (folder / "NOTICE.md").read_bytes()[:LARGEST_NOTICE].decode("utf-8", "replace")
    return None


def _located(name: str) -> Path:
    path = Path(name)
    places = [path] if path.is_absolute() else [folder / path for folder in BARE_NAMES_IN]
    there = next((place for place in places if place.exists()), None)
    if there is None:
        looked = " or in ".join(str(place.parent.resolve()) for place in places)
        raise InputError(f"{path.name}: no such file in {looked}.")
    return there


def _files(path: Path, solver: str | None) -> list[Path]:
    if not path.is_dir():
        if not path.name.endswith((*LINES, TABLE)):
            raise InputError(f"{path}: labelled pairs come as .jsonl, .jsonl.gz or .parquet; rename or convert it.")
        return [path]
    folder = _suite_folder(path / "data" if (path / "data").is_dir() else path)
    if solver is not None and (folder / solver).is_dir():
        folder = folder / solver
    tables = sorted(folder.rglob(f"*{TABLE}"))
    files = tables or sorted(file for kind in LINES for file in folder.glob(f"*_labeled_pairs{kind}"))
    if not files:
        raise InputError(f"{path} holds no parquet and no *_labeled_pairs.jsonl; name the folder of a release.")
    return files


def _suite_folder(folder: Path) -> Path:
    """Return the folder of the one suite of a release; tables beside it make the folder itself the suite's."""
    suites = sorted(each for each in folder.iterdir() if each.is_dir() and any(each.rglob(f"*{TABLE}")))
    if any(folder.glob(f"*{TABLE}")) or not suites:
        return folder
    if len(suites) > 1:
        names = ", ".join(each.name for each in suites)
        raise InputError(f"{folder} holds {names}; name one of them, e.g. {suites[0].resolve()}.")
    return suites[0]


def _text_lines(path: Path) -> Iterator[str]:
    for number, line in enumerate(io.BytesIO(_unpacked(path)), start=1):
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(
                f"{path}, line {number}: byte {error.start} is not UTF-8; save the file as UTF-8."
            ) from None


def _unpacked(path: Path) -> bytes:
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as opened:
            content = opened.read(LARGEST_CONTENT + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: {getattr(error, 'strerror', None) or error}.") from None
    if len(content) > LARGEST_CONTENT:
        raise InputError(f"{path} holds more than {LARGEST_CONTENT:,} bytes; split it by dose.")
    if not content.strip():
        raise InputError(f"{path} is empty; it needs one labelled pair a line.")
    return content


def _read_table(path: Path, solver: str | None) -> Stated:
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as pq

    from glass_pipeline.domain.corpus.released import state_columns

    try:
        footer = pq.read_metadata(path)
        size = sum(footer.row_group(number).total_byte_size for number in range(footer.num_row_groups))
        if not footer.num_rows or size > LARGEST_CONTENT:
            raise InputError(
                f"{path} holds {footer.num_rows:,} rows of {size:,} bytes; split it by dose, or name another."
            )
        table = pl.read_parquet(path, hive_partitioning=False)
    except (OSError, pa.ArrowException, pl.exceptions.PolarsError) as error:
        raise InputError(f"{path} cannot be read as parquet ({str(error).splitlines()[0]}).") from None
    return state_columns(table, name=path.name, solver=solver, dose=shard_dose(f"{path.parent.name}/{path.name}"))
