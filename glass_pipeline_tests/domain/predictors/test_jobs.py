"""What predictors are shown."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

from glass_pipeline.domain.predictors.jobs import (
    JobSet,
    PredictorError,
    break_rates,
    job_set,
    jobs_of_texts,
    strata_of,
)
from glass_pipeline.domain.schemas import LABELED_PAIRS


def pair(base_id: str, text: str, *, y_base: int = 1, y_twin: int = 0, dose: int = 1) -> dict[str, object]:
    """One labelled pair with what matters here."""
    return {
        "solver": "s", "base_id": base_id, "twin_id": f"{base_id}-{text}-{dose}", "operator": "entity_rename",
        "category": "toy", "complexity": "easy", "complexity_score": 0.05, "declared_complexity": 1.0,
        "base_text": "b", "twin_text": text, "text_hash": text, "delta": y_base - y_twin, "d_obs": 0.0, "d_wc": 0.0,
        "y_base_mean": float(y_base), "family": "entity_rename", "file_dose": dose, "inject_size": None,
        "generator": "rules", "run_id": f"m{dose}", "y_base_run": y_base, "n_base_correct": y_base, "n_base": 1,
        "y_twin": y_twin, "twin_samples_correct": y_twin, "audit": "{}", "gold_steps": None,
        "source_distractor_ids": [],
    }  # fmt: skip


@pytest.fixture
def three_jobs() -> JobSet:
    """One job with breaks 1 of 2 (a repeated text counts once), one without twins, one outside the stratum."""
    bases = pl.DataFrame(
        {
            "base_id": ["c", "a", "b"],
            "text": ["tc", "ta", "tb"],
            "category": ["toy"] * 3,
            "declared_complexity": [1.0, 2.0, None],
            "base_pass_rate": [0.4, 1.0, 0.5],
        }
    )
    pairs = LABELED_PAIRS.frame(
        [pair("a", "x"), pair("a", "y", y_twin=1), pair("a", "x", dose=3, y_twin=1), pair("c", "z")]
    )
    return job_set(bases, pairs)


def test_jobs_outside_the_stratum_keep_their_text_and_lose_their_twins(three_jobs: JobSet) -> None:
    """A pass rate of 0.4 is out: the job has no break rate, but stays a problem."""
    assert three_jobs.base_ids == ["a", "b", "c"]
    assert three_jobs.counts().rows() == [("a", 2.0, 1.0, 0.5)]
    assert three_jobs.labelled().texts == ["ta"]


def test_strata_are_fragile_steady_and_unsolved(three_jobs: JobSet) -> None:
    """A break rate of 0.5 is above 0.05; jobs without one are unsolved."""
    assert strata_of(three_jobs) == {"a": "fragile", "b": "unsolved", "c": "unsolved"}


def test_break_rates_follow_the_order_asked_for(three_jobs: JobSet) -> None:
    """A job without a rate is NaN."""
    np.testing.assert_array_equal(break_rates(three_jobs, ["b", "a"]), [np.nan, 0.5])


def test_held_back_outcomes_cannot_be_counted(three_jobs: JobSet) -> None:
    """Whoever predicts cannot see a break by accident."""
    hidden = three_jobs.without_outcomes()

    assert "is_break" not in hidden.twins.columns
    with pytest.raises(PredictorError, match="outcomes were held back"):
        hidden.counts()


def test_new_items_have_no_twins(jobs_of: Callable[..., JobSet]) -> None:
    """Two items give two jobs; two items of one id are refused."""
    assert jobs_of_texts([("b", "two"), ("a", "one")]).texts == ["one", "two"]
    with pytest.raises(PredictorError, match="share the id 'a'"):
        jobs_of_texts([("a", "one"), ("a", "two")])
