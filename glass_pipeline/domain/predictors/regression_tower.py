"""Holds what BERTPE and VAP3 share: encoder, dropout, one linear layer, sigmoid, trained by squared error.

Never knows whether a row is a text or a pair, nor what its target means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from glass_pipeline.domain.predictors.config import EncoderConfig, Recipe
from glass_pipeline.domain.predictors.encoder import Encoder, encode, load_encoder, tokens, word_embeddings
from glass_pipeline.domain.predictors.fgsm import perturbed
from glass_pipeline.domain.predictors.training import Epoch, Indices, ParameterGroup, Part, Task, train
from glass_pipeline.domain.seeding import child_generator, seed_of

if TYPE_CHECKING:
    import torch

Floats = NDArray[np.float64]
DROPOUT = 0.2
INITIAL_SPREAD = 0.02
PREDICTION_BATCH = 32


class Rows(NamedTuple):
    """What is encoded: texts, or pairs of texts."""

    texts: Sequence[str]
    others: Sequence[str] | None = None

    def at(self, rows: Sequence[int]) -> Rows:
        """Return some of the rows."""
        others = None if self.others is None else [self.others[row] for row in rows]
        return Rows([self.texts[row] for row in rows], others)


class Adversary(NamedTuple):
    """The perturbed copy of every batch that is learned beside the clean one."""

    epsilon: float = 0.01
    weight: float = 0.5


class Tower(NamedTuple):
    """A trained network."""

    encoder: Encoder
    head: Any
    """Dropout and linear layer; a ``torch.nn.Module``."""
    history: tuple[Epoch, ...]


def fit_tower(
    rows: Rows, target: Floats, *, encoder: EncoderConfig, recipe: Recipe, seed: int, adversary: Adversary | None = None
) -> Tower:
    """Train encoder and head by squared error; loss = L(clean) + lambda L(perturbed).

    Args:
        rows: Texts or pairs.
        target: In [0, 1], one a row.
        encoder: Which encoder.
        recipe: Epochs, batch, rates; the last weights are kept.
        seed: Names every random draw.
        adversary: None trains on clean batches alone.

    Source: methods §7.1.
    """
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed_of("regression_tower", seed) % 2**63)
        loaded = load_encoder(encoder)
        head = _head(loaded.dimensions).to(encoder.device)
        tower = Tower(loaded, head, ())
        wanted = torch.tensor(target, dtype=torch.float32, device=encoder.device)

        def parts(batch: Indices) -> Iterator[Part]:
            for start in range(0, batch.size, recipe.microbatch):
                own = batch[start : start + recipe.microbatch]
                inputs = tokens(loaded, *rows.at(own.tolist()))
                loss = row_loss(tower, inputs, wanted[torch.as_tensor(own)], adversary)
                yield Part(loss, own.size / batch.size)

        task = Task(
            model=torch.nn.ModuleList([loaded.model, head]),
            groups=[
                ParameterGroup([p for p in loaded.model.parameters() if p.requires_grad], recipe.encoder_learning_rate),
                ParameterGroup(list(head.parameters()), recipe.learning_rate),
            ],
            n_jobs=len(rows.texts),
            parts=parts,
            validate=lambda: float("nan"),
        )
        history = train(task, recipe, rng=child_generator("regression_tower", "batches", seed))
    return tower._replace(history=history)


def row_loss(
    tower: Tower, inputs: dict[str, torch.Tensor], target: torch.Tensor, adversary: Adversary | None
) -> torch.Tensor:
    """Return the mean squared error of a microbatch, plus that of its perturbed copy where there is an adversary."""
    import torch

    if adversary is None:
        return torch.nn.functional.mse_loss(outputs(tower, inputs), target)
    embedded = word_embeddings(tower.encoder, inputs)
    clean = torch.nn.functional.mse_loss(outputs(tower, inputs, embedded), target)
    gradient = torch.autograd.grad(clean, embedded, retain_graph=True)[0]
    moved = perturbed(embedded, gradient, inputs["attention_mask"], epsilon=adversary.epsilon)
    return clean + adversary.weight * torch.nn.functional.mse_loss(outputs(tower, inputs, moved), target)


def outputs(tower: Tower, inputs: dict[str, torch.Tensor], embedded: torch.Tensor | None = None) -> torch.Tensor:
    """Return the sigmoid output of each row, shape ``[J]``."""
    import torch

    return torch.sigmoid(tower.head(encode(tower.encoder, inputs, embedded)).squeeze(1))


def predict_tower(tower: Tower, rows: Rows) -> Floats:
    """Return the output of each row, shape ``[J]``."""
    import torch

    found = [np.zeros(0)]
    with torch.no_grad():
        for start in range(0, len(rows.texts), PREDICTION_BATCH):
            own = range(start, min(start + PREDICTION_BATCH, len(rows.texts)))
            found.append(outputs(tower, tokens(tower.encoder, *rows.at(own))).cpu().numpy())
    return np.concatenate(found).astype(np.float64)


def _head(dimensions: int) -> torch.nn.Module:
    from torch import nn

    linear = nn.Linear(dimensions, 1)
    nn.init.normal_(linear.weight, std=INITIAL_SPREAD)
    nn.init.zeros_(linear.bias)
    return nn.Sequential(nn.Dropout(DROPOUT), linear)
