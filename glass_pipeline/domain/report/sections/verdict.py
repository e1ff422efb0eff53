"""Holds the verdict: what the suite found, in one plain sentence a solver.

Never holds a number that the tables do not.
"""

from __future__ import annotations

from glass_pipeline.domain.report.blocks import Missing, Section, Verdict
from glass_pipeline.domain.report.evidence import FEWEST_JOBS, Evidence, SolverEvidence
from glass_pipeline.domain.report.gaps import gaps
from glass_pipeline.domain.report.numerals import count, counted, percent, percent_estimate


def section(evidence: Evidence) -> Section:
    """Return the sentence about each solver, or what there is before any has answered."""
    suite = evidence.given.suite
    if not evidence.items:
        blocks: tuple[Verdict | Missing, ...] = (
            Verdict((f"The suite {suite} holds no problems.",)),
            Missing("Nothing below can be measured before there are problems.", f"glass run {suite}"),
        )
    elif not evidence.solvers:
        sentence = f"No solver has answered {suite} yet: {_waiting(evidence.items)}."
        blocks = (Verdict((sentence,)), Missing("Choose a solver and run it.", f"glass run {suite} --solver NAME"))
    else:
        lacking = gaps(evidence)
        missing = (Missing(" ".join(lacking), f"glass run {suite}"),) if lacking else ()
        blocks = (Verdict(tuple(_sentence(one, evidence.items) for one in evidence.solvers)), *missing)
    return Section(
        slug="verdict",
        title="Verdict",
        blocks=blocks,
        summary={one.solver: _sentence(one, evidence.items) for one in evidence.solvers},
        place="lead",
    )


def _waiting(items: int) -> str:
    return f"{counted(items, 'problem')} {'is' if items == 1 else 'are'} waiting"


def _sentence(one: SolverEvidence, items: int) -> str:
    if one.jobs.is_empty():
        return f"{one.prefix}{one.solver} has answered, but its break rates have not been computed yet."
    solved, scored, asked = one.stratum.height, one.scored, one.jobs.height
    opening = f"{one.prefix}{one.solver} solves {count(solved)} of {counted(asked, 'problem')}"
    if asked < items:
        opening += f" asked so far ({count(items)} in the suite)"
    if not solved:
        return f"{opening}, so nothing can break: fragility is defined only on problems that are solved."
    if scored.is_empty():
        return f"{opening}; no reworded twin of them has been answered yet."
    fragile = scored.filter(scored["k"] > 0).height
    among = "those" if scored.height == solved else f"the {count(scored.height)} with an answered rewording"
    breaking = f"{count(fragile)} of {among}"
    under = "under at least one rewording that changes nothing"
    if scored.height < FEWEST_JOBS:
        return (
            f"{opening}; {breaking} {_break(fragile)} {under}, "
            f"but fewer than {FEWEST_JOBS} solved problems are too few to quote a share."
        )
    broken = one.study.any_break
    value, interval = percent_estimate(broken.value, broken.low, broken.high)
    return f"{opening}; {breaking} ({value}, 95 % {interval}) {_break(fragile)} {under}; {_floor(one)}."


def _break(n: int) -> str:
    return "breaks" if n == 1 else "break"


def _floor(one: SolverEvidence) -> str:
    if one.floor is None:
        return "a re-solve without any rewording is not measured yet"
    return f"a re-solve without any rewording breaks {percent(one.floor.rate)}"
