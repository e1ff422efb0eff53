"""Holds everything about one item as plain values: what a terminal shows and a script reads.

Never formats for a medium; every text in it has passed ``display_text.visible``.
"""

from __future__ import annotations

from typing import Any

from glass_pipeline.domain.report.display_text import visible
from glass_pipeline.domain.report.evidence import SolverEvidence, arrange
from glass_pipeline.domain.report.inputs import ReportInput
from glass_pipeline.domain.report.item_details import item_details
from glass_pipeline.domain.report.word_diff import word_diff

OF_JOB = ("pi", "pi_low", "pi_high", "n", "k", "y_base_mean", "n_base", "in_stratum", "a", "b", "crd")


def one_item(given: ReportInput) -> dict[str, Any]:
    """Return the one item of a report's input.

    Args:
        given: Tables that hold one base problem, its twins and its labels.

    Returns:
        JSON-able: the base, every solver's π, runs and outputs, every twin with its word diff, outcome and, where
        it was marked wrong, the reason.

    Raises:
        ValueError: the tables do not hold exactly one base problem.
    """
    evidence = arrange(given)
    if evidence.items != 1:
        raise ValueError(f"one_item: {evidence.items} base problems of {given.suite}; filter the tables to one.")
    (details,) = item_details(evidence)
    core, outputs = details.core, {**details.broken_outputs, **details.other_outputs}
    return {
        "suite": given.suite,
        "base_id": visible(details.base_id),
        **{name: core[name] for name in ("text", "gold", "solution", "level", "steps")},
        "category": visible(given.base_problems["category"][0]),
        "declared_complexity": given.base_problems["declared_complexity"][0],
        "solvers": [_solver(one) for one in evidence.solvers],
        "runs": [{**run, "outputs": outputs.get(f"base/{run['solver']}/{run['dose']}", [])} for run in core["runs"]],
        "twins": [_twin(number, twin, core["text"], outputs) for number, twin in enumerate(core["twins"])],
    }


def _solver(one: SolverEvidence) -> dict[str, Any]:
    job = one.jobs.row(0, named=True) if one.jobs.height else dict.fromkeys(OF_JOB)
    return {"solver": one.solver, "is_simulated": one.is_simulated, **{name: job[name] for name in OF_JOB}}


def _twin(number: int, twin: dict[str, Any], base: str, outputs: dict[str, list[str]]) -> dict[str, Any]:
    by = {solver: {**label, "outputs": outputs.get(f"{number}/{solver}", [])} for solver, label in twin["by"].items()}
    diff = [[run.kind, run.text] for run in word_diff(base, twin["text"])]
    return {**twin, "diff": diff, "by": by}
