"""Holds the manifest: everything needed to remake a report, as the page prints it.

Never holds a time, a path or a secret, so that equal inputs make equal pages.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from importlib import metadata

import polars as pl

from glass_pipeline.defs.code_versions import solver_settings, version_of
from glass_pipeline.defs.keys import STAGES, Cell
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.domain.fingerprint import settings_hash
from glass_pipeline.domain.report.savings import Spared, spared
from glass_pipeline.study import DERIVED, Study

PACKAGES = ("glass-pipeline", "dagster", "polars", "numpy", "scipy", "aiohttp")


def manifest_of(suite: str, study: Study, warehouse: Warehouse) -> dict[str, str]:
    """Return versions, revisions, hashes, seeds, effective settings and the command of one suite's report."""
    derived = DERIVED.match(suite)
    command = f"glass run {derived['suite']} --limit {derived['limit']}" if derived else f"glass run {suite}"
    problems = warehouse.provenance(Cell(suite, "base_problems"))
    revisions = warehouse.read([Cell(suite, "base_problems")], ["revision"])["revision"].unique().sort()
    return {
        "command": command,
        "python": ".".join(str(part) for part in sys.version_info[:3]),
        **{package: metadata.version(package) for package in PACKAGES},
        "seed": str(study.study.seed),
        "samples": str(study.study.samples),
        "label_scope": study.study.label_scope,
        "curtail": str(study.study.curtails).lower(),
        "stratum_only": str(study.study.stratum_only).lower(),
        "source revision": ", ".join(revisions),
        "base_problems sha256": problems.data_version if problems else "",
        "study sha256": settings_hash(study.model_dump(mode="json")),
        "code versions": ", ".join(f"{stage} {version_of(stage)}" for stage in STAGES),
        **{
            f"solver {slug}": json.dumps(solver_settings(study.solver(slug)), sort_keys=True)
            for slug in study.enabled_solvers
        },
    }


def spared_calls(study: Study, tables: Mapping[str, pl.DataFrame]) -> dict[str, Spared]:
    """Return what each solver was not asked for; nothing where others did the asking."""
    if not all(name in tables and tables[name].width for name in ("multiop_mix", "solver_labels", "base_labels")):
        return {}
    return spared(
        tables["solver_labels"],
        tables["base_labels"],
        tables["multiop_mix"],
        samples=study.study.samples,
        stratum_only=study.study.stratum_only,
    )
