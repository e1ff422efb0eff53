"""Several systems against one baseline."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from glass_pipeline.domain.comparison import ComparisonConfig, compare, compare_many

FAST = ComparisonConfig(resamples=300, at_least=0.0)


def test_p_values_are_holms_and_intervals_stay(make_results) -> None:
    """Adjusted as statsmodels does; each pair's interval is what it is alone."""
    rng = np.random.default_rng(0)
    baseline = make_results(np.zeros(120))
    others = [
        make_results((rng.random(120) < share) * 1.0 - (rng.random(120) < 0.1), name=f"b{number}")
        for number, share in enumerate((0.15, 0.2, 0.1))
    ]
    alone = [compare(baseline, other, FAST) for other in others]
    expected = multipletests([each.p_value for each in alone], method="holm")[1]

    found = compare_many(baseline, others, FAST)

    assert [each.p_holm for each in found] == pytest.approx(expected.tolist())
    assert [each.over_items for each in found] == [each.over_items for each in alone]
    assert {each.claim.n_comparisons for each in found} == {3}


def test_a_claim_can_fall_to_the_number_of_comparisons(make_results) -> None:
    """12 won, 2 lost: p = .0129 alone, .0647 as the best of five."""
    baseline = make_results([0.0] * 12 + [1.0] * 2 + [1.0] * 86)
    better = make_results([1.0] * 12 + [0.0] * 2 + [1.0] * 86, name="b")
    same = [make_results([0.0] * 12 + [1.0] * 2 + [0.0] + [1.0] * 85, name=f"c{number}") for number in range(4)]

    alone, among = compare(baseline, better, FAST), compare_many(baseline, [better, *same], FAST)[0]

    assert alone.p_value == pytest.approx(2 * (1 + 14 + 91) / 2**14)
    assert alone.verdict.reading == "at_least"
    assert among.p_holm == pytest.approx(5 * alone.p_value)
    assert among.verdict.reading == "not_confirmed"
