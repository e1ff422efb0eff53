"""Tests of what foreign text passes before it is shown."""

from __future__ import annotations

from glass_pipeline.domain.report.display_text import direction, family_name, visible


def test_characters_that_turn_text_are_shown_by_their_code_point() -> None:
    """A right-to-left override cannot make 81 read as 18."""
    assert visible("gold \u202e81\u202c") == "gold ⟦U+202E⟧81⟦U+202C⟧"


def test_zero_width_and_control_characters_are_shown() -> None:
    """What the eye cannot see, a number may hide behind."""
    assert visible("1\u200b8\x00") == "1⟦U+200B⟧8⟦U+0000⟧"


def test_honest_white_space_stays() -> None:
    """Tabs and line ends pass; Windows line ends become plain ones; joiners of scripts stay."""
    assert visible("a\tb\r\nc می\u200cخواهم") == "a\tb\nc می\u200cخواهم"


def test_direction_is_that_of_most_letters() -> None:
    """An Arabic name at the head of an English sentence does not turn it round."""
    assert direction("ليلى has 3 boxes of pens.") == "ltr"
    assert direction("لدى Mia ثلاث علب من الأقلام.") == "rtl"
    assert direction("18") == "ltr"


def test_an_unknown_family_keeps_its_name() -> None:
    """A family that the page has no words for is shown as it is."""
    assert family_name("entity_rename") == "entities renamed"
    assert family_name("back_translation") == "back_translation"
