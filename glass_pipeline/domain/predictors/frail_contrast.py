"""Holds Frail-pi and Frail-tau with ``arch = "contrast"`` on frozen features.

Never reads an outcome when it predicts; a twin's text only for the dose line and where the contrast head is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import numpy as np
import polars as pl
import scipy
from numpy.typing import NDArray

from glass_pipeline.domain.predictors.checkpoint import Checkpoint, pack, unpack
from glass_pipeline.domain.predictors.contrast_config import FROZEN, ContrastConfig, contrast_config
from glass_pipeline.domain.predictors.contrast_network import (
    BODY,
    SINGLE,
    Observed,
    contrast_network,
    contrast_output,
    train_contrast,
)
from glass_pipeline.domain.predictors.features import FeatureState, Featurizer, make_featurizer, restore_featurizer
from glass_pipeline.domain.predictors.jobs import JobSet, PredictorError, break_rates, require_learnable
from glass_pipeline.domain.predictors.predictor import Reads, require_fitted
from glass_pipeline.domain.predictors.training import Epoch, one_thread
from glass_pipeline.domain.records import Problem
from glass_pipeline.domain.seeding import seed_of
from glass_pipeline.domain.stats.rank import spearman
from glass_pipeline.domain.twins.requirement_edits import make_negatives

if TYPE_CHECKING:
    import torch

Floats = NDArray[np.float64]
Head = Literal["single", "contrast"]
MIDDLE_DOSE = 5
STEPS = 25
RIDGE = 1e-3
"""Keeps the slope of a job finite whose predictions hardly differ."""


class _Fitted(NamedTuple):
    featurizer: Featurizer
    centre: Floats
    scale: float
    network: torch.nn.ModuleDict
    history: tuple[Epoch, ...]


class FrailContrast:
    """Siamese network: pi from the base alone, a break of each twin from base and twin.

    Args:
        config: Settings.
        head: ``single`` predicts pi from the base text; ``contrast`` averages over the twins that are planned.
        name: Row of the league table.
        featurizer: Instead of the one that ``config.features`` names.

    Source: methods §5.7.
    """

    is_rate = True

    def __init__(
        self,
        config: ContrastConfig = FROZEN,
        *,
        head: Head = "single",
        name: str | None = None,
        featurizer: Featurizer | None = None,
    ) -> None:
        self.config, self._head = config, head
        self.name = name or f"frail-pi contrast ({config.features})"
        self.reads: Reads = "text" if head == "single" else "twins"
        self._featurizer = featurizer
        self._fitted: _Fitted | None = None

    @property
    def history(self) -> tuple[Epoch, ...]:
        """Loss and validation score of every epoch of the second stage; empty before fitting."""
        return self._fitted.history if self._fitted else ()

    def fit(self, train: JobSet, validation: JobSet, *, seed: int) -> Self:
        """Fit features and network on the training jobs of the stratum; stop by Spearman on the validation jobs.

        Raises:
            PredictorError: fewer than ten jobs with a break rate, or no twin, or every twin, broke.
        """
        require_learnable(train)
        learning, watched = train.labelled(), validation.labelled()
        featurizer = (self._featurizer or make_featurizer(self.config.features)).fit(train.texts)
        rates = break_rates(learning, learning.base_ids)
        seen = observed(
            learning, featurizer, learning.twins["is_break"].to_numpy(), rates, negatives_of(learning, seed)
        )
        measured = break_rates(watched, watched.base_ids)
        self._fitted = fit_network(self.config, featurizer, seen, featurizer.transform(watched.texts), measured, seed)
        return self

    def predict(self, jobs: JobSet) -> pl.DataFrame:
        """Return ``base_id, pi_hat, a_hat, b_hat, wc_hat``; a and b read the twins, and are null without them.

        Raises:
            PredictorError: not fitted, or the contrast head is asked about a job without twins.
        """
        learned = require_fitted(self._fitted, self.name)
        found = pl.DataFrame({"base_id": jobs.base_ids}, schema={"base_id": pl.String()}).with_columns(
            pl.Series(
                "pi_hat", rates_of(self.config, single_output(learned, learned.featurizer.transform(jobs.texts)))
            ),
            wc_hat=pl.lit(None, pl.Float64()),
        )
        twins = self._by_twin(learned, jobs)
        found = found.join(dose_lines(twins), on="base_id", how="left", maintain_order="left")
        if self._head == "contrast":
            means = twins.group_by("base_id").agg(pl.col("rate").mean())
            found = found.join(means, on="base_id", how="left", maintain_order="left").with_columns(
                pi_hat=pl.col("rate")
            )
            if found["pi_hat"].null_count():
                raise PredictorError(f"{self.name}: a job has no twins, which the contrast head reads; take single.")
        return found.select("base_id", "pi_hat", "a_hat", "b_hat", "wc_hat")

    def _by_twin(self, learned: _Fitted, jobs: JobSet) -> pl.DataFrame:
        """Return ``base_id, dose, rate`` of every twin."""
        if jobs.twins.is_empty():
            return pl.DataFrame(schema={"base_id": pl.String(), "dose": pl.Int64(), "rate": pl.Float64()})
        twins = jobs.twins.join(jobs.problems.select("base_id", base="text"), on="base_id", maintain_order="left")
        bases, own = (learned.featurizer.transform(twins[side].to_list()) for side in ("base", "text"))
        rate = rates_of(self.config, pair_output(self.config, learned, bases, own))
        return twins.select("base_id", "dose").with_columns(pl.Series("rate", rate, dtype=pl.Float64()))

    def save(self) -> Checkpoint:
        """Return the fitted model as tensors and JSON.

        Raises:
            PredictorError: not fitted.
        """
        learned = require_fitted(self._fitted, self.name)
        state = learned.featurizer.state()
        arrays: dict[str, NDArray[Any]] = {
            f"network/{key}": value.numpy() for key, value in learned.network.state_dict().items()
        }
        arrays |= {f"features/{key}": value for key, value in state.arrays.items()} | {"centre": learned.centre}
        description = {
            "arch": "contrast",
            "name": self.name,
            "head": self._head,
            "config": asdict(self.config),
            "featurizer": state.name,
            "texts": {key: list(values) for key, values in state.texts.items()},
            "scale": learned.scale,
            "history": [list(epoch) for epoch in learned.history if np.isfinite(epoch.validation)],
        }
        return pack(arrays, description)

    @classmethod
    def load(cls, checkpoint: Checkpoint) -> FrailContrast:
        """Return the model that ``save`` stored.

        Raises:
            PredictorError: the checkpoint is not one of this class.
        """
        arrays, description = unpack(checkpoint)
        try:
            config = contrast_config(description["config"])
            restored = cls(config, head=description["head"], name=description["name"])
            restored._fitted = _unpacked(config, arrays, description)
        except (KeyError, TypeError, RuntimeError) as error:
            raise PredictorError(f"model: not a stored contrast model ({error}); train it again.") from None
        return restored


def observed(
    jobs: JobSet, featurizer: Featurizer, twin_target: Floats, job_target: Floats, negatives: list[str]
) -> Observed:
    """Return jobs that all have twins as vectors, the twins of a job together."""
    place = {base_id: row for row, base_id in enumerate(jobs.base_ids)}
    return Observed(
        bases=featurizer.transform(jobs.texts),
        twins=featurizer.transform(jobs.twins["text"].to_list()),
        job=np.array([place[base_id] for base_id in jobs.twins["base_id"]], dtype=np.int64),
        negatives=featurizer.transform(negatives),
        twin_target=twin_target,
        job_target=job_target,
    )


def negatives_of(jobs: JobSet, seed: int) -> list[str]:
    """Return a text of each job that asks something else, in the order of ``base_ids``; donors are these jobs alone."""
    problems = [
        Problem(
            base_id=row["base_id"],
            text=row["text"],
            gold="",
            answer_type="numeric",
            category=row["category"],
            declared_complexity=0.0,
            complexity_score=0.0,
            revision="",
            licence="",
        )
        for row in jobs.problems.iter_rows(named=True)
    ]
    by_id = {each.base_id: each.text for each in make_negatives(problems, suite="contrast", seed=seed)}
    return [by_id[base_id] for base_id in jobs.base_ids]


def fit_network(
    config: ContrastConfig, featurizer: Featurizer, seen: Observed, watched: Floats, measured: Floats, seed: int
) -> _Fitted:
    """Train a network on vectors, stopped by the single head's Spearman on ``watched`` jobs, if there are any."""
    import torch

    centre = seen.bases.mean(axis=0)
    scale = float(np.sqrt(((seen.bases - centre) ** 2).mean())) or 1.0
    with one_thread(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed_of("contrast", "start", seed) % 2**63)
        fitted = _Fitted(featurizer, centre, scale, contrast_network(config, centre.size), ())
        scaled = seen._replace(
            **{side: (getattr(seen, side) - centre) / scale for side in ("bases", "twins", "negatives")}
        )
        history = train_contrast(
            config, fitted.network, scaled, lambda: spearman(single_output(fitted, watched), measured), seed=seed
        )
    return fitted._replace(history=history)


def single_output(fitted: _Fitted, vectors: Floats) -> Floats:
    """Return g(h) of each text, shape ``[J]``."""
    import torch

    with torch.no_grad():
        output = fitted.network[SINGLE](fitted.network[BODY](_tensor(fitted, vectors))).squeeze(1)
        return np.asarray(output.numpy(), dtype=np.float64)


def pair_output(config: ContrastConfig, fitted: _Fitted, bases: Floats, twins: Floats) -> Floats:
    """Return psi of each pair of texts, shape ``[N]``."""
    import torch

    body = fitted.network[BODY]
    with torch.no_grad():
        output = contrast_output(config, fitted.network, body(_tensor(fitted, bases)), body(_tensor(fitted, twins)))
        return np.asarray(output.numpy(), dtype=np.float64)


def rates_of(config: ContrastConfig, output: Floats) -> Floats:
    """Return probabilities of logits; score differences stay what they are."""
    return np.asarray(scipy.special.expit(output)) if config.loss == "bce" else output


def dose_lines(twins: pl.DataFrame) -> pl.DataFrame:
    """Return ``base_id, a_hat, b_hat``: a logistic line of the twins' predicted rates on m - 5.

    A quasi-binomial fit, each twin's rate as a fraction. A job with one dose has b = 0 and a the logit of its mean.

    Args:
        twins: ``base_id, dose, rate``.

    Source: methods §5.7.
    """
    rows = []
    for (base_id,), own in twins.group_by("base_id", maintain_order=True):
        x = own["dose"].to_numpy() - MIDDLE_DOSE
        a, b = _logistic_line(x.astype(np.float64), np.clip(own["rate"].to_numpy(), 1e-6, 1 - 1e-6))
        rows.append({"base_id": base_id, "a_hat": a, "b_hat": b})
    return pl.DataFrame(rows, schema={"base_id": pl.String(), "a_hat": pl.Float64(), "b_hat": pl.Float64()})


def _logistic_line(x: Floats, rate: Floats) -> tuple[float, float]:
    line = np.array([scipy.special.logit(rate.mean()), 0.0])
    if np.ptp(x) == 0:
        return float(line[0]), 0.0
    design = np.column_stack([np.ones_like(x), x])
    penalty = np.diag([0.0, RIDGE])
    for _ in range(STEPS):
        p = scipy.special.expit(design @ line)
        gradient = design.T @ (rate - p) - penalty @ line
        hessian = (design * (p * (1 - p))[:, None]).T @ design + penalty
        line = line + np.clip(np.linalg.solve(hessian, gradient), -2.0, 2.0)
    return float(line[0]), float(line[1])


def _tensor(fitted: _Fitted, vectors: Floats) -> torch.Tensor:
    import torch

    return torch.as_tensor((vectors - fitted.centre) / fitted.scale, dtype=torch.float32)


def _unpacked(config: ContrastConfig, arrays: Mapping[str, NDArray[Any]], description: Mapping[str, Any]) -> _Fitted:
    import torch

    network = contrast_network(config, arrays["centre"].size)
    stored = {key.removeprefix("network/"): value for key, value in arrays.items() if key.startswith("network/")}
    network.load_state_dict({key: torch.as_tensor(value) for key, value in stored.items()})
    features = {key.removeprefix("features/"): value for key, value in arrays.items() if key.startswith("features/")}
    return _Fitted(
        restore_featurizer(FeatureState(description["featurizer"], features, description["texts"])),
        arrays["centre"],
        float(description["scale"]),
        network.eval(),
        tuple(Epoch(*epoch) for epoch in description["history"]),
    )
