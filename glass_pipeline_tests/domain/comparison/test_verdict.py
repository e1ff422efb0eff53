"""The four readings and their words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from glass_pipeline.domain.comparison.clustered import units_of
from glass_pipeline.domain.comparison.inference import infer
from glass_pipeline.domain.comparison.verdict import RAW, Claim, read, verdict
from glass_pipeline.domain.stats.intervals import Interval

LAB_GAIN = [0.012, 0.004, 0.009, -0.002, 0.015, 0.007, 0.011, 0.003]
LAB_POINT = [0.01, 0.015, 0.02, 0.025, 0.012, 0.018, 0.016, 0.022]


@pytest.mark.parametrize(
    ("low", "high", "p_value", "expected"),
    [
        (-0.1, 2.0, 0.001, "no_direction"),
        (0.0, 2.0, 0.001, "no_direction"),
        (0.2, 2.0, 0.01, "below_threshold"),
        (0.2, 2.0, 0.06, "not_confirmed"),
        (1.0, 2.0, 0.05, "not_confirmed"),
        (1.0, 2.0, 0.01, "at_least"),
    ],
)
def test_readings_of_a_point(low: float, high: float, p_value: float, expected: str) -> None:
    """The lab's four readings; a lower end of exactly 1.0 reaches the point, one of exactly 0 shows no direction."""
    assert read(Interval(low, high, 0.95), p_value, 1.0, 0.05) == expected


def judge(deltas: list[float], **claim: Any) -> Any:
    """Read differences between eight seeds."""
    primary = infer(units_of(np.array(deltas)), "seed", rng=np.random.default_rng(20260918))
    fields = {"name_a": "base", "name_b": "tuned", "n_items": 1172, "at_least": 0.01, "alpha": 0.05, **claim}
    return verdict(primary, primary.sign_flip.p_value, Claim(**fields))


def test_the_labs_examples_in_words() -> None:
    """The first gains but not by a point, the second by at least one (methods §10.1)."""
    gain, point = judge(LAB_GAIN), judge(LAB_POINT)

    assert gain.reading == "below_threshold"
    assert gain.sentence.startswith("tuned is higher (better) than base, but not shown to be so by 1.00 pp or more")
    assert "difference +0.74 pp" in gain.sentence
    assert "sign-flip p = 0.0156" in gain.sentence
    assert point.reading == "at_least"
    assert point.sentence.startswith("tuned is higher (better) than base by at least 1.00 pp")


def test_a_fall_is_read_in_its_mirror() -> None:
    """The same numbers downwards are a loss of at least a point; for an error rate that is better."""
    fallen = [-value for value in LAB_POINT]

    assert judge(fallen).sentence.startswith("tuned is lower (worse) than base by at least 1.00 pp")
    assert judge(fallen, lower_is_better=True).sentence.startswith("tuned is lower (better) than base by at least")


def test_limits_name_the_scope_and_the_short_interval() -> None:
    """Seeds are about these items only, and eight seeds are few: the t interval stands beside."""
    limits = judge(LAB_GAIN).limits

    assert limits[0] == "It holds for seeds like these 8 on exactly these 1,172 items."
    assert any("BCa intervals from few units are too short" in each for each in limits)
    assert "other benchmarks" in limits[-1]


def test_five_seeds_cannot_confirm() -> None:
    """Their smallest p is .0625, and the limits say so."""
    found = judge([0.02, 0.025, 0.03, 0.022, 0.028])

    assert found.reading == "not_confirmed"
    assert any("cannot give p below 0.0625" in each for each in found.limits)


def test_identical_differences_make_no_claim() -> None:
    """No interval, no reading, and the value is reported."""
    found = judge([0.01] * 8)

    assert found.reading is None
    assert found.sentence.startswith("No claim: tuned - base is +1.00 pp, without an interval. BCa CI cannot be")


def test_scores_beyond_one_keep_their_unit() -> None:
    """A score of 0 to 100 is not multiplied by another hundred."""
    assert "difference +0.0074, " in judge(LAB_GAIN, scale=RAW).sentence


def test_several_comparisons_are_named() -> None:
    """A p-value that was adjusted says so."""
    assert "by Holm over 3 comparisons" in judge(LAB_GAIN, n_comparisons=3).sentence
