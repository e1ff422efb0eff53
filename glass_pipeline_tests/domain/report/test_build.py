"""Tests of the whole report."""

from __future__ import annotations

import dataclasses
import itertools
import json

import polars as pl
import pytest

from glass_pipeline.domain.report import ReportInput, build_report
from glass_pipeline.domain.report.inputs import REPORT_TABLES


def test_row_order_does_not_matter(toy: ReportInput) -> None:
    """The same rows in another order give the same bytes."""
    turned = dataclasses.replace(toy, **{name: getattr(toy, name).reverse() for name in REPORT_TABLES})

    assert build_report(turned) == build_report(toy)


def test_the_summary_is_json(toy: ReportInput) -> None:
    """Numbers are unrounded, by section and solver, and none is NaN."""
    summary = json.loads(json.dumps(build_report(toy).summary, allow_nan=False))

    assert summary["figures"]["alpha"]["mean_pi"]["value"] == 0.5
    assert summary["figures"]["alpha"]["identity_floor"] is None
    assert summary["manifest"]["doses_missing"] == [5]


@pytest.mark.parametrize("missing", list(itertools.combinations(REPORT_TABLES, 2)), ids="-".join)
def test_any_two_tables_may_be_missing(toy: ReportInput, missing: tuple[str, str]) -> None:
    """The page is made, and its manifest counts no rows of them."""
    empty = {name: getattr(toy, name).clear() for name in missing}
    summary = build_report(dataclasses.replace(toy, **empty)).summary

    assert all(summary["manifest"]["rows"][name] == 0 for name in missing)


def test_an_empty_suite_is_a_page_that_says_so() -> None:
    """No tables at all: a page, no number."""
    report = build_report(ReportInput(suite="nothing"))

    assert "The suite nothing holds no problems." in report.html
    assert "None" not in report.markdown
    assert "nan" not in report.markdown


def test_nulls_where_the_schema_allows_them_are_dashes(toy: ReportInput) -> None:
    """A job without interval, fit or residual, and labels without answers, still make a page."""
    blank = ["pi_low", "pi_high", "a", "b", "a_inject", "b_inject", "crd"]
    jobs = toy.causal_difficulty.with_columns(pl.lit(None, dtype=pl.Float64).alias(name) for name in blank)
    labels = toy.solver_labels.with_columns(modal_answer=pl.lit(None, dtype=pl.String))
    report = build_report(dataclasses.replace(toy, causal_difficulty=jobs, solver_labels=labels))

    assert "None" not in report.markdown
