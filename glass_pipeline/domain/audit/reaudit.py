"""Holds the history of re-audits: dated audits appended to each other, and their drift from the adopted one.

Never replaces the audit in use: adopting a re-audit is a person's decision.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import polars as pl

from glass_pipeline.domain.schemas import REAUDIT
from glass_pipeline.domain.stats.intervals import Interval, wilson

Reading = Literal["inside", "outside", "far outside"]

RECORDED_LEVEL = 0.95
FAR_LEVEL = 0.999


class Drift(NamedTuple):
    """How the newest re-audit compares with the audit in use, over the twins that both judged."""

    date: str
    n_twins: int
    n_dropped_before: int
    n_dropped_now: int
    n_newly_dropped: int
    n_newly_kept: int
    recorded: Interval
    """Interval of the dropped share of the audit in use, at 95 %."""
    reading: Reading
    """Where the newest dropped share lies: inside that interval, outside it, or outside even the 99.9 % one."""

    @property
    def sentence(self) -> str:
        """The comparison in words."""
        return (
            f"Re-audit of {self.date}: {self.n_dropped_now} of {self.n_twins} twins would be dropped, "
            f"{self.n_dropped_before} were ({self.n_newly_dropped} newly dropped, {self.n_newly_kept} newly kept); "
            f"the dropped share {self.n_dropped_now / self.n_twins:.4f} is {self.reading} the recorded interval "
            f"{self.recorded.low:.4f} to {self.recorded.high:.4f}."
        )


def appended(history: pl.DataFrame | None, audit: pl.DataFrame, date: str) -> pl.DataFrame:
    """Return the history with one more dated audit.

    Args:
        history: ``REAUDIT``; None where there is none yet.
        audit: ``NOOP_AUDIT`` as judged on that date.
        date: ISO date; rows of the same date are replaced, since one date is one draw of verdicts.
    """
    dated = REAUDIT.check(audit.with_columns(date=pl.lit(date)))
    if history is None:
        return dated
    return REAUDIT.check(pl.concat([history.filter(pl.col("date") != date), dated.select(history.columns)]))


def drift(adopted: pl.DataFrame, history: pl.DataFrame) -> Drift | None:
    """Return how the newest re-audit differs from the audit in use; None where no twin was judged in both.

    Args:
        adopted: ``NOOP_AUDIT`` in use.
        history: ``REAUDIT`` of the same dose.
    """
    newest = history.filter(pl.col("date") == pl.col("date").max())
    both = adopted.select("twin_id", before="keep").join(newest.select("twin_id", "date", now="keep"), on="twin_id")
    if both.is_empty():
        return None
    dropped_before, dropped_now = (int((~both[column]).sum()) for column in ("before", "now"))
    share = dropped_now / both.height
    recorded, far = (wilson(dropped_before, both.height, level=level) for level in (RECORDED_LEVEL, FAR_LEVEL))
    return Drift(
        date=both["date"][0],
        n_twins=both.height,
        n_dropped_before=dropped_before,
        n_dropped_now=dropped_now,
        n_newly_dropped=both.filter("before", ~pl.col("now")).height,
        n_newly_kept=both.filter(~pl.col("before"), "now").height,
        recorded=recorded,
        reading="inside" if _holds(recorded, share) else "outside" if _holds(far, share) else "far outside",
    )


def _holds(interval: Interval, share: float) -> bool:
    return interval.low <= share <= interval.high
