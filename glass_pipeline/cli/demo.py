"""Holds ``glass demo``: the whole graph on the project's own problems, first simulated, then with a real model."""

from __future__ import annotations

import json
import os
from pathlib import Path

from glass_pipeline.cli.graph import make, summary_text
from glass_pipeline.defs.keys import stages_of
from glass_pipeline.defs.plan import Selection
from glass_pipeline.study import settings_from

SIMULATED = ("glassmini", "planted")
REAL = ("glassmini-easy-n24", "smollm2")
"""24 one-step problems at dose m1 with five samples each: at most 240 completions."""


def demo(study_file: Path | None, *, as_json: bool) -> None:
    """Run both parts and name the page of each."""
    study, settings = settings_from(os.environ, study_file)
    suite, solver = SIMULATED
    simulated = make(
        Selection(suite, study.study.doses, (solver,), stages_of(study, suite), study.predictor_names),
        study,
        settings,
        quiet=as_json,
    )
    suite, solver = REAL
    real = make(
        Selection(suite, study.study.doses[:1], (solver,), stages_of(study, suite), study.predictor_names),
        study,
        settings,
        quiet=as_json,
    )
    if as_json:
        print(json.dumps({"simulated": simulated, "real": real}, ensure_ascii=False, sort_keys=True))
        return
    print(summary_text(simulated))
    print()
    print(summary_text(real))
