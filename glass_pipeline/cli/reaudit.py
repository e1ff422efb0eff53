"""Holds ``glass reaudit``: twins judged anew into the dated history, and the adoption of one of its dates.

Never changes the audit in use unless a date is to be adopted.
"""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

from glass_pipeline.cli.graph import make
from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.plan import Selection, selected_cells, stale_reason, whole
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.domain.audit.reaudit import drift
from glass_pipeline.study import Settings, Study, StudyError, derived_slug, settings_from


def reaudit(
    suite: str,
    doses: tuple[str, ...],
    limit: int | None,
    adopted: str | None,
    study_file: Path | None,
    *,
    as_json: bool,
) -> None:
    """Judge a suite's twins anew and print the drift, or adopt what was judged on a date."""
    study, settings = settings_from(os.environ, study_file)
    slug = derived_slug(suite, limit)
    if not study.adjudicators_of(slug):
        raise StudyError(f"Nobody judges the twins of {slug}; name adjudicators in glass.toml to have them re-audited.")
    wanted = tuple(sorted(study.dose(dose, slug) for dose in doses)) or study.doses_of(slug)
    selection = replace(whole(slug, study), doses=wanted, stages=("reaudit",))
    found = _judge(selection, study, settings) if adopted is None else _adopt(selection, adopted, study, settings)
    print(json.dumps(found, ensure_ascii=False, sort_keys=True) if as_json else "\n".join(found.values()))


def _judge(selection: Selection, study: Study, settings: Settings) -> dict[str, str]:
    warehouse = Warehouse(settings.warehouse)
    make(selection, study, settings, remake=frozenset({"reaudit"}), quiet=False)
    return {str(cell): _drift_of(cell, warehouse) for cell in selected_cells(selection)}


def _drift_of(cell: Cell, warehouse: Warehouse) -> str:
    found = drift(warehouse.read([Cell(cell.suite, "noop_audit", cell.dose)]), warehouse.read([cell]))
    return f"{cell}: " + ("no twin was judged in both." if found is None else found.sentence)


def _adopt(selection: Selection, date: str, study: Study, settings: Settings) -> dict[str, str]:
    from glass_pipeline.defs.reaudit import adopt

    warehouse = Warehouse(settings.warehouse)
    for dose in selection.doses:
        adopt(warehouse, selection.suite, dose, date)
    audit = replace(selection, stages=("noop_audit",))
    make(audit, study, settings, remake=frozenset({"noop_audit"}), quiet=False)
    later = [cell for cell in selected_cells(whole(selection.suite, study)) if stale_reason(cell, warehouse, study)]
    return {
        "adopted": f"The audit of {selection.suite} now takes the verdicts of {date}.",
        "stale": f"{len(later)} tables depend on what changed; `glass run {selection.suite}` makes them anew."
        if later
        else "No other table depends on what changed.",
    }
