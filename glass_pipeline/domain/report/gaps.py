"""Holds what a report lacks: doses that a solver's labels do not cover, and figures that nobody has measured.

Never holds a figure.
"""

from __future__ import annotations

from glass_pipeline.domain.report.evidence import Evidence, SolverEvidence
from glass_pipeline.domain.report.numerals import listed


def missing_doses(one: SolverEvidence, asked: tuple[int, ...]) -> tuple[int, ...]:
    """Return the doses asked for of which a solver has no labelled pair."""
    held = set(one.pairs["file_dose"])
    return tuple(dose for dose in asked if dose not in held)


def gaps(evidence: Evidence) -> tuple[str, ...]:
    """Return one sentence for each part that is missing; solvers that lack the same doses share one."""
    given = evidence.given
    asked = tuple(sorted({*given.doses_held, *given.doses_missing}))
    lacking: dict[tuple[int, ...], list[str]] = {}
    for one in evidence.solvers:
        lacking.setdefault(missing_doses(one, asked), []).append(one.solver)
    doses = [
        f"No labels of {listed(solvers)} for {'dose' if len(missing) == 1 else 'doses'} "
        f"{listed([f'm{dose}' for dose in missing])}: pooled figures lack them."
        for missing, solvers in lacking.items()
        if missing
    ]
    tables = [
        sentence
        for sentence, is_absent in (
            ("No audit is held: nothing here checked that the twins keep their meaning.", given.noop_audit.is_empty()),
            ("Break rates are not estimated yet: no item has a π.", given.causal_difficulty.is_empty()),
        )
        if is_absent and evidence.solvers
    ]
    return (*doses, *tables)
