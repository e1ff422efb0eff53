"""The sheet of a review: everything a reviewer needs on one page that asks nobody for anything."""

from __future__ import annotations

import html
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from glass_pipeline.domain.audit.review_sample import ReviewPair
from glass_pipeline.domain.audit.verdicts import Verdict
from glass_pipeline.domain.report.review_sheet import review_sheet

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)> \"' {{7*7}} \u202e"


def pair(number: int = 1, base_text: str = "Mia has 3 pens.", twin_text: str = "Nora has 3 pens.") -> ReviewPair:
    """Return one pair that a model called a contradiction."""
    twin_id = f"toy-{number}"
    said = Verdict(twin_id=twin_id, adjudicator="judge", finding="contradiction", rationale="Nora is not Mia.")
    return ReviewPair(
        twin_id=twin_id,
        base_id="toy",
        family="entity_rename",
        base_text=base_text,
        twin_text=twin_text,
        gold="3",
        text_hash=f"hash-{number}",
        outcome="contradiction",
        opinions=(said,),
    )


class Elements(HTMLParser):
    """Collects start tags with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note one."""
        self.found.append((tag, dict(attrs)))


def elements(page: str) -> list[tuple[str, dict[str, str | None]]]:
    """Return every start tag of a page."""
    parser = Elements()
    parser.feed(page)
    return parser.found


def test_changes_are_marked_word_by_word() -> None:
    """The name that went is struck out, the one that came is marked, the rest is plain; the answer stands below."""
    page = review_sheet("toy", [pair()])

    assert "<del>Mia</del> <ins>Nora</ins> has 3 pens." in page
    assert "Answer to the original: <b>3</b>" in page


def test_each_pair_takes_one_verdict_of_three() -> None:
    """Two pairs have three choices each, in groups of their own, none chosen, and carry what the import needs."""
    page = review_sheet("toy", [pair(1), pair(2)])

    radios = [attributes for tag, attributes in elements(page) if attributes.get("type") == "radio"]
    articles = [attributes for tag, attributes in elements(page) if tag == "article"]
    assert [each["value"] for each in radios] == ["no_op", "contradiction", "unsure"] * 2
    assert len({each["name"] for each in radios}) == 2
    assert not any("checked" in each for each in radios)
    assert [(each["data-twin"], each["data-hash"]) for each in articles] == [("toy-1", "hash-1"), ("toy-2", "hash-2")]


def test_what_the_audit_said_is_folded_away() -> None:
    """Verdict and rationale stand in a closed fold, so that they do not lead the reviewer."""
    page = review_sheet("toy", [pair()])

    fold = re.search(r"<details>.*?</details>", page, re.DOTALL)
    assert fold is not None
    assert "Nora is not Mia." in fold.group()
    assert "Nora is not Mia." not in page.replace(fold.group(), "")


def test_the_page_asks_nobody_for_anything() -> None:
    """No element names a source, and the policy allows none but the page's own script and style."""
    page = review_sheet("toy", [pair()])

    named = [attributes for _, attributes in elements(page) if "src" in attributes or "href" in attributes]
    assert [each.get("href") for each in named] == ["data:,"]
    assert "default-src 'none'" in page


def test_hostile_text_stays_text() -> None:
    """Markup, quotes and template syntax of a benchmark are shown, not run; what turns the direction is spelt out."""
    page = review_sheet("toy", [pair(base_text=HOSTILE, twin_text=HOSTILE + " so")])

    tags = [tag for tag, _ in elements(page)]
    assert tags.count("script") == 1
    assert "img" not in tags
    assert html.escape("<img src=x onerror=alert(1)>") in page
    assert "{{7*7}}" in page
    assert "\u202e" not in page


def test_the_sheet_of_other_pairs_remembers_apart() -> None:
    """What a browser keeps belongs to one sample: another sample is another sheet."""
    bodies = [
        next(attributes for tag, attributes in elements(review_sheet("toy", sample)) if tag == "body")
        for sample in ([pair(1)], [pair(2)])
    ]

    assert bodies[0]["data-sheet"] != bodies[1]["data-sheet"]


@pytest.mark.browser
def test_a_real_browser_runs_the_page(chromium: str, tmp_path: Path) -> None:
    """Under its own policy the script runs: the count of verdicts is filled in."""
    sheet = tmp_path / "review.html"
    sheet.write_text(review_sheet("toy", [pair(1), pair(2)]).replace("0 of 2", "not run"), encoding="utf-8")
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", sheet.as_uri()]

    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout

    assert "not run" not in shown
    assert "0 of 2" in shown
