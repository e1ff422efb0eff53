"""The evaluation of single results."""

from __future__ import annotations

import pytest

from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.llm.arc_lab import LabFolder, evaluate
from glass_pipeline.llm.arc_source import HuggingFaceLabHub


def test_only_results_of_the_series_can_be_asked_for(lab: LabFolder) -> None:
    """The message lists them, before any model is loaded."""
    with pytest.raises(
        LabError, match="seed-9 is no result of the series, which has baseline, seed-1, seed-2, seed-3;"
    ):
        evaluate(lab, "cpu", HuggingFaceLabHub(), log=lambda *_: None, only=["baseline", "seed-9"])
