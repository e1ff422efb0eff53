"""Holds the three-way split of jobs, the sidecar that a trained model carries, and the refusal to score what it saw.

Never draws from a generator: a job's place is a hash of its id, so that row order and process cannot change it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import PurePath
from typing import Any

from glass_pipeline.domain.errors import BadInput


class SplitError(BadInput):
    """Jobs cannot be split, or a model was to be scored on jobs that it has seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fractions:
    """Shares of all jobs; what is left is for training."""

    test: float = 0.30
    validation: float = 0.10


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Jobs of one seed, each in exactly one part; ids sorted."""

    dataset_key: str
    seed: int
    fractions: Fractions
    train: tuple[str, ...]
    validation: tuple[str, ...]
    test: tuple[str, ...]

    @property
    def fingerprint(self) -> str:
        """The sha256 over the ids of each part, the fractions, the seed and the data set."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True, ensure_ascii=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sidecar:
    """What lies beside every checkpoint: which jobs the model was fitted and chosen on."""

    fingerprint: str
    dataset_key: str
    dataset: str
    seed: int
    fractions: Fractions
    train_job_ids: tuple[str, ...]
    val_job_ids: tuple[str, ...]
    n_test: int
    code_version: str
    arch: str
    backbone: str

    def to_json(self) -> str:
        """Return the record as JSON, keys sorted."""
        return json.dumps(asdict(self), sort_keys=True, ensure_ascii=False, indent=1)


def dataset_key(files: Mapping[str, bytes]) -> str:
    """Return the key of imported files: the first 16 digits of a sha256 over names and contents.

    Args:
        files: Content by name or path; only the last part of a path counts.

    Source: methods §4.
    """
    lines = [f"{PurePath(name).name}:{hashlib.sha256(content).hexdigest()}" for name, content in files.items()]
    return _key(lines)


def names_key(names: Iterable[str]) -> str:
    """Return a key that outlives a re-solve: over names alone, e.g. the suite's, so that all solvers share folds.

    Source: methods §4, option ``--split-key names``.
    """
    return _key([PurePath(name).name for name in names])


def job_position(dataset: str, seed: int, base_id: str) -> float:
    """Return a job's place in [0, 1): int(sha256(key|seed|base_id)[:16], 16) / 2^64.

    Source: methods §4.
    """
    return int(hashlib.sha256(f"{dataset}|{seed}|{base_id}".encode()).hexdigest()[:16], 16) / 2**64


def split_jobs(strata: Mapping[str, str], *, dataset_key: str, seed: int, fractions: Fractions = Fractions()) -> Split:
    """Cut jobs into train, validation and test within each stratum.

    Jobs of a stratum are sorted by ``job_position``; the first round(0.30 n) are for the test, the next
    round(0.10 n) for validation.

    Args:
        strata: Stratum of each job by base_id: fragile, not fragile or unsolved; or the category, where several
            solvers must share folds.
        dataset_key: Of ``dataset_key`` or ``names_key``.
        seed: Seed of the split, 0 to 4 in the study.
        fractions: Shares of test and validation.

    Raises:
        SplitError: the fractions leave nothing for training, or a part stays empty.

    Source: methods §4.
    """
    if min(fractions.test, fractions.validation) <= 0 or fractions.test + fractions.validation >= 1:
        raise SplitError(f"split: {fractions} leaves a part empty; choose shares above 0 that sum to less than 1.")
    parts: tuple[list[str], list[str], list[str]] = ([], [], [])
    for stratum in sorted(set(strata.values())):
        jobs = [base_id for base_id, own in strata.items() if own == stratum]
        jobs.sort(key=lambda base_id: (job_position(dataset_key, seed, base_id), base_id))
        n_test, n_validation = round(fractions.test * len(jobs)), round(fractions.validation * len(jobs))
        for part, chosen in zip(
            parts, (jobs[:n_test], jobs[n_test : n_test + n_validation], jobs[n_test + n_validation :]), strict=True
        ):
            part.extend(chosen)
    if not all(parts):
        raise SplitError(f"split: {len(strata)} jobs are too few for three parts; label at least ten in one stratum.")
    test, validation, train = (tuple(sorted(part)) for part in parts)
    return Split(dataset_key=dataset_key, seed=seed, fractions=fractions, train=train, validation=validation, test=test)


def sidecar_of(split: Split, *, dataset: str, code_version: str, arch: str, backbone: str) -> Sidecar:
    """Return the record to keep beside a model trained on a split."""
    return Sidecar(
        fingerprint=split.fingerprint,
        dataset_key=split.dataset_key,
        dataset=dataset,
        seed=split.seed,
        fractions=split.fractions,
        train_job_ids=split.train,
        val_job_ids=split.validation,
        n_test=len(split.test),
        code_version=code_version,
        arch=arch,
        backbone=backbone,
    )


def sidecar_from(text: str) -> Sidecar:
    """Read a sidecar; what it holds is checked, since a file may have been edited.

    Raises:
        SplitError: it is not JSON, or a field is missing, unknown or of another type.
    """
    try:
        record: dict[str, Any] = json.loads(text)
        ids = {name: _ids(record.pop(name)) for name in ("train_job_ids", "val_job_ids")}
        sidecar = Sidecar(**record | ids | {"fractions": Fractions(**record["fractions"])})
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise SplitError(f"sidecar: not a sidecar of a model ({error}); train the model again.") from None
    return sidecar


def refuse_seen_jobs(sidecar: Sidecar, evaluated: Collection[str], *, split: Split | None = None) -> None:
    """Pass only if a model has seen none of the jobs it is to be scored on.

    Args:
        sidecar: Beside the model.
        evaluated: Ids of the jobs to score.
        split: The split that the scoring claims to use, if any; its fingerprint must be the model's.

    Raises:
        SplitError: jobs overlap, or the fingerprints differ.

    Source: methods §4.
    """
    seen = sorted({*sidecar.train_job_ids, *sidecar.val_job_ids}.intersection(evaluated))
    if seen:
        raise SplitError(
            f"evaluation: the model was fitted or chosen on {len(seen)} of {len(evaluated)} jobs to be scored, first "
            f"{seen[0]!r}; score it on the test part of seed {sidecar.seed}."
        )
    if split is not None and split.fingerprint != sidecar.fingerprint:
        raise SplitError(
            f"evaluation: the model's split {sidecar.fingerprint[:12]} is not {split.fingerprint[:12]}; train it again "
            "on this data, seed and fractions."
        )


def _key(lines: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16]


def _ids(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError("job ids are not a list of texts")
    return tuple(values)
