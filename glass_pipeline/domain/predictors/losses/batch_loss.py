"""Holds how the settings' loss of a batch is put together: one likelihood, and the contrast term where it weighs.

Never holds a loss's formula (see the module of each).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from glass_pipeline.domain.predictors.config import FrailPiConfig
from glass_pipeline.domain.predictors.dose_features import CellCounts
from glass_pipeline.domain.predictors.losses.bce import bce, per_job_mean
from glass_pipeline.domain.predictors.losses.beta_binomial import beta_binomial
from glass_pipeline.domain.predictors.losses.contrast import contrast
from glass_pipeline.domain.predictors.losses.reliability_weighted import reliability_weighted
from glass_pipeline.domain.predictors.losses.soft_rank import rank_loss
from glass_pipeline.domain.stats.beta_binomial import fit_beta_binomial

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

BatchLoss = Callable[["Tensor", "Tensor", "Tensor"], "Tensor"]
"""Maps logits, breaks and trials, each of shape ``[J, C]``, to a scalar."""
LOG_PRECISION = "log_precision"


def batch_loss(config: FrailPiConfig, network: Module, counts: CellCounts) -> BatchLoss:
    """Return the loss that the settings name.

    Args:
        config: Settings.
        network: Holds the precision of ``beta_binomial``.
        counts: Of all training jobs; their beta-binomial precision serves ``reliability_weighted``.

    Source: methods §5.3.
    """
    precision = fit_beta_binomial(counts.breaks.sum(axis=1), counts.trials.sum(axis=1)).precision
    likelihoods: Mapping[str, BatchLoss] = {
        "bce": bce,
        "per_job_mean": per_job_mean,
        "reliability_weighted": lambda z, k, n: reliability_weighted(z, k, n, precision=precision),
        "soft_rank": lambda z, k, n: bce(z, k, n) + config.rank_weight * rank_loss(z, k, n),
        "beta_binomial": lambda z, k, n: beta_binomial(z, k, n, log_precision=network.get_parameter(LOG_PRECISION)),
    }
    likelihood = likelihoods[config.loss]
    if config.contrast_weight == 0:
        return likelihood
    return lambda z, k, n: likelihood(z, k, n) + config.contrast_weight * contrast(z, k, n)


def add_precision(config: FrailPiConfig, network: Module) -> None:
    """Give a network the precision of the beta-binomial, where the settings need one."""
    import torch

    if config.loss == "beta_binomial":
        network.register_parameter(LOG_PRECISION, torch.nn.Parameter(torch.tensor(1.0)))
