"""Baselines: each reads what it says, and each formula gives its worked number."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Self

import numpy as np
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression

from glass_pipeline.domain.predictors.baselines import BASELINES
from glass_pipeline.domain.predictors.baselines.amortised_irt import AmortisedIrt, correctness, fit_difficulty
from glass_pipeline.domain.predictors.baselines.base_pass_rate import BasePassRate
from glass_pipeline.domain.predictors.baselines.complexity import ComplexityRank, complexity_features
from glass_pipeline.domain.predictors.baselines.embedding_entropy import embedding_entropy
from glass_pipeline.domain.predictors.baselines.embedding_ridge import EmbeddingRidge
from glass_pipeline.domain.predictors.baselines.family_composition import FamilyComposition
from glass_pipeline.domain.predictors.baselines.prompt_clarity import PromptClarity, divergence, mean_divergence
from glass_pipeline.domain.predictors.baselines.random_order import RandomOrder
from glass_pipeline.domain.predictors.baselines.score_predictor import ScorePredictor
from glass_pipeline.domain.predictors.baselines.specificity_ief import SpecificityIef, inverse_entity_frequency
from glass_pipeline.domain.predictors.baselines.text_length import TextLength
from glass_pipeline.domain.predictors.baselines.twin_distance import TwinDistance
from glass_pipeline.domain.predictors.features import FeatureState
from glass_pipeline.domain.predictors.jobs import JobSet, PredictorError, break_rates
from glass_pipeline.domain.stats.rank import spearman

Builder = Callable[..., JobSet]


class Vectors:
    """Known vectors of known texts."""

    name = "vectors"

    def __init__(self, by_text: dict[str, list[float]]) -> None:
        self.by_text = by_text

    def fit(self, texts: Sequence[str]) -> Self:
        """Do nothing."""
        return self

    def transform(self, texts: Sequence[str]) -> np.ndarray:
        """Look up."""
        return np.array([self.by_text[text] for text in texts], dtype=np.float64)

    def state(self) -> FeatureState:
        """Return the name alone."""
        return FeatureState(self.name, {}, {})

    def restored(self, state: FeatureState) -> Self:
        """Return itself."""
        return self


@pytest.mark.parametrize("name", BASELINES)
def test_every_baseline_predicts_every_job_the_same_way_twice(toy_jobs: Builder, name: str) -> None:
    """One finite number a job, in the order of the jobs, from jobs whose outcomes are held back."""
    train, validation, new = toy_jobs(60), toy_jobs(20, seed=1, start=60), toy_jobs(15, seed=2, start=80)
    found = [
        BASELINES[name]().fit(train, validation, seed=3).predict(new.without_outcomes()).select("base_id", "pi_hat")
        for _ in range(2)
    ]

    assert found[0].equals(found[1])
    assert found[0]["base_id"].to_list() == new.base_ids
    assert np.isfinite(found[0]["pi_hat"].to_numpy()).all()
    assert BASELINES[name]().name == name


@pytest.mark.parametrize("name", [name for name, make in BASELINES.items() if make().reads == "text"])
def test_what_reads_only_text_is_blind_to_twins(toy_jobs: Builder, name: str) -> None:
    """Without any twin the predictions stay the same."""
    model = BASELINES[name]().fit(toy_jobs(60), toy_jobs(20, seed=1, start=60), seed=0)
    new = toy_jobs(10, start=80).without_outcomes()
    bare = JobSet(problems=new.problems, twins=new.twins.clear())

    assert model.predict(bare).equals(model.predict(new))


@pytest.mark.parametrize("name", ["TF-IDF ridge", "amortised IRT"])
def test_text_baselines_learn_what_the_text_tells(toy_jobs: Builder, name: str) -> None:
    """Boats break more often than kites, and both see which it is."""
    model = BASELINES[name]().fit(toy_jobs(120), toy_jobs(40, seed=1, start=120), seed=0)
    new = toy_jobs(40, seed=2, start=160)

    assert spearman(model.predict(new)["pi_hat"].to_numpy(), break_rates(new, new.base_ids)) > 0.5


def test_trees_learn_from_surface_features(jobs_of: Builder) -> None:
    """Where texts with three commas break and others do not, trees find the commas."""
    rows = [{"base_id": f"j{n:03d}", "text": f"Mia sees {n}" + ", boats" * (3 * (n % 2))} for n in range(120)]
    jobs = jobs_of(rows, [(row["base_id"], "entity_rename", 1, float(row["text"].count(",") > 0)) for row in rows])
    model = BASELINES["surface GBT"]().fit(jobs.only(jobs.base_ids[:80]), jobs.only(jobs.base_ids[80:100]), seed=0)
    new = jobs.only(jobs.base_ids[100:])

    found = model.predict(new.without_outcomes())["pi_hat"].to_numpy()
    np.testing.assert_allclose(found, break_rates(new, new.base_ids), atol=0.1)


def test_unlearned_baselines_return_what_they_count(jobs_of: Builder) -> None:
    """Words, C and the pass rate come back as they are."""
    jobs = jobs_of(
        [
            {"base_id": "a", "text": "Mia has 3 boats.", "declared_complexity": 4.0, "base_pass_rate": 0.6},
            {"base_id": "b", "text": "One.", "declared_complexity": 2.0, "base_pass_rate": 1.0},
        ],
        [],
    )

    assert TextLength().predict(jobs)["pi_hat"].to_list() == [3, 1]
    assert ComplexityRank().predict(jobs)["pi_hat"].to_list() == [4, 2]
    assert BasePassRate().predict(jobs)["pi_hat"].to_list() == [0.6, 1.0]


def test_what_is_missing_is_named(jobs_of: Builder) -> None:
    """A job without declared complexity cannot be ranked by it."""
    jobs = jobs_of([{"base_id": "a", "text": "x", "declared_complexity": None}], [])

    with pytest.raises(PredictorError, match="none for job 'a'"):
        ComplexityRank().predict(jobs)


def test_random_order_depends_on_seed_and_id_alone(toy_jobs: Builder) -> None:
    """Another seed is another order; other jobs around it change nothing."""
    jobs = toy_jobs(20)
    first = RandomOrder().fit(jobs, jobs, seed=0).predict(jobs)
    some = RandomOrder().fit(jobs, jobs, seed=0).predict(jobs.only(jobs.base_ids[5:8]))

    assert some["pi_hat"].to_list() == first["pi_hat"].to_list()[5:8]
    assert not first.equals(RandomOrder().fit(jobs, jobs, seed=1).predict(jobs))


def test_complexity_features_by_hand(jobs_of: Builder) -> None:
    """C = 3: C, C^2, two numerals, two sentences, keywords "each" and "left"."""
    jobs = jobs_of([{"base_id": "a", "text": "Each has 3. Are 2 left?", "declared_complexity": 3.0}], [])

    assert complexity_features(jobs).tolist() == [[3, 9, 2, 2, 2]]


def test_family_composition_sees_families_and_nothing_else(jobs_of: Builder) -> None:
    """Where reorders always break, a job of reorders alone is predicted above one of renames alone."""
    rows = [{"base_id": f"j{n:02d}", "text": "same"} for n in range(40)]
    twins = [
        (row["base_id"], family, 1, float(family == "sentence_reorder"))
        for n, row in enumerate(rows)
        for family in ["sentence_reorder"] * (n % 4) + ["entity_rename"] * (4 - n % 4)
    ]
    jobs = jobs_of(rows, twins)
    found = FamilyComposition().fit(jobs, jobs, seed=0).predict(jobs.without_outcomes())["pi_hat"].to_numpy()

    np.testing.assert_allclose(found, break_rates(jobs, jobs.base_ids), atol=0.02)


def test_the_score_predictor_reads_bases_outside_the_stratum(jobs_of: Builder) -> None:
    """Jobs that were never solved teach what is hard; the hard kind is predicted more fragile."""
    rows = [
        {
            "base_id": f"j{n:02d}",
            "text": f"count {('boats', 'kites')[n % 2]} {n % 7} now",
            "base_pass_rate": float(n % 2),
        }
        for n in range(40)
    ]
    jobs = jobs_of(rows, [])
    found = ScorePredictor().fit(jobs, jobs, seed=0).predict(jobs)["pi_hat"].to_numpy()

    assert found[0::2].min() > found[1::2].max()


def test_irt_counts_the_base_and_every_twin(jobs_of: Builder) -> None:
    """A base solved at 0.8 with three twins, one broken: 0.8 + 2 of 4 answers are right."""
    jobs = jobs_of(
        [{"base_id": "a", "text": "x", "base_pass_rate": 0.8}, {"base_id": "b", "text": "y", "base_pass_rate": None}],
        [("a", "entity_rename", 1, 1.0), ("a", "entity_rename", 3, 0.0), ("a", "entity_rename", 5, 0.0)],
    )
    correct, asked = correctness(jobs)

    np.testing.assert_allclose(correct, [2.8, 0.0])
    np.testing.assert_allclose(asked, [4.0, 0.0])


def test_irt_is_penalised_logistic_regression() -> None:
    """Expanded to single answers, sklearn's logistic regression with C = 1 has the opposite weights."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 3))
    asked = rng.integers(1, 6, 60).astype(float)
    correct = np.floor(rng.random(60) * (asked + 1))
    rows = np.repeat(x, asked.astype(int), axis=0)
    answers = np.concatenate([[1] * int(c) + [0] * int(a - c) for c, a in zip(correct, asked, strict=True)])
    expected = LogisticRegression(C=1.0, tol=1e-8).fit(rows, answers)

    found = fit_difficulty(x, correct, asked)
    np.testing.assert_allclose(-found, np.r_[expected.intercept_, expected.coef_[0]], atol=1e-3)


def test_entropy_numbers() -> None:
    """Three identical vectors give ln 3; three orthogonal .97533; (1,0), (1,0), (0,1) 1.00335."""
    assert embedding_entropy(np.ones((3, 2))) == pytest.approx(math.log(3), abs=1e-6)
    assert embedding_entropy(np.eye(3)) == pytest.approx(0.97533, abs=5e-6)
    assert embedding_entropy(np.array([[1.0, 0], [1, 0], [0, 1]])) == pytest.approx(1.00335, abs=5e-6)


def test_clarity_numbers() -> None:
    """A permutation gives 0, one foreign word of four 5.2366; zeros are left out of the mean."""
    assert divergence("a b c d", "d c b a") == 0
    assert divergence("a b c d", "a b c e") == pytest.approx(5.2366, abs=5e-5)
    assert mean_divergence("a b c d", ["d c b a", "a b c e"]) == pytest.approx(5.2366, abs=5e-5)
    assert mean_divergence("a b", ["b a"]) == 0
    assert math.isfinite(divergence("a", ""))


def test_ief_numbers() -> None:
    """An isolated text has ln(N + 1); one with three of four near it ln(5 / 4)."""
    near = np.array([[False] * 4, [True, True, True, False]])

    np.testing.assert_allclose(inverse_entity_frequency(near), [math.log(5), math.log(5 / 4)])


def test_a_text_among_duplicates_is_less_specific(jobs_of: Builder) -> None:
    """Forty bases in ten directions, four of them the same: the lone one has the higher IEF."""
    vectors = {"dup": [1.0] + [0.0] * 11} | {f"t{n}": [float(n == m) for m in range(12)] for n in range(1, 12)}
    rows = [{"base_id": f"d{n}", "text": "dup"} for n in range(4)] + [
        {"base_id": f"t{n:02d}", "text": f"t{n}"} for n in range(1, 12)
    ]
    jobs = jobs_of(rows, [(row["base_id"], "entity_rename", 1, 1.0) for row in rows])
    model = SpecificityIef(Vectors(vectors))
    model.fit(jobs, jobs, seed=0)
    signal = dict(zip(jobs.base_ids, model.signal(jobs), strict=True))

    # 105 pairs, 6 of them duplicates: the 95th percentile of the cosines is 1 or just below.
    assert signal["d0"] == pytest.approx(math.log(16 / 4))
    assert signal["t01"] == pytest.approx(math.log(16))


def test_geometry_signals_and_their_calibration(jobs_of: Builder) -> None:
    """Cosines .6 and 1 with break rates 1 and 0: distance .4 and 0, and the line runs through both points."""
    vectors = {"a": [1.0, 0.0], "b": [0.0, 2.0], "twin 0 of a": [0.6, 0.8], "twin 1 of b": [0.0, 1.0]}
    jobs = jobs_of(
        [{"base_id": "a", "text": "a"}, {"base_id": "b", "text": "b"}],
        [("a", "entity_rename", 1, 1.0), ("b", "entity_rename", 1, 0.0)],
    )
    distance, clarity = (make(Vectors(vectors)).fit(jobs, jobs, seed=0) for make in (TwinDistance, PromptClarity))

    np.testing.assert_allclose(distance.signal(jobs), [0.4, 0.0], atol=1e-12)
    for model in (distance, clarity):
        np.testing.assert_allclose(model.predict(jobs)["pi_hat"].to_numpy(), [1.0, 0.0], atol=1e-12)


@pytest.mark.parametrize("make", [lambda: EmbeddingRidge("tfidf_svd"), AmortisedIrt, FamilyComposition])
def test_an_unfitted_baseline_refuses_to_predict(toy_jobs: Builder, make: Callable[[], EmbeddingRidge]) -> None:
    """The message says what to call first."""
    with pytest.raises(PredictorError, match="not fitted; call fit"):
        make().predict(toy_jobs(2))


def test_predictions_are_a_table_of_two_columns(toy_jobs: Builder) -> None:
    """Whatever the baseline, the columns and their types are the same."""
    jobs = toy_jobs(3)

    assert dict(TextLength().predict(jobs).schema) == {"base_id": pl.String(), "pi_hat": pl.Float64()}
