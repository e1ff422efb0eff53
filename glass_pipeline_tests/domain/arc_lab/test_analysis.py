"""The lab's numbers, its decisions, and its refusals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from glass_pipeline.domain.arc_lab.analysis import IdenticalDeltas, LabAnalysis, analyze, infer_seeds
from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.predicting import Prediction
from glass_pipeline.domain.arc_lab.report import report_fields, report_page
from glass_pipeline.domain.arc_lab.strata import Strata
from glass_pipeline.domain.comparison.thresholds import Thresholds

ITEMS = 80


def predictions(solved: int, items: int = ITEMS) -> tuple[Prediction, ...]:
    """The first ``solved`` of the items right."""
    return tuple(
        Prediction(f"q{number}", 0, int(number >= solved), int(number < solved), (-1.0, -2.0))
        for number in range(items)
    )


def analyzed(baseline: int, solved: Sequence[int]) -> LabAnalysis:
    """Analyse seeds that solve so many of 80 items."""
    return analyze(
        predictions(baseline),
        {101 + number: predictions(each) for number, each in enumerate(solved)},
        benchmark="Exam",
        model="tiny",
        strata=Strata(("early",) * 40 + ("late",) * 40, "a rule"),
        thresholds=Thresholds(),
    )


def test_the_first_worked_numbers() -> None:
    """Methods §10.1: mean .7375, BCa [.325, 1.0625], p = 4 / 256: any gain, not one point."""
    found = infer_seeds(np.array([1.2, 0.4, 0.9, -0.2, 1.5, 0.7, 1.1, 0.3]))

    assert found.mean_delta_pp == pytest.approx(0.7375)
    assert found.bca[:2] == pytest.approx((0.325, 1.0625))
    assert found.p_value == 0.015625
    assert (found.evidence_any_gain, found.evidence_at_least(1.0)) == (True, False)


def test_the_second_worked_numbers() -> None:
    """Methods §10.1: mean 1.725, BCa [1.4125, 2.075], p = 2 / 256: both."""
    found = infer_seeds(np.array([1, 1.5, 2, 2.5, 1.2, 1.8, 1.6, 2.2]))

    assert found.mean_delta_pp == pytest.approx(1.725)
    assert found.bca[:2] == pytest.approx((1.4125, 2.075))
    assert found.p_value == 0.0078125
    assert (found.evidence_any_gain, found.evidence_at_least(1.0)) == (True, True)


def test_the_interval_is_scipys() -> None:
    """The very call of the lab's listing."""
    from scipy import stats

    deltas = np.array([0.3, -0.4, 1.9, 0.2, 0.8])
    rng = np.random.default_rng(20260918)
    expected = stats.bootstrap((deltas,), np.mean, n_resamples=10_000, method="BCa", rng=rng).confidence_interval

    assert infer_seeds(deltas).bca[:2] == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize(("count", "smallest"), [(4, 0.125), (5, 0.0625), (6, 0.03125), (8, 0.0078125)])
def test_few_seeds_cannot_reach_a_small_p(count: int, smallest: float) -> None:
    """Methods §10.2: with all signs alike p is 2 / 2^n."""
    found = infer_seeds(np.arange(1.0, count + 1))

    assert found.p_value == pytest.approx(smallest)
    assert found.evidence_any_gain == (smallest < 0.05)


def test_equal_deltas_have_no_interval() -> None:
    """The lab's sentence, with the value; floating noise does not make them differ."""
    with pytest.raises(IdenticalDeltas, match=r"cannot be calculated from identical seed deltas: all 8 are \+0.3"):
        infer_seeds(np.array([0.1 + 0.2] * 4 + [0.3] * 4))


def test_one_seed_says_nothing() -> None:
    """No p-value from nothing."""
    with pytest.raises(LabError, match="1 seed says nothing about other seeds"):
        infer_seeds(np.array([1.0]))


def test_the_report_has_the_labs_fields() -> None:
    """40 of 80 right before; 44 to 51 after: +5 to +13.75 pp, mean +9.375."""
    fields = report_fields(analyzed(40, range(44, 52)))

    assert fields["baseline_accuracy_pct"] == 50.0
    assert fields["seed_accuracies_pct"]["101"] == pytest.approx(55.0)
    assert fields["seed_deltas_pp"]["108"] == pytest.approx(13.75)
    assert fields["mean_delta_pp"] == pytest.approx(9.375)
    assert fields["bca_95_ci_pp"][0] < 9.375 < fields["bca_95_ci_pp"][1]
    assert fields["exact_sign_flip_pvalue"] == pytest.approx(2 / 256)
    assert (fields["evidence_any_gain"], fields["evidence_at_least_1pp"]) == (True, True)
    assert fields["largest_gains_item_ids"] == [f"q{number}" for number in range(40, 50)]
    assert fields["largest_losses_item_ids"] == []
    assert fields["reading"] == "at_least"


@pytest.mark.parametrize(
    ("solved", "reading"),
    [
        pytest.param((38, 42, 39, 43, 40, 41, 37, 44), "no_direction", id="zero inside"),
        pytest.param((44, 45, 46, 47), "not_confirmed", id="too few seeds"),
        pytest.param((44, 45, 46, 47, 44, 45, 46, 47), "at_least", id="at least a point"),
        pytest.param((36, 35, 34, 33, 36, 35, 34, 33), "at_least", id="worse by a point"),
    ],
)
def test_the_readings(solved: tuple[int, ...], reading: str) -> None:
    """80 items, so one item is 1.25 pp."""
    assert analyzed(40, solved).verdict.reading == reading


def test_a_gain_below_the_threshold_is_a_reading_of_its_own() -> None:
    """1 to 3 of 400 items gained: .25 to .75 pp."""
    found = analyze(
        predictions(200, 400),
        {number: predictions(200 + 1 + number % 3, 400) for number in range(8)},
        benchmark="Exam",
        model="tiny",
        strata=Strata(("all",) * 400, "a rule"),
        thresholds=Thresholds(),
    )

    assert found.verdict.reading == "below_threshold"
    assert (found.seeds.evidence_any_gain, found.seeds.evidence_at_least(1.0)) == (True, False)


def test_strata_are_tested_against_the_declared_floor() -> None:
    """All gains lie in the second half of the items; the first half does not change, so nothing is shown there."""
    fields = report_fields(analyzed(40, range(44, 52)))["by_stratum"]

    early, late = fields["strata"]
    assert (early["name"], early["delta_pp"], early["above_floor"]) == ("early", 0.0, False)
    assert late["delta_pp"] == pytest.approx(18.75)
    assert late["above_floor"]
    assert fields["delta_pp"] == pytest.approx(9.375)


def test_the_page_shows_what_was_decided() -> None:
    """Three decimals, six for p, and the limits of the claim beside it."""
    page = report_page(analyzed(40, range(44, 52)))

    assert page.startswith(
        "# Exam paired evaluation\n\n| System | Accuracy (%) |\n|---|---:|\n| tiny baseline | 50.000 |"
    )
    assert "| LoRA, mean of 8 seeds | 59.375 |" in page
    assert "- Mean difference: 9.375 pp" in page
    assert "- Exact sign-flip p-value: 0.007812" in page
    assert "- Evidence of at least +1 pp: True" in page
    assert "- t 95% CI: [" in page
    assert "- Holds for Exam, tiny and this environment only." in page
    assert "Over every level that was repeated" in page


def test_names_from_files_cannot_break_the_page() -> None:
    """A stratum with a bar and a line end stays in its cell."""
    found = analyze(
        predictions(40),
        {number: predictions(44 + number) for number in range(8)},
        benchmark="Exam",
        model="tiny",
        strata=Strata(("a|b\n# c",) * ITEMS, "a rule"),
        thresholds=Thresholds(),
    )

    assert "| a\\|b # c | 80 |" in report_page(found)


def test_another_order_is_refused() -> None:
    """The message names the seed, the place and both ids."""
    swapped = (predictions(40)[1], predictions(40)[0], *predictions(40)[2:])

    with pytest.raises(LabError, match=r"Item order differs for seed=211: number 1 is 'q1' .* baseline 'q0'"):
        analyze(
            predictions(40),
            {101: predictions(41), 211: swapped},
            benchmark="Exam",
            model="tiny",
            strata=Strata(("all",) * ITEMS, "a rule"),
            thresholds=Thresholds(),
        )


def test_another_number_of_items_is_refused() -> None:
    """Nothing is cut to fit."""
    with pytest.raises(LabError, match="seed=101 has 79 results and the baseline 80"):
        analyze(
            predictions(40),
            {101: predictions(40)[:79]},
            benchmark="Exam",
            model="tiny",
            strata=Strata(("all",) * ITEMS, "a rule"),
            thresholds=Thresholds(),
        )
