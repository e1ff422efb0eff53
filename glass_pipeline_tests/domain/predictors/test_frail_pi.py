"""Frail-pi with arch dose: it learns, repeats itself, and survives storage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Self

import numpy as np
import pytest
import torch
from scipy import special

from glass_pipeline.domain.predictors.checkpoint import Checkpoint
from glass_pipeline.domain.predictors.config import FrailPiConfig, Loss, Recipe
from glass_pipeline.domain.predictors.features import FeatureState
from glass_pipeline.domain.predictors.frail_pi import FrailPi
from glass_pipeline.domain.predictors.jobs import JobSet, PredictorError, break_rates, jobs_of_texts
from glass_pipeline.domain.stats.rank import spearman

QUICK = FrailPiConfig(hidden=16, recipe=Recipe(epochs=25, learning_rate=1e-2))
Builder = Callable[..., JobSet]


@pytest.mark.parametrize("loss", ["bce", "per_job_mean", "reliability_weighted", "soft_rank", "beta_binomial"])
def test_it_tells_boats_from_kites(toy_jobs: Builder, loss: Loss) -> None:
    """Every loss learns which subject breaks more often."""
    model = FrailPi(replace(QUICK, loss=loss, contrast_weight=0.1)).fit(
        toy_jobs(80), toy_jobs(20, seed=1, start=80), seed=0
    )
    new = toy_jobs(40, seed=2, start=100)
    found = model.predict(new.without_outcomes())

    boats = np.array(["boats" in text for text in new.texts])
    pi = found["pi_hat"].to_numpy()
    assert pi[boats].min() > pi[~boats].max()
    assert 0.35 < pi[boats].mean() < 0.75
    assert 0.05 < pi[~boats].mean() < 0.35


def test_the_same_seed_gives_the_same_model_whatever_was_drawn_before(toy_jobs: Builder) -> None:
    """Fitting neither reads nor moves torch's global generator."""
    train, validation = toy_jobs(30), toy_jobs(12, start=30)
    torch.manual_seed(1)
    before, threads = torch.get_rng_state(), torch.get_num_threads()
    first = FrailPi(QUICK).fit(train, validation, seed=4).predict(validation)
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.get_num_threads() == threads
    torch.manual_seed(2)
    second = FrailPi(QUICK).fit(train, validation, seed=4).predict(validation)
    other = FrailPi(QUICK).fit(train, validation, seed=5).predict(validation)

    assert first.equals(second)
    assert not first.equals(other)


@pytest.mark.parametrize("config", [QUICK, replace(QUICK, family_heads=True, composition="job", loss="beta_binomial")])
def test_a_stored_model_predicts_the_same(toy_jobs: Builder, config: FrailPiConfig) -> None:
    """Saving twice gives the same bytes, and loading gives the same predictions."""
    model = FrailPi(config, name="x").fit(toy_jobs(30), toy_jobs(12, start=30), seed=0)
    stored = model.save()
    loaded = FrailPi.load(stored)

    assert loaded.save() == stored
    assert (loaded.name, loaded.config, loaded.reads) == (model.name, model.config, model.reads)
    assert loaded.predict(toy_jobs(5)).equals(model.predict(toy_jobs(5)))


@pytest.mark.parametrize(
    "broken", [Checkpoint(b"", "{}"), Checkpoint(b"\x80\x04N.", "{}"), "description", "config", "network"]
)
def test_a_broken_checkpoint_is_refused_in_one_sentence(toy_jobs: Builder, broken: Checkpoint | str) -> None:
    """Neither bytes nor JSON of a file are trusted."""
    stored = FrailPi(QUICK).fit(toy_jobs(30), toy_jobs(12, start=30), seed=0).save()
    damaged = {
        "description": Checkpoint(stored.tensors, "[]"),
        "config": Checkpoint(stored.tensors, stored.description.replace('"hidden"', '"hidde"')),
        "network": Checkpoint(stored.tensors, stored.description.replace('"hidden": 16', '"hidden": 17')),
    }

    with pytest.raises(PredictorError, match=r"train (it|the model) again"):
        FrailPi.load(damaged[broken] if isinstance(broken, str) else broken)


def test_new_items_are_predicted_from_their_text_alone(toy_jobs: Builder) -> None:
    """An unseen text gets pi, a line over doses and a worst case, all in range."""
    model = FrailPi(QUICK).fit(toy_jobs(40), toy_jobs(12, start=40), seed=0)
    found = model.predict(jobs_of_texts([("n1", "Leo sees 4 boats."), ("n2", "")]))

    assert found.columns == ["base_id", "pi_hat", "a_hat", "b_hat", "wc_hat"]
    assert found["base_id"].to_list() == ["n1", "n2"]
    for row in found.iter_rows(named=True):
        assert 0 < row["pi_hat"] < row["wc_hat"] <= 1


def test_family_heads_mix_by_the_jobs_own_design(jobs_of: Builder) -> None:
    """Where reorders break and renames do not, a job with more reorders is predicted to break more."""
    rows = [{"base_id": f"j{n:02d}", "text": f"Mia sees {n} boats and kites today."} for n in range(30)]
    twins = [
        (row["base_id"], family, 1, float(family == "sentence_reorder"))
        for n, row in enumerate(rows)
        for family in ["sentence_reorder"] * (1 + n % 3) + ["entity_rename"] * 2
    ]
    jobs = jobs_of(rows, twins)
    model = FrailPi(replace(QUICK, family_heads=True, composition="job")).fit(jobs, jobs, seed=0)
    found = model.predict(jobs.without_outcomes())["pi_hat"].to_numpy()

    assert spearman(found, break_rates(jobs, jobs.base_ids)) > 0.9
    np.testing.assert_allclose(found, break_rates(jobs, jobs.base_ids), atol=0.1)


def test_it_refuses_what_it_cannot_learn_from(toy_jobs: Builder, jobs_of: Builder) -> None:
    """Too few jobs, one outcome only, or no fit before predict: one sentence each."""
    rows = [{"base_id": f"j{n:02d}", "text": f"Mia sees {n} boats."} for n in range(12)]
    unbroken = jobs_of(rows, [(row["base_id"], "entity_rename", 1, 0.0) for row in rows])

    with pytest.raises(PredictorError, match="9 training jobs have a break rate; label at least 10"):
        FrailPi(QUICK).fit(toy_jobs(9), toy_jobs(9), seed=0)
    with pytest.raises(PredictorError, match="0 of 12 training twins broke"):
        FrailPi(QUICK).fit(unbroken, unbroken, seed=0)
    with pytest.raises(PredictorError, match="not fitted"):
        FrailPi(QUICK).predict(toy_jobs(3))


class WrittenValues:
    """Features C and E as they are written in the text."""

    name = "written"

    def fit(self, texts: Sequence[str]) -> Self:
        """Do nothing."""
        return self

    def transform(self, texts: Sequence[str]) -> np.ndarray:
        """Read both numbers."""
        return np.array([[float(part) for part in text.split()] for text in texts])

    def state(self) -> FeatureState:
        """Return the name alone."""
        return FeatureState(self.name, {}, {})

    def restored(self, state: FeatureState) -> Self:
        """Return itself."""
        return self


def bernoulli_jobs(jobs_of: Builder, *, jobs: int, seed: int) -> JobSet:
    """Jobs of methods §8.2: p = sigmoid(tier line + b (m - 5)), five twins a dose, unsolved jobs left out."""
    rng = np.random.default_rng(seed)
    c, e = rng.beta(2, 2, jobs), rng.beta(2, 2, jobs)
    u = rng.normal(0, 0.7, jobs)
    solved = rng.random(jobs) < special.expit(3 - 2.5 * (c - 0.5) - 1.5 * (e - 0.5))
    w_c, w_e, t = np.array([0.2, 1, 0.2, 1]), np.array([0.2, 0.2, 1, 1]), np.array([-1.5, 0, 0, 0.4])
    rows, twins = [], []
    for job in np.flatnonzero(solved):
        rows.append({"base_id": f"j{job:04d}", "text": f"{c[job]} {e[job]}"})
        for dose in (1, 3, 5, 7, 9):
            tier = rng.integers(0, 4, 5)
            line = -2.6 + u[job] + 4 * (c[job] - 0.5) * w_c[tier] + 6 * (e[job] - 0.5) * w_e[tier] + t[tier]
            p = special.expit(line + (0.12 + 0.2 * (e[job] - 0.5)) * (dose - 5))
            twins += [(f"j{job:04d}", "gsm_ic", dose, float(broke)) for broke in rng.random(5) < p]
    return jobs_of(rows, twins)


def test_it_learns_the_bernoulli_world_from_a_feature_table(jobs_of: Builder) -> None:
    """500 jobs, seed 7, features C and E: held-out rho above .55 (a linear fit reaches .67 to .74)."""
    jobs = bernoulli_jobs(jobs_of, jobs=500, seed=7)
    order = np.random.default_rng(0).permutation(jobs.base_ids).tolist()
    test, validation, train = order[:150], order[150:200], order[200:]
    model = FrailPi(FrailPiConfig(hidden=32, recipe=Recipe(epochs=60)), featurizer=WrittenValues())
    model.fit(jobs.only(train), jobs.only(validation), seed=0)
    held_out = jobs.only(test)

    found = model.predict(held_out.without_outcomes())["pi_hat"].to_numpy()
    assert spearman(found, break_rates(held_out, held_out.base_ids)) > 0.55
