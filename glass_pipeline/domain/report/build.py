"""Holds the one public function of the report.

Never holds a section: those are in ``sections``, one a module.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.inputs import ReportInput
from glass_pipeline.domain.report.markdown import to_markdown
from glass_pipeline.domain.report.page import to_html
from glass_pipeline.domain.report.sections import SECTIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One suite's report in its three forms."""

    html: str
    """A self-contained page: opens from disk, asks no network for anything."""
    markdown: str
    """The same without the items' details."""
    summary: dict[str, Any]
    """JSON-able numbers, unrounded, by section."""


def build_report(given: ReportInput) -> Report:
    """Build the report of one suite; what is not there yet is said on the page, never guessed.

    Args:
        given: Tables and measured figures. Equal inputs give equal bytes.

    Returns:
        The report.
    """
    evidence = arrange(given)
    sections = tuple(section for section in (make(evidence) for make in SECTIONS) if section.blocks)
    return Report(
        html=to_html(given.suite, sections),
        markdown=to_markdown(given.suite, sections),
        summary={section.slug: dict(section.summary) for section in sections if section.summary},
    )
