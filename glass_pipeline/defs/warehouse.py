"""Holds where every table lies on disk, how it is written whole or not at all, and what it was made from.

Never knows what a column means: schemas are checked by ``domain.schemas``.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq

from glass_pipeline.defs.keys import Cell
from glass_pipeline.domain.errors import BadInput
from glass_pipeline.domain.report import Report
from glass_pipeline.domain.report.overview import Overview
from glass_pipeline.study import dose_key

FOOTER = "glass"
"""Key of the provenance in the parquet footer."""


class WarehouseError(BadInput):
    """A table is absent, damaged or cannot be written; one sentence says which and what to do."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a table was made from; travels in the file itself, so that the file is the truth."""

    data_version: str
    """Content hash of the rows."""
    code_version: str
    settings: str
    """Hash of the effective settings of its stage."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """Data version of every upstream cell that was read."""
    missing_items: int = 0
    """Items without a label because the solver gave no answer; they are asked again on the next run."""


@dataclass(frozen=True, slots=True)
class Warehouse:
    """The folder that holds everything a study has made."""

    root: Path

    def folder(self, cell: Cell) -> Path:
        """Folder of one cell: ``<suite>/<stage>/dose=<d>/predictor=<p>/solver=<s>``, each part where it has one."""
        folder = self.root / cell.suite / cell.stage
        if cell.dose is not None:
            folder /= f"dose={dose_key(cell.dose)}"
        if cell.predictor is not None:
            folder /= f"predictor={cell.predictor}"
        return folder / f"solver={cell.solver}" if cell.solver is not None else folder

    def path(self, cell: Cell) -> Path:
        """The parquet file of one cell."""
        return self.folder(cell) / "part.parquet"

    def provenance(self, cell: Cell) -> Provenance | None:
        """Return what a cell was made from, or None if it does not exist.

        Raises:
            WarehouseError: the file is not one of ours or is damaged.
        """
        path = self.path(cell)
        if not path.is_file():
            return None
        try:
            footer = pq.read_metadata(path).metadata or {}
            return Provenance(**json.loads(footer[FOOTER.encode()]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise WarehouseError(f"{cell}: {path} is damaged ({error}); delete it and run again.") from None

    def read(self, cells: Sequence[Cell], columns: Sequence[str] | None = None) -> pl.DataFrame:
        """Return the rows of one or many cells as one frame.

        Raises:
            WarehouseError: a cell does not exist; names the command that makes it.
        """
        frames = []
        for cell in cells:
            if not self.path(cell).is_file():
                raise WarehouseError(f"{cell}: no file at {self.path(cell)}; {command_for(cell)} makes it.")
            frames.append(self._read_file(cell, columns))
        return pl.concat(frames, how="vertical") if frames else pl.DataFrame()

    def _read_file(self, cell: Cell, columns: Sequence[str] | None) -> pl.DataFrame:
        path = self.path(cell)
        try:
            return pl.read_parquet(path, columns=list(columns) if columns else None, hive_partitioning=False)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise WarehouseError(f"{cell}: {path} is damaged ({error}); delete it and run again.") from None

    def held(self, cell: Cell) -> pl.DataFrame | None:
        """Return the rows of one cell, or None if it does not exist yet."""
        return self.read([cell]) if self.path(cell).is_file() else None

    def write(self, cell: Cell, frame: pl.DataFrame, provenance: Provenance) -> Path:
        """Replace a cell's file atomically.

        Raises:
            WarehouseError: the disk is full or read-only; the old file is untouched.
        """
        path = self.path(cell)
        footer = {FOOTER: json.dumps(asdict(provenance), sort_keys=True)}
        with replacing(path) as temporary:
            frame.write_parquet(temporary, compression="zstd", metadata=footer)
        return path

    def write_text(self, path: Path, text: str) -> Path:
        """Replace a text file of the warehouse atomically."""
        with replacing(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
        return path

    def replace_files(self, folder: Path, names: Sequence[str], files: Mapping[str, bytes]) -> None:
        """Replace each file of a folder atomically, and remove those of ``names`` that are not given any more."""
        for name in names:
            if name not in files:
                (folder / name).unlink(missing_ok=True)
        for name, content in files.items():
            with replacing(folder / name) as temporary:
                temporary.write_bytes(content)

    def write_report(self, cell: Cell, report: Report) -> Path:
        """Write page, text and data of a report, and return the page's path."""
        folder = self.folder(cell)
        self.write_text(folder / "report.md", report.markdown)
        self.write_text(
            folder / "summary.json", json.dumps(report.summary, ensure_ascii=False, sort_keys=True, indent=1)
        )
        return self.write_text(folder / "report.html", report.html)

    def write_overview(self, cell: Cell, overview: Overview) -> Path:
        """Write page and text of the overview, and return the page's path."""
        self.write_text(self.folder(cell) / "overview.md", overview.markdown)
        return self.write_text(self.folder(cell) / "overview.html", overview.html)

    def set_aside(self, cell: Cell) -> Path:
        """Move a cell's file out of the way of every reader, and return where it is now."""
        return self.path(cell).replace(self.folder(cell) / "rejected.parquet")

    def remove(self, cell: Cell) -> None:
        """Delete one cell's folder, if it exists."""
        shutil.rmtree(self.folder(cell), ignore_errors=True)

    def suites_present(self) -> tuple[str, ...]:
        """Slugs of all suites that have a folder here."""
        return tuple(sorted(path.name for path in self.root.glob("*/") if (path / "base_problems").is_dir()))


def command_for(cell: Cell) -> str:
    """Return the command that makes a cell."""
    if not cell.suite:
        return f"`glass {cell.stage}`"
    parts = ["glass run", cell.suite]
    parts += [f"--solver {cell.solver}"] if cell.solver is not None else []
    parts += [f"--dose {dose_key(cell.dose)}"] if cell.dose is not None else []
    return f"`{' '.join(parts)}`"


def refusal(path: Path, error: Exception) -> WarehouseError:
    """Return what to say where the file system, or what writes through it, refused to write ``path``."""
    reason = error.strerror if isinstance(error, OSError) else str(error).partition("\n")[0]
    return WarehouseError(f"Cannot write {path}: {reason}; free space or choose another warehouse.")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside ``path`` that replaces it when the block ends well.

    Raises:
        WarehouseError: the file system refused; nothing was changed.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    except OSError as error:
        raise refusal(path, error) from None
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as error:
        raise refusal(path, error) from None
    finally:
        temporary.unlink(missing_ok=True)
