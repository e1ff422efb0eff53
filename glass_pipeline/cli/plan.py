"""Holds ``glass plan``: what a wanted precision would take, judged from the labels a suite already has."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import polars as pl

from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.domain.reliability.pilot import for_difference, for_half_width, for_reliability, pilot_of
from glass_pipeline.study import derived_slug, settings_from


class Wishes(NamedTuple):
    """What precision is wanted."""

    reliability: float
    half_width: float
    difference: float


def plan(suite: str, solver: str, limit: int | None, wishes: Wishes, study_file: Path | None, *, as_json: bool) -> None:
    """Print what each wish takes."""
    study, settings = settings_from(os.environ, study_file)
    slug = derived_slug(suite, limit)
    study.suite(slug)
    study.solver(solver)
    frame = Warehouse(settings.warehouse).read([Cell(slug, "causal_difficulty", None, solver)])
    pilot = pilot_of(frame.filter(pl.col("slice") == "pooled", pl.col("pi").is_not_null()))
    samples = study.study.samples
    needs = [
        for_reliability(pilot, wishes.reliability, samples=samples),
        for_half_width(pilot, wishes.half_width, samples=samples),
        for_difference(pilot, wishes.difference, samples=samples),
    ]
    if as_json:
        print(json.dumps({"pilot": asdict(pilot), "needs": [asdict(need) for need in needs]}))
        return
    print(
        f"Pilot {slug}, {solver}: {pilot.jobs} jobs, {pilot.twins_per_job:.1f} twins each, mean π {pilot.mean_pi:.3f}, "
        f"precision s {pilot.precision:.2f}, expected reliability {pilot.reliability:.2f}."
    )
    for need in needs:
        print(f"{need.wanted}: {need.twins_per_job} twins a job, {need.jobs:,} jobs, {need.calls:,} calls")
