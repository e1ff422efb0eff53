"""The model that is kept for new items."""

from __future__ import annotations

import json
from collections.abc import Callable

import polars as pl
import pytest

from glass_pipeline.domain.predictors.curating import most_fragile
from glass_pipeline.domain.predictors.declared import Declared
from glass_pipeline.domain.predictors.deployed import (
    ABOUT,
    CARD,
    MODEL_FILES,
    SIDECAR,
    TENSORS,
    PredictorTask,
    StoredModel,
    ask,
    files_of,
    restored,
    stored_model,
    train_and_keep,
)
from glass_pipeline.domain.predictors.jobs import JobSet, PredictorError, jobs_of_texts
from glass_pipeline.domain.predictors.split_table import splits_of, splits_table
from glass_pipeline.domain.splits import SplitError, refuse_seen_jobs

Builder = Callable[..., JobSet]


def task_for(jobs: JobSet, **declared: object) -> PredictorTask:
    """A small Frail-pi on some jobs, two seeds."""
    settings = {"name": "mine", "kind": "frail_pi", "features": "hashing", "epochs": 4} | declared
    splits = splits_of(splits_table(jobs.problems.with_columns(revision=pl.lit("r")), source="toy"), (0, 1))
    return PredictorTask(
        declared=Declared(**settings),  # type: ignore[arg-type]
        jobs=jobs,
        splits=splits,
        suite="toys",
        solver="alpha",
        slice_name="pooled",
        is_simulated=True,
        code_version="1",
    )


@pytest.fixture
def kept(toy_jobs: Builder) -> StoredModel:
    """A model of sixty jobs."""
    model = train_and_keep(task_for(toy_jobs(60))).model
    assert model is not None
    return model


def test_it_is_trained_on_everything_but_the_jobs_it_stops_on(toy_jobs: Builder, kept: StoredModel) -> None:
    """54 training jobs and 6 of validation are all there are; scoring it on any of them is refused."""
    jobs = toy_jobs(60)

    assert len(kept.sidecar.train_job_ids) == 54
    assert len(kept.sidecar.val_job_ids) == 6
    with pytest.raises(SplitError, match="fitted or chosen on 1 of 1 jobs"):
        refuse_seen_jobs(kept.sidecar, [jobs.base_ids[0]])


def test_a_stored_model_answers_as_before(kept: StoredModel) -> None:
    """Through files and back: the same rates for boats and kites, boats above, unseen, interval around each."""
    items = jobs_of_texts(
        [("a", "Leo sees 4 boats and then 7 more. How many boats?"), ("b", "Leo sees 4 kites. How many kites?")]
    )
    before, after = ask(kept, items), ask(stored_model(files_of(kept)), items)
    boats, kites = after["pi_hat"]

    assert before.equals(after)
    assert boats > kites
    assert after["is_seen"].to_list() == [False, False]
    assert bool(((after["pi_low"] <= after["pi_hat"]) & (after["pi_hat"] <= after["pi_high"])).all())


def test_the_worst_case_is_asked_for_any_number_of_twins(kept: StoredModel) -> None:
    """One twin of dose 5 breaks with its own rate p, three with 1 - (1 - p)^3."""
    items = jobs_of_texts([("a", "Leo sees 4 boats and then 7 more. How many boats?")])
    one, three = (ask(kept, items, worst_case=(0, 0, count, 0, 0))["wc_hat"][0] for count in (1, 3))

    assert three == pytest.approx(1 - (1 - one) ** 3)


def test_jobs_it_has_learned_from_are_marked(toy_jobs: Builder, kept: StoredModel) -> None:
    """A labelled job is one that it has seen the outcome of."""
    assert ask(kept, toy_jobs(60).only(["job-003"]))["is_seen"].to_list() == [True]


def test_the_card_says_what_it_is(kept: StoredModel) -> None:
    """Suite, solver, that labels are simulated, size, and the held-out figures of both seeds."""
    card = files_of(kept)[CARD].decode()

    assert "toys" in card
    assert "simulation" in card
    assert "60 items, 600 distinct twins" in card
    assert f"{kept.about.held_out_spearman[1]:.3f})" in card


def test_only_what_can_be_stored_is_kept(toy_jobs: Builder) -> None:
    """Baselines and averages of several starts have predictions, no model; nor has what could not be trained."""
    jobs = toy_jobs(60)
    few = JobSet(problems=jobs.problems, twins=jobs.only(jobs.base_ids[:5]).twins)

    assert train_and_keep(task_for(jobs, kind="text_length")).model is None
    assert train_and_keep(task_for(jobs, starts=2, epochs=1)).model is None
    assert train_and_keep(task_for(few)).model is None


def test_damaged_files_are_one_sentence(kept: StoredModel) -> None:
    """A missing file is named; a changed one says what to do."""
    files = files_of(kept)
    assert set(files) == set(MODEL_FILES)

    with pytest.raises(PredictorError, match=r"model.safetensors is missing; name the folder"):
        stored_model({name: content for name, content in files.items() if name != TENSORS})
    with pytest.raises(PredictorError, match=r"about.json is not that of a stored model .* train it again"):
        stored_model(files | {ABOUT: b"{}"})
    with pytest.raises(SplitError, match="not a sidecar of a model"):
        stored_model(files | {SIDECAR: b"[]"})
    with pytest.raises(PredictorError, match="cannot be read"):
        restored(stored_model(files | {TENSORS: b"torn"}).checkpoint)
    with pytest.raises(PredictorError, match=r"about\.json is not that of a stored model"):
        stored_model(files | {ABOUT: json.dumps({"held_out_spearman": 3}).encode()})


def test_measured_items_are_chosen_by_what_is_measured(kept: StoredModel) -> None:
    """A kite that broke 30 of 30 times goes before every boat; a boat that never broke falls behind the others."""
    texts = [(f"boat-{n}", f"Leo sees {n + 2} boats and then 7 more. How many boats?") for n in range(4)]
    items = jobs_of_texts([*texts, ("kite", "Leo sees 4 kites and then 2 more. How many kites?")])
    measured = pl.DataFrame({"base_id": ["kite", "boat-0"], "k": [30, 0], "n": [30, 30]})
    nobody = pl.DataFrame(schema={"base_id": pl.String(), "pi_hat": pl.Float64()})
    chosen = most_fragile(kept, items, measured, nobody, percent=80)
    first = most_fragile(kept, items, measured, nobody, percent=1)

    assert chosen["base_id"].to_list()[0] == "kite"
    assert "boat-0" not in chosen["base_id"].to_list()
    assert chosen.height == 4
    assert first["base_id"].to_list() == ["kite"]


def test_a_seen_item_keeps_the_prediction_made_before_it_was_seen(kept: StoredModel) -> None:
    """Held-out predictions .2 and .4 of one item: its pi-hat is .3, not the fitted value."""
    items = jobs_of_texts([("a", "Leo sees 4 boats and then 7 more. How many boats?")])
    before = pl.DataFrame({"base_id": ["a", "a"], "pi_hat": [0.2, 0.4]})
    nothing = pl.DataFrame(schema={"base_id": pl.String(), "k": pl.Int64(), "n": pl.Int64()})

    assert most_fragile(kept, items, nothing, before, percent=100)["pi_hat"].to_list() == [pytest.approx(0.3)]
