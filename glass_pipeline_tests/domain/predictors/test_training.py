"""The one training loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
import torch

from glass_pipeline.domain.predictors.config import Recipe
from glass_pipeline.domain.predictors.training import (
    Indices,
    ParameterGroup,
    Part,
    Task,
    batches,
    rate_factor,
    step_gradient,
    train,
)


def regression(validate: Callable[[torch.nn.Module], float], *, microbatch: int = 64) -> Task:
    """A line through 40 points."""
    generator = torch.Generator().manual_seed(3)
    x = torch.randn(40, 3, generator=generator)
    y = x @ torch.tensor([1.0, -2.0, 0.5])
    model = torch.nn.Linear(3, 1)
    torch.nn.init.zeros_(model.weight)

    def parts(batch: Indices) -> Iterator[Part]:
        for start in range(0, batch.size, microbatch):
            rows = torch.as_tensor(batch[start : start + microbatch])
            yield Part(((model(x[rows])[:, 0] - y[rows]) ** 2).mean(), rows.numel() / batch.size)

    return Task(model, [ParameterGroup(list(model.parameters()), 0.1)], 40, parts, lambda: validate(model))


def test_microbatches_give_the_gradient_of_the_whole_batch() -> None:
    """Gradients accumulated over pieces of 16, 16 and 8 equal that of 40 jobs at once."""
    gradients = []
    for size in (16, 64):
        torch.manual_seed(0)
        task = regression(lambda model: 0.0, microbatch=size)
        loss = step_gradient(task, np.arange(40))
        gradients.append((loss, *(parameter.grad.flatten().tolist() for parameter in task.model.parameters())))

    assert gradients[0][0] == pytest.approx(gradients[1][0], abs=1e-5)
    np.testing.assert_allclose(gradients[0][1], gradients[1][1], atol=1e-5)


def test_training_finds_the_line() -> None:
    """Enough epochs drive the loss to nearly 0."""
    history = train(regression(lambda model: 0.0), Recipe(epochs=200, patience=300), rng=np.random.default_rng(0))

    assert history[-1].loss < 0.02 * history[0].loss


def test_training_stops_when_validation_no_longer_improves_and_restores_the_best() -> None:
    """Scores 1, 3, 2, 2, 2 with patience 3: five epochs run, the weights of the second are kept."""
    seen: list[torch.Tensor] = []
    scores = iter([1.0, 3.0, 2.0, 2.0, 2.0])

    def validate(model: torch.nn.Module) -> float:
        seen.append(model.get_parameter("weight").detach().clone())
        return next(scores)

    task = regression(validate)
    history = train(task, Recipe(epochs=50, patience=3), rng=np.random.default_rng(0))

    assert [epoch.validation for epoch in history] == [1.0, 3.0, 2.0, 2.0, 2.0]
    assert torch.equal(task.model.get_parameter("weight"), seen[1])


def test_of_two_equal_scores_the_later_weights_are_kept() -> None:
    """Scores 1, 2, 2, 1 with patience 2: the fourth epoch is the last, the weights of the third are kept."""
    seen: list[torch.Tensor] = []
    scores = iter([1.0, 2.0, 2.0, 1.0])

    def validate(model: torch.nn.Module) -> float:
        seen.append(model.get_parameter("weight").detach().clone())
        return next(scores)

    task = regression(validate)
    history = train(task, Recipe(epochs=50, patience=2), rng=np.random.default_rng(0))

    assert len(history) == 4
    assert torch.equal(task.model.get_parameter("weight"), seen[2])


def test_an_undefined_validation_score_keeps_the_last_weights() -> None:
    """With too few validation jobs every score is NaN; nothing is restored."""
    task = regression(lambda model: float("nan"))
    history = train(task, Recipe(epochs=4, patience=10), rng=np.random.default_rng(0))

    assert len(history) == 4
    assert float(task.model.get_parameter("weight").detach().abs().sum()) > 0


def test_every_job_is_in_one_batch() -> None:
    """Ten jobs in batches of four: 4, 4, 2, each job once."""
    found = batches(10, 4, np.random.default_rng(0))

    assert [batch.size for batch in found] == [4, 4, 2]
    assert sorted(np.concatenate(found).tolist()) == list(range(10))


def test_the_learning_rate_rises_and_falls() -> None:
    """100 steps, 6 % warm-up: 1/6 at the first, 1 at the sixth and seventh, 1/2 midway down, near 0 at the end."""
    cosine = Recipe()

    assert rate_factor(0, 100, cosine) == pytest.approx(1 / 6)
    assert rate_factor(5, 100, cosine) == 1
    assert rate_factor(6, 100, cosine) == 1
    assert rate_factor(53, 100, cosine) == pytest.approx(0.5)
    assert rate_factor(99, 100, cosine) < 0.001


def test_the_linear_schedule_without_warm_up() -> None:
    """It starts at the peak and has fallen by a quarter after a quarter of the steps."""
    linear = Recipe(warm_up=0.0, schedule="linear")

    assert [rate_factor(step, 100, linear) for step in (0, 25, 100)] == [1, 0.75, 0]
