"""Holds the training of one adapter and its selection on validation.

Never sees the test split, and never goes on from a loss that is no number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from glass_pipeline.domain.arc_lab.adapters import Adapter, adapter_of, detach, new_adapter
from glass_pipeline.domain.arc_lab.determinism import reproducible
from glass_pipeline.domain.arc_lab.encoding import UNSUPERVISED, TrainingRow
from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.predicting import Questions, accuracy, predict
from glass_pipeline.domain.arc_lab.protocol import LabConfig
from glass_pipeline.domain.arc_lab.scoring import Scorer


@dataclass(frozen=True, slots=True, kw_only=True)
class Epoch:
    """What one pass over the training split came to."""

    seed: int
    epoch: int
    """From 1."""
    loss: float
    """Mean over the batches."""
    validation_accuracy: float
    batch_losses: tuple[float, ...] = ()
    """In the order of the batches; empty where nobody wrote them down."""

    def line(self) -> str:
        """Return the lab's log line."""
        return (
            f"seed={self.seed} epoch={self.epoch} loss={self.loss:.6f} "
            f"validation_accuracy={self.validation_accuracy:.6f}"
        )


class Material(NamedTuple):
    """What every adapter of a series is trained and selected on."""

    rows: tuple[TrainingRow, ...]
    """Of the training split."""
    validation: Questions
    eos: int
    """Id of the end of text, which is also the padding."""
    base_name: str
    base_revision: str | None


class Trained(NamedTuple):
    """An adapter as it was after its best epoch."""

    adapter: Adapter
    selected: Epoch
    epochs: tuple[Epoch, ...]


def train_adapter(
    base: Any,
    material: Material,
    config: LabConfig,
    seed: int,
    *,
    scorer: Scorer,
    on_epoch: Callable[[Epoch], None],
) -> Trained:
    """Train an adapter and keep its first best epoch on validation; the base is handed back without it.

    AdamW on the adapter's parameters, no schedule, gradients clipped by norm, batches shuffled by a generator of the
    seed.

    Args:
        base: A causal LM in float32, on its device.
        material: What to learn and to be selected on.
        config: How.
        seed: Of initial values, batches and dropout.
        scorer: How validation is scored.
        on_epoch: Told of every epoch.

    Raises:
        LabError: a loss is not a finite number, or the memory of the device does not suffice.

    Source: methods §10.1.
    """
    import torch

    with reproducible(seed):
        model = new_adapter(base, config)
        try:
            return _train(model, material, config, seed, scorer, on_epoch)
        except torch.OutOfMemoryError:
            raise LabError(
                f"Out of memory with {config.batch_size} rows a batch, at seed {seed}; delete all adapters with `glass "
                f"arc clean` and train all seeds again with --batch-size {max(1, config.batch_size // 2)}: adapters of "
                "different settings may not be combined."
            ) from None
        finally:
            detach(model)


def first_best(epochs: Sequence[Epoch]) -> Epoch:
    """Return the epoch with the highest validation accuracy; of equal ones the first."""
    return max(epochs, key=lambda epoch: (epoch.validation_accuracy, -epoch.epoch))


def collate(rows: Sequence[TrainingRow], pad: int) -> dict[str, Any]:
    """Pad rows on the right into one batch.

    Args:
        rows: B of them.
        pad: Id of the padding. Where it is the end of text the mask hides that too, which changes nothing: it is last.

    Returns:
        ``input_ids``, ``attention_mask`` and ``labels``, each of shape ``[B, T]``.
    """
    import torch
    from torch.nn.utils.rnn import pad_sequence

    ids = pad_sequence([torch.tensor(row.input_ids) for row in rows], batch_first=True, padding_value=pad)
    labels = pad_sequence([torch.tensor(row.labels) for row in rows], batch_first=True, padding_value=UNSUPERVISED)
    return {"input_ids": ids, "attention_mask": ids.ne(pad).long(), "labels": labels}


def _train(
    model: Any,
    material: Material,
    config: LabConfig,
    seed: int,
    scorer: Scorer,
    on_epoch: Callable[[Epoch], None],
) -> Trained:
    import torch
    from torch.utils.data import DataLoader

    loader: Any = DataLoader(
        material.rows,  # type: ignore[arg-type]  # a tuple is a map-style data set
        batch_size=config.batch_size,
        shuffle=True,
        generator=torch.Generator().manual_seed(seed),
        collate_fn=lambda rows: collate(rows, material.eos),
    )
    learned = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=config.learning_rate, weight_decay=config.weight_decay)
    epochs: list[Epoch] = []
    kept: dict[int, Adapter] = {}
    for number in range(1, config.epochs + 1):
        losses = _one_pass(model, loader, optimizer, config, f"seed {seed}, epoch {number}")
        found = accuracy(predict(model, material.validation, scorer))
        mean = sum(losses) / len(losses)
        epochs.append(Epoch(seed=seed, epoch=number, loss=mean, validation_accuracy=found, batch_losses=losses))
        on_epoch(epochs[-1])
        if first_best(epochs) is epochs[-1]:
            kept = {number: adapter_of(model, material.base_name, material.base_revision)}
    selected = first_best(epochs)
    return Trained(kept[selected.epoch], selected, tuple(epochs))


def _one_pass(model: Any, loader: Any, optimizer: Any, config: LabConfig, place: str) -> tuple[float, ...]:
    """Learn from every batch once and return the loss of each."""
    import torch

    device = next(model.parameters()).device
    model.train()
    losses: list[float] = []
    for number, batch in enumerate(loader, start=1):
        optimizer.zero_grad(set_to_none=True)
        loss = model(**{name: values.to(device) for name, values in batch.items()}, use_cache=False).loss
        value = float(loss.detach().cpu())
        if not math.isfinite(value):
            raise LabError(
                f"The loss is {value} at {place}, batch {number}; do not evaluate this series: lower --learning-rate, "
                "and train all seeds again after `glass arc clean`."
            )
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), config.clip_norm)
        optimizer.step()
        losses.append(value)
    return tuple(losses)
