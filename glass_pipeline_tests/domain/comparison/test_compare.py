"""One comparison as a whole."""

from __future__ import annotations

import numpy as np
import pytest

from glass_pipeline.domain.comparison import ComparisonConfig, ComparisonError, compare, figures

FAST = ComparisonConfig(resamples=500)
LAB_GAIN = (12, 4, 9, -2, 15, 7, 11, 3)


def lab(make_results):
    """Build a baseline that solves 500 of 1,000 items and eight seeds that solve so many more."""
    ids = [f"q{number}" for number in range(1000)]
    baseline = make_results([1.0] * 500 + [0.0] * 500, ids=ids, name="base")
    values = [value for gain in LAB_GAIN for value in [1.0] * (500 + gain) + [0.0] * (500 - gain)]
    seeds = [str(101 + number) for number in range(8) for _ in ids]
    return baseline, make_results(values, ids=ids * 8, seeds=seeds, name="tuned")


def test_the_labs_first_example_from_files_of_items(make_results) -> None:
    """Mean .7375 pp, p = .015625: a gain, not shown to be a point (methods §10.1)."""
    found = compare(*lab(make_results), FAST)

    assert found.over_seeds is not None
    assert found.primary is found.over_seeds
    assert found.delta == pytest.approx(0.007375)
    assert found.p_value == pytest.approx(0.015625)
    assert list(found.seed_deltas.values()) == pytest.approx([gain / 1000 for gain in LAB_GAIN])
    assert found.over_seeds.bca is not None
    assert found.over_seeds.bca.low < found.delta < found.over_seeds.bca.high
    assert found.verdict.reading == "below_threshold"


def test_single_runs_are_read_over_items(make_results) -> None:
    """10 won, 2 lost of 100: +8 pp, exact McNemar 2 P(Bin(12, 1/2) <= 2) = 158/4096."""
    a = make_results([0.0] * 10 + [1.0] * 2 + [1.0] * 50 + [0.0] * 38)
    b = make_results([1.0] * 10 + [0.0] * 2 + [1.0] * 50 + [0.0] * 38, name="b")

    found = compare(a, b, FAST)

    assert (found.over_seeds, found.hierarchical, found.by_stratum, found.seeds) == (None, None, None, ())
    assert found.delta == pytest.approx(0.08)
    assert found.p_value == pytest.approx(158 / 4096)
    assert found.flips is not None
    assert [len(part) for part in (found.flips.won, found.flips.lost, found.flips.both, found.flips.neither)] == [
        10,
        2,
        50,
        38,
    ]


def test_swapping_the_systems_mirrors_the_comparison(make_results) -> None:
    """A - B is minus B - A, with the same test."""
    rng = np.random.default_rng(0)
    a, b = make_results(rng.random(80).round()), make_results(rng.random(80).round(), name="b")

    there, back = compare(a, b, FAST), compare(b, a, FAST)

    assert there.delta == -back.delta
    assert there.p_value == pytest.approx(back.p_value)
    assert there.flips.won == back.flips.lost
    assert there.over_items.t.low == pytest.approx(-back.over_items.t.high)


def test_clusters_are_the_unit(make_results) -> None:
    """Ten copies of every item in a cluster give the interval of the items, not one of ten times the items."""
    deltas = np.random.default_rng(1).choice([0.0, 1.0], size=60)
    plain = compare(make_results(np.zeros(60)), make_results(deltas, name="b"), FAST)
    clusters = np.repeat(np.arange(60), 10).astype(str)
    copied = compare(
        make_results(np.zeros(600), clusters=clusters), make_results(np.repeat(deltas, 10), name="b"), FAST
    )

    assert (copied.n_items, copied.n_clusters, copied.over_items.unit) == (600, 60, "cluster")
    assert copied.over_items.t == pytest.approx(plain.over_items.t)
    assert copied.p_value == pytest.approx(plain.p_value)


def test_equal_systems_have_no_interval_and_no_reading(make_results) -> None:
    """A file against itself: nothing differs, p = 1, no claim."""
    a, b = make_results([0.0, 1.0, 1.0]), make_results([0.0, 1.0, 1.0], name="b")

    found = compare(a, b, FAST)

    assert (found.over_items.bca, found.over_items.standard_error, found.equivalence) == (None, None, None)
    assert (found.p_value, found.verdict.reading, found.smallest_detectable) == (1.0, None, None)


def test_a_single_seed_is_a_single_run(make_results) -> None:
    """One seed on each side, even of other names, is compared over items only."""
    a = make_results([0.0, 1.0, 1.0, 0.0], seeds="1111")
    b = make_results([1.0, 1.0, 0.0, 1.0], seeds="2222", name="b")

    found = compare(a, b, FAST)

    assert found.over_seeds is None
    assert "not for other training seeds" in found.verdict.limits[0]


def test_decodings_get_their_level(make_results) -> None:
    """Samples of one item are averaged for the item, and resampled beneath it."""
    ids = [f"q{number}" for number in range(30) for _ in range(2)]
    rng = np.random.default_rng(2)
    a, b = (make_results(rng.random(60).round(), ids=ids, decodings=["1", "2"] * 30, name=name) for name in ("a", "b"))

    found = compare(a, b, FAST)

    assert found.hierarchical is not None
    assert found.hierarchical.components.decoding_a is not None
    assert found.hierarchical.standard_error > found.over_items.standard_error


def test_the_same_call_gives_the_same_numbers(make_results) -> None:
    """Every draw is seeded from names; another seed gives other resamples."""
    rng = np.random.default_rng(3)
    a, b = make_results(rng.random(40)), make_results(rng.random(40), name="b")

    assert compare(a, b, FAST) == compare(a, b, FAST)
    assert compare(a, b, FAST).over_items.bca != compare(a, b, ComparisonConfig(resamples=500, seed=1)).over_items.bca


def test_scores_beyond_one_are_not_called_points(make_results) -> None:
    """A score of 0 to 100 keeps its unit and has movers instead of flips."""
    found = compare(make_results([10.0, 50.0, 70.0]), make_results([12.0, 55.0, 60.0], name="b"), FAST)

    assert found.claim.scale.unit == ""
    assert found.flips is None
    assert found.largest_gains == (("i1", 5.0), ("i0", 2.0))


def test_figures_name_what_a_gate_may_ask(make_results) -> None:
    """They are read off the comparison; what has no value is None; break rates alone have delta_pi."""
    found = compare(*lab(make_results), FAST)
    named = figures(found)

    assert named["delta"] == found.delta
    assert (named["delta_low"], named["delta_high"]) == found.over_seeds.bca[:2]
    assert named["delta_high_all_levels"] == found.hierarchical.percentile.high
    assert named["won"] == len(found.flips.won)
    assert "delta_pi" not in named


@pytest.mark.parametrize(
    "wrong", [{"at_least": -1.0}, {"margin": 0.0}, {"level": 1.0}, {"resamples": 10}, {"at_least": float("nan")}]
)
def test_a_config_out_of_range_is_refused(wrong: dict[str, float]) -> None:
    """Bounds that mean nothing never reach a figure."""
    with pytest.raises(ComparisonError, match=f"{next(iter(wrong))} is .* out of range"):
        ComparisonConfig(**wrong)
