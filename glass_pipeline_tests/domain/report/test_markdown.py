"""Tests of the Markdown form."""

from __future__ import annotations

from glass_pipeline.domain.report import ReportInput, build_report
from glass_pipeline.domain.report.blocks import Example, Facts, Grid, Head, Section
from glass_pipeline.domain.report.markdown import escape, to_markdown
from glass_pipeline.domain.report.word_diff import Run


def written(*blocks: object) -> str:
    """Body of a section with these blocks."""
    return to_markdown("toy", (Section(slug="s", title="T", blocks=blocks),)).split("## T\n\n")[1]


def test_foreign_text_is_no_markup() -> None:
    """Pipes, tags, links and line ends lose their meaning."""
    assert escape("a|b <img> [x](y)\n# h") == r"a\|b \<img\> \[x\]\(y\) \# h"


def test_a_grid_is_a_table_with_its_numbers_to_the_right() -> None:
    """Head, rule and one row, a pipe in a cell escaped."""
    grid = Grid(caption="C", heads=(Head("Name", is_number=False), Head("n", "items")), rows=(("a|b", "1"),))

    assert written(grid) == "C\n\n| Name | n, items |\n| --- | ---: |\n| a\\|b | 1 |\n"


def test_changed_words_are_marked_without_their_white_space() -> None:
    """Emphasis closes against the word, or Markdown would not read it."""
    runs = (Run("gone", "Mia "), Run("new", "Nora "), Run("same", "has"))

    assert "“~~Mia~~ **Nora** has”" in written(Example(label="x", runs=runs, remark=""))


def test_code_spans_outlast_back_ticks() -> None:
    """A value with two back-ticks in a row stands between three."""
    assert written(Facts((("k", "a``b"),))) == "- k: ``` a``b ```\n"


def test_the_report_opens_with_its_verdict(toy: ReportInput) -> None:
    """Suite, then the sentence."""
    assert build_report(toy).markdown.startswith("# toy\n\n## Verdict\n\n**alpha solves 1 of 2 problems;")
