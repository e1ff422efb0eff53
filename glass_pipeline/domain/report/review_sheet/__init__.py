"""Holds the sheet on which a person reviews audited pairs: one HTML file that asks no network for anything.

Never shows what the audit said before it is asked for, and never inserts a text unescaped.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from importlib import resources

import jinja2
from markupsafe import Markup

from glass_pipeline.domain.audit.review import SAYINGS
from glass_pipeline.domain.audit.review_sample import ReviewPair
from glass_pipeline.domain.fingerprint import settings_hash
from glass_pipeline.domain.report.display_text import direction, family_name, rule_name, visible
from glass_pipeline.domain.report.word_diff import word_diff


def review_sheet(suite: str, sample: Sequence[ReviewPair]) -> str:
    """Render the sheet of a sample: base, twin with its changes marked, a place for the verdict, what the audit said.

    The page keeps what was entered in the browser and saves it as the CSV that ``audit.review_csv`` reads.

    Args:
        suite: Slug of the suite.
        sample: Pairs in the order in which they are to be read.
    """
    style, script = Markup(_packaged("sheet.css")), Markup(_packaged("sheet.js"))
    return (
        _environment()
        .get_template("sheet.html")
        .render(
            suite=suite,
            pairs=[(pair, word_diff(pair.base_text, pair.twin_text)) for pair in sample],
            sayings=SAYINGS,
            sheet_id=settings_hash([suite, *((pair.twin_id, pair.text_hash) for pair in sample)])[:16],
            style=style,
            script=script,
            style_hash=_source_hash(style),
            script_hash=_source_hash(script),
        )
    )


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_packaged),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "direction": direction,
        "family_name": family_name,
        "rule_name": rule_name,
        "visible": visible,
    }
    return environment


def _packaged(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _source_hash(source: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}"
