"""The evaluation over seeds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

import numpy as np
import polars as pl
import pytest

from glass_pipeline.domain.predictors.baselines import BASELINES
from glass_pipeline.domain.predictors.evaluation import evaluate, summarise
from glass_pipeline.domain.predictors.jobs import JobSet, PredictorError
from glass_pipeline.domain.predictors.predictor import Reads, predictions
from glass_pipeline.domain.reliability import reliability_ceiling

Builder = Callable[..., JobSet]


class Peeking:
    """A predictor that notes what it is shown."""

    name = "peeking"
    reads: Reads = "text"
    is_rate = True
    seen: list[tuple[set[str], set[str]]] = []  # noqa: RUF012  # shared on purpose: the evaluation makes one a seed

    def fit(self, train: JobSet, validation: JobSet, *, seed: int) -> Self:
        """Note the jobs."""
        self.fitted_on = {*train.base_ids, *validation.base_ids}
        return self

    def predict(self, jobs: JobSet) -> pl.DataFrame:
        """Note the jobs, and that no outcome is shown."""
        assert "is_break" not in jobs.twins.columns
        self.seen.append((self.fitted_on, set(jobs.base_ids)))
        return predictions(jobs.base_ids, np.linspace(0, 1, len(jobs)))


def test_no_predictor_is_shown_outcomes_or_test_jobs(toy_jobs: Builder) -> None:
    """In every seed what it learns from and what it is asked about are disjoint, and outcomes are held back."""
    Peeking.seen.clear()
    found = evaluate(toy_jobs(60), {"peeking": Peeking}, dataset_key="toy", seeds=(0, 1))

    assert [fitted & asked for fitted, asked in Peeking.seen] == [set(), set()]
    assert [asked for _, asked in Peeking.seen] == [set(split.test) for split in found.splits]


def test_every_method_is_scored_on_the_same_jobs(toy_jobs: Builder) -> None:
    """The held-out jobs of a seed are the same for all methods, with their measured rates beside the predictions."""
    jobs = toy_jobs(60)
    methods = {name: BASELINES[name] for name in ("random", "declared complexity", "TF-IDF ridge")}
    found = evaluate(jobs, methods, dataset_key="toy", seeds=(0, 1))
    by_method = found.predictions.group_by("method", "seed").agg(pl.col("base_id", "pi", "k", "n").sort_by("base_id"))

    assert by_method.group_by("seed").agg(pl.col("base_id").n_unique())["base_id"].to_list() == [1, 1]
    row = found.predictions.filter(pl.col("method") == "random").row(0, named=True)
    assert row["pi"] == row["k"] / row["n"]


def test_scores_are_normalised_by_the_ceilings_given(toy_jobs: Builder) -> None:
    """Rho / sqrt(r) and rho / oracle; only rates are scored for calibration."""
    jobs = toy_jobs(60)
    counts = jobs.counts()
    ceiling = reliability_ceiling(
        counts["k"].to_numpy(), counts["n"].to_numpy(), rng=np.random.default_rng(0), prior="beta"
    )
    assert ceiling is not None
    methods = {name: BASELINES[name] for name in ("text length", "TF-IDF ridge")}
    found = evaluate(jobs, methods, dataset_key="toy", seeds=(0,), ceilings={"pi": ceiling}).scores
    scores = {(row["method"], row["target"], row["metric"]): row["value"] for row in found.iter_rows(named=True)}

    rho = scores["TF-IDF ridge", "pi", "spearman"]
    assert scores["TF-IDF ridge", "pi", "spearman_oracle"] == pytest.approx(rho / ceiling.oracle)
    assert scores["TF-IDF ridge", "pi", "spearman_sqrt_r"] == pytest.approx(rho / ceiling.sqrt_r)
    assert ("TF-IDF ridge", "pi", "brier") in scores
    assert ("text length", "pi", "brier") not in scores
    assert ("TF-IDF ridge", "pi_std", "spearman_oracle") not in scores


def test_the_summary_is_mean_and_sample_deviation_over_seeds() -> None:
    """Scores .2, .4 and an undefined one: mean .3, sd .1 sqrt 2, two seeds."""
    rows = [("a", 0, 0.2), ("a", 1, 0.4), ("a", 2, float("nan"))]
    scores = pl.DataFrame(
        [
            {"seed": seed, "method": name, "reads": "text", "target": "pi", "metric": "spearman", "value": value}
            for name, seed, value in rows
        ]
    )
    found = summarise(scores).row(0, named=True)

    assert (found["mean"], found["sd"], found["n_seeds"]) == (
        pytest.approx(0.3),
        pytest.approx(0.1 * 2**0.5),
        2,
    )


def test_too_few_test_jobs_are_refused(toy_jobs: Builder, jobs_of: Builder) -> None:
    """Of 40 jobs only four have a break rate: no test fold can be scored."""
    full = toy_jobs(40)
    jobs = JobSet(problems=full.problems, twins=full.only(full.base_ids[:4]).twins)

    with pytest.raises(PredictorError, match="seed 0: 1 test jobs have a break rate"):
        evaluate(jobs, {"random": BASELINES["random"]}, dataset_key="toy", seeds=(0,))
