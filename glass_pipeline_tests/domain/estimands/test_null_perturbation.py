"""The control whose twins are the base itself."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from glass_pipeline.domain.estimands.null_perturbation import _modal, null_perturbation_control


def probes(answers: dict[str, list[str | None]], gold: str = "18") -> pl.DataFrame:
    """Return base samples, right where they are the gold answer."""
    rows = [
        {"base_id": base, "answers": given_out, "is_correct": [answer == gold for answer in given_out]}
        for base, given_out in answers.items()
    ]
    schema = {"base_id": pl.String(), "answers": pl.List(pl.String()), "is_correct": pl.List(pl.Boolean())}
    return pl.DataFrame(rows, schema=schema, orient="row")


NO_PI = pl.DataFrame(schema={"base_id": pl.String(), "pi": pl.Float64()})


@given(st.lists(st.integers(-1, 3), min_size=1, max_size=7))
def test_the_vectorised_vote_equals_a_counter(votes: list[int]) -> None:
    """Highest count wins, a tie goes to the answer seen first, and no answer is -1."""
    counts = Counter(vote for vote in votes if vote >= 0)
    expected = counts.most_common(1)[0][0] if counts else -1

    assert _modal(np.array([votes]), 4).tolist() == [expected]


def test_a_job_that_always_answers_alike_never_breaks() -> None:
    """Always right: 0; always wrong, or never an answer: no pseudo-base is solved, so null."""
    samples = probes({"a": ["18"] * 10, "b": ["20"] * 10, "c": [None] * 10})

    control = null_perturbation_control(samples, NO_PI, rng=np.random.default_rng(0))

    assert control.pseudo_pi.rows() == [("a", 0.0), ("b", None), ("c", None)]
    assert control.mean == 0.0
    assert control.correlation_with_pi is None
    assert not control.with_replacement


def test_splits_follow_the_hypergeometric_law() -> None:
    """Of 10 samples 6 are right: a base solves with 3 to 5 of them, and its twin then fails with 1 to 3.

    The base has h right with probability C(6,h) C(4,5-h) / C(10,5), and the twin the other 6 - h: it fails iff
    6 - h <= 2, that is h >= 4. Pr(h >= 4 | h >= 3) = (60 + 6) / (120 + 60 + 6) = 0.355.
    """
    samples = probes({"a": ["18"] * 6 + ["20"] * 4})

    control = null_perturbation_control(samples, NO_PI, rng=np.random.default_rng(0), splits=20_000)

    assert control.mean == pytest.approx(66 / 186, abs=0.015)


def test_few_samples_are_drawn_with_replacement() -> None:
    """Eight samples do not make two groups of five; at 90 % right a group fails with 0.86 % (methods §1.9)."""
    samples = probes({f"b{number}": ["18"] * 9 + ["20"] for number in range(4)} | {"z": ["18"] * 8})

    control = null_perturbation_control(samples, NO_PI, rng=np.random.default_rng(0))

    assert control.with_replacement
    assert control.pseudo_pi.filter(pl.col("base_id") == "z")["pseudo_pi"].to_list() == [0.0]


def test_pseudo_pi_is_compared_with_pi() -> None:
    """Jobs that are noisier alone and break more give a positive correlation."""
    samples = probes({"a": ["18"] * 10, "b": ["18"] * 8 + ["20"] * 2, "c": ["18"] * 6 + ["20"] * 4})
    pi = pl.DataFrame({"base_id": ["a", "b", "c"], "pi": [0.0, 0.1, 0.5]})

    control = null_perturbation_control(samples, pi, rng=np.random.default_rng(0))

    pseudo = control.pseudo_pi["pseudo_pi"].to_list()
    assert control.correlation_with_pi == pytest.approx(stats.spearmanr(pseudo, pi["pi"]).statistic)


@pytest.mark.parametrize(("p", "expected"), [(0.6, 0.317), (0.7, 0.163), (0.8, 0.058), (0.9, 0.0086)])
def test_share_of_wrong_modal_answers(p: float, expected: float) -> None:
    """With one wrong alternative and 5 samples the mode is wrong if at most 2 are right (methods §1.9)."""
    assert stats.binom.cdf(2, 5, p) == pytest.approx(expected, abs=5e-4)
