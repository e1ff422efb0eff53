"""The page of all suites in a real browser, opened from disk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

from glass_pipeline.domain.report.overview import build_overview, overview_frame
from glass_pipeline.domain.schemas import REPORT

pytestmark = pytest.mark.browser
LONG = "a-suite-with-a-name-as-long-as-a-slug-may-be-which-is-sixty"
FIGURES = ("solvable", "fragile", "fragile_by_chance", "mean_pi", "identity_floor", "reliability")


def report(solvers: tuple[str, ...]) -> pl.DataFrame:
    """A report's table with every figure of every solver."""
    known = {"value": 0.3, "low": 0.25, "high": 0.35, "n": 1319, "note": "fraction"}
    plain = {"low": None, "high": None, "n": 29850, "note": "USD"}
    rows = [{"solver": solver, "figure": figure, **known} for solver in solvers for figure in FIGURES]
    rows += [
        {"solver": solver, "figure": figure, "value": value, **plain}
        for solver in solvers
        for figure, value in (("without_answer", 119.0), ("cost_usd", 12.5))
    ]
    return REPORT.frame(rows)


@pytest.fixture(scope="module")
def tab(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A tab with the page of three suites; whatever the page complains of fails the tests."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    path = tmp_path_factory.mktemp("overview") / "overview.html"
    reports = {"toy": report(("alpha", "beta")), LONG: report(("alpha",)), "waiting": REPORT.frame([])}
    links = {suite: f"../{suite}/report/report.html" for suite in reports}
    page = build_overview(overview_frame(reports, frozenset({"beta"})), suites=tuple(reports), links=links)
    path.write_text(page.html, encoding="utf-8")
    complaints: list[str] = []
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        opened = browser.new_page()
        opened.on("console", lambda message: complaints.append(message.text))
        opened.on("pageerror", lambda error: complaints.append(str(error)))
        opened.goto(path.as_uri())
        yield opened
        browser.close()
    assert complaints == []


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_the_overview_is_never_wider_than_the_screen(tab: Any, width: int) -> None:
    """Also with a long name; on a phone each row stands by itself with its figures' names."""
    tab.set_viewport_size({"width": width, "height": 844})

    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    named = tab.evaluate("getComputedStyle(document.querySelector('.overview td'), '::before').content")
    assert (named == '"Solvable"') == (width == 390)


def test_every_suite_links_to_its_report(tab: Any) -> None:
    """One link a suite, none for a suite that has no report."""
    links = tab.locator(".overview a").evaluate_all("(all) => all.map((one) => one.getAttribute('href'))")

    assert links == ["../toy/report/report.html", f"../{LONG}/report/report.html"]


def test_the_interval_is_drawn_where_it_lies(tab: Any) -> None:
    """A band from 25 to 35 of 100, with the value at 30."""
    tab.set_viewport_size({"width": 1440, "height": 844})
    drawn = tab.locator(".span .reach").first
    value = tab.locator(".span .at").first

    assert (drawn.get_attribute("x"), drawn.get_attribute("width")) == ("25.0", "10.0")
    assert float(value.get_attribute("x")) == pytest.approx(30 - 0.6)
