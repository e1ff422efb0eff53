"""Holds the study of Synth-CD: every method ranks the same held-out jobs, beside what the truth would reach.

Never uses a real label, and never a held-out job to train or stop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from glass_pipeline.domain.estimands.ccd import FRAGILE_FROM
from glass_pipeline.domain.predictors.baselines.ridge import fit_ridge
from glass_pipeline.domain.predictors.config import FrailPiConfig
from glass_pipeline.domain.predictors.contrast_config import SYNTH, ContrastConfig
from glass_pipeline.domain.predictors.contrast_network import Observed
from glass_pipeline.domain.predictors.evaluation.metrics import ndcg
from glass_pipeline.domain.predictors.features import Featurizer
from glass_pipeline.domain.predictors.frail_contrast import fit_network, pair_output, single_output
from glass_pipeline.domain.predictors.frail_pi import FrailPi
from glass_pipeline.domain.predictors.held_out import one_core
from glass_pipeline.domain.predictors.jobs import JobSet, break_rates, strata_of
from glass_pipeline.domain.schemas.synth_cd import SYNTH_SCORES
from glass_pipeline.domain.seeding import child_generator
from glass_pipeline.domain.splits import names_key, split_jobs
from glass_pipeline.domain.stats.rank import spearman
from glass_pipeline.domain.synth_cd.bernoulli import draw_bernoulli
from glass_pipeline.domain.synth_cd.continuous import ContinuousJobs, draw_continuous, expected_drop
from glass_pipeline.domain.synth_cd.feature_table import FeatureTable
from glass_pipeline.domain.synth_cd.jobs import bernoulli_job_set, job_id
from glass_pipeline.domain.synth_cd.texts import Texts, plan_job, render_job

Floats = NDArray[np.float64]
NONE = "—"
PUBLISHED = {"contrast head": "0.617", "single head": "0.420", "score predictor": "0.496", "surface length": "0.100"}


class Ranking(NamedTuple):
    """One method's values of the held-out jobs."""

    method: str
    reads: str
    values: Floats
    is_target: bool
    """Whether the values predict the target itself, so that their error can be scored."""


class Truth(NamedTuple):
    """What held-out jobs are scored against."""

    target: Floats
    complexity: Floats
    is_fragile: NDArray[np.bool_]


def continuous_study(
    featurizer: Featurizer, *, seed: int, config: ContrastConfig = SYNTH, jobs: int = 1000
) -> pl.DataFrame:
    """Draw jobs, train Frail-tau on seven tenths of them, and rank the rest by every method.

    Args:
        featurizer: Of texts; fitted on training texts alone.
        seed: Of every draw and start.
        config: Of the contrast architecture.
        jobs: Jobs to draw.

    Returns:
        The table ``SYNTH_SCORES``.

    Source: methods §8.1, table 5 of the paper.
    """
    drawn = draw_continuous(np.random.default_rng(seed), jobs=jobs, held_out=round(0.3 * jobs))
    texts = texts_of(drawn.complexity, drawn.expertise, seed)
    train = np.setdiff1d(np.arange(jobs), drawn.held_out)
    own, d_avg = drawn.held_out, drawn.d_avg
    truth = Truth(d_avg[own], drawn.complexity[own], d_avg[own] > np.median(d_avg[train]))
    with one_core():
        rankings = [*_continuous_rankings(drawn, texts, train, featurizer, config, seed)]
    return SYNTH_SCORES.frame(_scored("continuous", each, truth) for each in rankings)


def _continuous_rankings(
    drawn: ContinuousJobs,
    texts: list[Texts],
    train: NDArray[np.int64],
    featurizer: Featurizer,
    config: ContrastConfig,
    seed: int,
) -> Iterator[Ranking]:
    own = drawn.held_out
    bases = [each.base for each in texts]
    featurizer.fit([bases[row] for row in train])
    vectors = featurizer.transform(bases)
    twins = featurizer.transform([text for each in texts for text in each.twins]).reshape(
        len(texts), -1, vectors.shape[1]
    )
    per_job = twins.shape[1]
    seen = Observed(
        bases=vectors[train],
        twins=twins[train].reshape(-1, vectors.shape[1]),
        job=np.repeat(np.arange(train.size), per_job),
        negatives=featurizer.transform([texts[row].negative for row in train]),
        twin_target=drawn.drops[train].ravel(),
        job_target=drawn.d_avg[train],
    )
    fitted = fit_network(config, featurizer, seen, vectors[:0], np.zeros(0), seed)
    pairs = pair_output(
        config, fitted, np.repeat(vectors[own], per_job, axis=0), twins[own].reshape(-1, vectors.shape[1])
    )
    scores = fit_ridge(vectors[train], drawn.score[train])
    drops = fit_ridge(vectors[train], drawn.d_avg[train])
    words = np.array([len(bases[row].split()) for row in own], dtype=np.float64)
    yield Ranking("knowing C and E", "drawn", expected_drop(drawn.complexity[own], drawn.expertise[own]), True)
    yield Ranking("contrast head", "twins", pairs.reshape(own.size, per_job).mean(axis=1), True)
    yield Ranking("single head", "text", single_output(fitted, vectors[own]), True)
    yield Ranking("ridge of D_avg", "text", drops(vectors[own]), True)
    yield Ranking("score predictor", "text", -scores(vectors[own]), False)
    yield Ranking("surface length", "text", words, False)
    yield Ranking("measured D_avg", "drawn", drawn.d_avg[own], True)


def bernoulli_study(make: Callable[[], Featurizer], *, seed: int, jobs: int = 500) -> pl.DataFrame:
    """Draw jobs that break or not, train Frail-pi on six tenths of them, and rank the rest by every method.

    Args:
        make: Makes an unfitted featurizer of texts.
        seed: Of every draw, split and start.
        jobs: Jobs to draw.

    Returns:
        The table ``SYNTH_SCORES``.

    Source: methods §8.2.
    """
    drawn = draw_bernoulli(np.random.default_rng(seed), jobs=jobs)
    texts = [each.base for each in texts_of(drawn.complexity, drawn.expertise, seed)]
    by_text = bernoulli_job_set(drawn, texts)
    split = split_jobs(strata_of(by_text), dataset_key=names_key(["synth_cd"]), seed=seed)
    test = by_text.only(split.test).labelled()
    rows = np.array([int(base_id.rpartition("-")[2]) for base_id in test.base_ids])
    pi = break_rates(test, test.base_ids)
    known = np.column_stack([drawn.complexity, drawn.expertise]).tolist()
    table = FeatureTable({job_id(row): vector for row, vector in enumerate(known)})

    def frail(given: JobSet, featurizer: Featurizer) -> Floats:
        model = FrailPi(FrailPiConfig(features=featurizer.name), featurizer=featurizer)
        model.fit(given.only(split.train), given.only(split.validation), seed=seed)
        return model.predict(given.only(test.base_ids).without_outcomes())["pi_hat"].to_numpy()

    with one_core():
        rankings = [
            Ranking("knowing p", "drawn", drawn.probability[rows].mean(axis=1), True),
            Ranking("Frail-π, C and E known", "drawn", frail(bernoulli_job_set(drawn), table), True),
            Ranking(f"Frail-π, {make().name}", "text", frail(by_text, make()), True),
            Ranking("declared complexity", "drawn", drawn.complexity[rows], False),
            Ranking("surface length", "text", _words(test), False),
        ]
    truth = Truth(pi, drawn.complexity[rows], pi > FRAGILE_FROM)
    return SYNTH_SCORES.frame(_scored("bernoulli", each, truth) for each in rankings)


def texts_of(complexity: Floats, expertise: Floats, seed: int) -> list[Texts]:
    """Return the texts of drawn jobs, each from a generator of its own."""
    texts = []
    for row, (c, e) in enumerate(zip(complexity, expertise, strict=True)):
        rng = child_generator("synth_cd", seed, row)
        texts.append(render_job(plan_job(float(c), float(e), rng), rng))
    return texts


def _words(jobs: JobSet) -> Floats:
    return np.array([len(text.split()) for text in jobs.texts], dtype=np.float64)


def _scored(variant: str, ranking: Ranking, truth: Truth) -> dict[str, Any]:
    values = ranking.values
    return {
        "variant": variant,
        "method": ranking.method,
        "reads": ranking.reads,
        "n_jobs": truth.target.size,
        "spearman": _finite(spearman(values, truth.target)),
        "ndcg_10": _finite(ndcg(values, truth.target)),
        "auroc": float(roc_auc_score(truth.is_fragile, values)) if 0 < truth.is_fragile.mean() < 1 else None,
        "mae": float(np.abs(values - truth.target).mean()) if ranking.is_target else None,
        "abs_rho_c": _finite(abs(spearman(values, truth.complexity))),
        "published": PUBLISHED.get(ranking.method, NONE) if variant == "continuous" else NONE,
    }


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
