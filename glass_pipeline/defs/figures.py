"""Holds what an asset shows of itself in the UI: its key figures and one plot.

Never computes an estimand: it picks numbers out of finished tables.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import dagster as dg
import polars as pl

from glass_pipeline.domain.audit.rates import rule_rates
from glass_pipeline.domain.estimands.complexity_proxies import DECLARED
from glass_pipeline.domain.estimands.orthogonality_table import NOTHING
from glass_pipeline.domain.report.text_bars import histogram, text_bars
from glass_pipeline.domain.stats.rank import spearman

if TYPE_CHECKING:
    from glass_pipeline.domain.predictors.held_out import HeldOut

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


def orthogonality_figures(frame: pl.DataFrame) -> Shown:
    """Return what pi and CRD of the pooled slice share with C, and what they share with every proxy as a plot."""
    pooled = frame.filter(pl.col("slice") == "pooled")
    shown: dict[str, dg.MetadataValue] = {}
    labels: list[str] = []
    sizes: list[float | None] = []
    for name, rows in (("pi", pooled.filter(pl.col("removed") == NOTHING)), ("crd", pooled.filter("is_crd"))):
        of_c = rows.filter(pl.col("against") == DECLARED).to_dicts()
        shown[f"corr_{name}_c"] = _number(of_c[0]["corr"] if of_c else None)
        shown[f"p_{name}_c"] = _number(of_c[0]["corr_p"] if of_c else None)
        labels += [f"{name} ~ {proxy}" for proxy in rows["against"]]
        sizes += rows["corr"].abs().to_list()
    return {**shown, "size_of_corr": dg.MetadataValue.md(text_bars(labels, sizes))}


def budget_figures(frame: pl.DataFrame) -> Shown:
    """Return what the largest dose's budget would do to the mean job, and the mean worst case of each as a plot."""
    means = (
        frame.group_by("slice")
        .agg(pl.col("twins").first(), pl.col("worst_case", "at_least_half").mean(), jobs=pl.len())
        .sort("twins", "slice")
    )
    doses = means.filter(pl.col("slice") != "pooled")
    row = doses.row(-1, named=True) if doses.height else dict.fromkeys(means.columns)
    labels = [f"{name}, {twins} twins" for name, twins in means.select("slice", "twins").iter_rows()]
    return {
        "largest_dose": dg.MetadataValue.text(row["slice"] or "none"),
        "worst_case": _number(row["worst_case"]),
        "at_least_half": _number(row["at_least_half"]),
        "worst_case_by_budget": dg.MetadataValue.md(text_bars(labels, means["worst_case"].to_list())),
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
    """Return items, r, √r and oracle of the pooled slice, and r of every slice as a plot."""
    whole = frame.filter(pl.col("kind") == "all", pl.col("unit") == "unique").sort("slice")
    pooled = whole.filter(pl.col("slice") == "pooled")
    row = pooled.row(0, named=True) if pooled.height else dict.fromkeys(frame.columns)
    return {
        "items": dg.MetadataValue.int(row["n_jobs"] or 0),
        **{name: _number(row[name]) for name in ("r", "sqrt_r", "oracle")},
        "r_by_slice": dg.MetadataValue.md(text_bars(whole["slice"].to_list(), whole["r"].to_list())),
    }


def slice_figures(frame: pl.DataFrame) -> Shown:
    """Return how many cells there are and how many are too small, and the mean π of every family as a plot."""
    families = frame.filter(pl.col("kind") == "family").sort("name")
    whole = frame.filter(pl.col("kind") == "all")["mean_pi"].to_list()
    plot = text_bars(families["name"].to_list(), families["mean_pi"].to_list())
    return {
        "mean_pi": _number(whole[0] if whole else None),
        "cells": dg.MetadataValue.int(frame.height),
        "cells_too_small": dg.MetadataValue.int(frame["mean_pi"].null_count()),
        "mean_pi_by_family": dg.MetadataValue.md(plot),
    }


def agreement_figures(frame: pl.DataFrame) -> Shown:
    """Return the mean rank agreement, and that of every pair of solvers as a plot; a negative one is drawn as none."""
    pairs = [f"{solver} ~ {other}" for solver, other in frame.select("solver", "other").iter_rows()]
    drawn = [None if rho is None else max(rho, 0.0) for rho in frame["spearman"]]
    return {
        "pairs_of_solvers": dg.MetadataValue.int(frame.height),
        "mean_spearman": _number(frame["spearman"].mean()),
        "mean_disattenuated": _number(frame["disattenuated"].mean()),
        "spearman": dg.MetadataValue.md(text_bars(pairs, drawn)),
    }


def probe_figures(frame: pl.DataFrame) -> Shown:
    """Return how often a further sample of a solvable base is right, and the histogram of that share over bases."""
    sampled = frame.filter(pl.col("n_samples") > 0)
    shares = (sampled["n_correct"] / sampled["n_samples"]).to_list()
    return {
        "bases": dg.MetadataValue.int(frame.height),
        "samples": dg.MetadataValue.int(int(frame["n_samples"].sum())),
        "mean_share_correct": _number(sum(shares) / len(shares) if shares else None),
        "share_correct": dg.MetadataValue.md(histogram(shares)),
    }


def audit_figures(audit: pl.DataFrame) -> Shown:
    """Return how many twins are dropped, and the rate of every rule as a plot."""
    rates = rule_rates(audit)
    return {
        "dropped": dg.MetadataValue.int(int((~audit["keep"]).sum())),
        "rates": dg.MetadataValue.md(text_bars(rates["rule"].to_list(), rates["rate"].to_list())),
    }


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
