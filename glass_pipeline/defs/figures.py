"""Holds what an asset shows of itself in the UI: its key figures and one plot.

Never computes an estimand: it picks numbers out of finished tables.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import dagster as dg
import polars as pl

from glass_pipeline.domain.predictors.held_out import HeldOut
from glass_pipeline.domain.report.text_bars import histogram, text_bars
from glass_pipeline.domain.stats.rank import spearman

CURVE_POINTS = 20
"""Epochs of a loss curve that are drawn."""
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


def prediction_figures(held: HeldOut) -> Shown:
    """Return held-out Spearman by seed, loss and validation score of every epoch, and the first seed's loss drawn."""
    rated = held.table.drop_nulls(["pi", "pi_hat"]).group_by("seed", maintain_order=True)
    ranked = {str(seed): _finite(spearman(rows["pi_hat"], rows["pi"])) for (seed,), rows in rated}
    notes = held.table.filter(pl.col("note") != "")["note"]
    first = next((history for history in held.histories.values() if history), ())
    shown = first[:: max(1, len(first) // CURVE_POINTS)]
    curves = {
        str(seed): [[each.number, each.loss, _finite(each.validation)] for each in history]
        for seed, history in held.histories.items()
    }
    return {
        "held_out_spearman": dg.MetadataValue.json(ranked),
        "epochs": dg.MetadataValue.json(curves),
        "loss": dg.MetadataValue.md(
            text_bars([f"epoch {each.number}" for each in shown], [each.loss for each in shown])
        ),
        "note": dg.MetadataValue.text(notes[0] if notes.len() else ""),
    }


def score_figures(frame: pl.DataFrame) -> Shown:
    """Return Spearman of every predictor with the pooled break rate as a plot; a negative one is drawn as none."""
    rows = frame.filter(pl.col("metric") == "spearman", pl.col("part") == "all", pl.col("target") == "pi")
    rows = rows.sort("mean", descending=True, nulls_last=True)
    drawn = [None if rho is None else max(rho, 0.0) for rho in rows["mean"]]
    return {"spearman": dg.MetadataValue.md(text_bars(rows["predictor"].to_list(), drawn))}


def verdict_figures(frame: pl.DataFrame) -> Shown:
    """Return every sentence on the pooled break rate."""
    said = frame.filter(pl.col("target") == "pi")["sentence"]
    return {"verdicts": dg.MetadataValue.md("\n".join(f"- {sentence}" for sentence in said))}


def transfer_figures(frame: pl.DataFrame) -> Shown:
    """Return Spearman of every predictor and pair of solvers as a plot; a negative one is drawn as none."""
    rows = frame.filter(pl.col("target") == "pi")
    pairs = [f"{row['predictor']}: {row['solver']} → {row['other']}" for row in rows.iter_rows(named=True)]
    drawn = [None if rho is None else max(rho, 0.0) for rho in rows["mean"]]
    return {"spearman": dg.MetadataValue.md(text_bars(pairs, drawn))}


def report_figures(frame: pl.DataFrame) -> Shown:
    """Return every figure of the report's first screen, by solver."""
    return {f"{row['solver']} {row['figure']}": _number(row["value"]) for row in frame.iter_rows(named=True)}


def _number(value: object) -> dg.MetadataValue:
    return dg.MetadataValue.float(float(value)) if isinstance(value, int | float) else dg.MetadataValue.null()


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
