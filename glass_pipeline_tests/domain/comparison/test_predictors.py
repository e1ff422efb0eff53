"""Judging predictors over five seeds (methods §10.4)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import special, stats
from statsmodels.stats.multitest import multipletests

from glass_pipeline.domain.comparison.predictors import (
    SeedFold,
    combined_p_value,
    judge_predictors,
    nadeau_bengio,
)
from glass_pipeline.domain.comparison.results import ComparisonError

JOBS = 200


def make_folds(*, seed: int = 0, jobs: int = JOBS, seeds: int = 5, item_noise: float = 0.8) -> list[SeedFold]:
    """Draw measured break rates and methods whose errors on an item recur in every seed; B is noisier than A."""
    rng = np.random.default_rng(seed)
    latent = rng.normal(-1.5, 1.5, jobs)
    target = rng.binomial(14, special.expit(latent)) / 14
    own = {"a": item_noise, "a2": item_noise, "b": 3 * item_noise}
    own = {method: scale * rng.normal(size=jobs) for method, scale in own.items()}
    folds = []
    for number in range(seeds):
        test = rng.permutation(jobs)[: round(0.3 * jobs)]
        noise = {method: error[test] + 0.3 * rng.normal(size=test.size) for method, error in own.items()}
        folds.append(
            SeedFold(
                seed=number,
                jobs=tuple(f"j{job}" for job in test),
                target=target[test],
                predictions={method: latent[test] + each for method, each in noise.items()},
                n_train=jobs - test.size,
            )
        )
    return folds


def judge(folds: list[SeedFold], *baselines: str, **options):
    """Judge method a with few resamples."""
    return judge_predictors(folds, "a", baselines, rng=np.random.default_rng(1), resamples=400, **options)


def test_the_statistic_is_the_mean_over_seeds() -> None:
    """Spearman by scipy on each fold, the difference averaged."""
    folds = make_folds()
    expected = [
        stats.spearmanr(fold.predictions["a"], fold.target).statistic
        - stats.spearmanr(fold.predictions["b"], fold.target).statistic
        for fold in folds
    ]

    found = judge(folds, "b")[0]

    assert found.seed_deltas == pytest.approx(expected)
    assert found.delta == pytest.approx(np.mean(expected))
    assert found.n_jobs == len({job for fold in folds for job in fold.jobs})


def test_seeds_and_methods_share_the_weights() -> None:
    """Against the plain definition: repeat each fold's jobs by the drawn multiplicities and score with scipy."""
    folds = make_folds(jobs=40)
    names = sorted({job for fold in folds for job in fold.jobs})
    drawn = np.random.default_rng(1).multinomial(len(names), np.full(len(names), 1 / len(names)), size=100)
    plain = []
    for weights in drawn:
        times = dict(zip(names, weights, strict=True))
        by_seed = []
        for fold in folds:
            repeat = np.repeat(np.arange(len(fold.jobs)), [times[job] for job in fold.jobs])
            rho = [stats.spearmanr(fold.predictions[method][repeat], fold.target[repeat]).statistic for method in "ab"]
            by_seed.append(rho[0] - rho[1])
        plain.append(np.mean(by_seed))

    found = judge_predictors(folds, "a", ["b"], rng=np.random.default_rng(1), resamples=100)[0]

    assert found.bootstrap_error == pytest.approx(np.std(plain, ddof=1), rel=1e-6)
    assert found.percentile[:2] == pytest.approx(np.quantile(plain, [0.025, 0.975]).tolist(), rel=1e-6)


def test_identical_predictions_differ_by_nothing() -> None:
    """Statistic 0, p = 1, no win (methods §13, 24)."""
    folds = [replace(fold, predictions={**fold.predictions, "b": fold.predictions["a"]}) for fold in make_folds()]

    found = judge(folds, "b")[0]

    assert (found.delta, found.error, found.p_value, found.p_holm, found.beats) == (0.0, 0.0, 1.0, 1.0, False)
    assert found.sentence.startswith("a and b cannot be told apart (")
    assert found.smallest_detectable == 0.0


def test_the_error_adds_the_seed_variance() -> None:
    """Var = SE^2 + sd^2 / S, and z follows from it."""
    found = judge(make_folds(), "b")[0]
    variance = found.bootstrap_error**2 + np.var(found.seed_deltas, ddof=1) / 5

    assert found.error == pytest.approx(np.sqrt(variance))
    assert found.p_value == pytest.approx(2 * stats.norm.sf(abs(found.delta) / np.sqrt(variance)))
    assert found.p_bootstrap < found.p_value
    assert found.interval.high - found.delta == pytest.approx(1.959964 * found.error)


def test_a_clear_win_is_claimed_and_a_tie_is_not() -> None:
    """A is far less noisy than b, and no better than its equal a2."""
    over_b, over_equal = judge(make_folds(), "b", "a2")

    assert over_b.beats
    assert over_b.by_least_gain
    assert over_b.same_sign == 5
    assert over_b.sentence.startswith("a beats b by at least 0.03 (difference in rho +")
    assert not over_equal.beats


def test_holm_runs_over_the_baselines() -> None:
    """Adjusted as statsmodels does."""
    found = judge(make_folds(), "b", "a2")
    expected = multipletests([each.p_value for each in found], method="holm")[1]

    assert [each.p_holm for each in found] == pytest.approx(expected.tolist())


def test_the_loser_does_not_beat_the_winner() -> None:
    """A significant difference below 0 is no win."""
    found = judge_predictors(make_folds(), "b", ["a"], rng=np.random.default_rng(1), resamples=400)[0]

    assert found.p_holm < 0.05
    assert (found.beats, found.loses) == (False, True)
    assert found.delta < 0
    assert found.sentence.startswith(f"a beats b (difference in rho {-found.delta:+.3f}, 95 % interval [0.")
    assert found.smallest_detectable == pytest.approx((1.959964 + 0.841621) * found.error)


def test_signs_must_agree_in_four_of_five_seeds() -> None:
    """Five seeds that all favour a, then with two of them turned round: the win goes with the agreement."""
    folds = make_folds()
    turned = [
        replace(fold, predictions={**fold.predictions, "a": fold.predictions["b"], "b": fold.predictions["a"]})
        for fold in folds[:2]
    ]

    found = judge([*turned, *folds[2:]], "b")[0]

    assert found.same_sign == 3
    assert (found.beats, found.loses) == (False, False)
    assert "cannot be told apart" in found.sentence


def test_nadeau_bengio_by_hand() -> None:
    """Deltas 1, 2, 3, test share 1/2: t = 2 / sqrt((1/3 + 1/2) * 1) with 2 degrees of freedom."""
    expected = 2 * stats.t.sf(2 / np.sqrt(1 / 3 + 1 / 2), 2)

    assert nadeau_bengio(np.array([1.0, 2.0, 3.0]), test_share=0.5) == pytest.approx(expected)
    assert nadeau_bengio(np.array([1.0]), test_share=0.5) is None
    assert nadeau_bengio(np.array([0.0, 0.0]), test_share=0.5) == 1.0
    assert nadeau_bengio(np.array([0.2, 0.2]), test_share=0.5) is None


def test_two_suites_combine_as_scipy_does() -> None:
    """Stouffer's z of two differences of one sign: scipy's on the one-sided p-values, doubled."""
    first, second = judge(make_folds(seed=1), "b")[0], judge(make_folds(seed=2), "b")[0]
    one_sided = [stats.norm.sf(each.delta / each.error) for each in (first, second)]

    expected = 2 * stats.combine_pvalues(one_sided, method="stouffer").pvalue
    assert combined_p_value([first, second]) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"jobs": ("j0",) * 60}, "seed 0: a job occurs twice"),
        ({"predictions": {"a": np.zeros(60)}}, "seed 0: no predictions of 'b'"),
        ({"target": np.zeros(3)}, r"seed 0: the target has shape \(3,\)"),
        ({"target": np.full(60, np.nan)}, "not finite"),
        ({"target": np.zeros(60)}, "the score of 'a' is undefined"),
    ],
    ids=["repeated job", "missing method", "shape", "nan", "constant"],
)
def test_folds_that_cannot_be_scored_are_refused(change: dict, message: str) -> None:
    """Each with its seed."""
    folds = make_folds()
    with pytest.raises(ComparisonError, match=message):
        judge([replace(folds[0], **change), *folds[1:]], "b")


def test_no_folds_are_refused() -> None:
    """There is nothing to judge."""
    with pytest.raises(ComparisonError, match="no fold was given"):
        judge([], "b")


@pytest.mark.slow
def test_equal_methods_are_rarely_told_apart() -> None:
    """Item-level errors that recur in every seed, no true difference: the rule claims a win in at most 7 %."""
    rejected = 0
    for seed in range(150):
        found = judge_predictors(
            make_folds(seed=seed, jobs=600), "a", ["a2"], rng=np.random.default_rng(seed), resamples=300
        )
        rejected += found[0].p_value < 0.05

    assert rejected / 150 <= 0.07
