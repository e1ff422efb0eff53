"""Span records: what was put in can be taken out, and a record that lies is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.twins.spans import MisfitError, Replacement, replace_spans, restore_spans


def test_a_replacement_by_hand() -> None:
    """Two names and an insertion move what follows by what they add."""
    text, record = replace_spans(
        "Bo and Bo.", [Replacement(0, "Bo", "Anna"), Replacement(7, "Bo", "Anna"), Replacement(10, "", " X")]
    )

    assert text == "Anna and Anna. X"
    assert record == [[0, "Bo", "Anna"], [9, "Bo", "Anna"], [14, "", " X"]]
    assert restore_spans(text, record) == "Bo and Bo."


@given(
    st.text(max_size=40), st.lists(st.tuples(st.integers(0, 40), st.integers(0, 5), st.text(max_size=5)), max_size=6)
)
def test_restoring_undoes_any_disjoint_replacements(text: str, cuts: list[tuple[int, int, str]]) -> None:
    """For any text and any disjoint spans, restore(replace(text)) is the text."""
    replacements, read = [], 0
    for start, length, new in sorted(cuts):
        if start >= read and start + length <= len(text):
            replacements.append(Replacement(start, text[start : start + length], new))
            read = start + length

    changed, record = replace_spans(text, replacements)

    assert restore_spans(changed, record) == text


@pytest.mark.parametrize(
    "record",
    [
        None,
        {},
        "x",
        [1],
        [[0, "a"]],
        [[-1, "a", "b"]],
        [["0", "a", "b"]],
        [[0, "a", "zz"]],
        [[5, "", "c"], [0, "", "a"]],
    ],
)
def test_a_record_that_does_not_fit_is_refused(record: Any) -> None:
    """Anything but a fitting list of [start, old, new] raises."""
    with pytest.raises(MisfitError):
        restore_spans("abc", record)
