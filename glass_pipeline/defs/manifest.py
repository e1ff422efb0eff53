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
from glass_pipeline.defs.keys import Cell, stages_of
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.domain.fingerprint import settings_hash
from glass_pipeline.domain.report.savings import Spared, spared
from glass_pipeline.llm.prompts import written
from glass_pipeline.study import DERIVED, Study

PACKAGES = ("glass-pipeline", "dagster", "polars", "numpy", "scipy", "aiohttp")


def manifest_of(suite: str, study: Study, warehouse: Warehouse) -> dict[str, str]:
    """Return versions, revisions, hashes, seeds, effective settings and the command of one suite's report."""
    derived = DERIVED.match(suite)
    command = f"glass run {derived['suite']} --limit {derived['limit']}" if derived else f"glass run {suite}"
    problems = warehouse.provenance(Cell(suite, "base_problems"))
    sources = warehouse.read([Cell(suite, "base_problems")], ["revision", "licence", "answer_type"])
    revisions, licences, kinds = (sources[name].unique().sort().to_list() for name in sources.columns)
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
        "source licence": ", ".join(licences),
        "base_problems sha256": problems.data_version if problems else "",
        "study sha256": settings_hash(study.model_dump(mode="json")),
        "code versions": ", ".join(f"{stage} {version_of(stage)}" for stage in stages_of(study, suite)),
        **{
            f"solver {slug}": json.dumps(solver_settings(study.solver(slug)), sort_keys=True)
            for slug in study.enabled_solvers
        },
        **{
            f"prompt {prompt}, {kind}": written(prompt, kind)
            for prompt in sorted(_prompts(suite, study))
            for kind in kinds
            if written(prompt, kind)
        },
    }


def _prompts(suite: str, study: Study) -> set[str]:
    """Prompts of the suite's solvers; a simulated one is not prompted, and that of an imported one is not known."""
    declared = [study.solvers[slug] for slug in study.solvers_of(suite) if slug in study.solvers]
    return {solver.prompt for solver in declared if solver.kind != "planted"}


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
