"""Seeds x items x decodings."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from statsmodels.formula.api import ols

from glass_pipeline.domain.comparison.hierarchical import hierarchical, variance_components


def test_worked_components(make_paired) -> None:
    """Two seeds, two items: x = [[3, 1], [1, 1]].

    Mean 3/2; seed means 2, 1; item means 2, 1; the residuals are +-1/2, so MS_rest = 1.
    sigma^2_seed = .5 - 1/2 = 0 and sigma^2_item = .5 - 1/2 = 0.
    """
    found = variance_components(make_paired(np.zeros((1, 2, 1)), [[[3], [1]], [[1], [1]]]))

    assert (found.seed, found.item_by_treatment, found.seed_by_item) == pytest.approx((0.0, 0.0, 1.0))
    assert (found.decoding_a, found.decoding_b) == (None, None)


def test_components_follow_from_statsmodels_mean_squares(make_paired) -> None:
    """Two-way layout with three decodings a cell: the expected mean squares solved by hand."""
    seeds, items, decodings = 4, 6, 3
    rng = np.random.default_rng(0)
    y = rng.normal(size=(seeds, 1, 1)) + 2 * rng.normal(size=(1, items, 1)) + rng.normal(size=(seeds, items, decodings))
    s, i, _ = np.indices(y.shape)
    table = pd.DataFrame({"y": y.ravel(), "s": s.ravel(), "i": i.ravel()})
    square = sm.stats.anova_lm(ols("y ~ C(s) * C(i)", data=table).fit())
    square = square["sum_sq"] / square["df"]

    found = variance_components(make_paired(np.zeros((1, items, 1)), y))

    assert found.decoding_b == pytest.approx(square["Residual"])
    assert found.seed_by_item == pytest.approx(max((square["C(s):C(i)"] - square["Residual"]) / decodings, 0))
    assert found.seed == pytest.approx((square["C(s)"] - square["C(s):C(i)"]) / (items * decodings))
    assert found.item_by_treatment == pytest.approx((square["C(i)"] - square["C(s):C(i)"]) / (seeds * decodings))


def test_the_planted_components_are_found(make_paired) -> None:
    """Variances .04, .25, .09 and 1 (decoding of B) and 4 (decoding of A, one run) come back to a fifth."""
    rng = np.random.default_rng(1)
    seeds, items, decodings = 300, 300, 2
    b = (
        0.2 * rng.normal(size=(seeds, 1, 1))
        + 0.5 * rng.normal(size=(1, items, 1))
        + 0.3 * rng.normal(size=(seeds, items, 1))
        + rng.normal(size=(seeds, items, decodings))
    )
    a = 2 * rng.normal(size=(1, items, 40))

    found = variance_components(make_paired(a, b))

    assert found.seed == pytest.approx(0.04, rel=0.2)
    assert found.item_by_treatment == pytest.approx(0.25, rel=0.2)
    assert found.seed_by_item == pytest.approx(0.09, rel=0.2)
    assert found.decoding_b == pytest.approx(1.0, rel=0.05)
    assert found.decoding_a == pytest.approx(4.0, rel=0.05)


def test_the_error_adds_up_over_levels(make_paired) -> None:
    """With plug-in variances the two-way bootstrap of additive effects has Var = s^2_seed / S + s^2_item / I."""
    rng = np.random.default_rng(2)
    seeds, items = 20, 50
    of_seed, of_item = rng.normal(size=(seeds, 1, 1)), rng.normal(size=(1, items, 1))
    paired = make_paired(np.zeros((1, items, 1)), of_seed + of_item)

    found = hierarchical(paired, rng=np.random.default_rng(3), resamples=4000)

    assert found is not None
    assert found.standard_error == pytest.approx(np.sqrt(of_seed.var() / seeds + of_item.var() / items), rel=0.05)
    assert found.percentile.low < found.delta < found.percentile.high


def test_decodings_alone_are_resampled_within_cells(make_paired) -> None:
    """Items equal, decodings not: the error is that of the decodings, here sqrt(.25 / (I D))."""
    b = np.tile([0.0, 1.0], (1, 40, 1))

    found = hierarchical(make_paired(np.zeros((1, 40, 1)), b), rng=np.random.default_rng(4), resamples=4000)

    assert found is not None
    assert found.standard_error == pytest.approx(np.sqrt(0.25 / 80), rel=0.05)
    assert found.components.seed is None
    assert found.t_over_seeds is None


def test_clusters_widen_the_interval(make_paired) -> None:
    """Ten clusters of five equal items have five times the variance of fifty items."""
    rng = np.random.default_rng(5)
    b = np.repeat(rng.normal(size=10), 5)[None, :, None] + np.zeros((2, 1, 1)) + np.array([[[1e-6]], [[0.0]]])
    clusters = [str(number // 5) for number in range(50)]
    single, whole = (
        hierarchical(make_paired(np.zeros((1, 50, 1)), b, each), rng=np.random.default_rng(6), resamples=3000)
        for each in (None, clusters)
    )

    assert whole.standard_error / single.standard_error == pytest.approx(np.sqrt(5), rel=0.08)


def test_paired_seeds_share_their_draw(make_paired) -> None:
    """Where A and B move together from seed to seed, their difference does not vary by seed."""
    of_seed = np.random.default_rng(7).normal(size=(8, 1, 1))
    of_item = np.random.default_rng(8).normal(size=(1, 30, 1))
    a = of_seed + np.zeros((8, 30, 1))

    found = hierarchical(make_paired(a, a + of_item), rng=np.random.default_rng(9), resamples=3000)

    assert found is not None
    assert found.standard_error == pytest.approx(float(of_item.std()) / np.sqrt(30), rel=0.06)


def test_single_runs_have_no_levels(make_paired) -> None:
    """One seed and one decoding leave nothing to add to the item bootstrap."""
    assert hierarchical(make_paired(np.zeros((1, 3, 1)), np.ones((1, 3, 1))), rng=np.random.default_rng(0)) is None


@pytest.mark.slow
def test_it_covers_new_seeds_and_items(make_paired) -> None:
    """8 seeds x 60 items with effects of both: nominal 95 % covers at least 90 % of the time."""
    rng, covered = np.random.default_rng(10), 0
    for _ in range(300):
        b = 0.1 * rng.normal(size=(8, 1, 1)) + rng.normal(size=(1, 60, 1)) + 0.5 * rng.normal(size=(8, 60, 1))
        found = hierarchical(make_paired(np.zeros((1, 60, 1)), b), rng=rng, resamples=500)
        assert found is not None
        covered += found.percentile.low <= 0 <= found.percentile.high

    assert 0.90 <= covered / 300 <= 0.99
