"""The homogeneous ensemble."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

import polars as pl
import pytest

from glass_pipeline.domain.predictors.ensemble import Ensemble
from glass_pipeline.domain.predictors.jobs import JobSet, PredictorError
from glass_pipeline.domain.predictors.predictor import Reads, predictions

Builder = Callable[..., JobSet]


class Counted:
    """Predicts .2, .8, .2, .8 ... for every job, in the order in which members are fitted."""

    name = "counted"
    reads: Reads = "design"
    is_rate = True
    seeds: list[int] = []  # noqa: RUF012  # shared on purpose: the ensemble makes one a member

    def fit(self, train: JobSet, validation: JobSet, *, seed: int) -> Self:
        """Note the seed."""
        self.rate = 0.8 if len(self.seeds) % 2 else 0.2
        self.seeds.append(seed)
        return self

    def predict(self, jobs: JobSet) -> pl.DataFrame:
        """Return the rate."""
        return predictions(jobs.base_ids, [self.rate] * len(jobs))


def test_members_have_seeds_of_their_own_and_logits_are_averaged(toy_jobs: Builder) -> None:
    """Four members at .2, .8, .2, .8: their mean logit is 0, the rate .5; the seeds differ and come back."""
    Counted.seeds.clear()
    ensemble = Ensemble(Counted, members=4).fit(toy_jobs(3), toy_jobs(3), seed=1)
    first = list(Counted.seeds)
    Ensemble(Counted, members=4).fit(toy_jobs(3), toy_jobs(3), seed=1)

    assert ensemble.predict(toy_jobs(3))["pi_hat"].to_list() == pytest.approx([0.5] * 3)
    assert len(set(first)) == 4
    assert Counted.seeds[4:] == first
    assert (ensemble.name, ensemble.reads) == ("4 x counted", "design")


def test_an_unfitted_ensemble_refuses_to_predict(toy_jobs: Builder) -> None:
    """The message says what to call first."""
    with pytest.raises(PredictorError, match="not fitted"):
        Ensemble(Counted).predict(toy_jobs(2))
