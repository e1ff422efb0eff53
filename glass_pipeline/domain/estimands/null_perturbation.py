"""Holds the null-perturbation control: pseudo-twins made of further samples of the base itself.

Never poses a twin; whatever break it finds is sampling noise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from glass_pipeline.domain.estimands.conditions import FEWEST_JOBS, Condition
from glass_pipeline.domain.seeding import child_generator
from glass_pipeline.domain.stats.rank import spearman

CHANCE_Z = 1.645
"""One-sided 5 % point of the normal distribution."""

GROUP = 5
"""Samples of a pseudo-base and of a pseudo-twin, as many as of a real one."""
SPLITS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class NullControl:
    """What sampling noise alone would call breaks."""

    pseudo_pi: pl.DataFrame
    """``base_id, pseudo_pi``: share of splits in which the pseudo-twin failed, of those whose pseudo-base
    solved; null where none did."""
    mean: float | None
    """Mean pseudo-pi over jobs that have one."""
    correlation_with_pi: float | None
    """Spearman of pseudo-pi and pi; high means that pi is largely re-sampling noise."""
    with_replacement: bool
    """True if a job had fewer than 10 samples, so that its groups were drawn with replacement."""


def null_perturbation_control(
    samples: pl.DataFrame, pi: pl.DataFrame, *, rng: np.random.Generator, splits: int = SPLITS
) -> NullControl:
    """Split each job's base samples into a pseudo-base and a pseudo-twin of five, many times.

    Args:
        samples: ``base_id``, ``answers`` (canonical answers, null where there is none) and ``is_correct``
            (whether each is right), lists of equal length, one row a job.
        pi: ``base_id, pi`` of the jobs to compare with.
        rng: Source of the splits; jobs are taken in the order of their ids.
        splits: Splits of each job.

    Source: methods §1.9.
    """
    ordered = samples.sort("base_id")
    rates: list[float | None] = []
    for row in ordered.iter_rows(named=True):
        rates.append(_pseudo_pi(row["answers"], row["is_correct"], rng, splits))
    pseudo = pl.DataFrame({"base_id": ordered["base_id"], "pseudo_pi": pl.Series(rates, dtype=pl.Float64())})
    known = pseudo.drop_nulls().join(pi.select("base_id", "pi").drop_nulls(), on="base_id")
    correlation = spearman(known["pseudo_pi"].to_numpy(), known["pi"].to_numpy())
    mean = pseudo["pseudo_pi"].mean()
    return NullControl(
        pseudo_pi=pseudo,
        mean=float(mean) if isinstance(mean, float) else None,
        correlation_with_pi=None if np.isnan(correlation) else correlation,
        with_replacement=any(size < 2 * GROUP for size in ordered["answers"].list.len()),
    )


def probe_condition(base_probes: pl.DataFrame, causal_difficulty: pl.DataFrame, *, seed: int) -> Condition:
    """Judge whether probes carry signal: their pseudo-pi ranks with pi beyond chance, rho > 1.645 / sqrt(J - 1).

    The same figure is the control of methods §1.9: the higher it is, the more of pi is re-sampling noise.

    Args:
        base_probes: ``schemas.BASE_PROBES`` of one solver.
        causal_difficulty: ``schemas.CAUSAL_DIFFICULTY`` of the same solver.
        seed: Seed of the study.
    """
    pooled = causal_difficulty.filter(pl.col("slice") == "pooled").select("base_id", "pi")
    samples = base_probes.select("base_id", "answers", is_correct="correct")
    control = null_perturbation_control(samples, pooled, rng=child_generator(seed, "null_perturbation"))
    rho, jobs = control.correlation_with_pi, control.pseudo_pi.drop_nulls().height
    if rho is None or jobs < FEWEST_JOBS:
        sentence = f"{jobs} probed jobs are too few to judge, or all of them look alike."
        return Condition(name="probes", holds=None, value=rho, sentence=sentence)
    bar = CHANCE_Z / np.sqrt(jobs - 1)
    return Condition(
        name="probes",
        holds=bool(rho > bar),
        value=rho,
        sentence=f"Re-sampling alone breaks {control.mean or 0.0:.1%} of {jobs} jobs and ranks with π at {rho:.2f} "
        f"(chance reaches {bar:.2f}).",
    )


def _pseudo_pi(
    answers: list[str | None], is_correct: list[bool], rng: np.random.Generator, splits: int
) -> float | None:
    # Answers become small integers, -1 for none, so that all splits are voted on at once.
    codes = {answer: code for code, answer in enumerate(dict.fromkeys(a for a in answers if a is not None))}
    if not codes:
        return None
    coded = np.array([-1 if answer is None else codes[answer] for answer in answers])
    right = np.zeros(len(codes) + 1, dtype=bool)
    right[coded] = is_correct
    right[-1] = False
    drawn = _draws(len(answers), rng, splits)
    base = right[_modal(coded[drawn[:, :GROUP]], len(codes))]
    twin = right[_modal(coded[drawn[:, GROUP:]], len(codes))]
    return float(np.mean(~twin[base])) if base.any() else None


def _draws(size: int, rng: np.random.Generator, splits: int) -> NDArray[np.intp]:
    """Return ten sample indices for each split, distinct where there are ten, shape ``[splits, 10]``."""
    if size < 2 * GROUP:
        return rng.integers(size, size=(splits, 2 * GROUP))
    return np.argsort(rng.random((splits, size)), axis=1)[:, : 2 * GROUP]


def _modal(votes: NDArray[np.int64], n_codes: int) -> NDArray[np.int64]:
    """Return the modal code of each row, ties to the one seen first, -1 where nobody voted (methods §1.1)."""
    counts = (votes[:, :, None] == np.arange(n_codes)).sum(axis=1)
    # A vote's count, less its place / 10: the largest is the modal answer's first occurrence.
    own = np.where(votes >= 0, np.take_along_axis(counts, np.maximum(votes, 0), axis=1), -1)
    first = np.argmax(own - np.arange(votes.shape[1]) / (2 * GROUP), axis=1)
    return np.take_along_axis(votes, first[:, None], axis=1)[:, 0]
