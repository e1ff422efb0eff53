"""Print how fast twins are made and audited on one core at MATH scale, and how much memory it takes.

    python glass_pipeline_tests/benchmarks/twins_speed.py --math math_test.jsonl.gz --gsm8k train.jsonl.gz

The bases are all MATH test problems, the distractors all GSM8K train problems; five doses, up to 40 twins a base and
dose. Each dose is timed from problems and sentences to records, and from records to the table of verdicts. The bounds
are those the project set itself: at least 10,000 twins made and 20,000 pairs audited a second, under 3 GB.
"""

from __future__ import annotations

import argparse
import gzip
import json
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from glass_pipeline.domain.audit import audit_twins
from glass_pipeline.domain.problems import parse_problems
from glass_pipeline.domain.records import DOSES, Problem
from glass_pipeline.domain.twins import DistractorIndex, harvest, make_twins

MADE_PER_S, AUDITED_PER_S, MOST_MB = 10_000, 20_000, 3_000
Result = TypeVar("Result")


class Speed(NamedTuple):
    """One dose."""

    dose: int
    twins: int
    made_s: float
    audited_s: float
    kept: int


def read(source: str, path: Path, split: str) -> list[Problem]:
    """Return the problems of a file of JSON lines, compressed or not."""
    stored = path.read_bytes()
    lines = (gzip.decompress(stored) if path.suffix == ".gz" else stored).splitlines()
    rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    return parse_problems(source, rows, split=split, revision="benchmark")


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """Return what a call returned and the processor seconds it took."""
    started = time.process_time()
    return work(), time.process_time() - started


def one_dose(problems: list[Problem], index: DistractorIndex, dose: int) -> Speed:
    """Make and audit the twins of one dose."""
    batch, made_s = timed(lambda: make_twins(problems, suite="math", seed=42, dose=dose, distractors=index))
    audit, audited_s = timed(lambda: audit_twins(problems, batch.twins))
    return Speed(dose, len(batch.twins), made_s, audited_s, int(audit["keep"].sum()))


def main() -> None:
    """Measure, and print one row a dose."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--math", type=Path, required=True, help="MATH test problems, one JSON object a line")
    parser.add_argument("--gsm8k", type=Path, required=True, help="GSM8K train problems, one JSON object a line")
    parser.add_argument("--every", type=int, default=1, help="only every n-th base")
    given = parser.parse_args()
    problems = read("math", given.math, "test")[:: given.every]
    index, index_s = timed(lambda: DistractorIndex(harvest(read("gsm8k", given.gsm8k, "train"))))
    print(f"{len(problems)} bases; {len(index)} sentences, read and indexed in {index_s:.1f} s")
    print(f"{'dose':>5} {'twins':>8} {'kept':>8} {'made/s':>8} {'audited/s':>10}")
    rows = [one_dose(problems, index, dose) for dose in DOSES]
    for row in rows:
        print(
            f"{'m' + str(row.dose):>5} {row.twins:>8} {row.kept:>8} {row.twins / row.made_s:>8.0f} "
            f"{row.twins / row.audited_s:>10.0f}"
        )
    twins = sum(row.twins for row in rows)
    made, audited = twins / sum(row.made_s for row in rows), twins / sum(row.audited_s for row in rows)
    print(f"{'all':>5} {twins:>8} {sum(row.kept for row in rows):>8} {made:>8.0f} {audited:>10.0f}")
    print(f"bound {'':>8} {'':>8} {MADE_PER_S:>8} {AUDITED_PER_S:>10}")
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak_mb:.0f} MB of {MOST_MB}")


if __name__ == "__main__":
    main()
