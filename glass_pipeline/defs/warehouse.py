"""Holds where every table of a warehouse lies, how it is written and read, and what it was made from.

Never knows what a column means (see ``domain.schemas``), nor what a folder and a bucket do differently (see ``files``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

import polars as pl
from pyarrow import ArrowException

from glass_pipeline.defs.files import PART, Files, files_of
from glass_pipeline.defs.files import WarehouseError as WarehouseError
from glass_pipeline.defs.keys import Cell
from glass_pipeline.domain.report import Report
from glass_pipeline.domain.report.overview import Overview
from glass_pipeline.location import Location
from glass_pipeline.study import dose_key

FOOTER = "glass"
"""Key of the provenance in the parquet footer."""


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
    """The folder or the prefix of a bucket that holds everything a study has made."""

    root: Location

    @property
    def files(self) -> Files:
        """How files are handled where this warehouse lies."""
        return files_of(self.root)

    def folder(self, cell: Cell) -> Location:
        """Folder of one cell: ``<suite>/<stage>/dose=<d>/predictor=<p>/solver=<s>``, each part where it has one."""
        folder = self.root / cell.suite / cell.stage
        if cell.dose is not None:
            folder /= f"dose={dose_key(cell.dose)}"
        if cell.predictor is not None:
            folder /= f"predictor={cell.predictor}"
        return folder / f"solver={cell.solver}" if cell.solver is not None else folder

    def path(self, cell: Cell) -> Location:
        """The parquet file of one cell."""
        return self.folder(cell) / PART

    def has(self, cell: Cell) -> bool:
        """Whether a cell exists."""
        return self.files.holds(self.path(cell))

    def parts(self, suite: str, stage: str) -> list[Location]:
        """The parquet files of all cells of a stage, in order."""
        return self.files.parts(self.root / suite / stage)

    def provenance(self, cell: Cell) -> Provenance | None:
        """Return what a cell was made from, or None if it does not exist.

        Raises:
            WarehouseError: the file is not one of ours or is damaged.
        """
        path = self.path(cell)
        try:
            metadata = self.files.metadata(path)
            if metadata is None:
                return None
            footer = metadata.metadata or {}
            return Provenance(**json.loads(footer[FOOTER.encode()]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise WarehouseError(f"{cell}: {path} is damaged ({error}); delete it and run again.") from None

    def read(self, cells: Sequence[Cell], columns: Sequence[str] | None = None) -> pl.DataFrame:
        """Return the rows of one or many cells as one frame.

        Raises:
            WarehouseError: a cell does not exist; names the command that makes it.
        """
        frames = [self._read_file(cell, columns) for cell in cells]
        return pl.concat(frames, how="vertical") if frames else pl.DataFrame()

    def _read_file(self, cell: Cell, columns: Sequence[str] | None) -> pl.DataFrame:
        path = self.path(cell)
        try:
            return self.files.frame(path, columns)
        except FileNotFoundError:
            raise WarehouseError(f"{cell}: no file at {path}; {command_for(cell)} makes it.") from None
        except (OSError, ArrowException, pl.exceptions.PolarsError) as error:
            raise WarehouseError(f"{cell}: {path} is damaged ({error}); delete it and run again.") from None

    def held(self, cell: Cell) -> pl.DataFrame | None:
        """Return the rows of one cell, or None if it does not exist yet."""
        return self.read([cell]) if self.has(cell) else None

    def write(self, cell: Cell, frame: pl.DataFrame, provenance: Provenance) -> Location:
        """Replace a cell's file atomically.

        Raises:
            WarehouseError: the disk is full or read-only; the old file is untouched.
        """
        path = self.path(cell)
        footer = {FOOTER: json.dumps(asdict(provenance), sort_keys=True)}
        with self.files.replacing(path) as temporary:
            frame.write_parquet(temporary, compression="zstd", metadata=footer)
        return path

    def write_text(self, path: Location, text: str) -> Location:
        """Replace a text file of the warehouse atomically."""
        with self.files.replacing(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
        return path

    def replace_files(self, folder: Location, names: Sequence[str], files: Mapping[str, bytes]) -> None:
        """Replace each file of a folder atomically, and remove those of ``names`` that are not given any more."""
        for name in names:
            if name not in files:
                (folder / name).unlink(missing_ok=True)
        for name, content in files.items():
            with self.files.replacing(folder / name) as temporary:
                temporary.write_bytes(content)

    def write_report(self, cell: Cell, report: Report) -> Location:
        """Write page, text and data of a report, and return the page's path."""
        folder = self.folder(cell)
        self.write_text(folder / "report.md", report.markdown)
        self.write_text(
            folder / "summary.json", json.dumps(report.summary, ensure_ascii=False, sort_keys=True, indent=1)
        )
        return self.write_text(folder / "report.html", report.html)

    def write_overview(self, cell: Cell, overview: Overview) -> Location:
        """Write page and text of the overview, and return the page's path."""
        self.write_text(self.folder(cell) / "overview.md", overview.markdown)
        return self.write_text(self.folder(cell) / "overview.html", overview.html)

    def set_aside(self, cell: Cell) -> Location:
        """Move a cell's file out of the way of every reader, and return where it is now."""
        aside = self.folder(cell) / "rejected.parquet"
        self.files.move(self.path(cell), aside)
        return aside

    def remove(self, cell: Cell) -> None:
        """Delete one cell's folder, if it exists."""
        self.files.remove(self.folder(cell))

    def suites_present(self) -> tuple[str, ...]:
        """Slugs of all suites whose problems are here."""
        return tuple(name for name in self.files.folders(self.root) if self.has(Cell(name, "base_problems")))


def command_for(cell: Cell) -> str:
    """Return the command that makes a cell."""
    if not cell.suite:
        return f"`glass {cell.stage}`"
    parts = ["glass run", cell.suite]
    parts += [f"--solver {cell.solver}"] if cell.solver is not None else []
    parts += [f"--dose {dose_key(cell.dose)}"] if cell.dose is not None else []
    return f"`{' '.join(parts)}`"
