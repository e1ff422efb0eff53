"""Holds ``glass import-pairs``: labelled pairs from files into the warehouse, as a suite of its own.

Never half-does it: every file is read and checked before a table is written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from glass_pipeline.cli.errors import InputError
from glass_pipeline.cli.interchange import IMPORTED, NOTICE, SLUG, pair_cells, published_source
from glass_pipeline.cli.pair_files import digest_of, find_pair_files, notice_beside, read_stated
from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.warehouse import Provenance, Warehouse
from glass_pipeline.domain.records import DOSES, AnswerType
from glass_pipeline.study import DERIVED, Study, dose_key, settings_from

if TYPE_CHECKING:
    import polars as pl

ANSWER_TYPES: Mapping[str, AnswerType] = {"gsm8k": "numeric", "math": "math"}
"""How answers of the published suites' sources are compared."""


class Read(NamedTuple):
    """What one file holds."""

    path: Path
    pairs: pl.DataFrame
    golds: pl.DataFrame


def import_pairs(
    files: Sequence[str], solver: str | None, slug: str, study_file: Path | None, *, as_json: bool
) -> None:
    """Read labelled pairs of one suite and solver into the warehouse, all of them or none."""
    study, settings = settings_from(os.environ, study_file)
    warehouse = Warehouse(settings.warehouse)
    _check_slug(slug, study, warehouse)
    read = [_read(path, solver) for path in find_pair_files(files, solver)]
    doses = _by_dose(read)
    _write_suite(slug, read, doses, warehouse)
    pairs = list(doses.values())
    keys = [dose_key(dose) for dose in doses]
    found = {
        "suite": slug,
        "solver": str(pairs[0]["solver"][0]),
        "doses": keys,
        "files": [each.path.name for each in read],
        "pairs": sum(frame.height for frame in pairs),
        "bases": len({base for frame in pairs for base in frame["base_id"]}),
    }
    text = (
        f"Imported {found['pairs']:,} pairs of {found['bases']:,} bases, solver {found['solver']}, doses "
        f"{', '.join(keys)}, as suite {slug}; `glass survey {slug}` describes it."
        f"{_declaration(slug, found['solver'], study)}"
    )
    print(json.dumps(found, sort_keys=True) if as_json else text)


def _declaration(slug: str, solver: object, study: Study) -> str:
    """Say what glass.toml needs before `glass run` can estimate from the imported labels."""
    if slug in study.suites and str(solver) in study.solvers_of(slug):
        return f" `glass run {slug}` estimates from it."
    return (
        f"\nFor π, reliability and a report, declare it in glass.toml, then `glass run {slug}`:\n"
        f'[suites.{slug}]\nsource = "imported"\nsolvers = ["{solver}"]'
    )


def _check_slug(slug: str, study: Study, warehouse: Warehouse) -> None:
    if not SLUG.fullmatch(slug) or DERIVED.match(slug):
        raise InputError(
            f"--as {slug!r}: a suite's name has lower-case letters, digits, dots and hyphens, and no -n<N>."
        )
    if slug in study.suites and study.suites[slug].source != "imported":
        raise InputError(f"--as {slug}: glass.toml declares this suite; choose another name, so that none is mixed up.")
    held = warehouse.provenance(Cell(slug, "base_problems"))
    if held is not None and held.code_version != IMPORTED:
        raise InputError(
            f"--as {slug}: the warehouse holds a suite of this name that was not imported; choose another."
        )


def _read(path: Path, solver: str | None) -> Read:
    from glass_pipeline.domain.corpus.completion import complete
    from glass_pipeline.domain.corpus.stand_ins import golds_of

    stated = read_stated(path, solver)
    pairs = complete(stated)
    if pairs.is_empty():
        raise InputError(f"{path.name} holds no pair of the solver; name another file or --solver.")
    other = sorted(set(pairs["file_dose"].unique()) - set(DOSES))
    if other:
        raise InputError(f"{path.name}: file_dose {other[0]} found; doses are {', '.join(map(str, DOSES))}.")
    return Read(path, pairs.with_columns(solver=_slugs(pairs["solver"])), golds_of(stated))


def _slugs(solvers: pl.Series) -> pl.Series:
    """Return the names of models as partition keys: lower case, other characters than [a-z0-9.-] become hyphens."""
    slugs = solvers.str.to_lowercase().str.replace_all("[^a-z0-9.-]+", "-").str.strip_chars("-.").str.head(60)
    if (slugs == "").any():
        raise InputError(f"The solver's name {solvers[0]!r} has no letter or digit; rename it in the file.")
    return slugs


def _by_dose(read: Sequence[Read]) -> dict[int, pl.DataFrame]:
    """Return the pairs of each dose, over all files.

    Raises:
        InputError: the files are of several suites or solvers, or two of them hold the same twin in one dose.
    """
    import polars as pl

    from glass_pipeline.domain.corpus.completion import suites_in_ids
    from glass_pipeline.domain.corpus.file_names import one_suite

    one_suite(each.path.name for each in read)
    pairs = pl.concat([each.pairs.with_columns(file=pl.lit(each.path.name)) for each in read])
    for kind, names in (("suites", suites_in_ids(pairs["base_id"])), ("solvers", pairs["solver"].unique().to_list())):
        if len(names) > 1:
            raise InputError(f"These files hold the {kind} {', '.join(map(str, names))}; import one at a time.")
    key = ["file_dose", "base_id", "twin_id"]
    twice = pairs.filter(pairs.select(key).is_duplicated()).sort(key)
    if twice.height:
        one, two = twice.row(0, named=True), twice.row(1, named=True)
        raise InputError(
            f"{two['file']}: twin_id {two['twin_id']!r} of base {two['base_id']!r} and dose m{two['file_dose']} stands "
            f"in {one['file']} too; import files of one generator and mix at a time."
        )
    parts = pairs.drop("file").partition_by("file_dose", as_dict=True)
    return {int(dose): frame for (dose,), frame in sorted(parts.items())}


def _write_suite(slug: str, read: Sequence[Read], doses: Mapping[int, pl.DataFrame], warehouse: Warehouse) -> None:
    """Write the tables of an imported suite; base problems cover every solver and dose that it holds."""
    import polars as pl

    from glass_pipeline.domain.corpus.stand_ins import NO_GOLD, base_labels_of_pairs, problems_of_pairs

    solver = str(next(iter(doses.values()))["solver"][0])
    inputs = {each.path.name: digest_of(each.path) for each in read}
    new = {Cell(slug, "labeled_pairs", dose, solver): frame for dose, frame in doses.items()}
    others = [warehouse.read([cell]) for cell in pair_cells(warehouse, slug) if cell not in new]
    golds = [each.golds for each in read]
    problems_cell = Cell(slug, "base_problems")
    held = warehouse.provenance(problems_cell)
    if held is not None:
        known = warehouse.read([problems_cell], ["base_id", "gold"])
        golds.append(known.filter(pl.col("gold") != NO_GOLD))
        inputs = {**held.inputs, **inputs}
    answer_type = ANSWER_TYPES.get(published_source(inputs) or "")
    problems = problems_of_pairs(
        pl.concat([*new.values(), *others]),
        pl.concat(golds),
        answer_type=answer_type or "exact",
        revision=_hash(inputs),
        licence="MIT" if answer_type else "as the release states",
    )
    for cell, frame in new.items():
        labels = Cell(slug, "base_labels", cell.dose, solver)
        for each, table in ((labels, base_labels_of_pairs(frame)), (cell, frame)):
            warehouse.write(each, table, _provenance(each, table, inputs))
    warehouse.write(problems_cell, problems, _provenance(problems_cell, problems, inputs))
    carried = notice_beside(each.path for each in read)
    if carried is not None:
        warehouse.write_text(warehouse.root / slug / NOTICE, carried)


def _hash(inputs: Mapping[str, str]) -> str:
    from glass_pipeline.domain.fingerprint import settings_hash

    return settings_hash(dict(inputs))


def _provenance(cell: Cell, table: pl.DataFrame, inputs: Mapping[str, str]) -> Provenance:
    from glass_pipeline.domain.fingerprint import frame_hash
    from glass_pipeline.domain.schemas import TABLES

    return Provenance(
        data_version=frame_hash(table, TABLES[cell.stage].key), code_version=IMPORTED, settings="", inputs=inputs
    )
