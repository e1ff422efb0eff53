"""Training over seeds and predicting what was held out."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import polars as pl
import pytest

from glass_pipeline.domain.predictors.declared import KINDS, Declared, make_predictor
from glass_pipeline.domain.predictors.frail_pi import FrailPi
from glass_pipeline.domain.predictors.held_out import HeldOut, held_out_predictions
from glass_pipeline.domain.predictors.jobs import JobSet, MissingPart, PredictorError
from glass_pipeline.domain.predictors.split_table import splits_of, splits_table
from glass_pipeline.domain.splits import Split
from glass_pipeline.study import PREDICTOR_KEYS, PredictorKind

Builder = Callable[..., JobSet]
LENGTH = Declared(name="length", kind="text_length")


def splits_for(jobs: JobSet, seeds: tuple[int, ...] = (0, 1)) -> dict[int, Split]:
    """Splits of some jobs."""
    return splits_of(splits_table(jobs.problems.with_columns(revision=pl.lit("r")), source="toy"), seeds)


def trained(declared: Declared, jobs: JobSet, told: list[str] | None = None, **splits: dict[int, Split]) -> HeldOut:
    """Predictions of one predictor over two seeds."""
    tell = (told if told is not None else []).append
    return held_out_predictions(
        declared, jobs, splits.get("splits") or splits_for(jobs), solver="s", slice_name="pooled", tell=tell
    )


def test_every_kind_of_the_study_file_can_be_made() -> None:
    """The names that glass.toml accepts are the predictors that there are."""
    assert set(get_args(PredictorKind)) == set(KINDS)
    assert set(PREDICTOR_KEYS) <= set(KINDS)
    assert all(callable(make_predictor(Declared(name="x", kind=kind)).fit) for kind in KINDS)
    with pytest.raises(PredictorError, match="no kind 'tarot'; there are random, text_length"):
        make_predictor(Declared(name="x", kind="tarot"))


def test_predictions_are_those_of_the_model_by_hand(toy_jobs: Builder) -> None:
    """The row of a test job holds what FrailPi, fitted on the training part of that seed, predicts for it."""
    jobs, declared = toy_jobs(60), Declared(name="mine", kind="frail_pi", features="hashing", epochs=3)
    held = trained(declared, jobs)
    split = splits_for(jobs)[1]
    model = make_predictor(declared)
    assert isinstance(model, FrailPi)
    model.fit(jobs.only(split.train), jobs.only(split.validation), seed=1)
    expected = model.predict(jobs.only(split.test).without_outcomes())
    found = held.table.filter(pl.col("seed") == 1).sort("base_id")

    assert found["base_id"].to_list() == list(split.test)
    for column in ("pi_hat", "a_hat", "b_hat", "wc_hat"):
        assert found[column].to_numpy() == pytest.approx(expected[column].to_numpy(), abs=1e-6)
    assert found["kind"].unique().to_list() == ["frail_pi:hashing"]
    assert found["fingerprint"].unique().to_list() == [split.fingerprint]
    assert [len(history) for history in held.histories.values()] == [3, 3]


def test_measured_rates_stand_beside_predictions(toy_jobs: Builder, jobs_of: Builder) -> None:
    """A job that was never solved is predicted too, without a rate; a solved one has k / n of its twins."""
    jobs = toy_jobs(60)
    few = jobs.only([job for job in jobs.base_ids if job != "job-007"])
    partly = JobSet(problems=jobs.problems, twins=few.twins)
    rows = trained(LENGTH, partly, splits=splits_for(jobs, tuple(range(10)))).table
    unsolved = rows.filter(pl.col("base_id") == "job-007")
    solved = rows.filter(pl.col("base_id") != "job-007")

    assert unsolved.height > 0
    assert unsolved.select("pi", "pi_std", "n").unique().rows() == [(None, None, 0.0)]
    assert unsolved["pi_hat"].null_count() == 0
    assert solved["n"].unique().to_list() == [10.0]
    assert solved["pi"].to_numpy() == pytest.approx(solved["k"].to_numpy() / 10)


@pytest.mark.parametrize(
    ("keep", "broke", "sentence"),
    [
        (8, None, "training jobs have a break rate; label at least 10"),
        (60, 0.0, "training twins broke; it needs both outcomes"),
    ],
)
def test_what_cannot_be_learned_is_a_note(toy_jobs: Builder, keep: int, broke: float | None, sentence: str) -> None:
    """Too few labelled jobs, or one outcome only: every held-out job has a row that says why it has no prediction."""
    jobs = toy_jobs(60)
    twins = jobs.only(jobs.base_ids[:keep]).twins
    told: list[str] = []
    rows = trained(
        LENGTH,
        JobSet(problems=jobs.problems, twins=twins if broke is None else twins.with_columns(is_break=pl.lit(broke))),
        told,
    ).table

    assert rows.height == 2 * 18
    assert rows["pi_hat"].null_count() == rows.height
    assert all(sentence in note for note in rows["note"])
    assert len(told) == 2
    assert sentence in told[0]


def test_too_few_test_jobs_are_a_note(toy_jobs: Builder) -> None:
    """Twelve training jobs are labelled and four test jobs, one fewer than can be scored."""
    jobs = toy_jobs(60)
    split = splits_for(jobs, (0,))
    labelled = [*split[0].train[:12], *split[0].test[:4]]
    rows = trained(LENGTH, JobSet(problems=jobs.problems, twins=jobs.only(labelled).twins), splits=split).table

    assert set(rows["note"]) == {
        "evaluation: 4 test jobs have a break rate; label more jobs until there are at least 5."
    }


def test_without_a_split_there_is_no_row(toy_jobs: Builder) -> None:
    """A suite that cannot be split has an empty table, not an error."""
    held = held_out_predictions(LENGTH, toy_jobs(4), {}, solver="s", slice_name="pooled")

    assert (held.table.height, held.histories) == (0, {})


def test_an_encoder_that_is_not_here_is_an_error(toy_jobs: Builder) -> None:
    """More labels would not help, so it is said at once, with the remedy."""
    declared = Declared(name="x", kind="frail_pi", features="encoder", encoder="no/such-model")
    with pytest.raises(MissingPart, match="no weights of 'no/such-model' on this machine"):
        trained(declared, toy_jobs(60))
