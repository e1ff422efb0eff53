"""Frail-pi on Bernoulli jobs whose features are known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression

from glass_pipeline.domain.predictors.config import FrailPiConfig
from glass_pipeline.domain.predictors.frail_pi import FrailPi
from glass_pipeline.domain.predictors.jobs import PredictorError, break_rates, strata_of
from glass_pipeline.domain.splits import split_jobs
from glass_pipeline.domain.synth_cd.bernoulli import draw_bernoulli
from glass_pipeline.domain.synth_cd.feature_table import FeatureTable
from glass_pipeline.domain.synth_cd.jobs import bernoulli_job_set, job_id


def test_jobs_hold_what_was_drawn() -> None:
    """Twins of solved jobs only, 25 each, and their mean is pi."""
    drawn = draw_bernoulli(np.random.default_rng(7), jobs=60)
    jobs = bernoulli_job_set(drawn)
    solved = [job_id(row) for row in drawn.solved.nonzero()[0]]

    assert jobs.labelled().base_ids == solved
    assert jobs.twins.height == 25 * len(solved)
    assert break_rates(jobs, solved) == pytest.approx(drawn.pi[drawn.solved])


def test_frail_pi_learns_from_a_table_of_c_and_e() -> None:
    """500 jobs, seed 7: held-out Spearman above .55, and near that of a linear fit on C, E and C E."""
    drawn = draw_bernoulli(np.random.default_rng(7))
    jobs = bernoulli_job_set(drawn)
    known = np.column_stack([drawn.complexity, drawn.expertise, drawn.complexity * drawn.expertise])
    table = FeatureTable({job_id(row): vector for row, vector in enumerate(known[:, :2].tolist())})
    split = split_jobs(strata_of(jobs), dataset_key="synth", seed=7)
    model = FrailPi(FrailPiConfig(features="feature_table"), featurizer=table)
    model.fit(jobs.only(split.train), jobs.only(split.validation), seed=7)
    test = jobs.only(split.test).labelled()
    pi = break_rates(test, test.base_ids)
    found = stats.spearmanr(model.predict(test.without_outcomes())["pi_hat"], pi).statistic
    rows = {job_id(row): row for row in range(len(known))}
    train = [rows[base_id] for base_id in jobs.only(split.train).labelled().base_ids]
    line = LinearRegression().fit(known[train], drawn.pi[train])
    linear = stats.spearmanr(line.predict(known[[rows[base_id] for base_id in test.base_ids]]), pi).statistic

    assert found > 0.55
    assert found > linear - 0.08


def test_a_text_that_is_not_in_the_table_is_refused() -> None:
    """Nothing is guessed; a table survives its state."""
    table = FeatureTable({"a": [1.0, 2.0]})

    assert table.restored(table.state()).transform(["a"]).tolist() == [[1.0, 2.0]]
    with pytest.raises(PredictorError, match="no row for 'b'; add it to the table"):
        table.transform(["b"])
