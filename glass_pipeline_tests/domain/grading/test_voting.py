"""The vote: methods §1.1."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.grading.voting import VotingRule, modal

answers = st.lists(st.sampled_from(["18", "20", "7", None]), min_size=1, max_size=9)


@pytest.mark.parametrize(
    ("samples", "winner"),
    [
        (["18", "18", "20", "20", "7"], "18"),
        (["20", "18", "18", "20", "7"], "20"),
        ([None, None, "18", None, None], "18"),
        ([None] * 5, None),
        (["7", "18", "18"], "18"),
    ],
)
def test_the_modal_answer_of_the_specification(samples: list[str | None], winner: str | None) -> None:
    """The most frequent answer wins, a tie goes to the first seen, and samples without an answer do not vote."""
    assert modal(samples) == winner


def test_no_samples_is_an_error() -> None:
    """There is no vote without a voter."""
    with pytest.raises(ValueError, match="No samples"):
        modal([])


def test_a_tie_can_count_as_wrong() -> None:
    """With tie=wrong a tie has no winner, a clear majority still has one."""
    rule = VotingRule(tie="wrong")
    assert modal(["18", "20"], rule=rule) is None
    assert modal(["18", "20", "20"], rule=rule) == "20"
    assert modal(["18", None, None], rule=rule) == "18"


def test_unparsable_samples_can_vote() -> None:
    """With unparsable_votes three samples without an answer outvote two with one."""
    assert modal(["18", None, None, "18", None], rule=VotingRule(unparsable_votes=True)) is None
    assert modal(["18", None, None, "18", "18"], rule=VotingRule(unparsable_votes=True)) == "18"


@given(answers, st.integers(0, 10**6))
def test_the_order_of_samples_matters_only_for_ties(samples: list[str | None], seed: int) -> None:
    """Shuffling the samples cannot change a winner that is alone."""
    shuffled = random.Random(seed).sample(samples, len(samples))
    votes = Counter(answer for answer in samples if answer is not None).most_common(2)
    if len(votes) < 2 or votes[0][1] > votes[1][1]:
        assert modal(samples) == modal(shuffled)
    else:
        assert Counter(samples)[modal(samples)] == Counter(samples)[modal(shuffled)]
