"""Holds what an asset shows of itself in the UI: its key figures and one plot.

Never computes an estimand: it picks numbers out of finished tables.
"""

from __future__ import annotations

from collections.abc import Mapping

import dagster as dg
import polars as pl

from glass_pipeline.domain.audit.rates import rule_rates
from glass_pipeline.domain.report.text_bars import histogram, text_bars

Shown = Mapping[str, dg.MetadataValue]


def difficulty_figures(frame: pl.DataFrame) -> Shown:
    """Return doses held, jobs, mean π and the histogram of π of the pooled slice."""
    pooled = frame.filter(pl.col("slice") == "pooled")
    rates = pooled["pi"].drop_nulls()
    held = sorted({dose for doses in pooled["doses"].to_list() for dose in doses})
    return {
        "doses_held": dg.MetadataValue.json(held),
        "solvable": dg.MetadataValue.int(int(pooled["in_stratum"].sum())),
        "mean_pi": _number(rates.mean()),
        "pi": dg.MetadataValue.md(histogram(rates.to_list())),
    }


def floor_figures(frame: pl.DataFrame) -> Shown:
    """Return the floor, its interval and what it is made of."""
    row = frame.row(0, named=True) if frame.height else dict.fromkeys(frame.columns)
    numbers = [row["floor"], row["low"], row["high"]]
    return {
        "floor": _number(row["floor"]),
        "re_solves": dg.MetadataValue.int(row["n_resolves"] or 0),
        "interval": dg.MetadataValue.md(text_bars(["floor", "low", "high"], numbers)),
    }


def reliability_figures(frame: pl.DataFrame) -> Shown:
    """Return r, √r and oracle of the pooled slice, and r of every slice as a plot."""
    whole = frame.filter(pl.col("kind") == "all", pl.col("unit") == "unique").sort("slice")
    pooled = whole.filter(pl.col("slice") == "pooled")
    row = pooled.row(0, named=True) if pooled.height else dict.fromkeys(frame.columns)
    return {
        **{name: _number(row[name]) for name in ("r", "sqrt_r", "oracle")},
        "r_by_slice": dg.MetadataValue.md(text_bars(whole["slice"].to_list(), whole["r"].to_list())),
    }


def slice_figures(frame: pl.DataFrame) -> Shown:
    """Return the mean π of every family as a plot."""
    families = frame.filter(pl.col("kind") == "family").sort("name")
    plot = text_bars(families["name"].to_list(), families["mean_pi"].to_list())
    return {"mean_pi_by_family": dg.MetadataValue.md(plot)}


def agreement_figures(frame: pl.DataFrame) -> Shown:
    """Return the rank agreement of every pair of solvers as a plot; a negative one is drawn as none."""
    pairs = [f"{solver} ~ {other}" for solver, other in frame.select("solver", "other").iter_rows()]
    drawn = [None if rho is None else max(rho, 0.0) for rho in frame["spearman"]]
    return {"spearman": dg.MetadataValue.md(text_bars(pairs, drawn))}


def audit_figures(audit: pl.DataFrame) -> Shown:
    """Return how many twins are dropped, and the rate of every rule as a plot."""
    rates = rule_rates(audit)
    return {
        "dropped": dg.MetadataValue.int(int((~audit["keep"]).sum())),
        "rates": dg.MetadataValue.md(text_bars(rates["rule"].to_list(), rates["rate"].to_list())),
    }


def report_figures(frame: pl.DataFrame) -> Shown:
    """Return every figure of the report's first screen, by solver."""
    return {f"{row['solver']} {row['figure']}": _number(row["value"]) for row in frame.iter_rows(named=True)}


def _number(value: object) -> dg.MetadataValue:
    return dg.MetadataValue.float(float(value)) if isinstance(value, int | float) else dg.MetadataValue.null()
