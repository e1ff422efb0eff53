"""Holds whose delta is read where a file states those of several solvers, and what a delta may be.

Never rounds a score into an event: a delta that is no verdict must not become a break (methods §1.4).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from glass_pipeline.domain.corpus.fields import NUMBER, InterchangeError

VERDICTS = (-1.0, 0.0, 1.0)
"""Values of delta = Y_run(J) - Y(T); anything between is a score, not an event."""


def no_verdict(delta: Any, solver: str) -> str:
    """Return the sentence that refuses a delta."""
    return f"delta {delta!r} of {solver!r} is not -1, 0 or 1; continuous scores have no break event."


def chosen_solver(solvers: Iterable[str], solver: str | None, place: str) -> str:
    """Return the solver to read: the one asked for, else the only one.

    Args:
        solvers: Solvers that a file or line has deltas of.
        solver: The one asked for; None takes the only one.
        place: File, or file and line, for the message.

    Raises:
        InterchangeError: it is not there, or none was asked for and there are several or none.
    """
    there = sorted(solvers)
    if solver is None and len(there) != 1:
        named = ", ".join(there) or "none"
        raise InterchangeError(
            f"{place}: delta_per_model names {len(there)} models; say which solver to read ({named})."
        )
    if solver is not None and solver not in there:
        raise InterchangeError(f"{place}: delta_per_model has no {solver!r}; it names {', '.join(there) or 'none'}.")
    return there[0] if solver is None else solver


def read_delta(deltas: Any, place: str, solver: str | None) -> tuple[str, float]:
    """Return the solver and its delta of one line.

    Args:
        deltas: Value of ``delta_per_model``.
        place: File and line, for the message.
        solver: Solver to read; None takes the only one.

    Raises:
        InterchangeError: it maps no model, not the one asked for, or not to -1, 0 or 1.
    """
    if not isinstance(deltas, dict):
        found = "is missing" if deltas is None else f"holds a {type(deltas).__name__}"
        raise InterchangeError(f"{place}: field 'delta_per_model' {found}; it maps each model to its delta.")
    model = chosen_solver(deltas, solver, place)
    delta = deltas[model]
    if type(delta) not in NUMBER or delta not in VERDICTS:
        raise InterchangeError(f"{place}: {no_verdict(delta, model)}")
    return model, float(delta)
