"""Labels: samples to modal answer and Y."""

from __future__ import annotations

from typing import Any

import pytest

from glass_pipeline.domain.grading.labels import Marking, Sample, label
from glass_pipeline.domain.grading.policy import GradingPolicy
from glass_pipeline.domain.grading.second_opinion import MathPair, MathVerdict
from glass_pipeline.domain.grading.voting import VotingRule
from glass_pipeline.domain.records import TRANSIENT_STATUSES


def samples(*texts: str, **fields: Any) -> list[Sample]:
    """Return ok samples with these texts."""
    return [Sample(status="ok", text=text, **fields) for text in texts]


def test_five_samples_of_a_solved_item() -> None:
    """14, 16, 16, no answer, 16 is modal 16, wrong for gold 14, with one sample right."""
    result = label(samples("#### 14", "#### 16", "#### $16.00", "hm", "The answer is 16."), "14", "numeric")
    assert (result.modal_answer, result.y, result.how) == ("16", 0, "different")
    assert (result.n_samples, result.n_correct) == (5, 1)
    assert result.answers == ("14", "16", "16", None, "16")
    assert result.rules == ("hashes", "hashes", "hashes", "none", "answer_line")
    assert result.statuses == ("ok", "ok", "ok", "unparsed", "ok")
    assert result.open_pairs == ()


def test_equivalent_math_answers_vote_together() -> None:
    """0.5, one half and x = 1/2 are three votes for one answer."""
    texts = ("\\boxed{3}", "\\boxed{0.5}", "\\boxed{3}", "\\boxed{\\frac12}", "\\boxed{x = 1/2}")
    result = label(samples(*texts), "\\dfrac{1}{2}", "math")
    assert (result.modal_answer, result.y, result.n_correct) == ("0.5", 1, 3)


def test_terminal_statuses_of_the_endpoint_vote_none() -> None:
    """A truncated, filtered or refused reply has no vote, even if an answer could be read in it."""
    replies = [
        Sample(status="length", text="#### 7"),
        Sample(status="content_filter", text="#### 7"),
        Sample(status="refusal", text="#### 7"),
        Sample(status="ok", text="#### 7", finish_reason="length"),
        Sample(status="ok", text="#### 8"),
    ]
    result = label(replies, "7", "numeric")
    assert result.statuses == ("length", "content_filter", "refusal", "length", "ok")
    assert (result.modal_answer, result.y, result.n_correct) == ("8", 0, 0)


def test_no_answer_at_all_is_wrong() -> None:
    """Five empty replies have no modal answer and Y = 0."""
    result = label(samples("", "", "", "", ""), "7", "numeric")
    assert (result.modal_answer, result.y, result.n_correct) == (None, 0, 0)
    assert set(result.statuses) == {"empty"}


@pytest.mark.parametrize("status", TRANSIENT_STATUSES)
def test_transient_statuses_never_become_a_label(status: str) -> None:
    """An endpoint failure is not an answer, so not a break either."""
    with pytest.raises(ValueError, match=status):
        label([Sample(status=status, text="")], "7", "numeric")


def test_no_samples_is_an_error() -> None:
    """An item that nobody was asked about has no label."""
    with pytest.raises(ValueError, match="No samples"):
        label([], "7", "numeric")


def test_rules_and_policies_reach_the_vote() -> None:
    """A tie counts as wrong and a percentage as a fraction where the marking says so."""
    tie = Marking(voting=VotingRule(tie="wrong"))
    assert label(samples("#### 7", "#### 8"), "7", "numeric", tie).y == 0
    assert label(samples("#### 7", "#### 8"), "7", "numeric").y == 1
    fraction = Marking(policy=GradingPolicy(percent="fraction"))
    assert label(samples("#### 60%"), "0.6", "numeric", fraction).y == 1


def test_a_second_opinion_settles_open_pairs() -> None:
    """A pair that the own comparison rejects is named, and a verdict on it turns Y, tagged."""
    gold, replies = "x^2+2x+1", samples("\\boxed{(x+1)^2}", "\\boxed{(x+1)^2}", "\\boxed{x}")
    first = label(replies, gold, "math")
    pair = MathPair(gold="x^2+2x+1", answer="(x+1)^2")
    assert (first.y, first.how) == (0, "different")
    assert pair in first.open_pairs
    verdicts = {pair: MathVerdict(accepted=True, how="math_verify")}
    second = label(replies, gold, "math", Marking(verdicts=verdicts))
    assert (second.y, second.how, second.n_correct) == (1, "math_verify", 2)
    assert pair not in second.open_pairs


def test_a_timeout_never_accepts() -> None:
    """A pair that ran into the deadline stays wrong and says so."""
    pair = MathPair(gold="x^2+2x+1", answer="(x+1)^2")
    marking = Marking(verdicts={pair: MathVerdict(accepted=False, how="timeout")})
    result = label(samples("\\boxed{(x+1)^2}"), "x^2+2x+1", "math", marking)
    assert (result.y, result.how) == (0, "timeout")
