"""Holds the one training loop: AdamW with warm-up and cosine, clipped gradients, early stop, best weights restored.

Never knows what is trained: it is given parameters, a loss of some jobs, and a validation score.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glass_pipeline.domain.predictors.config import Recipe

if TYPE_CHECKING:
    import torch

Indices = NDArray[np.int64]


class ParameterGroup(NamedTuple):
    """Parameters that share a peak learning rate."""

    parameters: Sequence[torch.nn.Parameter]
    learning_rate: float


class Part(NamedTuple):
    """The loss of one microbatch, a mean, and the share of the batch that it stands for."""

    loss: torch.Tensor
    share: float


class Task(NamedTuple):
    """What is to be trained."""

    model: torch.nn.Module
    groups: Sequence[ParameterGroup]
    n_jobs: int
    parts: Callable[[Indices], Iterator[Part]]
    """Losses of the microbatches of some jobs; each is back-propagated before the next is computed."""
    validate: Callable[[], float]
    """Score of the model as it is, higher is better; NaN counts as the worst."""


class Epoch(NamedTuple):
    """What happened in one pass over the jobs."""

    number: int
    loss: float
    validation: float


def train(task: Task, recipe: Recipe, *, rng: np.random.Generator) -> tuple[Epoch, ...]:
    """Train a model and leave it with the weights of its best epoch.

    Args:
        task: Model, losses and validation.
        recipe: Epochs, batch, rates.
        rng: Source of the order of jobs.

    Returns:
        One record an epoch.

    Source: methods §5.2.
    """
    import torch

    optimizer = torch.optim.AdamW(
        [{"params": list(group.parameters), "lr": group.learning_rate} for group in task.groups],
        weight_decay=recipe.weight_decay,
    )
    steps = recipe.epochs * math.ceil(task.n_jobs / recipe.jobs_per_batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate_factor(step, steps, recipe))
    history: list[Epoch] = []
    best, best_state = -math.inf, copy.deepcopy(task.model.state_dict())
    since_best = 0
    for number in range(recipe.epochs):
        task.model.train()
        total = 0.0
        for batch in batches(task.n_jobs, recipe.jobs_per_batch, rng):
            total += step_gradient(task, batch) * batch.size
            torch.nn.utils.clip_grad_norm_(task.model.parameters(), recipe.largest_gradient)
            optimizer.step()
            schedule.step()
        task.model.eval()
        with torch.no_grad():
            score = task.validate()
        history.append(Epoch(number, total / task.n_jobs, score))
        since_best = 0 if score > best else since_best + 1
        # Of epochs with the same ranks the last is kept: its probabilities are the better trained.
        if score >= best:
            best, best_state = score, copy.deepcopy(task.model.state_dict())
        if since_best >= recipe.patience:
            break
    if best > -math.inf:
        task.model.load_state_dict(best_state)
    task.model.eval()
    return tuple(history)


@contextmanager
def one_thread() -> Iterator[None]:
    """Let torch compute on one thread, and restore the number afterwards.

    Matrices of a small head gain nothing from more, lose tenfold on a busy machine, and sums that do not depend on
    the number of cores give the same model everywhere.
    """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def step_gradient(task: Task, batch: Indices) -> float:
    """Put the gradient of a batch's loss into the parameters, microbatch by microbatch, and return the loss."""
    import torch

    task.model.zero_grad(set_to_none=True)
    total = 0.0
    for part in task.parts(batch):
        torch.autograd.backward(part.loss * part.share)
        total += float(part.loss.detach()) * part.share
    return total


def batches(jobs: int, size: int, rng: np.random.Generator) -> list[Indices]:
    """Return all jobs once in random order, in pieces of at most ``size``."""
    order = rng.permutation(jobs)
    return [order[start : start + size] for start in range(0, jobs, size)]


def rate_factor(step: int, steps: int, recipe: Recipe) -> float:
    """Return the share of the peak learning rate at a step: a linear rise, then a line or half a cosine to 0."""
    rise = round(recipe.warm_up * steps)
    if step < rise:
        return (step + 1) / rise
    gone = min(1.0, (step - rise) / max(1, steps - rise))
    return 1 - gone if recipe.schedule == "linear" else 0.5 * (1 + math.cos(math.pi * gone))
