"""Holds ``glass audit-sheet``: a sample of audited pairs as a sheet to review, and what a reviewed sheet says.

Never overwrites a sheet: it may hold somebody's verdicts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glass_pipeline.cli.errors import InputError
from glass_pipeline.defs.keys import cells_of
from glass_pipeline.defs.warehouse import Warehouse, command_for
from glass_pipeline.domain.errors import BadInput
from glass_pipeline.study import Study, settings_from

if TYPE_CHECKING:
    from glass_pipeline.domain.audit.contamination import Rate
    from glass_pipeline.domain.audit.review import Review
    from glass_pipeline.domain.audit.review_sample import ReviewPair
    from glass_pipeline.domain.stats.intervals import Interval

SHEET, TABLE = "review.html", "review.csv"


def draw(suite: str, doses: tuple[str, ...], n: int, folder: Path, study_file: Path | None, *, as_json: bool) -> None:
    """Draw a sample by outcome, and write it as a page and as a CSV into a folder."""
    from glass_pipeline.domain.audit.review_csv import to_csv
    from glass_pipeline.domain.audit.review_sample import draw_sample
    from glass_pipeline.domain.report.review_sheet import review_sheet

    study, settings = settings_from(os.environ, study_file)
    present = [path for path in (folder / SHEET, folder / TABLE) if path.exists()]
    if present:
        raise InputError(f"{present[0]} exists and may hold verdicts; choose another folder with --to.")
    pairs = audited_pairs(suite, doses, study, Warehouse(settings.warehouse))
    sample = draw_sample(pairs, n, study.study.seed)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / SHEET).write_text(review_sheet(suite, sample), encoding="utf-8")
        (folder / TABLE).write_text(to_csv(sample), encoding="utf-8", newline="")
    except OSError as error:
        raise InputError(f"Cannot write into {folder}: {error.strerror}; choose another folder with --to.") from None
    drawn: dict[str, int] = {}
    for pair in sample:
        drawn[pair.outcome] = drawn.get(pair.outcome, 0) + 1
    found = {"page": str(folder / SHEET), "table": str(folder / TABLE), "pairs": len(sample), "outcomes": drawn}
    if as_json:
        print(json.dumps(found, sort_keys=True))
        return
    print(f"Drew {len(sample):,} of {len(pairs):,} pairs: {', '.join(f'{name} {k}' for name, k in drawn.items())}.")
    print(f"Review {folder / SHEET} or {folder / TABLE}, then: glass audit-sheet {suite} --import FILE")


def read_back(suite: str, doses: tuple[str, ...], sheet: Path, study_file: Path | None, *, as_json: bool) -> None:
    """Read a reviewed sheet, and print agreement with each adjudicator and the contamination of what was kept."""
    from glass_pipeline.domain.audit.review import review
    from glass_pipeline.domain.audit.review_csv import read_csv

    study, settings = settings_from(os.environ, study_file)
    try:
        text = sheet.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{sheet}: cannot be read as UTF-8 text ({error}); save it as CSV, UTF-8.") from None
    pairs = audited_pairs(suite, doses, study, Warehouse(settings.warehouse))
    found = review(pairs, read_csv(text, pairs, sheet.name), seed=study.study.seed)
    print(json.dumps(_named(found), sort_keys=True) if as_json else "\n".join(review_lines(found)))


def audited_pairs(suite: str, doses: tuple[str, ...], study: Study, warehouse: Warehouse) -> tuple[ReviewPair, ...]:
    """Return the distinct pairs of every audited dose, or of those named.

    Raises:
        BadInput: an unknown suite or dose, or nothing audited yet.
    """
    from glass_pipeline.domain.audit.review_sample import review_pairs
    from glass_pipeline.domain.frames import problems_of, twins_of

    study.suite(suite)
    wanted = tuple(study.dose(dose, suite) for dose in doses) or study.doses_of(suite)
    audits = list(cells_of(suite, "noop_audit", doses=wanted, solvers=()))
    made = [cell for cell in audits if doses or warehouse.has(cell)]
    if not made:
        raise BadInput(f"{suite}: no twin has been audited yet; {command_for(audits[0])} does that.")
    present = tuple(cell.dose for cell in made if cell.dose is not None)
    problems = warehouse.read(list(cells_of(suite, "base_problems", doses=(), solvers=())))
    twins = warehouse.read(list(cells_of(suite, "twins", doses=present, solvers=())))
    return review_pairs(problems_of(problems), twins_of(twins), warehouse.read(made))


def review_lines(found: Review) -> Iterator[str]:
    """Yield a review as a person reads it in the terminal."""
    yield f"Contamination of what was kept: {_rate(found.contamination)}"
    yield f"  unsure taken for contaminated: {_rate(found.contamination_with_unsure)}"
    for each in found.outcomes:
        yield (
            f"{each.outcome:<18} reviewed {each.n_reviewed} of {each.n_pairs:,}, unsure {each.n_unsure}, "
            f"contradictions {each.n_contradictions}: {_rate(each.rate)}"
        )
    for agreement in found.agreements:
        kappa = "undefined: one verdict only" if agreement.kappa is None else f"{agreement.kappa:.3f}"
        yield (
            f"{agreement.adjudicator}: agrees on {agreement.n_agreed} of {agreement.n_pairs} decided pairs "
            f"{_span(agreement.agreement)}, Cohen's kappa {kappa} {_span(agreement.kappa_interval)}"
        )


def _rate(rate: Rate | None) -> str:
    if rate is None:
        return "unknown: some outcome was not reviewed"
    return (
        f"{100 * rate.rate:.2f} % (Wilson {_span(rate.wilson)}, Clopper-Pearson {_span(rate.clopper_pearson)}; "
        f"n = {rate.n_sampled}, effective {rate.n_effective:.1f})"
    )


def _span(interval: Interval | None) -> str:
    return "" if interval is None else f"[{interval.low:.4f}, {interval.high:.4f}]"


def _named(value: Any) -> Any:
    """Return records and named tuples as objects, so that JSON keeps the names of their fields."""
    if is_dataclass(value):
        return {each.name: _named(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple):
        names = getattr(value, "_fields", None)
        return dict(zip(names, map(_named, value), strict=True)) if names else [_named(each) for each in value]
    return value
