"""What a review says: agreement against scikit-learn and statsmodels, contamination by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from glass_pipeline.domain.audit.review import Said, cohen_kappa, review
from glass_pipeline.domain.audit.review_sample import ReviewPair


def test_kappa_is_that_of_both_libraries() -> None:
    """20 both, 5 and 10 apart, 15 neither: p_o = 0.7, p_e = 0.5, kappa = 0.4."""
    mine = np.repeat([1, 1, 0, 0], [20, 5, 10, 15])
    theirs = np.repeat([1, 0, 1, 0], [20, 5, 10, 15])

    kappa = float(cohen_kappa(20, 5, 10, 15))

    assert kappa == pytest.approx(0.4)
    assert kappa == pytest.approx(cohen_kappa_score(mine, theirs))
    assert kappa == pytest.approx(cohens_kappa(np.array([[20, 5], [10, 15]])).kappa)


@pytest.mark.parametrize("table", [(0, 0, 0, 0), (9, 0, 0, 0), (0, 0, 0, 9)])
def test_kappa_of_one_category_is_undefined(table: tuple[int, int, int, int]) -> None:
    """Where chance alone makes two raters agree, kappa says nothing."""
    assert np.isnan(cohen_kappa(*table))


def test_kappa_of_many_tables() -> None:
    """Perfect agreement is 1, perfect disagreement of even raters -1, independence 0."""
    assert cohen_kappa([5, 0, 4], [0, 5, 4], [0, 5, 4], [5, 0, 4]).tolist() == [1.0, -1.0, 0.0]


def test_agreement_counts_what_both_decided(make_pair: Callable[..., ReviewPair]) -> None:
    """Unsure and unparsable pairs are left out and counted; an adjudicator who saw a part is judged by that part."""
    pairs = [
        make_pair(0, judge="no_op"),
        make_pair(1, judge="contradiction", second="contradiction"),
        make_pair(2, judge="contradiction"),
        make_pair(3, judge="unparsable"),
        make_pair(4, judge="no_op"),
        make_pair(5, judge="no_op"),
    ]
    said: Mapping[str, Said] = {
        "twin-0000": "no_op", "twin-0001": "contradiction", "twin-0002": "no_op", "twin-0003": "no_op",
        "twin-0004": "unsure",
    }  # fmt: skip

    judge, second = review(pairs, said, seed=1).agreements

    assert (judge.adjudicator, judge.n_pairs, judge.n_left_out, judge.n_agreed) == ("judge", 3, 2, 2)
    # One both, none mine alone, one theirs alone, one neither: p_o = 2/3, p_e = (1*2 + 2*1)/9 = 4/9, kappa = 0.4.
    assert judge.kappa == pytest.approx(0.4)
    assert (second.n_pairs, second.n_agreed, second.kappa) == (1, 1, None)


def test_the_interval_of_kappa_is_near_the_asymptotic_one(make_pair: Callable[..., ReviewPair]) -> None:
    """On 400 independent pairs the bootstrap gives what statsmodels' standard error gives, to a fifth of its width."""
    table = {("contradiction", "contradiction"): 160, ("contradiction", "no_op"): 40, ("no_op", "contradiction"): 60}
    table[("no_op", "no_op")] = 140
    pairs, said = [], {}
    for (mine, theirs), n in table.items():
        for _ in range(n):
            pair = make_pair(len(pairs), judge=theirs)
            pairs.append(pair)
            said[pair.twin_id] = mine
    expected = cohens_kappa(np.array([[160, 40], [60, 140]]))

    interval = review(pairs, said, seed=1).agreements[0].kappa_interval  # type: ignore[arg-type]  # both are sayings

    assert interval is not None
    width = expected.kappa_upp - expected.kappa_low
    assert interval.low == pytest.approx(expected.kappa_low, abs=0.2 * width)
    assert interval.high == pytest.approx(expected.kappa_upp, abs=0.2 * width)


def test_twins_of_one_base_count_as_one_cluster(make_pair: Callable[..., ReviewPair]) -> None:
    """The same pairs on a tenth of the bases say less: the interval is wider."""
    findings = ["no_op", "contradiction"] * 100
    said: dict[str, Said] = {
        f"twin-{n:04d}": "no_op" if (n // 20) % 2 else ("no_op", "contradiction")[n % 2] for n in range(200)
    }

    def width(per_base: int) -> float:
        pairs = [make_pair(n, base_id=f"b{n // per_base}", judge=finding) for n, finding in enumerate(findings)]
        interval = review(pairs, said, seed=1).agreements[0].kappa_interval
        assert interval is not None
        return interval.high - interval.low

    assert width(20) > 1.5 * width(1)


def test_contamination_is_of_what_was_kept(make_pair: Callable[..., ReviewPair]) -> None:
    """90 kept pairs with 1 of 9 wrong, 10 flagged with 0 of 3: 0.9 / 9 = 10 %; dropped pairs have no part in it."""
    pairs = [make_pair(n) for n in range(90)]
    pairs += [make_pair(n, "kept, flagged") for n in range(90, 100)]
    pairs += [make_pair(n, "gold_number") for n in range(100, 110)]
    said: dict[str, Said] = {f"twin-{n:04d}": "no_op" for n in (*range(10), 90, 91, 92)}
    said |= {"twin-0000": "contradiction", "twin-0001": "unsure", "twin-0100": "contradiction", "twin-0101": "no_op"}

    found = review(pairs, said, seed=1)

    assert found.contamination is not None
    assert found.contamination.rate == pytest.approx(0.1)
    assert found.contamination_with_unsure is not None
    assert found.contamination_with_unsure.rate == pytest.approx(0.9 * 2 / 10)
    counts = {
        each.outcome: (each.n_pairs, each.n_reviewed, each.n_unsure, each.n_contradictions) for each in found.outcomes
    }
    assert counts == {"gold_number": (10, 2, 0, 1), "kept": (90, 10, 1, 1), "kept, flagged": (10, 3, 0, 0)}


def test_an_outcome_that_was_not_reviewed_leaves_the_rate_unknown(make_pair: Callable[..., ReviewPair]) -> None:
    """Half of the kept pairs cannot speak for the other half."""
    pairs = [make_pair(0), make_pair(1, "kept, flagged")]

    assert review(pairs, {"twin-0000": "no_op"}, seed=1).contamination is None


def test_a_stranger_is_refused(make_pair: Callable[..., ReviewPair]) -> None:
    """A verdict on a pair that was never audited is named."""
    with pytest.raises(ValueError, match="'twin-0009' is not among"):
        review([make_pair(1)], {"twin-0009": "no_op"}, seed=1)
