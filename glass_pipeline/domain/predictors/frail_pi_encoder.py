"""Holds Frail-pi with ``arch = "dose"`` on an encoder that is trained with it, in full or through adapters.

Never reads a twin's text or an outcome when it predicts; a base is encoded once a step, not once an observation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from glass_pipeline.domain.predictors.aggregation import Design, aggregate
from glass_pipeline.domain.predictors.checkpoint import Checkpoint, pack, unpack
from glass_pipeline.domain.predictors.config import (
    FINE_TUNED,
    EncoderConfig,
    FrailPiConfig,
    encoder_config,
    frail_pi_config,
)
from glass_pipeline.domain.predictors.dose_features import CellCounts, Cells, cell_counts, cells_of, start_offsets
from glass_pipeline.domain.predictors.dose_network import cell_logits, dose_network
from glass_pipeline.domain.predictors.encoder import Encoder, encode, load_encoder, tokens
from glass_pipeline.domain.predictors.jobs import JobSet, PredictorError, break_rates, require_learnable
from glass_pipeline.domain.predictors.losses.batch_loss import add_precision, batch_loss
from glass_pipeline.domain.predictors.predictor import Reads, require_fitted
from glass_pipeline.domain.predictors.training import Epoch, Indices, ParameterGroup, Part, Task, train
from glass_pipeline.domain.seeding import child_generator, seed_of
from glass_pipeline.domain.stats.rank import spearman

if TYPE_CHECKING:
    import torch

Floats = NDArray[np.float64]
PUBLISHED = FrailPiConfig(features="hf_finetune", recipe=FINE_TUNED)
MINILM = EncoderConfig()
PREDICTION_BATCH = 32
ADAPTER = "lora_"
"""Part of the name of every adapter's weights."""
NEEDS_WHOLE_BATCH = frozenset(("soft_rank",))
"""Losses that compare the jobs of a batch, so that it cannot be cut into microbatches."""


class _Fitted(NamedTuple):
    encoder: Encoder
    head: Any
    """A ``torch.nn.Module``."""
    cells: Cells
    suite: Floats
    offsets: Floats
    history: tuple[Epoch, ...]


class FrailPiEncoder:
    """Predicts as ``frail_pi.FrailPi`` does, with x the vector of an encoder trained with the head.

    Args:
        config: Settings of head, loss and recipe.
        encoder: Which encoder, and whether through adapters.
        name: Row of the league table.

    Source: methods §5.1, §5.2.
    """

    is_rate = True

    def __init__(
        self, config: FrailPiConfig = PUBLISHED, encoder: EncoderConfig = MINILM, *, name: str | None = None
    ) -> None:
        kind = "hf_finetune" if encoder.lora is None else "hf_lora"
        self.config, self._encoder = config, encoder
        self.name = name or f"frail-pi ({kind}: {encoder.source})"
        self.reads: Reads = "design" if config.composition == "job" else "text"
        self._fitted: _Fitted | None = None

    @property
    def history(self) -> tuple[Epoch, ...]:
        """Loss and validation score of every epoch; empty before fitting."""
        return self._fitted.history if self._fitted else ()

    def fit(self, train: JobSet, validation: JobSet, *, seed: int) -> Self:
        """Train encoder and head on the training jobs; stop by Spearman on the validation jobs.

        Raises:
            PredictorError: too few jobs, one outcome only, or no encoder on this machine.
        """
        require_learnable(train)
        self._fitted = _fit(self.config, self._encoder, train.labelled(), validation.labelled(), seed)
        return self

    def predict(self, jobs: JobSet) -> pl.DataFrame:
        """Return ``base_id, pi_hat, a_hat, b_hat, wc_hat`` of every job.

        Raises:
            PredictorError: not fitted.
        """
        learned = require_fitted(self._fitted, self.name)
        return _predict(self.config, learned, jobs)

    def save(self) -> Checkpoint:
        """Return the fitted model; of an encoder with adapters only these are stored.

        Raises:
            PredictorError: not fitted.
        """
        learned = require_fitted(self._fitted, self.name)
        return _packed(self.name, self.config, learned)

    @classmethod
    def load(cls, checkpoint: Checkpoint) -> FrailPiEncoder:
        """Return the model that ``save`` stored, around the encoder it names.

        Raises:
            PredictorError: the checkpoint is not one of this class, or its encoder is not on this machine.
        """
        arrays, description = unpack(checkpoint)
        try:
            config, encoder = frail_pi_config(description["config"]), encoder_config(description["encoder"])
            restored = cls(config, encoder, name=description["name"])
            restored._fitted = _unpacked(config, encoder, arrays, description)
        except (KeyError, TypeError, RuntimeError) as error:
            raise PredictorError(f"model: not a stored fine-tuned Frail-pi ({error}); train it again.") from None
        return restored


def _fit(config: FrailPiConfig, settings: EncoderConfig, learning: JobSet, validation: JobSet, seed: int) -> _Fitted:
    import torch

    cells = cells_of(learning.twins, family_heads=config.family_heads)
    counts = cell_counts(learning.twins, learning.base_ids, cells)
    suite = counts.trials.sum(axis=0) / counts.trials.sum()
    offsets = start_offsets(counts) if config.family_heads else np.zeros(cells.size)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed_of("frail_pi_encoder", seed) % 2**63)
        encoder = load_encoder(settings)
        head = dose_network(
            encoder.dimensions + cells.features().shape[1],
            hidden=config.hidden,
            dropout=config.dropout,
            start_rate=float(counts.breaks.sum() / counts.trials.sum()),
        )
        add_precision(config, head)
        fitted = _Fitted(encoder, head.to(settings.device), cells, suite, offsets, ())
        adapted = [parameter for parameter in encoder.model.parameters() if parameter.requires_grad]
        task = Task(
            model=torch.nn.ModuleList([encoder.model, fitted.head]),
            groups=[
                ParameterGroup(adapted, config.recipe.encoder_learning_rate),
                ParameterGroup(list(fitted.head.parameters()), config.recipe.learning_rate),
            ],
            n_jobs=len(learning),
            parts=_parts(config, fitted, learning.texts, counts),
            validate=_validation(config, fitted, validation),
        )
        history = train(task, config.recipe, rng=child_generator("frail_pi_encoder", "batches", seed))
    return fitted._replace(history=history)


def _parts(
    config: FrailPiConfig, fitted: _Fitted, texts: Sequence[str], counts: CellCounts
) -> Callable[[Indices], Iterator[Part]]:
    import torch

    device = fitted.encoder.config.device
    trials = torch.as_tensor(counts.trials, dtype=torch.float32, device=device)
    breaks = torch.as_tensor(counts.breaks, dtype=torch.float32, device=device)
    loss = batch_loss(config, fitted.head, counts)
    # A mean over observations is shared out by observations, a mean over jobs by jobs.
    weights = counts.trials.sum(axis=1) if config.loss == "bce" else np.ones(len(texts))

    def parts(batch: Indices) -> Iterator[Part]:
        size = batch.size if config.loss in NEEDS_WHOLE_BATCH else config.recipe.microbatch
        for start in range(0, batch.size, size):
            own = batch[start : start + size]
            rows = torch.as_tensor(own, device=device)
            logits = _logits(fitted, [texts[row] for row in own])
            yield Part(loss(logits, breaks[rows], trials[rows]), float(weights[own].sum() / weights[batch].sum()))

    return parts


def _validation(config: FrailPiConfig, fitted: _Fitted, validation: JobSet) -> Callable[[], float]:
    measured = break_rates(validation, validation.base_ids)
    return lambda: spearman(_predict(config, fitted, validation)["pi_hat"].to_numpy(), measured)


def _predict(config: FrailPiConfig, fitted: _Fitted, jobs: JobSet) -> pl.DataFrame:
    import torch

    texts = jobs.texts
    found = [np.zeros((0, fitted.cells.size))]
    with torch.no_grad():
        for start in range(0, len(texts), PREDICTION_BATCH):
            logits = _logits(fitted, texts[start : start + PREDICTION_BATCH])
            found.append(torch.sigmoid(logits).cpu().numpy().astype(np.float64))
    planned = None
    if config.composition == "job":
        planned = cell_counts(jobs.without_outcomes().twins, jobs.base_ids, fitted.cells).trials
    design = Design(fitted.suite, planned)
    return aggregate(jobs.base_ids, np.concatenate(found), fitted.cells, design, config.worst_case_twins)


def _logits(fitted: _Fitted, texts: Sequence[str]) -> torch.Tensor:
    import torch

    device = fitted.encoder.config.device
    cells = torch.as_tensor(fitted.cells.features(), dtype=torch.float32, device=device)
    offsets = torch.as_tensor(fitted.offsets, dtype=torch.float32, device=device)
    return cell_logits(fitted.head, encode(fitted.encoder, tokens(fitted.encoder, texts)), cells) + offsets


def _packed(name: str, config: FrailPiConfig, fitted: _Fitted) -> Checkpoint:
    settings = fitted.encoder.config
    encoder = {
        key: value
        for key, value in fitted.encoder.model.state_dict().items()
        if settings.lora is None or ADAPTER in key
    }
    arrays: dict[str, NDArray[Any]] = {f"encoder/{key}": value.cpu().numpy() for key, value in encoder.items()}
    arrays |= {f"head/{key}": value.cpu().numpy() for key, value in fitted.head.state_dict().items()}
    arrays |= {"suite": fitted.suite, "offsets": fitted.offsets}
    description = {
        "name": name,
        "config": asdict(config),
        "encoder": asdict(settings),
        "families": list(fitted.cells.families),
        "history": [list(epoch) for epoch in fitted.history if np.isfinite(epoch.validation)],
    }
    return pack(arrays, description)


def _unpacked(
    config: FrailPiConfig, settings: EncoderConfig, arrays: Mapping[str, NDArray[Any]], description: Mapping[str, Any]
) -> _Fitted:
    cells = Cells(tuple(description["families"]))
    encoder = load_encoder(settings)
    inputs = encoder.dimensions + cells.features().shape[1]
    head = dose_network(inputs, hidden=config.hidden, dropout=config.dropout, start_rate=0.5)
    add_precision(config, head)
    head.load_state_dict(_tensors(arrays, "head/"))
    stored = _tensors(arrays, "encoder/")
    left = encoder.model.load_state_dict(stored, strict=False)
    if left.unexpected_keys or (settings.lora is None and left.missing_keys):
        raise KeyError("its weights are of another encoder")
    encoder.model.eval()
    history = tuple(Epoch(*epoch) for epoch in description["history"])
    return _Fitted(encoder, head.to(settings.device).eval(), cells, arrays["suite"], arrays["offsets"], history)


def _tensors(arrays: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, torch.Tensor]:
    import torch

    return {key.removeprefix(prefix): torch.tensor(value) for key, value in arrays.items() if key.startswith(prefix)}
