"""Holds the commands over the graph: run, status, report, overview, query.

Never decides what is stale and never computes a figure; it asks ``defs`` and prints what it is told.
"""

from __future__ import annotations

import json
import os
import sys
import time
import webbrowser
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from glass_pipeline.cli.errors import FAILED_ENDPOINT, InputError
from glass_pipeline.defs.keys import Cell, asking_stages_of, stages_of
from glass_pipeline.defs.plan import Selection, selected_cells, stale_reason, whole
from glass_pipeline.defs.stages import LABELLING, STAGES
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.location import Location
from glass_pipeline.study import Settings, Study, StudyError, derived_slug, known_suites, settings_from

if TYPE_CHECKING:
    from glass_pipeline.defs.resources import SolverResource


class Wanted(NamedTuple):
    """What ``glass run`` was asked for, as typed."""

    suite: str
    solvers: tuple[str, ...] = ()
    doses: tuple[str, ...] = ()
    limit: int | None = None
    stages: tuple[str, ...] = ()
    retry: frozenset[str] = frozenset()


def run(wanted: Wanted, study_file: Path | None, *, dry_run: bool, as_json: bool) -> None:
    """Make everything that is missing or stale, and print what was made, asked and found."""
    study, settings = settings_from(os.environ, study_file)
    selection = select(wanted, study)
    if dry_run:
        print_estimates(selection, study, settings, as_json=as_json)
        return
    summary = make(selection, study, settings, retry=wanted.retry, quiet=as_json)
    print(json.dumps(summary, ensure_ascii=False, sort_keys=True) if as_json else summary_text(summary))
    if summary["transient_failures"]:
        sys.exit(FAILED_ENDPOINT)


def select(wanted: Wanted, study: Study) -> Selection:
    """Check what was typed against the study.

    Raises:
        StudyError: a suite, solver, dose or stage is unknown, or a solver is switched off.
    """
    suite = derived_slug(wanted.suite, wanted.limit)
    study.suite(suite)
    imported = study.suite(suite).source == "imported"
    for slug in wanted.solvers if not imported else ():
        if not study.solver(slug).enabled:
            raise StudyError(
                f"Solver {slug!r} is switched off; set enabled = true under [solvers.{slug}] in glass.toml."
            )
    default = whole(suite, study)
    return Selection(
        suite=suite,
        doses=tuple(sorted(study.dose(key, suite) for key in wanted.doses)) or default.doses,
        solvers=wanted.solvers or default.solvers,
        stages=chosen_stages(wanted.stages, stages_of(study, suite)) if wanted.stages else default.stages,
        predictors=default.predictors,
    )


def chosen_stages(wanted: tuple[str, ...], there: tuple[str, ...]) -> tuple[str, ...]:
    """Return the stages that are named, singly or by their group; all of them where none is named.

    Raises:
        StudyError: neither a stage nor a group has this name.
    """
    by_name = {stage: {stage} for stage in there}
    for stage in there:
        # Some groups are called like one of their stages; the name then means the stage.
        by_name.setdefault(STAGES[stage].group, set()).update({stage} if STAGES[stage].group not in there else ())
    unknown = [name for name in wanted if name not in by_name]
    if unknown:
        raise StudyError(f"No stage {unknown[0]!r}; there are {', '.join(by_name)}.")
    named = {stage for name in wanted for stage in by_name[name]}
    return tuple(stage for stage in there if stage in named) or there


def make(
    selection: Selection,
    study: Study,
    settings: Settings,
    *,
    retry: frozenset[str] = frozenset(),
    remake: frozenset[str] = frozenset(),
    quiet: bool = False,
) -> dict[str, Any]:
    """Run a selection with a progress line a cell, and return its summary."""
    from glass_pipeline.cli.progress import LabelProgress
    from glass_pipeline.defs.instance import open_instance
    from glass_pipeline.defs.resources import SolverResource
    from glass_pipeline.defs.run import make_overview, run_selection
    from glass_pipeline.llm.preflight import preflight

    started = time.monotonic()
    for slug in asked_in(selection, study):
        preflight(slug, study.solver(slug), environment=settings.environment, study_seed=study.study.seed)
    warehouse = Warehouse(settings.warehouse)
    with LabelProgress(quiet=quiet) as progress, open_instance(settings) as instance:
        solvers = SolverResource(study, warehouse, settings.environment, retry_statuses=retry, progress=progress.update)
        made = run_selection(
            selection,
            study,
            settings,
            instance=instance,
            solvers=solvers,
            remake=remake | LABELLING if retry else remake,
            on_start=progress.start,
        )
        if "report" in selection.stages:
            make_overview(study, settings, instance=instance)
    return {
        "suite": selection.suite,
        "solvers": list(selection.solvers),
        "made": [{"cell": str(each.cell), "reason": each.reason} for each in made],
        "seconds": round(time.monotonic() - started, 1),
        **_asked(solvers),
        **_found(selection.suite, warehouse),
    }


def asked_in(selection: Selection, study: Study) -> tuple[str, ...]:
    """Return the models that a selection asks: the writer of twins, adjudicators and solvers, each once."""
    suite = study.suite(selection.suite)
    asking = asking_stages_of(study, selection.suite).intersection(selection.stages)
    writer = [suite.generator] if "twins" in asking else []
    judges = study.adjudicators_of(selection.suite) if asking & {"noop_audit", "reaudit"} else ()
    solvers = selection.solvers if asking & LABELLING else ()
    return tuple(dict.fromkeys((*writer, *judges, *solvers)))


def _asked(solvers: SolverResource) -> dict[str, Any]:
    costs = [result.cost_usd for result in solvers.sent if result.requests]
    failures: dict[str, int] = {}
    for result in solvers.sent:
        for name, count in result.failures.items():
            failures[name] = failures.get(name, 0) + count
    return {
        "requests": sum(result.requests for result in solvers.sent),
        "samples_asked": sum(sum(result.statuses.values()) - result.cached for result in solvers.sent),
        "samples_from_store": sum(result.cached for result in solvers.sent),
        "transient_failures": failures,
        "cost_usd": None if any(cost is None for cost in costs) else sum(cost for cost in costs if cost is not None),
    }


def _found(suite: str, warehouse: Warehouse) -> dict[str, Any]:
    folder = warehouse.folder(Cell(suite, "report"))
    summary = warehouse.files.text(folder / "summary.json")
    if summary is None:
        return {"verdicts": [], "page": None}
    return {"verdicts": list(json.loads(summary)["verdict"].values()), "page": str(folder / "report.html")}


def summary_text(summary: dict[str, Any]) -> str:
    """Return the summary of a run as a person reads it."""
    lines = [*summary["verdicts"], ""]
    failures = ", ".join(f"{name} {count}" for name, count in sorted(summary["transient_failures"].items()))
    cost = "unknown" if summary["cost_usd"] is None else f"{summary['cost_usd']:.2f} USD"
    lines.append(
        f"{len(summary['made'])} tables made in {summary['seconds']} s; {summary['samples_asked']:,} samples asked for "
        f"in {summary['requests']:,} requests, {summary['samples_from_store']:,} served from the store, cost {cost}."
    )
    if failures:
        lines.append(f"Samples without an answer: {failures}; the same command asks for them again.")
    if summary["page"]:
        lines.append(f"Report: {summary['page']}")
    return "\n".join(lines)


def print_estimates(selection: Selection, study: Study, settings: Settings, *, as_json: bool) -> None:
    """Make the stages that ask nobody, then print what solving would ask and cost."""
    from glass_pipeline.defs.instance import open_instance
    from glass_pipeline.defs.resources import SolverResource
    from glass_pipeline.defs.run import estimate_selection, free_part, run_selection

    with open_instance(settings) as instance:
        run_selection(free_part(selection, study, settings), study, settings, instance=instance)
    solvers = SolverResource(study, Warehouse(settings.warehouse), settings.environment)
    estimates = estimate_selection(selection, study, settings, solvers)
    if as_json:
        print(json.dumps({slug: asdict(each) for slug, each in estimates.items()}, sort_keys=True))
        return
    print(f"{'asked':<20} {'requests':>10} {'in store':>10} {'tokens in':>12} {'tokens out ≤':>13} {'USD ≤':>10}")
    for slug, each in estimates.items():
        cost = "unknown" if each.cost_usd_upper is None else f"{each.cost_usd_upper:.2f}"
        print(
            f"{slug:<20} {each.requests:>10,} {each.cached:>10,} {each.prompt_tokens_estimate:>12,} "
            f"{each.completion_tokens_upper:>13,} {cost:>10}"
        )
    print("Nobody was asked; the tables that cost nothing were made.")
    if not set(estimates) >= set(selection.solvers):
        print("What solving would cost depends on the answers: ask again once the twins are written and judged.")


def status(suite: str | None, study_file: Path | None, *, as_json: bool) -> None:
    """Print, for each table, whether it is up to date and if not, why."""
    study, settings = settings_from(os.environ, study_file)
    warehouse = Warehouse(settings.warehouse)
    suites = (suite,) if suite else known_suites(study, warehouse.suites_present())
    selections = [whole(slug, study) for slug in suites]
    cells = [cell for selection in selections for cell in selected_cells(selection)]
    cells += [] if suite else [Cell("", "overview")]
    reasons = {str(cell): stale_reason(cell, warehouse, study) for cell in cells}
    if as_json:
        print(json.dumps(reasons, sort_keys=True))
        return
    for name, reason in reasons.items():
        print(f"{'up to date' if reason is None else 'stale':<11} {name:<55} {reason or ''}".rstrip())


def report(suite: str, limit: int | None, study_file: Path | None, *, open_page: bool) -> None:
    """Print the Markdown report of a suite and where its page lies."""
    study, settings = settings_from(os.environ, study_file)
    slug = derived_slug(suite, limit)
    study.suite(slug)
    warehouse = Warehouse(settings.warehouse)
    folder = warehouse.folder(Cell(slug, "report"))
    text = warehouse.files.text(folder / "report.md")
    if text is None:
        raise InputError(f"{slug} has no report yet; `glass run {suite}` makes one.")
    print(text)
    print(f"Report: {folder / 'report.html'}")
    if open_page:
        _open(folder / "report.html")


def overview(study_file: Path | None, *, open_page: bool, as_json: bool) -> None:
    """Print every suite and solver side by side, made anew if a report has changed since."""
    from glass_pipeline.defs.instance import open_instance
    from glass_pipeline.defs.run import make_overview

    study, settings = settings_from(os.environ, study_file)
    with open_instance(settings) as instance:
        make_overview(study, settings, instance=instance)
    warehouse, cell = Warehouse(settings.warehouse), Cell("", "overview")
    page = warehouse.folder(cell) / "overview.html"
    if as_json:
        print(json.dumps({"page": str(page), "figures": warehouse.read([cell]).to_dicts()}, sort_keys=True))
        return
    print(warehouse.files.text(warehouse.folder(cell) / "overview.md"))
    print(f"Overview: {page}")
    if open_page:
        _open(page)


def _open(page: Location) -> None:
    """Show a page in the browser."""
    if not isinstance(page, Path):
        raise InputError(f"{page} lies in a bucket, where no browser reaches it; copy it to this machine and open it.")
    webbrowser.open(page.resolve().as_uri())


def query(sql: str, study_file: Path | None, *, as_json: bool) -> None:
    """Print the rows of a SQL query over the warehouse."""
    from glass_pipeline.defs.query import run_query

    _, settings = settings_from(os.environ, study_file)
    frame = run_query(sql, Warehouse(settings.warehouse))
    if as_json:
        print(frame.write_ndjson(), end="")
        return
    import polars as pl

    with pl.Config(tbl_rows=50, fmt_str_lengths=60, tbl_hide_dataframe_shape=True):
        print(frame)
