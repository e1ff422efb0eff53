"""Scores of one fold and of a choice of jobs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import log_loss, ndcg_score

from glass_pipeline.domain.predictors.evaluation.curation import curate, top_count
from glass_pipeline.domain.predictors.evaluation.metrics import (
    Measured,
    calibration_error,
    ndcg,
    rank_scores,
    rate_scores,
)


@pytest.fixture
def rng() -> np.random.Generator:
    """A local generator."""
    return np.random.default_rng(5)


def test_rank_scores_are_scipys_and_sklearns(rng: np.random.Generator) -> None:
    """Ties included."""
    target, prediction = rng.integers(0, 5, 60) / 8, rng.integers(0, 20, 60) / 20
    found = rank_scores(prediction, Measured(target, target * 8, np.full(60, 8.0)))

    assert found["spearman"] == pytest.approx(stats.spearmanr(prediction, target).statistic)
    assert found["kendall"] == pytest.approx(stats.kendalltau(prediction, target).statistic)
    assert found["pearson"] == pytest.approx(np.corrcoef(prediction, target)[0, 1])
    assert found["ndcg_10"] == pytest.approx(ndcg_score([target], [prediction], k=10))


def test_auroc_by_hand() -> None:
    """Fragile jobs (.2, .4) against steady ones (0, .05): three of four pairs are ordered right."""
    target = np.array([0.0, 0.05, 0.2, 0.4])
    found = rank_scores(np.array([0.1, 0.3, 0.2, 0.9]), Measured(target, target * 20, np.full(4, 20.0)))

    assert found["auroc"] == 0.75


def test_undefined_scores_are_nan() -> None:
    """A constant prediction ranks nothing; a constant target cannot be ranked."""
    flat, varied = np.zeros(6), np.arange(6) / 6
    constant = rank_scores(flat, Measured(varied, varied * 6, np.full(6, 6.0)))
    nothing = rank_scores(varied, Measured(flat, flat, np.full(6, 6.0)))

    assert math.isnan(constant["spearman"])
    assert math.isnan(constant["kendall"])
    assert constant["auroc"] == 0.5
    assert all(math.isnan(nothing[name]) for name in ("spearman", "kendall", "auroc", "ndcg_10"))


def test_ndcg_by_hand() -> None:
    """Gains 0, 1, .5 in the order predicted: (1 / log2 3 + .5 / 2) / (1 + .5 / log2 3)."""
    found = ndcg(np.array([3.0, 2.0, 1.0]), np.array([0.0, 1.0, 0.5]))

    assert found == pytest.approx((1 / math.log2(3) + 0.25) / (1 + 0.5 / math.log2(3)))


def test_rate_scores_are_those_of_the_observations() -> None:
    """Jobs .2 (1 of 2 broke) and .9 (3 of 3): Brier and log loss over five observations written out."""
    p, k, n = np.array([0.2, 0.9]), np.array([1.0, 3.0]), np.array([2.0, 3.0])
    found = rate_scores(p, Measured(k / n, k, n))
    each, outcome = np.array([0.2, 0.2, 0.9, 0.9, 0.9]), np.array([1, 0, 1, 1, 1])

    assert found["mae"] == pytest.approx((0.3 + 0.1) / 2)
    assert found["brier"] == pytest.approx(np.mean((each - outcome) ** 2))
    assert found["log_loss"] == pytest.approx(log_loss(outcome, each))
    # Two bins of one job: 2/5 |.2 - .5| + 3/5 |.9 - 1|.
    assert found["ece"] == pytest.approx(0.4 * 0.3 + 0.6 * 0.1)


def test_a_calibrated_prediction_has_no_calibration_error() -> None:
    """One bin in which predictions and breaks agree on average."""
    assert calibration_error(np.array([0.2, 0.8]), np.array([2.0, 3.0]), np.array([5.0, 5.0]), bins=1) == 0


def test_the_published_oracle_recalls() -> None:
    """N = 373 and 189.5 fragile: K = 19, 37, 75, 186 and K / 189.5 = .100, .195, .396, .98."""
    counts = [top_count(373, percent) for percent in (5, 10, 20, 50)]

    assert counts == [19, 37, 75, 186]
    assert [round(count / 189.5, 3) for count in counts] == [0.100, 0.195, 0.396, 0.982]


def test_the_oracle_reaches_its_recall_and_random_scores_reach_k(rng: np.random.Generator) -> None:
    """190 of 373 fragile: ranking by pi finds 19 / 190; one tie of all finds about 5 %."""
    target = np.r_[np.linspace(0.06, 0.9, 190), np.zeros(183)]
    best = curate(target, target, percent=5, rng=rng)
    blind = curate(np.zeros(373), target, percent=5, rng=rng)

    assert (best.recall, best.oracle_recall, best.precision) == (0.1, 0.1, 1.0)
    assert best.mean_ratio == pytest.approx(1.0)
    assert blind.recall == pytest.approx(0.05, abs=0.015)


def test_the_published_precisions() -> None:
    """R@5 .099, R@20 .36, R@50 .725 of 189.5 fragile jobs are precisions .99, .91, .74."""
    found = [recall * 189.5 / top_count(373, percent) for percent, recall in ((5, 0.099), (20, 0.36), (50, 0.725))]

    assert [round(each, 2) for each in found] == [0.99, 0.91, 0.74]


def test_the_mean_ratio_by_hand(rng: np.random.Generator) -> None:
    """Choosing .2 and .4 where .8 and .4 were to be had: .6 / 1.2."""
    found = curate(np.array([4.0, 3.0, 2.0, 1.0]), np.array([0.2, 0.4, 0.8, 0.0]), percent=50, rng=rng)

    assert found.chosen == 2
    assert found.mean_ratio == pytest.approx(0.5)
    assert found.recall == pytest.approx(2 / 3)


def test_without_fragile_jobs_curation_is_undefined(rng: np.random.Generator) -> None:
    """Nothing can be found, and nothing is divided by zero."""
    found = curate(np.arange(4.0), np.zeros(4), percent=50, rng=rng)

    assert math.isnan(found.recall)
    assert math.isnan(found.mean_ratio)
