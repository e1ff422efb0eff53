"""Holds the benchmark of the estimators at published size: seconds and peak memory beside their bounds.

Never asserts anything (see ``estimand_truth`` for what the figures are worth). Run
``python glass_pipeline_tests/benchmarks/estimand_speed.py``; it takes about half a minute. Each row is a process of
its own that reads its tables from parquet files, as an asset does; peak memory is that process's, imports included.
The figures are recorded in ``glass_pipeline/domain/estimands/README.md``.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from glass_pipeline.domain.corpus.labeled_pairs import with_job_contrasts
from glass_pipeline.domain.estimands import causal_difficulty
from glass_pipeline.domain.estimands.dose_response import fit_dose_prior, fit_dose_response
from glass_pipeline.domain.fingerprint import text_hash
from glass_pipeline.domain.records import DOSES, FAMILIES
from glass_pipeline.domain.reliability import reliability_ceiling
from glass_pipeline.domain.schemas import LABELED_PAIRS
from glass_pipeline.domain.seeding import child_generator

JOBS, PAIRS = 4999, 122_847
DOSE_JOBS = 5000
SENTENCE = "Nora packs {} crates of pears on the first day and twice as many on the next, and then counts them all. "


class Bound(NamedTuple):
    """What one piece of work may take on two cores."""

    seconds: float
    gigabytes: float | None = None


def draw_pairs() -> pl.DataFrame:
    """Draw labelled pairs of the size of the published MATH suite: 4,999 jobs, 122,847 rows, texts included."""
    rng = child_generator("estimand_speed", "pairs")
    job = np.sort(np.concatenate([np.repeat(np.arange(JOBS), 24), rng.integers(JOBS, size=PAIRS - 24 * JOBS)]))
    dose = rng.choice(DOSES, size=PAIRS, p=np.array(DOSES) / sum(DOSES))
    family = rng.integers(3, size=PAIRS)
    solved = rng.random(PAIRS) < 0.9
    broke = rng.random(PAIRS) < rng.beta(0.4, 3.3, JOBS)[job]
    y_base, y_twin = solved.astype(np.int64), np.where(solved, ~broke, rng.random(PAIRS) < 0.1).astype(np.int64)
    text = [SENTENCE.format(number) * 3 for number in job]
    twin = [f"{each} {number // 2 * 2 if number % 16 == 0 else number}" for number, each in enumerate(text)]
    columns: dict[str, Any] = {
        "base_id": [f"job-{number:04}" for number in job],
        "twin_id": [f"twin-{number:06}" for number in range(PAIRS)],
        "operator": [FAMILIES[each] for each in family],
        "complexity_score": 0.05 + 0.225 * (job % 5),
        "declared_complexity": 1.0 + job % 5,
        "category": [f"subject {number % 7}" for number in job],
        "base_text": text,
        "twin_text": twin,
        "text_hash": [text_hash(each) for each in twin],
        "delta": y_base - y_twin,
        "y_base_mean": np.where(solved, 0.8, 0.2),
        "family": [FAMILIES[each] for each in family],
        "file_dose": dose,
        "inject_size": [1 + 2 * int(number % 2) if each == 2 else None for number, each in enumerate(family)],
        "run_id": [f"base/m{each}" for each in dose],
        "y_base_run": y_base,
        "n_base_correct": np.where(solved, 4, 1),
        "y_twin": y_twin,
        "twin_samples_correct": 4 * y_twin + 1,
    }
    constant = {"solver": "one", "complexity": "medium", "generator": "rules", "n_base": 5, "audit": "{}"}
    frame = pl.DataFrame(columns).with_columns(
        **{name: pl.lit(value) for name, value in constant.items()},
        gold_steps=pl.lit(None, pl.Int64()),
        source_distractor_ids=pl.lit([], pl.List(pl.String())),
    )
    cast = {name: dtype for name, dtype in LABELED_PAIRS.schema.items() if name in frame.columns}
    return LABELED_PAIRS.check(with_job_contrasts(frame.cast(cast)))  # type: ignore[arg-type]


def write_tables(folder: Path) -> float:
    """Write pairs, base labels and problems as the warehouse would hold them; untimed."""
    pairs = draw_pairs()
    pairs.write_parquet(folder / "labeled_pairs.parquet")
    problems = pairs.select("base_id", "category", "declared_complexity").unique("base_id").sort("base_id")
    problems.write_parquet(folder / "base_problems.parquet")
    rng = child_generator("estimand_speed", "bases")
    runs = problems.select("base_id").join(pl.DataFrame({"dose": DOSES}, schema={"dose": pl.Int64()}), how="cross")
    right = rng.binomial(5, 0.85, runs.height)
    runs.with_columns(
        solver=pl.lit("one"),
        y_base=pl.Series((right >= 3).astype(np.int64)),
        n_samples=pl.lit(5, pl.Int64()),
        n_correct=pl.Series(right),
    ).write_parquet(folder / "base_labels.parquet")
    return 0.0


def time_reliability(folder: Path) -> float:
    """Time the ceiling of 4,999 jobs, 30 replicates, npmle prior, job-bootstrap interval included."""
    rng = child_generator("estimand_speed", "reliability")
    trials = np.maximum(rng.poisson(23, JOBS), 1)
    breaks = rng.binomial(trials, rng.beta(0.4, 3.3, JOBS))
    return seconds_of(lambda: reliability_ceiling(breaks, trials, rng=rng))


def time_dose_response(folder: Path) -> float:
    """Time the prior and the modes of 5,000 jobs with 1, 3, 5, 7 and 9 twins a dose."""
    rng = child_generator("estimand_speed", "dose")
    theta = rng.multivariate_normal([-2.6, 0.12], [[2.56, 0.072], [0.072, 0.0225]], size=DOSE_JOBS)
    doses = np.array(DOSES, dtype=np.float64)
    trials = np.tile(doses, (DOSE_JOBS, 1))
    breaks = rng.binomial(trials.astype(np.int64), 1 / (1 + np.exp(-theta[:, :1] - theta[:, 1:] * (doses - 5))))
    return seconds_of(lambda: fit_dose_response(breaks, trials, doses, prior=fit_dose_prior(breaks, trials, doses)))


def time_causal_difficulty(folder: Path) -> float:
    """Time the whole table for 122,847 pairs, reading the files included."""

    def estimate() -> None:
        names = ("base_problems", "base_labels", "labeled_pairs")
        problems, labels, pairs = (pl.read_parquet(folder / f"{name}.parquet") for name in names)
        causal_difficulty(problems, labels, pairs, seed=42)

    return seconds_of(estimate)


def seconds_of(work: Callable[[], object]) -> float:
    """Return the wall time of one call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


TABLES = "tables"
WORK: Mapping[str, tuple[str, Callable[[Path], float], Bound]] = {
    "reliability": ("reliability, 4,999 jobs × 30 replicates", time_reliability, Bound(2.0)),
    "dose_response": ("EB dose response, 5,000 jobs", time_dose_response, Bound(1.0)),
    "causal_difficulty": ("causal_difficulty, 122,847 pairs", time_causal_difficulty, Bound(5.0, 1.0)),
}


def measure(name: str, folder: Path) -> tuple[float, float]:
    """Return seconds and peak gigabytes of one piece of work in a process of its own.

    A child's peak begins at its parent's, so the parent makes no table itself.
    """
    command = [sys.executable, __file__, "--only", name, "--folder", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, gigabytes = json.loads(done.stdout)
    return seconds, gigabytes


def main() -> None:
    """Print one row a piece of work."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--only", choices=[TABLES, *WORK], help="measure this one in this very process, and print two numbers"
    )
    parser.add_argument("--folder", type=Path, help="where the tables lie; needed with --only")
    options = parser.parse_args()
    if options.only:
        work = WORK[options.only][1] if options.only in WORK else write_tables
        seconds = work(options.folder)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
        print(json.dumps([seconds, peak]))
        return
    print("| work | seconds | bound | ratio | peak GB | bound | ratio |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="glass-estimand-speed-") as name:
        folder = Path(name)
        measure(TABLES, folder)
        for key, (title, _, bound) in WORK.items():
            seconds, peak = measure(key, folder)
            memory = (
                ("—", "—") if bound.gigabytes is None else (f"{bound.gigabytes:.1f}", f"{peak / bound.gigabytes:.2f}")
            )
            print(
                f"| {title} | {seconds:.2f} | {bound.seconds:.1f} | {seconds / bound.seconds:.2f} | {peak:.2f} "
                f"| {memory[0]} | {memory[1]} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
