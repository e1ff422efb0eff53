"""Licence notices and citations that travel with every export."""

from __future__ import annotations

import pytest

from glass_pipeline.domain.corpus.notices import citations, known_sources, notice


@pytest.mark.parametrize(
    ("key", "holder", "cited"),
    [
        ("gsm8k", "Copyright (c) 2021 OpenAI", "cobbe2021gsm8k"),
        ("math", "Copyright (c) 2021 Dan Hendrycks", "hendrycksmath2021"),
        ("svamp", "Copyright (c) 2021 Arkil Patel", "patel2021svamp"),
    ],
)
def test_a_source_is_named_with_its_holder_licence_text_and_citation(key: str, holder: str, cited: str) -> None:
    """The MIT licence asks that its notice and its text go with every copy."""
    sources = known_sources([key])
    text = notice("some", sources, ["MIT"])

    assert holder in text
    assert "The above copyright notice and this permission notice shall be included in all" in text
    assert cited in citations(sources)
    assert "2611.02065" in citations(sources)


def test_each_source_is_named_once_and_unknown_ones_not_at_all() -> None:
    """Problems and distractors of one data set make one notice."""
    assert [source.title for source in known_sources(["gsm8k", "jsonl", "gsm8k", "glassmini"])] == [
        "GSM8K",
        "glassmini",
    ]


def test_a_notice_that_came_with_a_release_is_kept_word_for_word() -> None:
    """What a release asks to be carried on is carried on."""
    text = notice("some", [], ["as the release states"], "  Contains text of N. N., used by permission.\n")

    assert "as the release states" in text
    assert "Contains text of N. N., used by permission." in text
    assert "MIT licence" not in text
