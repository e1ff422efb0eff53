"""Dated re-audits and their drift from the audit in use."""

from __future__ import annotations

import polars as pl
import pytest

from glass_pipeline.domain.audit.reaudit import appended, drift
from glass_pipeline.domain.schemas import NOOP_AUDIT


def audit(kept: list[bool]) -> pl.DataFrame:
    """An audit of so many twins; those not kept contradict their base."""
    rules = dict.fromkeys(
        ("entity_collision", "gold_number", "multi_question", "altered_base", "unit_compatible", "unverifiable_gold"),
        False,
    )
    return NOOP_AUDIT.frame(
        {
            "base_id": f"b{number}",
            "twin_id": f"b{number}-m1",
            "dose": 1,
            "family": "entity_rename",
            **rules,
            "adjudicators": ["judge"],
            "verdicts": ["no_op" if keep else "contradiction"],
            "rationales": [""],
            "keep": keep,
            "reasons": [] if keep else ["contradiction"],
        }
        for number, keep in enumerate(kept)
    )


def test_a_date_replaces_itself_and_no_other() -> None:
    """Two dates stand beside each other; the same date judged again is one draw, so it stands once."""
    first = appended(None, audit([True, True]), "2026-12-07")
    second = appended(first, audit([True, False]), "2026-12-14")
    again = appended(second, audit([True, False]), "2026-12-14")

    assert second["date"].to_list() == ["2026-12-07"] * 2 + ["2026-12-14"] * 2
    assert again.equals(second)
    assert second.filter(pl.col("date") == "2026-12-07").equals(first)


@pytest.mark.parametrize(
    ("now", "reading"),
    # 10 of 100 dropped: Wilson's 95 % interval is [0.0552, 0.1744], the 99.9 % one [0.0375, 0.2407].
    [(10, "inside"), (17, "inside"), (18, "outside"), (5, "outside"), (24, "outside"), (25, "far outside")],
)
def test_drift_is_read_off_the_recorded_interval(now: int, reading: str) -> None:
    """The newest dropped share is inside, outside or far outside what the audit in use would make one expect."""
    in_use = audit([False] * 10 + [True] * 90)
    history = appended(None, audit([False] * now + [True] * (100 - now)), "2026-12-07")

    found = drift(in_use, history)

    assert found is not None
    assert found.reading == reading
    assert (found.n_newly_dropped, found.n_newly_kept) == (max(now - 10, 0), max(10 - now, 0))


def test_only_the_newest_date_and_common_twins_count() -> None:
    """An older date is history, and a twin that only one of them has says nothing of drift."""
    in_use = audit([True] * 4)
    history = appended(appended(None, audit([False] * 4), "2026-12-07"), audit([True] * 6), "2026-12-14")

    found = drift(in_use, history)

    assert found is not None
    assert (found.date, found.n_twins, found.n_dropped_now) == ("2026-12-14", 4, 0)
    assert found.sentence.startswith("Re-audit of 2026-12-14: 0 of 4 twins would be dropped, 0 were")


def test_without_a_common_twin_there_is_no_drift() -> None:
    """Nothing can be compared, and nothing is made up."""
    assert drift(audit([]), appended(None, audit([True]), "2026-12-07")) is None
