"""Holds the benchmark of interchange at the size of the largest published suite: 122,847 pairs in five dose files.

Never asserts anything (see the tests of ``domain.corpus`` and ``cli``). Run
``python glass_pipeline_tests/benchmarks/interchange_speed.py``; it takes about half a minute on one core. Texts are
as long as those of MATH with its twins: 40 words a base, 100 a twin.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from glass_pipeline.cli.export_pairs import export_pairs
from glass_pipeline.cli.import_pairs import import_pairs
from glass_pipeline.cli.survey import survey
from glass_pipeline.domain.corpus.completion import complete
from glass_pipeline.domain.corpus.file_names import file_name
from glass_pipeline.domain.corpus.interchange import state_lines
from glass_pipeline.domain.records import DOSES
from glass_pipeline.domain.seeding import child_rng

PAIRS, BASES = 122_847, 4_999
WORDS = (
    "each",
    "of",
    "the",
    "seven",
    "triangle",
    "$x^2 + 1$",
    "12",
    "how",
    "many",
    "sides",
    "sum",
    "is",
    "even",
    "per",
)
STUDY = '[study]\nadjudicator = "none"\n[suites.mini]\nsource = "glassmini"\n[solvers.planted]\nkind = "planted"\n'


def write_files(folder: Path) -> list[Path]:
    """Write the five dose files, m twins a base, until all pairs are written."""
    rng = child_rng("interchange_speed")
    bases = [" ".join(rng.choices(WORDS, k=40)) for _ in range(BASES)]
    files, left = [], PAIRS
    for dose in DOSES:
        path = folder / file_name("glassmath", dose, "4omini")
        with path.open("w", encoding="utf-8") as opened:
            for number in range(min(left, dose * BASES)):
                base, delta = number % BASES, float(rng.choice((0, 0, 1, -1)))
                line = {
                    "base_id": f"math_adv-{base}",
                    "twin_id": f"math_adv-{base}-d{number}",
                    "operator": "math_irrelevant_context_m3",
                    "category": "algebra",
                    "complexity": "medium",
                    "complexity_score": 0.5,
                    "base_text": bases[base],
                    "twin_text": f"{' '.join(rng.choices(WORDS, k=60))} {bases[base]}",
                    "delta_per_model": {"model": delta},
                    "delta_mean": delta,
                    "d_obs": 0.35,
                    "d_wc": 1.0,
                    "y_base_mean": 0.6,
                }
                opened.write(json.dumps(line) + "\n")
        left -= min(left, dose * BASES)
        files.append(path)
    return files


def read_all(files: list[Path]) -> None:
    """Read and check every file, and write nothing."""
    for path in files:
        with path.open(encoding="utf-8") as lines:
            complete(state_lines(lines, name=path.name))


def timed(name: str, work: Callable[[], object]) -> None:
    """Print one row of the table."""
    started, busy = time.perf_counter(), time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        work()
    seconds, busy = time.perf_counter() - started, time.process_time() - busy
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"| {name} | {seconds:.2f} | {busy:.2f} | {PAIRS / busy:,.0f} | {peak:.2f} |")


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "glass.toml").write_text(STUDY, encoding="utf-8")
        os.chdir(folder)
        files = write_files(folder)
        paths = [str(path) for path in files]
        table = folder / "table"
        print("| work | wall, s | processor, s | pairs/s of processor | peak GiB so far |")
        print("|---|---|---|---|---|")
        timed("read and check JSON lines", lambda: read_all(files))
        timed("glass import-pairs, JSON lines", lambda: import_pairs(paths, None, "lines", None, as_json=True))
        timed("glass export-pairs, hf", lambda: export_pairs("lines", "model", "hf", table, None, as_json=True))
        timed("glass import-pairs, parquet", lambda: import_pairs([str(table)], None, "parquet", None, as_json=True))
        timed(
            "glass export-pairs, JSON lines",
            lambda: export_pairs("lines", "model", "jsonl", folder / "again", None, as_json=True),
        )
        timed("glass survey", lambda: survey(["lines"], None, as_json=True))


if __name__ == "__main__":
    main()
