"""The mix sampler of methods §3.1: quotas, injection sizes, deficits and its laws."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glass_pipeline.domain.corpus.interchange import import_lines
from glass_pipeline.domain.corpus.mix import draw_mix, quotas, sample_mix
from glass_pipeline.domain.fingerprint import text_hash
from glass_pipeline.domain.records import DOSES, FAMILIES
from glass_pipeline.domain.schemas import MULTIOP_MIX, TWINS

REORDER, RENAME, INJECT = FAMILIES


def make_pool(base_ids: list[str], per_family: dict[str, int], doses: tuple[int, ...] = DOSES) -> pl.DataFrame:
    """Give every base so many twins of each family in each dose file, injections of the file's own size."""
    rows = []
    for base_id in base_ids:
        for dose in doses:
            for family, count in per_family.items():
                for number in range(count):
                    size = dose if family == INJECT else None
                    twin_id = f"{base_id}-{dose}-{family}-{number}"
                    rows.append(
                        {
                            "base_id": base_id,
                            "twin_id": twin_id,
                            "dose": dose,
                            "family": family,
                            "inject_size": size,
                            "operator": f"{family}_m{size}" if size else family,
                            "text": f"Text of {twin_id}.",
                            "text_hash": text_hash(f"Text of {twin_id}."),
                            "generator": "rules",
                            "edit": "{}",
                        }
                    )
    return TWINS.frame(rows)


AMPLE = {REORDER: 10, RENAME: 10, INJECT: 20}


@pytest.mark.parametrize(
    ("dose", "families", "expected"),
    [
        (9, 3, [3, 3, 3]),
        (7, 3, [2, 2, 3]),
        (5, 3, [1, 2, 2]),
        (3, 3, [1, 1, 1]),
        (1, 3, [1]),
        (5, 2, [2, 3]),
        (9, 1, [9]),
    ],
)
def test_quota_table(dose: int, families: int, expected: list[int]) -> None:
    """Each family gets m // |F| twins, and one more for m mod |F| of them."""
    pool = make_pool(["a"], dict(list(AMPLE.items())[:families]))

    counts = Counter(draw_mix(pool, dose=dose, seed=42)["family"])

    assert sorted(counts.values()) == expected


@pytest.mark.parametrize(("dose", "sizes"), [(1, {1}), (3, {1}), (5, {1}), (7, {1, 3}), (9, {3})])
def test_with_three_families_only_sizes_one_and_three_occur(dose: int, sizes: set[int]) -> None:
    """Quota 1 takes size 1, quota 2 is a tie between 1 and 3 and takes 1, quota 3 takes 3."""
    mix = draw_mix(make_pool([f"b{n}" for n in range(40)], AMPLE), dose=dose, seed=42)

    assert set(mix["inject_size"].drop_nulls()) == sizes


def test_injections_come_from_the_next_size_when_the_nearest_has_none() -> None:
    """The mix of m = 9 with three families wants size 3; without it 1 and 5 are equally near, and the smaller wins."""
    pool = make_pool(["a"], AMPLE).filter(pl.col("inject_size").is_null() | (pl.col("inject_size") != 3))

    assert set(draw_mix(pool, dose=9, seed=42)["inject_size"].drop_nulls()) == {1}


def test_injections_only_follow_the_whole_dose() -> None:
    """With injections as the only family the quota is m itself, so m = 7 takes size 7."""
    mix = draw_mix(make_pool(["a"], {INJECT: 20}), dose=7, seed=42)

    assert mix["inject_size"].to_list() == [7] * 7
    assert mix["source_dose"].to_list() == [7] * 7


def test_surface_twins_come_from_their_own_dose_file() -> None:
    """A rename or reorder twin of the mix of m = 5 stands in the file of m = 5."""
    mix = draw_mix(make_pool(["a", "b"], AMPLE), dose=5, seed=42)

    assert set(mix.filter(pl.col("inject_size").is_null())["source_dose"]) == {5}


def test_a_deficit_goes_round_robin_to_families_with_twins_to_spare() -> None:
    """For m = 9, one rename instead of three leaves two twins, one each for the other families: 4, 1, 4."""
    mix = draw_mix(make_pool(["a"], {REORDER: 10, RENAME: 1, INJECT: 20}), dose=9, seed=42)

    assert Counter(mix["family"]) == {REORDER: 4, RENAME: 1, INJECT: 4}
    # Size follows the quota of three, not the four that the deficit makes of it.
    assert set(mix["inject_size"].drop_nulls()) == {3}


def test_a_base_short_of_twins_gives_all_it_has() -> None:
    """The mix holds min(m, available) twins."""
    mix = draw_mix(make_pool(["a"], {REORDER: 1, RENAME: 2}), dose=9, seed=42)

    assert mix.height == 3


def test_the_remainder_favours_no_family() -> None:
    """At m = 1 each of three families gets about a third of 600 bases: 200, give or take 4 sd of 11.5."""
    mix = draw_mix(make_pool([f"b{n}" for n in range(600)], dict.fromkeys(FAMILIES, 1), (1,)), dose=1, seed=42)

    assert all(abs(count - 200) < 46 for count in Counter(mix["family"]).values())


def test_another_seed_draws_other_twins() -> None:
    """The seed decides which twins are drawn."""
    pool = make_pool(["a", "b", "c"], AMPLE)

    assert not draw_mix(pool, dose=9, seed=42).equals(draw_mix(pool, dose=9, seed=43))


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(DOSES))
def test_row_order_changes_nothing(random, dose: int) -> None:
    """The same pool in any order of rows gives the same bytes."""
    pool = make_pool(["a", "b"], {REORDER: 3, RENAME: 2, INJECT: 4})
    order = list(range(pool.height))
    random.shuffle(order)

    shuffled = draw_mix(pool[order], dose=dose, seed=42)

    assert shuffled.write_json() == draw_mix(pool, dose=dose, seed=42).write_json()


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 6)), min_size=1, max_size=4),
    st.sampled_from(DOSES),
)
def test_laws_of_a_mix(supplies: list[tuple[int, int, int]], dose: int) -> None:
    """Every row is in the pool, a base has at most m, and unequal counts mean the smaller family ran out."""
    pools = [
        make_pool([f"b{n}"], {family: count for family, count in zip(FAMILIES, counts, strict=True) if count})
        for n, counts in enumerate(supplies)
    ]
    pool = pl.concat(pools)

    mix = draw_mix(pool, dose=dose, seed=42)

    assert mix.join(pool, left_on=["twin_id", "source_dose"], right_on=["twin_id", "dose"], how="anti").is_empty()
    for n, counts in enumerate(supplies):
        own = Counter(mix.filter(pl.col("base_id") == f"b{n}")["family"])
        assert sum(own.values()) == min(dose, sum(counts))
        for family, supply in zip(FAMILIES, counts, strict=True):
            assert own[family] == supply or own[family] >= max(own.values(), default=0) - 1


def plain_quotas(order: list[str], supplies: dict[str, int], total: int) -> dict[str, int]:
    """Follow the steps of methods §3.1 literally: quota, remainder, then the deficit hand to hand."""
    share, remainder = divmod(total, len(order))
    quota = {family: share + (place < remainder) for place, family in enumerate(order)}
    given_out = {family: min(quota[family], supplies[family]) for family in order}
    deficit = sum(quota[family] - given_out[family] for family in order)
    queue = [*order[remainder:], *order[:remainder]]
    while deficit and any(given_out[family] < supplies[family] for family in order):
        family = queue.pop(0)
        queue.append(family)
        if given_out[family] < supplies[family]:
            given_out[family] += 1
            deficit -= 1
    return given_out


@given(st.lists(st.integers(0, 9), min_size=1, max_size=4), st.integers(1, 12))
def test_dealing_equals_quota_and_hand_on(supplies: list[int], total: int) -> None:
    """Dealing one at a time hands out the same counts, as a multiset, as the written steps."""
    families = [f"f{n}" for n in range(len(supplies))]
    supply = dict(zip(families, supplies, strict=True))

    assert sorted(quotas(families, supply, total).values()) == sorted(plain_quotas(families, supply, total).values())


def test_an_empty_pool_gives_an_empty_mix() -> None:
    """No twins, no rows, and still the table's schema."""
    mix = draw_mix(TWINS.frame([]), dose=3, seed=42)

    assert mix.is_empty()
    assert mix.columns == list(MULTIOP_MIX.schema)


def test_labelled_pairs_are_mixed_by_the_same_sampler(shared: Path) -> None:
    """The pools of real labels give at most m pairs a base, and keep every column."""
    folder = shared / "data" / "svamp_smalllm"
    frames = []
    for path in sorted(folder.glob("*_labeled_pairs.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            frames.append(import_lines(lines, name=path.name))
    pool = pl.concat(frames)

    mix = sample_mix(pool, dose=9, seed=42, dose_column="file_dose")

    assert mix.columns == pool.columns
    assert mix.group_by("base_id").len()["len"].max() <= 9
    assert mix["base_id"].n_unique() == pool["base_id"].n_unique()


@pytest.mark.parametrize(
    ("pool", "dose", "message"),
    [
        (make_pool(["a"], {RENAME: 1}), 0, "dose 0 found"),
        (make_pool(["a"], {RENAME: 1}).drop("family"), 1, r"lacks the columns \['family'\]"),
        (pl.concat([make_pool(["a"], {RENAME: 1})] * 2), 1, "stands twice in dose file 1"),
    ],
    ids=["dose below one", "missing column", "repeated twin"],
)
def test_a_wrong_pool_is_refused(pool: pl.DataFrame, dose: int, message: str) -> None:
    """The sampler says what is wrong instead of drawing from it."""
    with pytest.raises(ValueError, match=message):
        draw_mix(pool, dose=dose, seed=42)
