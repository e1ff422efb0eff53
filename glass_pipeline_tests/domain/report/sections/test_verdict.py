"""Tests of the verdict sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from glass_pipeline.domain.report import FloorFigure, ReportInput
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.sections.verdict import section

FLOOR = FloorFigure(breaks=11, resolves=1000, items=250, low=0.006, high=0.019)


def sentence(given: ReportInput) -> str:
    """The only sentence of the only block."""
    return section(arrange(given)).blocks[0].sentences[0]


def many(rows: Any, make_input: Callable[..., ReportInput], broken: int, **settings: Any) -> ReportInput:
    """Forty solved problems, some of them broken once in four, and two more that are not solved."""
    jobs = [rows.job(f"item-{n}", n=4, k=int(n < broken)) for n in range(40)]
    jobs += [rows.job(f"item-{n}", n=0, k=0, in_stratum=False) for n in (40, 41)]
    problems = [rows.problem(f"item-{n}") for n in range(42)]
    return make_input(base_problems=problems, causal_difficulty=jobs, settings=settings)


def test_the_verdict_counts_shares_and_names_the_floor(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """10 of 40 is 25 %, Wilson 14.2 to 40.2: a half-width of 13 supports no decimals."""
    given = many(rows, make_input, 10, floor={"alpha": FLOOR})

    assert sentence(given) == (
        "alpha solves 40 of 42 problems; 10 of those (25\u202f%, 95 % 14–40) break under at least one rewording that "
        "changes nothing; a re-solve without any rewording breaks 1.1\u202f%."
    )


def test_an_unmeasured_floor_is_said_to_be_unmeasured(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """Nothing is claimed about re-solving."""
    assert sentence(many(rows, make_input, 10)).endswith("a re-solve without any rewording is not measured yet.")


def test_a_simulation_says_so_first(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """The first word is Simulation."""
    assert sentence(many(rows, make_input, 10, simulated=frozenset({"alpha"}))).startswith("Simulation: alpha solves")


def test_a_small_stratum_gets_no_share(toy: ReportInput) -> None:
    """One solved problem is too few to quote a percentage."""
    assert sentence(toy) == (
        "alpha solves 1 of 2 problems; 1 of those breaks under at least one rewording that changes nothing, but fewer "
        "than 30 solved problems are too few to quote a share."
    )


def test_nothing_solved_is_nothing_to_break(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """An empty stratum has no fragility."""
    given = make_input(
        base_problems=[rows.problem()], causal_difficulty=[rows.job(n=0, k=0, in_stratum=False, y_base_mean=0.2)]
    )

    assert sentence(given) == (
        "alpha solves 0 of 1 problem, so nothing can break: fragility is defined only on problems that are solved."
    )


def test_twins_that_nobody_answered_are_no_result(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """A solved base without an answered twin has no break rate."""
    given = make_input(base_problems=[rows.problem()], causal_difficulty=[rows.job(n=0, k=0)])

    assert sentence(given) == "alpha solves 1 of 1 problem; no reworded twin of them has been answered yet."


def test_problems_not_asked_yet_are_counted(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """One job of a suite of two."""
    given = make_input(base_problems=[rows.problem("a"), rows.problem("b")], causal_difficulty=[rows.job("a")])

    assert sentence(given).startswith("alpha solves 1 of 1 problem asked so far (2 in the suite)")


def test_labels_without_break_rates_are_work_in_progress(toy: ReportInput, make_input: Any, rows: Any) -> None:
    """Answers are there, causal_difficulty is not."""
    given = make_input(base_problems=[rows.problem()], base_labels=[rows.base_label()])

    assert sentence(given) == "alpha has answered, but its break rates have not been computed yet."


def test_an_unanswered_and_an_empty_suite_say_what_is_missing(rows: Any, make_input: Any) -> None:
    """Neither sentence holds a result."""
    assert sentence(make_input(base_problems=[rows.problem()])) == (
        "No solver has answered toy yet: 1 problem is waiting."
    )
    assert sentence(make_input()) == "The suite toy holds no problems."
