"""Every suite and solver side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from glass_pipeline.domain.report import FloorFigure, ReliabilityFigure, ReportInput
from glass_pipeline.domain.report.assembly import figures_frame
from glass_pipeline.domain.report.overview import Overview, build_overview, overview_frame
from glass_pipeline.domain.schemas import REPORT

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def report(rows: Any, make_input: Callable[..., ReportInput]) -> pl.DataFrame:
    """The figures of a suite of forty items, ten of which broke once in four; one dose of two is held."""
    names = [f"item-{at}" for at in range(40)]
    given = make_input(
        base_problems=[rows.problem(name) for name in names],
        base_labels=[rows.base_label(name) for name in names],
        labeled_pairs=[rows.pair(name, f"{name}-a") for name in names],
        causal_difficulty=[rows.job(name, n=4, k=int(at < 10)) for at, name in enumerate(names)],
        settings={
            "doses_held": (1,),
            "doses_missing": (9,),
            "floor": {"alpha": FloorFigure(2, 100, 40, 0.005, 0.05)},
            "reliability": {"alpha": ReliabilityFigure(0.7, 0.6, 0.8, 0.85, 40)},
        },
    )
    return figures_frame(given)


def built(reports: dict[str, pl.DataFrame], simulated: frozenset[str] = frozenset()) -> Overview:
    """The overview of some suites."""
    suites = tuple(reports)
    return build_overview(overview_frame(reports, simulated), suites=suites, links=dict.fromkeys(suites, "../x.html"))


def test_a_report_table_holds_the_first_screen(report: pl.DataFrame) -> None:
    """Ten of forty break; floor, reliability, doses, completions and cost are rows like the others."""
    found = {row["figure"]: row for row in report.iter_rows(named=True)}

    assert (found["any_break"]["value"], found["any_break"]["n"]) == (0.25, 40)
    assert (found["identity_floor"]["value"], found["identity_floor"]["low"]) == (0.02, 0.005)
    assert (found["reliability"]["value"], found["reliability"]["high"], found["reliability"]["n"]) == (0.7, 0.8, 40)
    assert (found["doses"]["value"], found["doses"]["n"], found["doses"]["note"]) == (1.0, 2, "m9")
    assert (found["completions"]["value"], found["without_answer"]["value"]) == (200.0, 0.0)
    assert (found["cost_usd"]["value"], found["cost_usd"]["note"]) == (pytest.approx(0.4), "USD")


def test_what_was_not_measured_is_null_and_says_so(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """No floor table and no reliability: a null with a reason, never a zero."""
    figures = figures_frame(make_input(base_problems=[rows.problem()], base_labels=[rows.base_label()]))
    found = {row["figure"]: row for row in figures.iter_rows(named=True)}

    assert (found["reliability"]["value"], found["reliability"]["note"]) == (None, "not measured yet")
    assert (found["mean_pi"]["value"], found["mean_pi"]["note"]) == (
        None,
        "No solvable problem has a labelled twin yet.",
    )


def test_each_suite_and_solver_is_a_row_with_intervals_and_a_link(report: pl.DataFrame) -> None:
    """The share with its interval, what chance gives, the missing dose, and the suite's own page."""
    page = built({"toy": report, "empty": REPORT.frame([])})

    assert '<a href="../x.html"><bdi>toy</bdi></a>' in page.html
    # Wilson: 40 of 40 gives 91.2 to 100, 10 of 40 gives 14.2 to 40.2. By chance: P(X > 0), X ~ Bin(4, 0.02), is 7.8 %.
    plain = page.markdown.replace("\u202f", " ")
    assert (
        "| toy | alpha | 100.0 % \\(91.2–100.0; of 40 items\\) | 25 % \\(14–40; of 40 items, by chance 7.8 %" in plain
    )
    assert "1 of 2 \\(no m9\\)" in page.markdown
    assert "200 \\(0 without an answer\\) | $0.40 |" in page.markdown
    assert "empty has no report yet. `glass run empty`" in page.markdown
    assert "<code>glass run empty</code>" in page.html


def test_simulated_solvers_are_called_so_and_come_last(report: pl.DataFrame) -> None:
    """A real solver stands first, whatever its name."""
    both = pl.concat([report, report.with_columns(solver=pl.lit("zeta"))])
    page = built({"toy": both}, simulated=frozenset({"alpha"}))

    assert page.markdown.index("| zeta |") < page.markdown.index("| alpha \\(simulated\\) |")


def test_too_few_items_are_counted_and_not_quoted(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """One of two items is not 50 %."""
    given = make_input(
        base_problems=[rows.problem("a"), rows.problem("b")],
        base_labels=[rows.base_label("a"), rows.base_label("b")],
        causal_difficulty=[rows.job("a"), rows.job("b", k=0)],
    )

    assert "| 1 of 2 \\(items: too few for a share\\) |" in built({"toy": figures_frame(given)}).markdown


def test_a_report_of_an_earlier_version_is_shown_as_far_as_it_goes(report: pl.DataFrame) -> None:
    """A figure that it did not hold is not measured, and nothing fails."""
    old = report.filter(pl.col("figure").is_in(["solvable", "fragile", "any_break", "mean_pi"]))

    assert "| — \\(not measured\\) |" in built({"toy": old}).markdown


def test_names_are_text(report: pl.DataFrame) -> None:
    """A suite's folder and a solver's slug may come from another program."""
    page = built({HOSTILE: report.with_columns(solver=pl.lit(HOSTILE))})

    assert HOSTILE not in page.html
    assert "&lt;script&gt;" in page.html
    assert HOSTILE not in page.markdown


def test_equal_figures_make_equal_bytes(report: pl.DataFrame) -> None:
    """Nothing on the page depends on when it was made."""
    assert built({"toy": report}) == built({"toy": report})
