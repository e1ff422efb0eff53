"""Print what the whole graph costs at full size: all GSM8K test problems, five doses, the planted solver.

    python glass_pipeline_tests/benchmarks/full_size.py --gsm8k FOLDER

FOLDER holds test.jsonl and train.jsonl[.gz]. Each row is one command, run as its own process on a warehouse that
starts empty; bounds are those the project set itself on two cores.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parents[2]


class Measured(NamedTuple):
    """One command as the operating system saw it."""

    seconds: float
    peak_mb: float
    output: str


def measure(command: list[str], environment: dict[str, str], folder: Path) -> Measured:
    """Run one command to its end; peak memory is that of the largest process so far."""
    started = time.perf_counter()
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - started
    return Measured(seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, done.stdout)


def main() -> None:
    """Measure, and print one row a command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gsm8k", type=Path, required=True, help="folder with test.jsonl and train.jsonl[.gz]")
    folder = Path(tempfile.mkdtemp(prefix="glass-full-size-"))
    shutil.copy(PROJECT / "glass.toml", folder)
    environment = {**os.environ, "GLASS_SOURCE_GSM8K": str(parser.parse_args().gsm8k.resolve())}
    glass = str(Path(sys.executable).parent / "glass")
    run = [glass, "run", "glassgsm", "--solver", "planted", "--json"]
    try:
        print(f"{'command':<44} {'seconds':>8} {'bound':>6} {'ratio':>6} {'peak MB':>8} {'requests':>9} {'tables':>7}")
        for name, command, bound in (
            ("glass --help", [glass, "--help"], 0.5),
            ("glass run glassgsm --solver planted", run, 180.0),
            ("the same again", run, 15.0),
        ):
            done = measure(command, environment, folder)
            summary = json.loads(done.output) if "--json" in command else {"requests": "", "made": []}
            print(
                f"{name:<44} {done.seconds:>8.2f} {bound:>6.1f} {done.seconds / bound:>6.2f} {done.peak_mb:>8.0f} "
                f"{summary['requests']:>9} {len(summary['made']):>7}"
            )
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
