"""Holds what it takes to remake the page: versions, hashes, seeds, settings, commands, and what is missing.

Never interprets an entry.
"""

from __future__ import annotations

from glass_pipeline.domain.report.blocks import Block, Facts, Missing, Section
from glass_pipeline.domain.report.display_text import visible
from glass_pipeline.domain.report.evidence import Evidence
from glass_pipeline.domain.report.inputs import REPORT_TABLES
from glass_pipeline.domain.report.numerals import NONE, count

MAY_BE_EMPTY = ("twins", "declines", "predictor_scores", "predictor_verdicts", "solver_transfer")
"""Tables that a finished suite need not have a row of."""


def section(evidence: Evidence) -> Section:
    """Return the manifest, the rows of each table, and the doses held and missing."""
    given = evidence.given
    rows = {name: getattr(given, name).height for name in REPORT_TABLES}
    facts = (
        ("suite", given.suite),
        ("solvers", ", ".join(one.solver for one in evidence.solvers) or NONE),
        ("doses held", _doses(given.doses_held)),
        ("doses missing", _doses(given.doses_missing)),
        ("rows", ", ".join(f"{name} {count(n)}" for name, n in rows.items())),
        *((visible(name), visible(value)) for name, value in given.manifest.items()),
    )
    empty = [name for name, n in rows.items() if not n and name not in MAY_BE_EMPTY]
    blocks: list[Block] = [Facts(facts)]
    if empty:
        blocks.insert(0, Missing(f"Not made yet, or empty: {', '.join(empty)}.", "glass status"))
    return Section(
        slug="manifest",
        title="Manifest",
        blocks=tuple(blocks),
        summary={
            "suite": given.suite,
            "doses_held": list(given.doses_held),
            "doses_missing": list(given.doses_missing),
            "rows": rows,
            "entries": dict(given.manifest),
        },
    )


def _doses(doses: tuple[int, ...]) -> str:
    return ", ".join(f"m{dose}" for dose in doses) or NONE
