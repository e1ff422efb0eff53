"""Holds the link to one item: a URL fragment that survives being pasted anywhere.

Never holds a character that chat programs cut off or rewrite.
"""

from __future__ import annotations

import re


def fragment(base_id: str, solver: str) -> str:
    """Return ``#item/<base_id>/<solver>`` with everything but ASCII letters, digits, ``-`` and ``_`` escaped.

    ``urllib.parse.quote`` leaves ``.`` and ``~`` alone, which link detectors drop at the end of a sentence.
    """
    return f"#item/{_escape(base_id)}/{_escape(solver)}"


def _escape(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", _percent, text)


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode())
