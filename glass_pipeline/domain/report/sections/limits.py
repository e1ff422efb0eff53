"""Holds what the page does not show.

Never holds a finding.
"""

from __future__ import annotations

from glass_pipeline.domain.report.blocks import Points, Section
from glass_pipeline.domain.report.evidence import Evidence
from glass_pipeline.domain.report.gaps import gaps
from glass_pipeline.domain.report.numerals import counted, listed, percent, real


def section(evidence: Evidence) -> Section:
    """Return the limits that hold for any suite, with this suite's numbers in them."""
    points = (_solvers(evidence), _suite(evidence), *_twins(evidence), _proxy(), _floor(evidence), *gaps(evidence))
    return Section(
        slug="limits",
        title="What this does not show",
        blocks=(Points(tuple(points)),),
    )


def _solvers(evidence: Evidence) -> str:
    names = [one.solver for one in evidence.solvers]
    if not names:
        return "Nothing about any solver: none has answered."
    real_ones = [one.solver for one in evidence.solvers if not one.is_simulated]
    text = (
        f"Fragility is relative to a solver: what breaks {listed(names)} under these settings and this prompt "
        "need not break another, and an item that never broke is not thereby robust."
    )
    if len(real_ones) < len(names):
        simulated = listed([name for name in names if name not in real_ones])
        text += f" The labels of {simulated} are a simulation; they say nothing about any model."
    return text


def _suite(evidence: Evidence) -> str:
    return (
        f"Only {evidence.given.suite} was measured, {counted(evidence.items, 'problem')} and the families of "
        "rewording listed here; other benchmarks, languages and kinds of rewording may behave otherwise."
    )


def _twins(evidence: Evidence) -> list[str]:
    return [
        f"{one.solver}: an item has {real(one.scored['n'].median(), 0)} eligible twins in the median, so a single π is "  # type: ignore[arg-type]
        "coarse: rank or group items, and read the interval before the value."
        for one in evidence.solvers
        if not one.scored.is_empty()
    ]


def _proxy() -> str:
    return (
        "CRD removes what the declared complexity C explains, and nothing else: difficulty that C does not declare "
        "is still in it. Items are also offered different kinds of rewording, because operators decline what they "
        "cannot reword safely, so part of the differences in π is composition."
    )


def _floor(evidence: Evidence) -> str:
    measured = [one for one in evidence.solvers if one.floor is not None]
    if not measured:
        return "How much of π is re-sampling noise is not measured yet; part of every break rate is chance."
    said = listed([f"{percent(one.floor.rate)} ({one.solver})" for one in measured if one.floor is not None])
    return f"Not every break is the rewording's doing: asking the unchanged problem again breaks {said}."
