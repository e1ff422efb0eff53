"""Tests of the link to one item."""

from __future__ import annotations

import re
from urllib.parse import unquote

from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.report.fragment import fragment


def test_a_plain_id_stays_readable() -> None:
    """Letters, digits and hyphens are not touched; a dot is."""
    assert fragment("gsm8k-test-42", "gpt-4.1") == "#item/gsm8k-test-42/gpt-4%2E1"


@given(st.text(), st.text())
def test_a_fragment_holds_only_safe_characters_and_reads_back(base_id: str, solver: str) -> None:
    """Nothing that a chat program cuts off or rewrites is in it, and decoding gives both names back."""
    link = fragment(base_id, solver)

    assert re.fullmatch(r"#item/[A-Za-z0-9_%-]*/[A-Za-z0-9_%-]*", link)
    assert [unquote(part) for part in link.split("/")[1:]] == [base_id, solver]
