"""Holds the network of the contrast architecture, and its two stages of training.

Never looks at a text: vectors in, trained network out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glass_pipeline.domain.predictors.config import Recipe
from glass_pipeline.domain.predictors.contrast_config import ContrastConfig
from glass_pipeline.domain.predictors.losses.triplet import disagreement, triplet
from glass_pipeline.domain.predictors.training import Epoch, Indices, ParameterGroup, Part, Task, train
from glass_pipeline.domain.seeding import child_generator, seed_of

if TYPE_CHECKING:
    import torch
    from torch import Tensor
    from torch.nn import Module

Floats = NDArray[np.float64]
BODY, CONTRAST, SINGLE, PROJECTION = "body", "contrast", "single", "projection"


class Observed(NamedTuple):
    """Jobs, their twins, and what is to be learned of both."""

    bases: Floats
    """Vectors, shape ``[J, d]``."""
    twins: Floats
    """Vectors, shape ``[N, d]``, the twins of a job together."""
    job: NDArray[np.int64]
    """Row of each twin's base, rising, shape ``[N]``; every job has a twin."""
    negatives: Floats
    """A text of each job that asks something else, shape ``[J, d]``."""
    twin_target: Floats
    """B or Delta, shape ``[N]``."""
    job_target: Floats
    """Break rate or mean Delta, shape ``[J]``."""


def contrast_network(config: ContrastConfig, dimensions: int) -> torch.nn.ModuleDict:
    """Return body f, contrast head psi, single-tower head g and the projection on complexity.

    Args:
        config: Settings.
        dimensions: Length of a text's vector.

    Source: methods §5.7.
    """
    from torch import nn

    pair = 2 * config.hidden if config.context == "pair" else 0
    return nn.ModuleDict(
        {
            BODY: nn.Sequential(nn.Linear(dimensions, config.hidden), nn.GELU(), nn.Dropout(config.dropout)),
            CONTRAST: _head(config, config.hidden + pair, config.contrast_layers),
            SINGLE: _head(config, config.hidden, config.single_layers),
            PROJECTION: nn.Linear(config.hidden, config.complexity, bias=False),
        }
    )


def _head(config: ContrastConfig, inputs: int, layers: int) -> Module:
    from torch import nn

    parts: list[Module] = []
    for _ in range(layers - 1):
        parts += [nn.Linear(inputs, config.hidden), nn.GELU(), nn.Dropout(config.dropout)]
        inputs = config.hidden
    return nn.Sequential(*parts, nn.Linear(inputs, 1))


def train_contrast(
    config: ContrastConfig, network: torch.nn.ModuleDict, seen: Observed, validate: Callable[[], float], *, seed: int
) -> tuple[Epoch, ...]:
    """Train a network in two stages, and return the epochs of the second.

    Stage 1: triplets of base, a random twin and a negative, beside one negative of the batch. Stage 2: the loss of
    the twins, averaged within each job, plus that of the job, plus lambda_inv times disagreement on complexity.

    Args:
        config: Settings.
        network: Of ``contrast_network``.
        seen: Training jobs.
        validate: Score of the network as it is on other jobs; NaN never stops the training.
        seed: Names every random draw.

    Source: methods §5.7.
    """
    import torch

    vectors = _Vectors(
        *(torch.as_tensor(side, dtype=torch.float32) for side in (seen.bases, seen.twins, seen.negatives))
    )
    bounds = np.searchsorted(seen.job, np.arange(len(seen.bases) + 1))
    rng = child_generator("contrast", "twins", seed)
    torch.manual_seed(seed_of("contrast", seed) % 2**63)
    if config.first.epochs:
        _train(network, config.first, len(seen.bases), _triplets(config, network, vectors, bounds, rng), _unknown, seed)
    return _train(
        network, config.second, len(seen.bases), _labels(config, network, vectors, seen, bounds), validate, seed
    )


class _Vectors(NamedTuple):
    bases: Tensor
    twins: Tensor
    negatives: Tensor


def _unknown() -> float:
    return float("nan")


def _train(
    network: Module,
    recipe: Recipe,
    n_jobs: int,
    parts: Callable[[Indices], Iterator[Part]],
    validate: Callable[[], float],
    seed: int,
) -> tuple[Epoch, ...]:
    task = Task(
        model=network,
        groups=[ParameterGroup(list(network.parameters()), recipe.learning_rate)],
        n_jobs=n_jobs,
        parts=parts,
        validate=validate,
    )
    return train(task, recipe, rng=child_generator("contrast", "batches", recipe.epochs, seed))


def _triplets(
    config: ContrastConfig,
    network: torch.nn.ModuleDict,
    vectors: _Vectors,
    bounds: NDArray[np.int64],
    rng: np.random.Generator,
) -> Callable[[Indices], Iterator[Part]]:
    def parts(batch: Indices) -> Iterator[Part]:
        chosen = rng.integers(bounds[batch], bounds[batch + 1])
        body = network[BODY]
        anchor, positive = body(vectors.bases[batch]), body(vectors.twins[chosen])
        hard = triplet(anchor, positive, body(vectors.negatives[batch]), margin=config.margin)
        # Rolled by one, every job meets the base of another job of its batch.
        easy = triplet(anchor, positive, anchor.roll(1, dims=0), margin=config.margin)
        yield Part((hard + easy) / 2, 1.0)

    return parts


def _labels(
    config: ContrastConfig,
    network: torch.nn.ModuleDict,
    vectors: _Vectors,
    seen: Observed,
    bounds: NDArray[np.int64],
) -> Callable[[Indices], Iterator[Part]]:
    import torch

    twin_target = torch.tensor(seen.twin_target, dtype=torch.float32)
    job_target = torch.tensor(seen.job_target, dtype=torch.float32)

    def parts(batch: Indices) -> Iterator[Part]:
        rows = np.concatenate([np.arange(bounds[job], bounds[job + 1]) for job in batch])
        sizes = torch.as_tensor(bounds[batch + 1] - bounds[batch])
        own = torch.repeat_interleave(torch.arange(len(batch)), sizes)
        h, twin = network[BODY](vectors.bases[batch]), network[BODY](vectors.twins[rows])
        base = h[own]
        by_twin = element_loss(config, contrast_output(config, network, base, twin), twin_target[rows])
        within = torch.zeros(len(batch)).index_add(0, own, by_twin) / sizes
        by_job = element_loss(config, network[SINGLE](h).squeeze(1), job_target[batch])
        loss = config.contrast_weight * within.mean() + by_job.mean()
        if config.invariance_weight:
            loss = loss + config.invariance_weight * disagreement(
                base, twin, network[PROJECTION].get_parameter("weight")
            )
        yield Part(loss, 1.0)

    return parts


def contrast_output(config: ContrastConfig, network: torch.nn.ModuleDict, base: Tensor, twin: Tensor) -> Tensor:
    """Return psi of each pair, shape ``[N]``: a logit of a break, or a score difference."""
    import torch

    given = [base - twin, *([base, twin] if config.context == "pair" else [])]
    output: Tensor = network[CONTRAST](torch.cat(given, dim=1)).squeeze(1)
    return output


def element_loss(config: ContrastConfig, output: Tensor, target: Tensor) -> Tensor:
    """Return cross-entropy with a soft label, least where the rate is predicted, or Huber's loss; one a row."""
    from torch.nn import functional

    if config.loss == "bce":
        return functional.binary_cross_entropy_with_logits(output, target, reduction="none")
    return functional.huber_loss(output, target, delta=config.huber_delta, reduction="none")
