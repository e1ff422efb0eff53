"""The folder is cleaned in parts, and nothing outside it is touched."""

from __future__ import annotations

from pathlib import Path

import pytest

from glass_pipeline.domain.arc_lab.errors import LabError
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
