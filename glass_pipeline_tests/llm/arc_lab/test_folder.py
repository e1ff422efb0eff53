"""The folder is cleaned in parts, and nothing outside it is touched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.training import Epoch
from glass_pipeline.llm.arc_lab import LabFolder


def test_cleaning_spares_what_was_not_named(lab: LabFolder) -> None:
    """Results go, adapters and data stay."""
    deleted = lab.clean(("results", "artifacts"))

    assert deleted == [lab.root / "results"]
    assert lab.series.exists()
    assert lab.lock.exists()
    assert lab.clean(("results",)) == []


def test_a_link_is_not_followed(lab: LabFolder, tmp_path: Path) -> None:
    """A folder elsewhere, such as the hub's cache, survives, and so does all else."""
    outside = tmp_path / "cache"
    outside.mkdir()
    (lab.root / "artifacts").symlink_to(outside)

    with pytest.raises(LabError, match="is a link"):
        lab.clean(("results", "artifacts"))
    assert outside.exists()
    assert lab.made_from.exists()


def test_a_damaged_lock_is_named(lab: LabFolder) -> None:
    """It belongs to the results, so the remedy is to restore it."""
    lab.lock.write_text("{}", encoding="utf-8")

    with pytest.raises(LabError, match="is not a source lock; restore it"):
        lab.read_lock()


def test_epochs_that_are_none_are_refused(lab: LabFolder) -> None:
    """A file of other rows is named with the remedy; a whole one comes back as it was written."""
    path = lab.adapter(1) / "epochs.jsonl"
    row = {"seed": 1, "epoch": 1, "loss": 2.0, "validation_accuracy": 0.5, "batch_losses": [3.0, 1.0]}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert lab.read_epochs(1) == (Epoch(seed=1, epoch=1, loss=2.0, validation_accuracy=0.5, batch_losses=(3.0, 1.0)),)

    path.write_text('{"seed": 1}\n', encoding="utf-8")
    with pytest.raises(LabError, match=r"epochs\.jsonl does not describe epochs; delete its folder"):
        lab.read_epochs(1)
