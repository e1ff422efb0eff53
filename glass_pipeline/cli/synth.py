"""Holds ``glass synth``: every method on jobs whose complexity, demand for expertise and fragility were drawn."""

from __future__ import annotations

import os
from pathlib import Path

from glass_pipeline.defs.synth_cd import SCORES, make_synth_scores
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.study import settings_from


def synth(features: str, seed: int | None, study_file: Path | None, *, as_json: bool) -> None:
    """Make the table anew, print it, and say where it lies."""
    study, settings = settings_from(os.environ, study_file)
    warehouse = Warehouse(settings.warehouse)
    made = make_synth_scores(warehouse, features=features, seed=study.study.seed if seed is None else seed)
    if as_json:
        print(made.table.write_ndjson(), end="")
        return
    print(made.text)
    print(f"\nHeld-out jobs of Synth-CD; published values are for another text generator. {warehouse.path(SCORES)}")
