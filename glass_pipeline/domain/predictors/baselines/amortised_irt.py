"""Holds the baseline of item response theory with a difficulty that is a linear function of the text.

Never fits an ability: with one solver it is 0 by definition.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

import numpy as np
import polars as pl
import scipy
from numpy.typing import NDArray

from glass_pipeline.domain.predictors.features import Featurizer, make_featurizer
from glass_pipeline.domain.predictors.jobs import JobSet, PredictorError
from glass_pipeline.domain.predictors.predictor import Reads, predictions, require_fitted

Floats = NDArray[np.float64]
PENALTY = 1.0
"""Ridge penalty on the weights, in units of one observation's log-likelihood."""


class AmortisedIrt:
    """P(correct) = sigmoid(-d(x)), d linear in the text's vector; ranks by d.

    Args:
        featurizer: None takes TF-IDF + SVD.

    Source: methods §7.
    """

    name = "amortised IRT"
    reads: Reads = "text"
    is_rate = False

    def __init__(self, featurizer: Featurizer | None = None) -> None:
        self._featurizer = featurizer or make_featurizer("tfidf_svd")
        self._predict: Callable[[JobSet], Floats] | None = None

    def fit(self, train: JobSet, validation: JobSet, *, seed: int) -> Self:
        """Fit d by cross-entropy over the base and every eligible twin of all training jobs.

        Raises:
            PredictorError: no training base was asked.
        """
        correct, asked = correctness(train)
        if asked.sum() == 0:
            raise PredictorError("amortised IRT: no training base was asked; pass jobs with a base pass rate.")
        featurizer = self._featurizer.fit(train.texts)
        weights = fit_difficulty(featurizer.transform(train.texts), correct, asked)
        self._predict = lambda jobs: featurizer.transform(jobs.texts) @ weights[1:] + weights[0]
        return self

    def predict(self, jobs: JobSet) -> pl.DataFrame:
        """Return the difficulty of each job, in logits."""
        learned = require_fitted(self._predict, self.name)
        return predictions(jobs.base_ids, learned(jobs))


def correctness(jobs: JobSet) -> tuple[Floats, Floats]:
    """Return correct answers and questions of each job, its base counted once at its pass rate, and its twins."""
    counted = jobs.problems.join(jobs.counts(), on="base_id", how="left", maintain_order="left").with_columns(
        pl.col("n", "k").fill_null(0.0), asked=pl.col("base_pass_rate").is_not_null().cast(pl.Float64())
    )
    correct = pl.col("base_pass_rate").fill_null(0.0) + pl.col("n") - pl.col("k")
    table = counted.select(correct=correct, asked=pl.col("asked") + pl.col("n"))
    return table["correct"].to_numpy(), table["asked"].to_numpy()


def fit_difficulty(features: Floats, correct: Floats, asked: Floats) -> Floats:
    """Return intercept and weights of d that maximise the penalised likelihood.

    Minimises sum_j asked_j softplus(d_j) - (asked_j - correct_j) d_j + |w|^2 / 2, the cross-entropy of
    Bin(asked, sigmoid(-d)); the intercept is not penalised.

    Args:
        features: Shape ``[J, d]``.
        correct: Shape ``[J]``.
        asked: Shape ``[J]``.
    """
    design = np.column_stack([np.ones(len(features)), features])

    def loss(weights: Floats) -> tuple[float, Floats]:
        d = design @ weights
        penalised = np.r_[0.0, weights[1:]]
        value = asked @ np.logaddexp(0, d) - (asked - correct) @ d + PENALTY / 2 * penalised @ penalised
        gradient = design.T @ (asked * scipy.special.expit(d) - (asked - correct)) + PENALTY * penalised
        return float(value), gradient

    found = scipy.optimize.minimize(loss, np.zeros(design.shape[1]), jac=True, method="L-BFGS-B")
    return np.asarray(found.x)
