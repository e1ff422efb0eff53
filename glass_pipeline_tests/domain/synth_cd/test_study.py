"""The study of Synth-CD."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from glass_pipeline.domain.predictors.config import Recipe
from glass_pipeline.domain.predictors.contrast_config import SYNTH
from glass_pipeline.domain.predictors.features import make_featurizer
from glass_pipeline.domain.stats.rank import spearman
from glass_pipeline.domain.synth_cd.continuous import draw_continuous
from glass_pipeline.domain.synth_cd.study import bernoulli_study, continuous_study, texts_of

SHORT = replace(
    SYNTH, hidden=32, first=Recipe(epochs=5, patience=5), second=Recipe(epochs=40, patience=40, learning_rate=1e-3)
)


@pytest.fixture(scope="module")
def continuous() -> dict[str, dict[str, object]]:
    """Rows by method: 300 jobs, 90 held out, a short recipe."""
    table = continuous_study(make_featurizer("tfidf_svd"), seed=3, config=SHORT, jobs=300)
    return {row["method"]: row for row in table.iter_rows(named=True)}


def test_who_knows_the_truth_ranks_best(continuous: dict[str, dict[str, object]]) -> None:
    """The measured drop scores 1 by definition; C and E together reach what noise leaves, about .85; length nothing."""
    jobs = draw_continuous(np.random.default_rng(3), jobs=300, held_out=90)
    own = jobs.held_out

    assert continuous["measured D_avg"]["spearman"] == pytest.approx(1.0)
    assert continuous["measured D_avg"]["abs_rho_c"] == pytest.approx(spearman(jobs.d_avg[own], jobs.complexity[own]))
    assert continuous["knowing C and E"]["spearman"] == max(
        row["spearman"] for name, row in continuous.items() if name != "measured D_avg"
    )
    assert abs(continuous["surface length"]["spearman"]) < 0.25
    assert continuous["surface length"]["mae"] is None
    assert {row["n_jobs"] for row in continuous.values()} == {90}


def test_texts_carry_what_was_drawn(continuous: dict[str, dict[str, object]]) -> None:
    """A ridge ranks unseen jobs from their words; a published value stands where there is one, else a dash."""
    assert continuous["ridge of D_avg"]["spearman"] > 0.5
    assert (continuous["contrast head"]["published"], continuous["ridge of D_avg"]["published"]) == ("0.617", "—")


def test_bernoulli_jobs_are_ranked_below_the_truth() -> None:
    """Knowing p bounds Frail-pi, and what is read from text stays below what is known of C and E."""
    table = bernoulli_study(lambda: make_featurizer("tfidf_svd"), seed=7, jobs=300)
    rho = dict(table.select("method", "spearman").iter_rows())

    assert rho["knowing p"] > rho["Frail-π, C and E known"] > rho["Frail-π, tfidf_svd"] > rho["surface length"]
    assert table.filter(pl.col("method") == "declared complexity")["abs_rho_c"].to_list() == [pytest.approx(1.0)]


def test_each_job_has_a_text_of_its_own_generator() -> None:
    """The first jobs keep their texts however many are drawn after them; another seed draws others."""
    few, many = np.array([0.2, 0.8]), np.array([0.2, 0.8, 0.5])

    assert texts_of(few, few, 1) == texts_of(many, many, 1)[:2]
    assert texts_of(few, few, 1) != texts_of(few, few, 2)
