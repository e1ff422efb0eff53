"""Losses of Frail-pi over counts, against sums written out over observations."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy import special, stats

from glass_pipeline.domain.predictors.losses.bce import bce, per_job_mean
from glass_pipeline.domain.predictors.losses.beta_binomial import beta_binomial
from glass_pipeline.domain.predictors.losses.contrast import contrast
from glass_pipeline.domain.predictors.losses.reliability_weighted import reliability_weighted
from glass_pipeline.domain.predictors.losses.soft_rank import rank_loss, soft_ranks

LOGITS = torch.tensor([[0.0, 1.0], [-1.0, 2.0]])
TRIALS = torch.tensor([[1.0, 3.0], [2.0, 0.0]])
BREAKS = torch.tensor([[1.0, 2.0], [1.0, 0.0]])
# Observations written out: job 0 has B = 1 at z 0 and 1, 1, 0 at z 1; job 1 has 1, 0 at z -1.
BY_JOB = [[(0.0, 1), (1.0, 1), (1.0, 1), (1.0, 0)], [(-1.0, 1), (-1.0, 0)]]


def cross_entropy(z: float, broke: int) -> float:
    """-log of the probability of what happened."""
    return float(-np.log(special.expit(z if broke else -z)))


JOB_MEANS = [float(np.mean([cross_entropy(*seen) for seen in job])) for job in BY_JOB]


def test_bce_is_the_mean_over_observations() -> None:
    """Counts give what the six observations give."""
    expected = np.mean([cross_entropy(*seen) for job in BY_JOB for seen in job])

    assert float(bce(LOGITS, BREAKS, TRIALS)) == pytest.approx(expected, abs=1e-6)


def test_per_job_mean_weighs_jobs_alike() -> None:
    """A job of four twins counts as much as one of two."""
    assert float(per_job_mean(LOGITS, BREAKS, TRIALS)) == pytest.approx(np.mean(JOB_MEANS), abs=1e-6)


def test_reliable_jobs_weigh_more() -> None:
    """With s = 4: w = 4/8 and 2/6, rescaled to mean 1 they are 1.2 and 0.8."""
    expected = (1.2 * JOB_MEANS[0] + 0.8 * JOB_MEANS[1]) / 2

    found = reliability_weighted(LOGITS, BREAKS, TRIALS, precision=4.0)
    assert float(found) == pytest.approx(expected, abs=1e-6)


def test_contrast_pairs_broken_with_unbroken_twins_of_one_job() -> None:
    """Job 0 pairs its unbroken twin (z 1) with three broken ones (z 0, 1, 1); job 1 its two twins at z -1."""
    expected = np.mean([np.log1p(np.exp(-gap)) for gap in (0.0 - 1.0, 0.0, 0.0, 0.0)])

    assert float(contrast(LOGITS, BREAKS, TRIALS)) == pytest.approx(expected, abs=1e-6)


def test_contrast_of_jobs_of_one_outcome_is_zero() -> None:
    """Nothing can be compared, and nothing is divided by zero."""
    assert float(contrast(LOGITS, TRIALS, TRIALS)) == 0.0


def test_beta_binomial_is_scipys() -> None:
    """-log BetaBin(k | n, mu s, (1 - mu) s), mu the mean p over the job's own twins."""
    p = special.expit(LOGITS.numpy())
    means = [(p[0, 0] + 3 * p[0, 1]) / 4, p[1, 0]]
    s = 5.0
    expected = -np.mean(
        [stats.betabinom.logpmf(k, n, mu * s, (1 - mu) * s) for k, n, mu in zip((3, 1), (4, 2), means, strict=True)]
    )

    found = beta_binomial(LOGITS, BREAKS, TRIALS, log_precision=torch.tensor(np.log(s), dtype=torch.float32))
    assert float(found) == pytest.approx(expected, abs=1e-5)


def test_soft_ranks_become_hard_ranks_as_the_temperature_falls() -> None:
    """At T = 1e-4 the soft ranks of distinct scores are 1, 2, 3, 4."""
    scores = torch.tensor([0.3, -1.0, 2.0, 0.5])

    np.testing.assert_allclose(soft_ranks(scores, 1e-4).numpy(), [2, 1, 4, 3], atol=1e-4)
    assert float(soft_ranks(torch.tensor([0.0, 0.1]), 0.1)[0]) == pytest.approx(1 + special.expit(-1.0), abs=1e-6)


def test_the_rank_loss_tends_to_one_minus_spearman() -> None:
    """At a small temperature it is 1 - Spearman's rho with average ranks."""
    rng = np.random.default_rng(0)
    z, k = rng.normal(size=40), rng.integers(0, 6, size=40)
    rho = stats.spearmanr(z, k).statistic
    logits = torch.tensor(z[:, None])

    found = rank_loss(logits, torch.tensor(k[:, None] * 1.0), torch.full((40, 1), 5.0), temperature=1e-5)
    assert float(found) == pytest.approx(1 - rho, abs=1e-3)


def test_a_small_batch_has_no_rank_loss() -> None:
    """Under 16 jobs the term is 0 and has a gradient of 0."""
    logits = LOGITS.clone().requires_grad_(True)
    loss = rank_loss(logits, BREAKS, TRIALS)
    torch.autograd.backward(loss)

    assert float(loss.detach()) == 0.0
    assert logits.grad is not None
    assert not logits.grad.any()
