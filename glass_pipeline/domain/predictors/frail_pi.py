"""Holds Frail-pi with ``arch = "dose"``: a job's break probability at every dose, from its base text alone.

Never reads a twin's text or an outcome when it predicts, and never imports torch before it is fitted or restored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from glass_pipeline.domain.predictors.aggregation import Design, aggregate
from glass_pipeline.domain.predictors.checkpoint import Checkpoint, pack, unpack
from glass_pipeline.domain.predictors.config import FrailPiConfig, frail_pi_config
from glass_pipeline.domain.predictors.dose_features import CellCounts, Cells, cell_counts, cells_of, start_offsets
from glass_pipeline.domain.predictors.dose_network import cell_logits, dose_network
from glass_pipeline.domain.predictors.features import FeatureState, Featurizer, make_featurizer, restore_featurizer
from glass_pipeline.domain.predictors.jobs import JobSet, PredictorError, break_rates, require_learnable
from glass_pipeline.domain.predictors.losses.batch_loss import add_precision, batch_loss
from glass_pipeline.domain.predictors.predictor import Reads, require_fitted
from glass_pipeline.domain.predictors.training import Epoch, Indices, ParameterGroup, Part, Task, one_thread, train
from glass_pipeline.domain.seeding import child_generator, seed_of
from glass_pipeline.domain.stats.rank import spearman

if TYPE_CHECKING:
    import torch

Floats = NDArray[np.float64]
TEXT_ONLY = FrailPiConfig()
"""TF-IDF features, suite composition: what needs no download and no design."""


class _Fitted(NamedTuple):
    """What fitting leaves behind."""

    featurizer: Featurizer
    centre: Floats
    scale: float
    cells: Cells
    suite: Floats
    offsets: Floats
    """Added to the logit of each cell, shape ``[C]``."""
    network: torch.nn.Sequential
    history: tuple[Epoch, ...]


class FrailPi:
    """Predicts pi, the dose line (a, b) and the worst case of a job from its base text.

    p(break | text, m) = sigmoid(f[x, dose features(m)]); pi = sum_m w_m p(m).

    Args:
        config: Settings.
        name: Row of the league table; None takes the features' name.
        featurizer: Instead of the one that ``config.features`` names, e.g. to share a cache.

    Source: methods §5.
    """

    is_rate = True

    def __init__(
        self, config: FrailPiConfig = TEXT_ONLY, *, name: str | None = None, featurizer: Featurizer | None = None
    ) -> None:
        self.config = config
        self.name = name or f"frail-pi ({config.features})"
        self.reads: Reads = "design" if config.composition == "job" else "text"
        self._featurizer = featurizer
        self._fitted: _Fitted | None = None

    @property
    def history(self) -> tuple[Epoch, ...]:
        """Loss and validation score of every epoch; empty before fitting."""
        return self._fitted.history if self._fitted else ()

    def fit(self, train: JobSet, validation: JobSet, *, seed: int) -> Self:
        """Fit features and network on the training jobs; stop by Spearman on the validation jobs.

        Args:
            train: Jobs with outcomes; texts of jobs outside the stratum serve the features only.
            validation: Other jobs with outcomes.
            seed: Names every random draw.

        Raises:
            PredictorError: fewer than ten jobs with a break rate, or no twin, or every twin, broke.
        """
        self._fitted = None
        require_learnable(train)
        self._fitted = _fit(self.config, self._featurizer, train, validation.labelled(), seed)
        return self

    def predict(self, jobs: JobSet) -> pl.DataFrame:
        """Return ``base_id, pi_hat, a_hat, b_hat, wc_hat`` of every job.

        Raises:
            PredictorError: not fitted.
        """
        learned = require_fitted(self._fitted, self.name)
        return _predict(self.config, learned, jobs)

    def save(self) -> Checkpoint:
        """Return the fitted model as tensors and JSON.

        Raises:
            PredictorError: not fitted.
        """
        learned = require_fitted(self._fitted, self.name)
        return _packed(self.name, self.config, learned)

    @classmethod
    def load(cls, checkpoint: Checkpoint) -> FrailPi:
        """Return the model that ``save`` stored.

        Raises:
            PredictorError: the checkpoint is not one of Frail-pi.
        """
        arrays, description = unpack(checkpoint)
        try:
            config = frail_pi_config(description["config"])
            restored = cls(config, name=description["name"])
            restored._fitted = _unpacked(config, arrays, description)
        except (KeyError, TypeError, RuntimeError) as error:
            raise PredictorError(f"model: not a stored Frail-pi ({error}); train it again.") from None
        return restored


def _fit(config: FrailPiConfig, given: Featurizer | None, train_jobs: JobSet, validation: JobSet, seed: int) -> _Fitted:
    import torch

    learning = train_jobs.labelled()
    featurizer = (given or make_featurizer(config.features)).fit(train_jobs.texts)
    features = featurizer.transform(learning.texts)
    centre = features.mean(axis=0)
    scale = float(np.sqrt(((features - centre) ** 2).mean())) or 1.0
    cells = cells_of(learning.twins, family_heads=config.family_heads)
    counts = cell_counts(learning.twins, learning.base_ids, cells)
    suite = counts.trials.sum(axis=0) / counts.trials.sum()
    with one_thread(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed_of("frail_pi", seed) % 2**63)
        network = _network(config, features.shape[1], cells, float(counts.breaks.sum() / counts.trials.sum()))
        offsets = start_offsets(counts) if config.family_heads else np.zeros(cells.size)
        fitted = _Fitted(featurizer, centre, scale, cells, suite, offsets, network, ())
        task = Task(
            model=network,
            groups=[ParameterGroup(list(network.parameters()), config.recipe.learning_rate)],
            n_jobs=len(learning),
            parts=_parts(config, fitted, features, counts),
            validate=_validation(config, fitted, validation),
        )
        history = train(task, config.recipe, rng=child_generator("frail_pi", "batches", seed))
    return fitted._replace(history=history)


def _network(config: FrailPiConfig, dimensions: int, cells: Cells, rate: float) -> torch.nn.Sequential:
    network = dose_network(
        dimensions + cells.features().shape[1], hidden=config.hidden, dropout=config.dropout, start_rate=rate
    )
    add_precision(config, network)
    return network


def _parts(
    config: FrailPiConfig, fitted: _Fitted, features: Floats, counts: CellCounts
) -> Callable[[Indices], Iterator[Part]]:
    import torch

    texts = _text_tensor(fitted, features)
    trials = torch.as_tensor(counts.trials, dtype=torch.float32)
    breaks = torch.as_tensor(counts.breaks, dtype=torch.float32)
    loss = batch_loss(config, fitted.network, counts)

    def parts(batch: Indices) -> Iterator[Part]:
        rows = torch.as_tensor(batch)
        yield Part(loss(_logits(fitted, texts[rows]), breaks[rows], trials[rows]), 1.0)

    return parts


def _validation(config: FrailPiConfig, fitted: _Fitted, validation: JobSet) -> Callable[[], float]:
    features = fitted.featurizer.transform(validation.texts)
    design = _design(config, fitted, validation)
    measured = break_rates(validation, validation.base_ids)

    def score() -> float:
        rates = _rates(fitted, features)
        table = aggregate(validation.base_ids, rates, fitted.cells, design, config.worst_case_twins)
        return spearman(table["pi_hat"].to_numpy(), measured)

    return score


def _predict(config: FrailPiConfig, fitted: _Fitted, jobs: JobSet) -> pl.DataFrame:
    rates = _rates(fitted, fitted.featurizer.transform(jobs.texts))
    design = _design(config, fitted, jobs)
    return aggregate(jobs.base_ids, rates, fitted.cells, design, config.worst_case_twins)


def _design(config: FrailPiConfig, fitted: _Fitted, jobs: JobSet) -> Design:
    if config.composition == "suite":
        return Design(fitted.suite)
    return Design(fitted.suite, cell_counts(jobs.without_outcomes().twins, jobs.base_ids, fitted.cells).trials)


def _rates(fitted: _Fitted, features: Floats) -> Floats:
    import torch

    with torch.no_grad():
        logits = _logits(fitted, _text_tensor(fitted, features))
        return np.asarray(torch.sigmoid(logits.double()).numpy(), dtype=np.float64)


def _text_tensor(fitted: _Fitted, features: Floats) -> torch.Tensor:
    import torch

    return torch.as_tensor((features - fitted.centre) / fitted.scale, dtype=torch.float32)


def _logits(fitted: _Fitted, texts: torch.Tensor) -> torch.Tensor:
    import torch

    cells = torch.as_tensor(fitted.cells.features(), dtype=torch.float32)
    return cell_logits(fitted.network, texts, cells) + torch.as_tensor(fitted.offsets, dtype=torch.float32)


def _packed(name: str, config: FrailPiConfig, fitted: _Fitted) -> Checkpoint:
    state = fitted.featurizer.state()
    arrays: dict[str, NDArray[Any]] = {
        f"network/{key}": value.numpy() for key, value in fitted.network.state_dict().items()
    }
    arrays |= {f"features/{key}": value for key, value in state.arrays.items()}
    arrays |= {"centre": fitted.centre, "suite": fitted.suite, "offsets": fitted.offsets}
    return pack(
        arrays,
        {
            "name": name,
            "config": asdict(config),
            "featurizer": state.name,
            "texts": {key: list(values) for key, values in state.texts.items()},
            "families": list(fitted.cells.families),
            "scale": fitted.scale,
            "history": [list(epoch) for epoch in fitted.history if np.isfinite(epoch.validation)],
        },
    )


def _unpacked(config: FrailPiConfig, arrays: Mapping[str, NDArray[Any]], description: Mapping[str, Any]) -> _Fitted:
    import torch

    cells = Cells(tuple(description["families"]))
    network = _network(config, arrays["centre"].size, cells, 0.5)
    network.load_state_dict(
        {
            key.removeprefix("network/"): torch.as_tensor(value)
            for key, value in arrays.items()
            if key.startswith("network/")
        }
    )
    features = {key.removeprefix("features/"): value for key, value in arrays.items() if key.startswith("features/")}
    return _Fitted(
        restore_featurizer(FeatureState(description["featurizer"], features, description["texts"])),
        arrays["centre"],
        float(description["scale"]),
        cells,
        arrays["suite"],
        arrays["offsets"],
        network.eval(),
        tuple(Epoch(*epoch) for epoch in description["history"]),
    )
