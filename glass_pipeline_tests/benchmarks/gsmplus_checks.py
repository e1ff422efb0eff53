"""Print how many of GSM-Plus's published rewordings pass the structural audit, and with --list which do not and why.

    python glass_pipeline_tests/benchmarks/gsmplus_checks.py --gsm8k test.jsonl --gsmplus testmini.jsonl [--list]

Distraction insertion and problem understanding keep the answer by design, so what the rules drop of them is either
a fault of the twin or of the rule. The other perturbations change the answer: there, a drop is right.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from glass_pipeline.domain.audit import audit_pair

KEEPS_THE_ANSWER = ("distraction insertion", "problem understanding")


def read(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a JSON lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def main() -> None:
    """Audit every twin against its base and print the table, or the list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gsm8k", type=Path, required=True, help="the test split")
    parser.add_argument("--gsmplus", type=Path, required=True, help="testmini with gsm8k_idx")
    parser.add_argument("--list", action="store_true", help="name each rejected twin and its rules")
    given = parser.parse_args()
    bases = read(given.gsm8k)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for twin in read(given.gsmplus):
        base = bases[twin["gsm8k_idx"]]
        verdict = audit_pair(base["question"], twin["question"], base["answer"].rpartition("####")[2].strip())
        kind = twin["perturbation"]
        counts[kind].update(["twins", *(["kept"] if verdict.keep else []), *verdict.reasons])
        if given.list and not verdict.keep and kind in KEEPS_THE_ANSWER:
            print(f"{kind}\ttest-{twin['gsm8k_idx']}\t{', '.join(verdict.reasons)}")
    if given.list:
        return
    rules = sorted({rule for count in counts.values() for rule in count} - {"twins", "kept"})
    print(f"{'perturbation':<34}{'twins':>7}{'kept':>7}" + "".join(f"{rule:>18}" for rule in rules))
    for kind, count in sorted(counts.items(), key=lambda each: -each[1]["kept"]):
        print(f"{kind:<34}{count['twins']:>7}{count['kept']:>7}" + "".join(f"{count[rule]:>18}" for rule in rules))


if __name__ == "__main__":
    main()
