"""Tests of the HTML form, without a browser."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import jinja2
import pytest

from glass_pipeline.domain.report import ReportInput, build_report
from glass_pipeline.domain.report.page import _environment, script_json

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\u2028\u2029&amp;'\"{{ 7*7 }}"


class Elements(HTMLParser):
    """Collects tags and their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note one opening tag."""
        self.found.append((tag, dict(attrs)))


def elements(html: str) -> list[tuple[str, dict[str, str | None]]]:
    """All elements of a page, as a parser sees them."""
    parser = Elements()
    parser.feed(html)
    return parser.found


def hostile(rows: Any, make_input: Callable[..., ReportInput]) -> ReportInput:
    """A suite in which every foreign text is hostile."""
    pair = rows.pair(HOSTILE, HOSTILE, twin_text=f"{HOSTILE} twin", base_text=HOSTILE, generator=HOSTILE)
    samples = rows.samples((HOSTILE,) * 5, outputs=[HOSTILE] * 5, rules=[HOSTILE] * 5, statuses=[HOSTILE] * 5)
    return make_input(
        base_problems=[rows.problem(HOSTILE, text=HOSTILE, gold=HOSTILE, category=HOSTILE, gold_solution=HOSTILE)],
        twins=[rows.twin(HOSTILE, HOSTILE, text=f"{HOSTILE} twin")],
        declines=[rows.decline(HOSTILE, reason=HOSTILE, family=HOSTILE)],
        noop_audit=[
            rows.audit(
                HOSTILE,
                HOSTILE,
                keep=False,
                reasons=[HOSTILE],
                adjudicators=[HOSTILE],
                verdicts=[HOSTILE],
                rationales=[HOSTILE],
            )
        ],
        base_labels=[rows.base_label(HOSTILE, **samples)],
        solver_labels=[rows.twin_label(pair, **samples)],
        labeled_pairs=[pair],
        causal_difficulty=[rows.job(HOSTILE, category=HOSTILE)],
        settings={"manifest": {HOSTILE: HOSTILE}},
    )


def test_hostile_text_makes_no_element(rows: Any, make_input: Callable[..., ReportInput]) -> None:
    """A page of hostile texts has exactly one script that runs and no element that the templates do not write."""
    found = elements(build_report(hostile(rows, make_input)).html)
    scripts = [attributes.get("type") for tag, attributes in found if tag == "script"]

    assert scripts.count("module") == 1
    assert set(scripts) == {"module", "application/json", "text/plain"}
    assert not [tag for tag, _ in found if tag == "img"]
    assert not [name for _, attributes in found for name in attributes if name.startswith("on")]


def test_json_in_the_page_cannot_end_its_element() -> None:
    """No angle bracket, ampersand or line separator is left, and the value reads back."""
    written = script_json({"x": HOSTILE})

    assert not re.search("[<>&\u2028\u2029]", written)
    assert json.loads(written) == {"x": HOSTILE}


def test_the_page_asks_no_network_for_anything(toy: ReportInput) -> None:
    """No address but the empty icon; the policy forbids every load and every script but its own."""
    html = build_report(toy).html
    addresses = [
        value for _, attributes in elements(html) for name, value in attributes.items() if name in ("src", "href")
    ]
    policy = next(attributes["content"] for tag, attributes in elements(html) if attributes.get("http-equiv"))

    assert all(address == "data:," or str(address).startswith("#") for address in addresses)
    assert "http://" not in html
    assert "https://" not in html
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_every_anchor_leads_somewhere(toy: ReportInput) -> None:
    """Navigation and specimens point to ids of the page, or to an item of it."""
    found = elements(build_report(toy).html)
    ids = {attributes["id"] for _, attributes in found if "id" in attributes}
    targets = [str(attributes["href"])[1:] for tag, attributes in found if tag == "a"]

    assert len(ids) == sum("id" in attributes for _, attributes in found)
    assert all(target in ids or target == "item/item-1/alpha" for target in targets)


def test_headings_do_not_skip_a_level(toy: ReportInput) -> None:
    """A screen reader's outline is whole: one h1, then h2, then deeper ones in turn."""
    levels = [int(tag[1]) for tag, _ in elements(build_report(toy).html) if re.fullmatch("h[1-6]", tag)]

    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(below - above <= 1 for above, below in itertools.pairwise(levels))


def test_a_name_the_template_does_not_know_is_an_error() -> None:
    """A misspelt variable fails instead of leaving a hole in the page."""
    with pytest.raises(jinja2.UndefinedError):
        _environment().from_string("{{ misspelt }}").render()
