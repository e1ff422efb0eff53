"""Splits: every job in one part, the same for everybody, and no score on what a model has seen."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.splits import (
    Fractions,
    Sidecar,
    Split,
    SplitError,
    dataset_key,
    job_position,
    names_key,
    refuse_seen_jobs,
    sidecar_from,
    sidecar_of,
    split_jobs,
)


def strata_of(jobs: int) -> dict[str, str]:
    """Jobs of three strata, sizes about 1 : 1 : 1."""
    return {f"job-{number}": ("fragile", "steady", "unsolved")[number % 3] for number in range(jobs)}


def sidecar_for(split: Split) -> Sidecar:
    """The sidecar of a small model."""
    return sidecar_of(split, dataset="toy", code_version="1", arch="dose", backbone="tfidf_svd")


@given(
    st.dictionaries(st.text(min_size=1, max_size=6), st.sampled_from("abc"), min_size=40, max_size=80), st.integers()
)
def test_every_job_is_in_exactly_one_part(strata: dict[str, str], seed: int) -> None:
    """Parts are disjoint, their union is all jobs, and each stratum is cut within one job of the fractions."""
    split = split_jobs(strata, dataset_key="k", seed=seed)

    assert sorted((*split.train, *split.validation, *split.test)) == sorted(strata)
    for part, share in ((split.test, 0.30), (split.validation, 0.10), (split.train, 0.60)):
        own = Counter(strata[job] for job in part)
        assert all(abs(own[name] - share * size) <= 1 for name, size in Counter(strata.values()).items())


def test_row_order_changes_nothing_and_the_seed_changes_the_parts() -> None:
    """A split depends on ids, strata and seed alone."""
    strata = strata_of(60)
    split = split_jobs(strata, dataset_key="k", seed=0)

    assert split_jobs(dict(reversed(strata.items())), dataset_key="k", seed=0) == split
    assert split_jobs(strata, dataset_key="k", seed=1).test != split.test
    assert split_jobs(strata, dataset_key="other", seed=0).test != split.test


def test_the_published_size_of_the_test_part() -> None:
    """0.30 of 1,319 jobs is 396, 0.10 is 132; 373 solved of them are 94.2 % (methods §0 C16)."""
    split = split_jobs({f"gsm-{number}": "all" for number in range(1319)}, dataset_key="k", seed=0)

    assert (len(split.test), len(split.validation), len(split.train)) == (396, 132, 791)


def test_a_place_is_the_documented_hash() -> None:
    """U is the first 64 bits of sha256(key|seed|id), as a fraction."""
    digest = hashlib.sha256(b"abc|3|job-1").digest()

    assert job_position("abc", 3, "job-1") == int.from_bytes(digest[:8], "big") / 2**64


def test_the_key_of_files_ignores_folders_and_order_but_not_content() -> None:
    """Only base names and bytes count."""
    here = dataset_key({"/a/x.jsonl": b"1", "/a/y.jsonl": b"2"})

    assert here == dataset_key({"y.jsonl": b"2", "elsewhere/x.jsonl": b"1"})
    assert here != dataset_key({"x.jsonl": b"1", "y.jsonl": b"3"})
    assert len(here) == 16
    assert names_key(["/a/x.jsonl"]) == names_key(["b/x.jsonl"])


def test_the_fingerprint_names_parts_fractions_seed_and_data() -> None:
    """Changing any of them gives another fingerprint."""
    split = split_jobs(strata_of(60), dataset_key="k", seed=0)
    others = [
        replace(split, seed=1),
        replace(split, dataset_key="j"),
        replace(split, fractions=Fractions(test=0.2)),
        replace(split, train=split.test, test=split.train),
    ]

    assert len({split.fingerprint, *(other.fingerprint for other in others)}) == 5


def test_a_sidecar_survives_its_file() -> None:
    """Reading what was written gives the same record."""
    sidecar = sidecar_for(split_jobs(strata_of(60), dataset_key="k", seed=0))

    assert sidecar_from(sidecar.to_json()) == sidecar


def test_unseen_jobs_may_be_scored() -> None:
    """The test part of the model's own split passes."""
    split = split_jobs(strata_of(60), dataset_key="k", seed=0)

    refuse_seen_jobs(sidecar_for(split), split.test, split=split)


@pytest.mark.parametrize("part", ["train_job_ids", "val_job_ids"])
def test_a_poisoned_sidecar_is_refused(part: str) -> None:
    """A model that saw one test job is not scored, whatever part it saw it in."""
    split = split_jobs(strata_of(60), dataset_key="k", seed=0)
    poisoned = replace(sidecar_for(split), **{part: (split.test[0],)})

    with pytest.raises(SplitError, match=rf"1 of {len(split.test)} jobs.*'{split.test[0]}'"):
        refuse_seen_jobs(poisoned, split.test)


def test_a_model_of_another_split_is_refused() -> None:
    """The same jobs under another seed are another split."""
    split = split_jobs(strata_of(60), dataset_key="k", seed=0)
    stranger = replace(sidecar_for(split), fingerprint="0" * 64)

    with pytest.raises(SplitError, match="the model's split 000000000000 is not"):
        refuse_seen_jobs(stranger, split.test, split=split)


@pytest.mark.parametrize("text", ["[]", "{", '{"seed": 1}', json.dumps({"train_job_ids": "a", "val_job_ids": []})])
def test_a_broken_sidecar_is_refused_in_one_sentence(text: str) -> None:
    """A file is never trusted."""
    with pytest.raises(SplitError, match="train the model again"):
        sidecar_from(text)


def test_too_few_jobs_are_refused() -> None:
    """Three jobs in three strata fill no test part."""
    with pytest.raises(SplitError, match="3 jobs are too few"):
        split_jobs(strata_of(3), dataset_key="k", seed=0)


@pytest.mark.parametrize(
    "fractions", [Fractions(test=0.9, validation=0.1), Fractions(test=0.0), Fractions(validation=-1)]
)
def test_fractions_must_leave_three_parts(fractions: Fractions) -> None:
    """Shares that leave nothing to train or test on are refused."""
    with pytest.raises(SplitError, match="leaves a part empty"):
        split_jobs(strata_of(60), dataset_key="k", seed=0, fractions=fractions)
