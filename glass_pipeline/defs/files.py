"""Holds the few things that a folder of this machine and a prefix of a bucket do differently, one class each.

Never knows a table, a stage or a suite: that is ``warehouse``.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import polars as pl
import pyarrow.parquet as pq

from glass_pipeline.domain.errors import BadInput
from glass_pipeline.location import Location

PART = "part.parquet"
"""Name of every table's file."""


class WarehouseError(BadInput):
    """A table is absent, damaged or cannot be written; one sentence says which and what to do."""


class Files(Protocol):
    """What a warehouse asks of the place it lies in."""

    def holds(self, path: Location) -> bool:
        """Tell whether a file is there; whatever keeps the answer from being known is an error, not a no."""
        ...

    def text(self, path: Location) -> str | None:
        """Return what a text file says, or None if it does not exist."""
        ...

    def folders(self, folder: Location) -> list[str]:
        """Return the names of the folders directly in a folder, in order."""
        ...

    def parts(self, folder: Location) -> list[Location]:
        """Return the files of all tables beneath a folder, in order."""
        ...

    def metadata(self, path: Location) -> Any:
        """Return the footer of a parquet file, or None if it does not exist."""
        ...

    def frame(self, path: Location, columns: Sequence[str] | None) -> pl.DataFrame:
        """Return the rows of a parquet file; of other columns as good as nothing is fetched."""
        ...

    def scan(self, paths: Sequence[Location]) -> pl.LazyFrame:
        """Return the rows of parquet files, to be filtered."""
        ...

    def replacing(self, path: Location) -> AbstractContextManager[Path]:
        """Yield a temporary file that replaces ``path``, whole, when the block ends well.

        Raises:
            WarehouseError: the place refused; nothing was changed.
        """
        ...

    def move(self, path: Location, to: Location) -> None:
        """Give a file another name."""
        ...

    def remove(self, folder: Location) -> None:
        """Delete a folder and all in it, if it exists."""
        ...


def files_of(root: Location) -> Files:
    """Return how files are handled where a warehouse lies."""
    return LocalFiles() if isinstance(root, Path) else BucketFiles(root.fs)


def refusal(path: Location, error: Exception) -> WarehouseError:
    """Return what to say where the file system, or what writes through it, refused to write ``path``."""
    reason = (isinstance(error, OSError) and error.strerror) or str(error).partition("\n")[0]
    return WarehouseError(f"Cannot write {path}: {reason}; free space or choose another warehouse.")


class LocalFiles:
    """Files of this machine: a new one is written beside the old one and then put in its place."""

    def holds(self, path: Location) -> bool:
        """Tell whether a file is there."""
        return path.is_file()

    def text(self, path: Location) -> str | None:
        """Return what a text file says, or None if it does not exist."""
        return path.read_text(encoding="utf-8") if path.is_file() else None

    def folders(self, folder: Location) -> list[str]:
        """Return the names of the folders directly in a folder, in order."""
        return sorted(path.name for path in folder.glob("*/"))

    def parts(self, folder: Location) -> list[Location]:
        """Return the files of all tables beneath a folder, in order."""
        return sorted(folder.glob(f"**/{PART}"))

    def metadata(self, path: Location) -> Any:
        """Return the footer of a parquet file, or None if it does not exist."""
        return pq.read_metadata(str(path)) if path.is_file() else None

    def frame(self, path: Location, columns: Sequence[str] | None) -> pl.DataFrame:
        """Return the rows of a parquet file."""
        return pl.read_parquet(str(path), columns=list(columns) if columns else None, hive_partitioning=False)

    def scan(self, paths: Sequence[Location]) -> pl.LazyFrame:
        """Return the rows of parquet files, to be filtered."""
        return pl.scan_parquet([str(path) for path in paths], hive_partitioning=False, glob=False)

    @contextmanager
    def replacing(self, path: Location) -> Iterator[Path]:
        """Yield a temporary file beside ``path`` that takes its place."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=str(path.parent), prefix=f".{path.name}.", suffix=".tmp")
        except OSError as error:
            raise refusal(path, error) from None
        os.close(handle)
        temporary = Path(name)
        try:
            yield temporary
            temporary.chmod(0o644)
            temporary.replace(str(path))
        except OSError as error:
            raise refusal(path, error) from None
        finally:
            temporary.unlink(missing_ok=True)

    def move(self, path: Location, to: Location) -> None:
        """Give a file another name."""
        Path(str(path)).replace(str(to))

    def remove(self, folder: Location) -> None:
        """Delete a folder and all in it, if it exists."""
        shutil.rmtree(str(folder), ignore_errors=True)


@dataclass(frozen=True, slots=True)
class BucketFiles:
    """Objects of a bucket: an upload is seen whole or not at all, so none needs a temporary name."""

    store: Any
    """An fsspec file system; these are not typed."""

    def holds(self, path: Location) -> bool:
        """Tell whether an object is there."""
        with _reaching(path), suppress(FileNotFoundError):
            return bool(self.store.info(str(path))["type"] == "file")
        return False

    def text(self, path: Location) -> str | None:
        """Return what a text object says, or None if it does not exist."""
        with _reaching(path), suppress(FileNotFoundError):
            return str(self.store.cat_file(str(path)), "utf-8")
        return None

    def folders(self, folder: Location) -> list[str]:
        """Return the first names beneath a prefix, in order."""
        with _reaching(folder), suppress(FileNotFoundError):
            found = self.store.ls(str(folder), detail=True)
            return sorted(each["name"].rpartition("/")[2] for each in found if each["type"] == "directory")
        return []

    def parts(self, folder: Location) -> list[Location]:
        """Return the objects of all tables beneath a prefix, in order."""
        with _reaching(folder), suppress(FileNotFoundError):
            prefix = self.store._strip_protocol(str(folder))
            found = sorted(name.removeprefix(f"{prefix}/") for name in self.store.find(str(folder)))
            return [folder / name for name in found if name.rpartition("/")[2] == PART]
        return []

    def metadata(self, path: Location) -> Any:
        """Return the footer of a parquet object, or None if it does not exist."""
        with _reaching(path), suppress(FileNotFoundError), self.store.open(str(path), "rb") as handle:
            return pq.read_metadata(handle)
        return None

    def frame(self, path: Location, columns: Sequence[str] | None) -> pl.DataFrame:
        """Return the rows of a parquet object, fetching the ranges of its columns only."""
        with _reaching(path), self.store.open(str(path), "rb") as handle:
            table = pq.read_table(handle, columns=list(columns) if columns else None, partitioning=None)
        return pl.DataFrame(table)

    def scan(self, paths: Sequence[Location]) -> pl.LazyFrame:
        """Return the rows of parquet objects, to be filtered."""
        return pl.concat([self.frame(path, None).lazy() for path in paths], how="vertical")

    @contextmanager
    def replacing(self, path: Location) -> Iterator[Path]:
        """Yield a temporary file of this machine that is uploaded as ``path``."""
        try:
            with tempfile.TemporaryDirectory() as folder:
                temporary = Path(folder) / path.name
                yield temporary
                with _reaching(path):
                    self.store.put_file(str(temporary), str(path))
        except OSError as error:
            raise refusal(path, error) from None

    def move(self, path: Location, to: Location) -> None:
        """Give an object another name: it is copied, then deleted."""
        with _reaching(path):
            self.store.mv(str(path), str(to))

    def remove(self, folder: Location) -> None:
        """Delete all objects beneath a prefix."""
        with _reaching(folder), suppress(FileNotFoundError):
            self.store.rm(str(folder), recursive=True)


@contextmanager
def _reaching(path: Location) -> Iterator[None]:
    """Say in one sentence why a bucket cannot be used; that something is not there is for the caller to judge."""
    from botocore.exceptions import BotoCoreError

    try:
        yield
    except FileNotFoundError:
        raise
    except (OSError, BotoCoreError) as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        raise WarehouseError(
            f"{path} cannot be reached: {reason}; check the bucket, the network and the AWS_* variables."
        ) from None
