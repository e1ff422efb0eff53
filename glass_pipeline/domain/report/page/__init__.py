"""Holds the HTML form of a report and of the overview: one file each, which asks no network for anything.

Never inserts a foreign text unescaped: templates escape, data blocks hold escaped JSON, the script writes text nodes.
"""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from typing import Any

import jinja2
from markupsafe import Markup

from glass_pipeline.domain.report.blocks import Section
from glass_pipeline.domain.report.display_text import direction
from glass_pipeline.domain.report.item_details import to_json

SCRIPTS = ("dom.js", "diff.js", "table.js", "item.js")
"""Joined in this order into one module."""

UNSAFE_IN_SCRIPT = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def to_html(suite: str, sections: tuple[Section, ...]) -> str:
    """Render the page of one suite."""
    return render(
        "page.html",
        SCRIPTS,
        suite=suite,
        lead=[section for section in sections if section.place == "lead"],
        body=[section for section in sections if section.place == "body"],
    )


def render(template: str, scripts: tuple[str, ...] = (), **values: Any) -> str:
    """Render a template of this folder with the one style, and the scripts it needs."""
    style = Markup(_packaged("page.css"))
    script = Markup("".join(map(_packaged, scripts)))
    return (
        _environment()
        .get_template(template)
        .render(
            **values,
            style=style,
            script=script,
            # Only these two may apply or run, so that a text which slipped through unescaped still could not.
            style_hash=_source_hash(style),
            script_hash=_source_hash(script),
        )
    )


def script_json(value: Any) -> Markup:
    """Write JSON that can stand in a script element: no character of it can end the element or a line."""
    return Markup(to_json(value).translate(UNSAFE_IN_SCRIPT))


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_packaged),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["script_json"] = script_json
    environment.filters["direction"] = direction
    return environment


def _packaged(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _source_hash(source: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}"
