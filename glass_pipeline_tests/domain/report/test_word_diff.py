"""Tests of the word diff."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.report.word_diff import Run, changed_words, shortened, word_diff

TEXTS = st.lists(st.sampled_from(["Mia", "has", "3", "pens", ".", "  ", "\n", "Leo's", "مريم"]), max_size=12).map(
    " ".join
)


def test_a_renamed_name_is_the_only_change() -> None:
    """Mia becomes Nora; a possessive is one word, punctuation is its own."""
    assert word_diff("Mia has 3 pens.", "Nora has 3 pens.") == (
        Run("gone", "Mia "),
        Run("new", "Nora "),
        Run("same", "has 3 pens."),
    )
    assert word_diff("Mia's pens.", "Nora's pens.")[0] == Run("gone", "Mia's ")


def test_an_added_sentence_is_one_run() -> None:
    """What was spliced in stands in one piece."""
    assert word_diff("A b. C d?", "A b. E f g. C d?") == (
        Run("same", "A b. "),
        Run("new", "E f g. "),
        Run("same", "C d?"),
    )


def test_white_space_alone_is_no_change() -> None:
    """A line break instead of a space leaves one run, written as in the twin."""
    assert word_diff("a b", "a\nb") == (Run("same", "a\nb"),)


@given(TEXTS, TEXTS)
def test_runs_rebuild_both_texts(base: str, twin: str) -> None:
    """Same and new join to the twin, same and gone to the base up to white space."""
    runs = word_diff(base, twin)

    assert "".join(run.text for run in runs if run.kind != "gone") == twin
    assert "".join("".join(run.text for run in runs if run.kind != "new").split()) == "".join(base.split())


def test_changed_words_count_both_sides() -> None:
    """One word gone and two new are three."""
    assert changed_words(word_diff("Mia has", "Nora Lee has")) == 3


def test_shortening_cuts_only_the_middle_of_what_did_not_change() -> None:
    """Twenty shared words become two, an ellipsis and two; the change stays whole."""
    shared = " ".join(f"w{n}" for n in range(20))
    runs = (Run("same", f"{shared} "), Run("new", "one two three four five six seven eight"))

    assert shortened(runs, 2) == (Run("same", "w0 w1 … w19 "), runs[1])


def test_a_short_stretch_is_not_cut() -> None:
    """Cutting three words to show an ellipsis gains nothing."""
    runs = (Run("same", "a b c d e f g"),)

    assert shortened(runs, 2) == runs


def test_the_mark_leaves_out_the_white_space_after_its_words() -> None:
    """A strike-through ends with the word."""
    assert (Run("gone", "Mia \n").words, Run("gone", "Mia \n").gap) == ("Mia", " \n")
