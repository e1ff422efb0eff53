"""Holds the training of one declared predictor over its seeds, and what it predicts for the jobs it has not seen.

Never scores a prediction (see ``evaluation``), and never shows an outcome of a test job to a predictor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, NamedTuple

import polars as pl
from threadpoolctl import threadpool_limits

from glass_pipeline.domain.estimands.family_standardised import family_standardised, family_weights
from glass_pipeline.domain.predictors.declared import Declared, make_predictor, trains_encoder
from glass_pipeline.domain.predictors.frail_contrast import FrailContrast
from glass_pipeline.domain.predictors.frail_pi import FrailPi
from glass_pipeline.domain.predictors.frail_pi_encoder import FrailPiEncoder
from glass_pipeline.domain.predictors.jobs import JobSet, MissingPart, PredictorError, require_learnable
from glass_pipeline.domain.predictors.predictor import Predictor
from glass_pipeline.domain.predictors.training import Epoch, one_thread
from glass_pipeline.domain.schemas.predictors import PREDICTIONS
from glass_pipeline.domain.splits import Split

FEWEST_TEST_JOBS = 5
PREDICTED = ("pi_hat", "a_hat", "b_hat", "wc_hat")
MEASURED = ("pi", "pi_std", "k", "n")
Told = Callable[[str], None]


class HeldOut(NamedTuple):
    """Predictions of every seed, and how each training went."""

    table: pl.DataFrame
    """``schemas.PREDICTIONS``; null predictions with a note where a seed could not be trained."""
    histories: Mapping[int, tuple[Epoch, ...]]
    """By seed; empty for predictors that are not trained in epochs."""


def held_out_predictions(
    declared: Declared,
    jobs: JobSet,
    splits: Mapping[int, Split],
    *,
    solver: str,
    slice_name: str,
    tell: Told = lambda _: None,
) -> HeldOut:
    """Train a predictor on the training part of each split and predict the test part.

    Args:
        declared: Which predictor.
        jobs: All jobs with outcomes, in or out of the stratum.
        splits: By seed.
        solver: Whose break rates they are.
        slice_name: Slice the outcomes come from.
        tell: Told one line a seed.

    Raises:
        MissingPart: a package or weights are not on this machine. What fewer labels would mend is a note instead.

    Source: methods §4, §5.6.
    """
    truth = measured_rates(jobs)
    reads, is_rate = (example := make_predictor(declared)).reads, example.is_rate
    frames, histories = [], {}
    with computing(declared):
        for split in splits.values():
            predicted, note, history = _one_seed(declared, jobs, split)
            tell(f"seed {split.seed}: {note or _course(history)}")
            histories[split.seed] = history
            rows = pl.DataFrame({"base_id": split.test}, schema={"base_id": pl.String()})
            frames.append(
                rows.join(predicted, on="base_id", how="left")
                .join(truth, on="base_id", how="left")
                .with_columns(
                    seed=pl.lit(split.seed, pl.Int64()), fingerprint=pl.lit(split.fingerprint), note=pl.lit(note)
                )
            )
    fixed = {
        "solver": solver,
        "predictor": declared.name,
        "kind": declared.variant,
        "reads": reads,
        "slice": slice_name,
    }
    whole = pl.concat(frames) if frames else PREDICTIONS.frame([]).drop(*fixed, "is_rate")
    whole = whole.with_columns(
        pl.col("k", "n").fill_null(0.0),
        is_rate=pl.lit(is_rate),
        **{name: pl.lit(value) for name, value in fixed.items()},
    )
    return HeldOut(PREDICTIONS.check(whole), histories)


def measured_rates(jobs: JobSet) -> pl.DataFrame:
    """Return ``base_id, pi, pi_std, k, n`` of the jobs that have a break rate."""
    standard = family_standardised(jobs.twins, weights=family_weights(jobs.twins)).select("base_id", "pi_std")
    return jobs.counts().join(standard, on="base_id", how="left").select("base_id", *MEASURED)


def askable(predictor: Predictor, jobs: JobSet) -> JobSet:
    """Return the jobs that a predictor can be asked about: all, or those with twins or a pass rate if it reads them."""
    return jobs if predictor.reads == "text" else jobs.labelled()


def training_history(predictor: Predictor) -> tuple[Epoch, ...]:
    """Return the epochs of a predictor that is trained in epochs, else none."""
    return predictor.history if isinstance(predictor, FrailPi | FrailPiEncoder | FrailContrast) else ()


def computing(declared: Declared) -> AbstractContextManager[None]:
    """Return the threads that a predictor is trained on: one, or all where an encoder is trained."""
    return nullcontext() if trains_encoder(declared) else one_core()


@contextmanager
def one_core() -> Iterator[None]:
    """Let numerical libraries compute on one thread.

    Matrices of some hundred jobs gain nothing from more, and on a busy machine threads that wait for one another take
    ten times as long; sums that do not depend on the number of cores give the same model everywhere.
    """
    with threadpool_limits(limits=1), one_thread():
        yield


class _Seed(NamedTuple):
    predicted: pl.DataFrame
    note: str
    history: tuple[Epoch, ...]


def _one_seed(declared: Declared, jobs: JobSet, split: Split) -> _Seed:
    nothing = pl.DataFrame(schema={"base_id": pl.String()} | {name: pl.Float64() for name in PREDICTED})
    try:
        train, test = jobs.only(split.train), jobs.only(split.test)
        require_learnable(train)
        _require_test_jobs(test)
        predictor = make_predictor(declared).fit(train, jobs.only(split.validation), seed=split.seed)
        predicted = predictor.predict(askable(predictor, test).without_outcomes())
    except MissingPart:
        raise
    except PredictorError as error:
        return _Seed(nothing, str(error), ())
    known: dict[str, Any] = {name: pl.lit(None, pl.Float64()) for name in PREDICTED if name not in predicted.columns}
    return _Seed(predicted.with_columns(**known).select(nothing.columns), "", training_history(predictor))


def _require_test_jobs(test: JobSet) -> None:
    held = len(test.labelled())
    if held < FEWEST_TEST_JOBS:
        raise PredictorError(
            f"evaluation: {held} test jobs have a break rate; label more jobs until there are at least "
            f"{FEWEST_TEST_JOBS}."
        )


def _course(history: tuple[Epoch, ...]) -> str:
    if not history:
        return "fitted"
    best = max(history, key=lambda epoch: (epoch.validation == epoch.validation, epoch.validation))
    return f"{len(history)} epochs, loss {history[-1].loss:.4f}, best validation Spearman {best.validation:.3f}"
