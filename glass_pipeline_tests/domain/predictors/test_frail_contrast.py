"""The contrast architecture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
import torch
from scipy import optimize, special
from sklearn.metrics import roc_auc_score

from glass_pipeline.domain.predictors.config import Recipe
from glass_pipeline.domain.predictors.contrast_config import FROZEN, ContrastConfig
from glass_pipeline.domain.predictors.contrast_network import (
    CONTRAST,
    contrast_network,
    contrast_output,
    element_loss,
)
from glass_pipeline.domain.predictors.frail_contrast import FrailContrast, dose_lines, negatives_of
from glass_pipeline.domain.predictors.jobs import JobSet, PredictorError
from glass_pipeline.domain.predictors.losses.triplet import disagreement, triplet

Builder = Callable[..., JobSet]
SHORT = replace(
    FROZEN,
    features="hashing",
    hidden=16,
    complexity=4,
    first=Recipe(epochs=3, patience=3),
    second=Recipe(epochs=25, patience=25),
)


def test_the_triplet_loss_by_hand() -> None:
    """After scaling to length 1: distance 0 to the twin, sqrt 2 to the negative; margin .5 is met, margin 2 is not."""
    anchor, twin, other = torch.tensor([[2.0, 0.0]]), torch.tensor([[5.0, 0.0]]), torch.tensor([[0.0, 3.0]])

    assert triplet(anchor, twin, other, margin=0.5).item() == 0.0
    assert triplet(anchor, twin, other, margin=2.0).item() == pytest.approx(2 - 2**0.5)
    assert triplet(anchor, other, twin, margin=0.5).item() == pytest.approx(2**0.5 + 0.5)


def test_the_projection_cannot_shrink_away() -> None:
    """|P (h - h')|^2 with rows of length 1: (3, 4) on the first axis is 9, however small the row was."""
    base, twin = torch.tensor([[3.0, 4.0]]), torch.zeros(1, 2)

    for size in (1.0, 1e-3):
        assert disagreement(base, twin, torch.tensor([[size, 0.0]])).item() == pytest.approx(9.0)


def test_what_base_and_twin_share_cancels_in_the_contrast_head() -> None:
    """With a linear psi(h - h'), adding any function of C to both changes nothing; with context ``pair`` it may."""
    torch.manual_seed(0)
    h, twin, shared = torch.randn(5, 8), torch.randn(5, 8), torch.randn(5, 1)
    plain = ContrastConfig(hidden=8, contrast_layers=1)
    network = contrast_network(plain, 3).eval()
    assert sum(1 for _ in network[CONTRAST]) == 1  # type: ignore[arg-type]
    pair = replace(plain, context="pair")
    other = contrast_network(pair, 3).eval()

    moved = contrast_output(plain, network, h + shared, twin + shared)
    assert torch.allclose(contrast_output(plain, network, h, twin), moved, atol=1e-6)
    assert not torch.allclose(
        contrast_output(pair, other, h, twin), contrast_output(pair, other, h + shared, twin + shared)
    )


def test_the_job_term_is_least_at_the_rate() -> None:
    """Cross-entropy with a soft label .3 is minimised by logit(.3); Huber beyond delta grows linearly."""
    logits = torch.linspace(-3, 3, 601)
    losses = element_loss(FROZEN, logits, torch.full((601,), 0.3))
    huber = replace(FROZEN, loss="huber", huber_delta=0.1)

    assert logits[losses.argmin()].item() == pytest.approx(special.logit(0.3), abs=0.01)
    assert element_loss(huber, torch.tensor([1.0]), torch.tensor([0.0])).item() == pytest.approx(0.1 * (1 - 0.05))


def test_a_dose_line_is_the_logistic_fit() -> None:
    """The same optimum as scipy's; one dose gives slope 0 and the logit of the mean."""
    twins = pl.DataFrame(
        {
            "base_id": ["a"] * 4 + ["b"] * 2,
            "dose": [1, 3, 7, 9, 5, 5],
            "rate": [0.1, 0.15, 0.4, 0.3, 0.2, 0.4],
        }
    )
    x, rate = np.array([-4.0, -2, 2, 4]), np.array([0.1, 0.15, 0.4, 0.3])

    def loss(line: np.ndarray) -> float:
        z = line[0] + line[1] * x
        return float((np.logaddexp(0, z) - rate * z).sum() + 5e-4 * line[1] ** 2)

    expected = optimize.minimize(loss, np.zeros(2)).x
    rows = {row["base_id"]: row for row in dose_lines(twins).iter_rows(named=True)}

    assert (rows["a"]["a_hat"], rows["a"]["b_hat"]) == pytest.approx(tuple(expected), abs=1e-4)
    assert (rows["b"]["a_hat"], rows["b"]["b_hat"]) == pytest.approx((special.logit(0.3), 0.0))


def test_negatives_are_none_of_the_bases_twins(toy_jobs: Builder) -> None:
    """One for each job, in its order, another text than the base and than any of its twins."""
    jobs = toy_jobs(12)
    negatives = negatives_of(jobs, 0)
    twins = dict(jobs.twins.group_by("base_id").agg("text").iter_rows())

    assert len(negatives) == 12
    for base_id, base, negative in zip(jobs.base_ids, jobs.texts, negatives, strict=True):
        assert negative != base
        assert negative not in twins[base_id]


@pytest.mark.parametrize("head", ["single", "contrast"])
def test_it_learns_and_is_deterministic(toy_jobs: Builder, head: str) -> None:
    """Unseen boats are more fragile than unseen kites by the single head; the same seed gives the same numbers."""
    train, validation, test = toy_jobs(80), toy_jobs(20, seed=1, start=80), toy_jobs(20, seed=2, start=100)

    def fitted() -> FrailContrast:
        model = FrailContrast(SHORT, head="contrast" if head == "contrast" else "single")
        return model.fit(train, validation, seed=3)

    first, second = fitted().predict(test.without_outcomes()), fitted().predict(test.without_outcomes())
    is_boat = np.array(["boats" in text for text in test.texts])
    rates = first["pi_hat"].to_numpy()

    assert first.equals(second)
    if head == "single":
        assert roc_auc_score(is_boat, rates) > 0.9
    assert first["a_hat"].null_count() == 0


def test_a_base_alone_is_enough_for_the_single_head(toy_jobs: Builder) -> None:
    """Without twins pi-hat is the same and the dose line unknown; the contrast head refuses."""
    train = toy_jobs(60)
    bare = JobSet(problems=train.problems, twins=train.without_outcomes().twins.clear())
    model = FrailContrast(SHORT).fit(train, toy_jobs(20, seed=1, start=80), seed=0)

    assert model.predict(bare)["pi_hat"].to_list() == pytest.approx(
        model.predict(train.without_outcomes())["pi_hat"].to_list()
    )
    assert model.predict(bare)["a_hat"].null_count() == 60
    contrast = FrailContrast(SHORT, head="contrast").fit(train, toy_jobs(20, seed=1, start=80), seed=0)
    with pytest.raises(PredictorError, match="a job has no twins, which the contrast head reads"):
        contrast.predict(bare)


def test_a_stored_model_answers_as_before(toy_jobs: Builder) -> None:
    """Through tensors and JSON and back."""
    model = FrailContrast(SHORT).fit(toy_jobs(60), toy_jobs(20, seed=1, start=80), seed=0)
    asked = toy_jobs(10, seed=2, start=100).without_outcomes()

    assert FrailContrast.load(model.save()).predict(asked).equals(model.predict(asked))
    with pytest.raises(PredictorError, match="not a stored contrast model"):
        FrailContrast.load(model.save()._replace(description="{}"))
