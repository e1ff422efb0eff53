"""Holds ``glass export-pairs``: labelled pairs of the warehouse as files that other tools read.

Never overwrites anything: an export appears whole, in a folder that was new or empty.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from glass_pipeline.cli.errors import InputError
from glass_pipeline.cli.interchange import NOTICE, pair_cells, published_source
from glass_pipeline.defs.code_versions import root_suite
from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.study import Study, dose_key, settings_from

if TYPE_CHECKING:
    import polars as pl

    from glass_pipeline.domain.corpus.notices import Source

LAYOUTS = ("jsonl", "parquet", "hf")
CITATION, CARD = "CITATION.bib", "README.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """What one export holds, and of whose texts it is made."""

    suite: str
    solver: str
    is_simulated: bool
    pairs: dict[int, pl.DataFrame]
    """``schemas.LABELED_PAIRS`` of each dose, with the gold where it is known."""
    sources: tuple[Source, ...]
    licences: tuple[str, ...]
    carried: str | None
    """Notice that came with the suite when it was imported."""


def export_pairs(suite: str, solver: str, layout: str, folder: Path, study_file: Path | None, *, as_json: bool) -> None:
    """Write the labelled pairs of one suite and solver, with notices and citation, into a new folder."""
    from glass_pipeline.domain.corpus.file_names import SLUGS

    study, settings = settings_from(os.environ, study_file)
    if layout not in LAYOUTS:
        raise InputError(f"--format {layout}: no such format; there are {', '.join(LAYOUTS)}.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not an empty folder; choose a new one, so that nothing of yours is overwritten.")
    export = _gathered(SLUGS.get(suite, suite), solver, study, Warehouse(settings.warehouse))
    with appearing(folder) as staging:
        files = _write_pairs(export, layout, staging)
        _write_papers(export, layout, staging, files)
    pairs = {dose_key(dose): frame.height for dose, frame in export.pairs.items()}
    found = {"folder": str(folder), "files": list(files.values()), "pairs": pairs}
    text = f"Exported {sum(pairs.values()):,} pairs into {folder}: {', '.join(files.values())}."
    print(json.dumps(found, sort_keys=True) if as_json else text)


@contextmanager
def appearing(folder: Path) -> Iterator[Path]:
    """Yield a folder beside ``folder`` that takes its place when the block ends well."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as beside:
            staging = Path(beside) / "export"
            staging.mkdir()
            yield staging
            staging.replace(folder)
    except OSError as error:
        raise InputError(f"Cannot write {folder}: {error.strerror}; free space or choose another folder.") from None


def _gathered(suite: str, solver: str, study: Study, warehouse: Warehouse) -> Export:
    """Return what the warehouse holds of a suite and solver.

    Raises:
        InputError: it holds no pairs of them; says what it holds.
    """
    import polars as pl

    from glass_pipeline.domain.corpus.notices import known_sources
    from glass_pipeline.domain.corpus.stand_ins import NO_GOLD

    cells = pair_cells(warehouse, suite, solver)
    if not cells:
        raise InputError(_nothing(suite, solver, study, warehouse))
    problems = warehouse.read([Cell(suite, "base_problems")], ["base_id", "gold", "licence"])
    golds = problems.select("base_id", "gold").filter(pl.col("gold") != NO_GOLD)
    return Export(
        suite=suite,
        solver=solver,
        is_simulated=solver in study.simulated_solvers,
        pairs={int(cell.dose or 0): warehouse.read([cell]).join(golds, on="base_id", how="left") for cell in cells},
        sources=known_sources(_source_keys(suite, study, warehouse)),
        licences=tuple(problems["licence"].unique().sort()),
        carried=warehouse.files.text(warehouse.root / suite / NOTICE),
    )


def _nothing(suite: str, solver: str, study: Study, warehouse: Warehouse) -> str:
    suites = sorted({*study.suites, *warehouse.suites_present()})
    if root_suite(suite) not in suites:
        return f"No suite {suite!r}; there are {', '.join(suites)}."
    held = sorted({str(cell.solver) for cell in pair_cells(warehouse, suite)})
    return (
        f"{suite} has no labelled pairs of solver {solver!r}, but of {', '.join(held) or 'none'}; "
        f"`glass run {suite} --solver …` makes them."
    )


def _source_keys(suite: str, study: Study, warehouse: Warehouse) -> list[str]:
    """Return the keys of the data sets that a suite's texts come from: its problems, and what was spliced in."""
    if root_suite(suite) in study.suites:
        declared = study.suite(suite)
        return [declared.source, declared.distractors.partition("/")[0]]
    provenance = warehouse.provenance(Cell(suite, "base_problems"))
    published = published_source(provenance.inputs) if provenance is not None else None
    return [published] if published is not None else []


def _write_pairs(export: Export, layout: str, folder: Path) -> dict[int, str]:
    """Write one file a dose, and return its path within the folder."""
    from glass_pipeline.domain.corpus.file_names import file_name
    from glass_pipeline.domain.corpus.interchange import export_lines

    files: dict[int, str] = {}
    for dose, pairs in export.pairs.items():
        if layout == "jsonl":
            files[dose] = file_name(export.suite, dose, export.solver)
            with (folder / files[dose]).open("w", encoding="utf-8", newline="\n") as opened:
                opened.writelines(f"{line}\n" for line in export_lines(pairs))
        else:
            files[dose] = f"data/{export.suite}/m{dose}.parquet"
            (folder / files[dose]).parent.mkdir(parents=True, exist_ok=True)
            pairs.write_parquet(folder / files[dose], compression="zstd")
    return files


def _write_papers(export: Export, layout: str, folder: Path, files: dict[int, str]) -> None:
    """Write notices and citation, and for the hub the card."""
    from glass_pipeline.domain.corpus.dataset_card import CardFacts, dataset_card
    from glass_pipeline.domain.corpus.notices import citations, notice

    papers = {
        NOTICE: notice(export.suite, export.sources, export.licences, export.carried),
        CITATION: citations(export.sources),
    }
    if layout == "hf":
        frames = export.pairs.values()
        facts = CardFacts(
            suite=export.suite,
            solver=export.solver,
            is_simulated=export.is_simulated,
            files=files,
            pairs={dose: frame.height for dose, frame in export.pairs.items()},
            bases=len({base for frame in frames for base in frame["base_id"]}),
            twin_texts=len({key for frame in frames for key in frame.select("base_id", "text_hash").iter_rows()}),
            sources=export.sources,
            licences=export.licences,
        )
        papers[CARD] = dataset_card(facts)
    for name, text in papers.items():
        (folder / name).write_text(text, encoding="utf-8")
