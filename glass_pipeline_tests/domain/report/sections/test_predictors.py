"""Tests of the table of predictors."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from glass_pipeline.domain.report import ReliabilityFigure, ReportInput
from glass_pipeline.domain.report.blocks import Folded, Grid, Missing, Prose
from glass_pipeline.domain.report.evidence import arrange
from glass_pipeline.domain.report.sections.predictors import section
from glass_pipeline.domain.report.sections.published_values import section as published
from glass_pipeline.domain.schemas import PREDICTOR_SCORES, PREDICTOR_VERDICTS, SOLVER_TRANSFER


def score(predictor: str, kind: str, metric: str, mean: float | None, **changes: Any) -> dict[str, Any]:
    """One row of the score table."""
    return {
        "solver": "alpha",
        "predictor": predictor,
        "kind": kind,
        "reads": "text",
        "slice": "pooled",
        "target": "pi",
        "part": "all",
        "name": "all",
        "metric": metric,
        "mean": mean,
        "sd": 0.05,
        "n_seeds": 5,
        "n_jobs": 60.0,
        "note": "",
    } | changes


def verdict(candidate: str, baseline: str, sentence: str) -> dict[str, Any]:
    """One row of the verdicts."""
    return dict.fromkeys(PREDICTOR_VERDICTS.schema) | {
        "solver": "alpha",
        "slice": "pooled",
        "target": "pi",
        "candidate": candidate,
        "baseline": baseline,
        "n_jobs": 90,
        "n_seeds": 5,
        "same_sign": 5,
        "outcome": "not shown",
        "sentence": sentence,
    }


@pytest.fixture
def predicted(toy: ReportInput) -> ReportInput:
    """Two Frail-π and two baselines; the better of each is b."""
    scores = [
        score("frail-a", "frail_pi", "spearman", 0.2),
        score("frail-b", "frail_pi:minilm", "spearman", 0.3),
        score("frail-b", "frail_pi:minilm", "spearman_oracle", 0.375),
        score("frail-b", "frail_pi:minilm", "recall_20", 0.3),
        score("frail-b", "frail_pi:minilm", "best_recall_20", 0.4),
        score("frail-b", "frail_pi:minilm", "spearman", 0.25, target="pi_std"),
        score("frail-b", "frail_pi:minilm", "spearman_sqrt_r", 0.36),
        score("base-a", "random", "spearman", -0.01),
        score("base-b", "surface_gbt", "spearman", 0.4, sd=None),
        score("base-b", "surface_gbt", "spearman_sqrt_r", 0.48),
        score("lost", "frail_pi", "spearman", None, sd=None, n_seeds=0, note="too few jobs."),
    ]
    verdicts = [verdict(c, b, f"{c} against {b}.") for c in ("frail-a", "frail-b") for b in ("base-a", "base-b")]
    return dataclasses.replace(
        toy,
        has_predictors=True,
        predictor_scores=PREDICTOR_SCORES.frame(scores),
        predictor_verdicts=PREDICTOR_VERDICTS.frame(verdicts),
        reliability={"alpha": ReliabilityFigure(r=0.64, r_low=0.6, r_high=0.7, oracle=0.8, jobs=200)},
    )


def test_predictors_stand_below_the_ceiling_best_first(predicted: ReportInput) -> None:
    """Oracle .8 first, then .4, .3, .2, -.01; one that was not trained stands last and says why."""
    grid = next(block for block in section(arrange(predicted)).blocks if isinstance(block, Grid))
    rows = {row[0]: row for row in grid.rows}

    assert list(rows) == ["knowing the true rates", "base-b", "frail-b", "frail-a", "base-a", "lost"]
    assert rows["knowing the true rates"][2] == "0.800"
    assert rows["frail-b"][1:5] == ("text", "0.300 ± 0.050", "0.38 ± 0.05", "0.250 ± 0.050")
    assert rows["frail-b"][6] == "0.30 ± 0.05"
    assert rows["knowing the true rates"][6] == "0.40"
    assert rows["base-b"][2] == "0.400"
    assert rows["lost"][2] == "—\ntoo few jobs."


def test_the_sentence_is_about_the_best_of_both(predicted: ReportInput) -> None:
    """frail-b is the better Frail-π, base-b the better baseline: their verdict opens the section, and only theirs."""
    said = [block.text for block in section(arrange(predicted)).blocks if isinstance(block, Prose)]

    assert said == ["Best Frail-π against best baseline: frail-b against base-b."]


def test_ours_stand_beside_the_published_rows(predicted: ReportInput) -> None:
    """Table 2 holds rho / sqrt(r): the minilm head beside Frail-π, the trees beside the surface features."""
    grid = next(
        block
        for block in published(arrange(dataclasses.replace(predicted, suite="glassgsm"))).blocks
        if isinstance(block, Grid)
    )
    cells = {row[0]: row[1:3] for row in grid.rows}

    assert cells["Frail-π, ρ / √r"] == ("0.360 ± 0.050", "0.613 ± 0.023")
    assert cells["Surface features, ρ / √r"] == ("0.480 ± 0.050", "0.171 ± 0.023")
    assert cells["Frail-π, recall at 20 %"] == ("0.300 ± 0.050", "0.36")


def test_what_is_not_scored_names_its_command(toy: ReportInput) -> None:
    """Declared but empty: one line; not declared: no section at all."""
    (missing,) = section(arrange(dataclasses.replace(toy, has_predictors=True))).blocks

    assert isinstance(missing, Missing)
    assert missing.command == "glass run toy --select predictors"
    assert section(arrange(toy)).blocks == ()


def test_transfer_is_shown_where_there_are_two_solvers(predicted: ReportInput) -> None:
    """Rho .3 of a ceiling .6 is half of it; with one solver there is no such table."""

    def row(solver: str, other: str, target: str, mean: float | None) -> dict[str, Any]:
        return {
            "predictor": "frail-b",
            "kind": "frail_pi",
            "slice": "pooled",
            "solver": solver,
            "other": other,
            "target": target,
            "mean": mean,
            "sd": None,
            "n_seeds": 5,
            "n_jobs": 60.0,
            "sqrt_r": 0.6,
            "bound": 0.5,
        }

    pairs = [row("alpha", "alpha", "pi", 0.4), row("alpha", "beta", "pi", 0.3), row("alpha", "beta", "crd", 0.1)]
    two = dataclasses.replace(predicted, solver_transfer=SOLVER_TRANSFER.frame(pairs))
    one = dataclasses.replace(predicted, solver_transfer=SOLVER_TRANSFER.frame(pairs[:1]))
    (folded,) = [
        block
        for block in section(arrange(two)).blocks
        if isinstance(block, Folded) and block.summary == "From one solver to another"
    ]
    (grid,) = [block for block in folded.blocks if isinstance(block, Grid)]

    assert grid.rows[1] == ("frail-b", "alpha", "beta", "0.300", "0.50", "0.500", "0.100")
    assert not any(isinstance(block, Folded) and "another" in block.summary for block in section(arrange(one)).blocks)
