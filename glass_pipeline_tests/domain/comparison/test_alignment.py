"""Pairing by item: what fits together and what names its first offender."""

from __future__ import annotations

import pytest

from glass_pipeline.domain.comparison.alignment import align
from glass_pipeline.domain.comparison.results import ComparisonError


def test_single_runs_pair_item_by_item(make_results) -> None:
    """B - A of each item, in the order of the files."""
    paired = align(make_results([0, 1, 1]), make_results([1, 1, 0], name="b"))

    assert paired.deltas.tolist() == [[1.0, 0.0, -1.0]]
    assert paired.ids == ("i0", "i1", "i2")


def test_one_baseline_serves_every_seed(make_results) -> None:
    """A without seeds is subtracted from each seed of B, as in the lab."""
    a = make_results([0, 1])
    b = make_results([1, 1, 0, 1], ids=["i0", "i1"] * 2, seeds=["7", "7", "9", "9"], name="b")

    paired = align(a, b)

    assert paired.seeds == ("7", "9")
    assert paired.deltas.tolist() == [[1.0, 0.0], [0.0, 0.0]]


def test_seeds_pair_by_name_not_by_order(make_results) -> None:
    """Where both have seeds, seed 9 of B meets seed 9 of A wherever it stands."""
    a = make_results([0, 0, 1, 1], ids=["i0", "i1"] * 2, seeds=["7", "7", "9", "9"])
    b = make_results([1, 1, 0, 0], ids=["i0", "i1"] * 2, seeds=["9", "9", "7", "7"], name="b")

    paired = align(a, b)

    assert paired.deltas.tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_decodings_are_kept_apart_and_averaged(make_results) -> None:
    """An item with decodings 1 and 0 has the score 1/2."""
    a = make_results([0, 0])
    b = make_results([1, 0, 1, 1], ids=["i0", "i0", "i1", "i1"], decodings=["1", "2"] * 2, name="b")

    paired = align(a, b)

    assert paired.b.shape == (1, 2, 2)
    assert paired.item_deltas.tolist() == [0.5, 1.0]


def test_clusters_and_strata_may_come_from_one_side(make_results) -> None:
    """What only one file says holds for both."""
    paired = align(make_results([0, 1], clusters=["x", "y"]), make_results([0, 1], strata=["s", "s"], name="b"))

    assert (paired.clusters, paired.strata) == (("x", "y"), ("s", "s"))


@pytest.mark.parametrize(
    ("ids_b", "message"),
    [
        (["i0", "i1", "i9"], r"Item 'i9' of b is not in a"),
        (["i0", "i1"], r"Item 'i2' of a is not in b"),
        (["i0", "i2", "i1"], r"order of the items differs: number 2 is 'i1' in a and 'i2' in b"),
        (["i0", "i1", "i1"], r"b: item 'i1' occurs twice; remove one"),
    ],
    ids=["unknown", "missing", "order", "twice"],
)
def test_a_mismatch_names_the_first_offender(make_results, ids_b: list[str], message: str) -> None:
    """Sets and order must agree; nothing is sorted or dropped in silence."""
    with pytest.raises(ComparisonError, match=message):
        align(make_results([0, 1, 1]), make_results([1.0] * len(ids_b), ids=ids_b, name="b"))


def test_a_seed_with_other_items_is_named(make_results) -> None:
    """Seeds of one file must hold the same items in the same order."""
    b = make_results([1, 1, 0, 1], ids=["i0", "i1", "i1", "i0"], seeds=["7", "7", "9", "9"], name="b")

    with pytest.raises(ComparisonError, match=r"number 1 is 'i0' in b \(seed 7\) and 'i1' in b \(seed 9\)"):
        align(make_results([0, 1]), b)


def test_seeds_that_do_not_pair_are_refused(make_results) -> None:
    """Two systems with different seeds share no pair."""
    a = make_results([0, 0, 1, 1], ids=["i0", "i1"] * 2, seeds=["1", "1", "2", "2"])
    b = make_results([0, 0, 1, 1], ids=["i0", "i1"] * 2, seeds=["1", "1", "3", "3"], name="b")

    with pytest.raises(ComparisonError, match="Seed '2' occurs only in a"):
        align(a, b)


@pytest.mark.parametrize(("column", "word"), [("clusters", "cluster"), ("strata", "stratum"), ("digests", "text hash")])
def test_labels_that_disagree_are_refused(make_results, column: str, word: str) -> None:
    """An item cannot lie in one cluster for A and in another for B, nor have two texts."""
    a = make_results([0, 1], **{column: ["x", "y"]})
    b = make_results([0, 1], name="b", **{column: ["x", "z"]})

    with pytest.raises(ComparisonError, match=f"Item 'i1': its {word} is 'y' in a and 'z' in b"):
        align(a, b)


def test_an_item_has_one_cluster(make_results) -> None:
    """Two rows of one item cannot lie in two clusters."""
    b = make_results([0, 1, 1, 1], ids=["i0", "i1"] * 2, seeds=["1", "1", "2", "2"], clusters="xyxx", name="b")

    with pytest.raises(ComparisonError, match="item 'i1': it is both in 'y' and in 'x'"):
        align(make_results([0, 1]), b)


def test_uneven_decodings_are_refused(make_results) -> None:
    """Every item needs the same number of decodings."""
    b = make_results([1, 0, 1], ids=["i0", "i0", "i1"], decodings=["1", "2", "1"], name="b")

    with pytest.raises(ComparisonError, match="item 'i1': 1 decodings where the first item has 2"):
        align(make_results([0, 1]), b)


def test_one_item_is_too_few(make_results) -> None:
    """A comparison needs two items."""
    with pytest.raises(ComparisonError, match="share one item only"):
        align(make_results([1]), make_results([0], name="b"))
