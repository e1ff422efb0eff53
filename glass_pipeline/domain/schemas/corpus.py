"""Holds the declared schemas of problems, twins, the audit and labelled pairs.

Never reads or writes a table, and never computes a column.
"""

from __future__ import annotations

import polars as pl

from glass_pipeline.domain.schemas.columns import (
    BASE_ID,
    DOSE,
    FAMILY,
    INJECT_SIZE,
    OPERATOR,
    SOLVER,
    TEXT_HASH,
    TEXTS,
    TWIN_ID,
)
from glass_pipeline.domain.table import Column, Table

BASE_PROBLEMS = Table(
    "base_problems",
    ("base_id",),
    (
        BASE_ID,
        Column("text", pl.String(), "the problem as published"),
        Column("gold", pl.String(), "canonical gold answer"),
        Column("answer_type", pl.String(), "numeric, math, choice or exact"),
        Column("gold_solution", pl.String(), "reference solution", nullable=True),
        Column("category", pl.String(), "subject or topic"),
        Column("level", pl.Int64(), "level set by the problem's author", nullable=True),
        Column("gold_steps", pl.Int64(), "steps of the gold solution", nullable=True),
        Column("declared_complexity", pl.Float64(), "C: gold steps, level or the text heuristic"),
        Column("complexity_score", pl.Float64(), "C mapped to [0.05, 0.95]"),
        Column("revision", pl.String(), "commit of the data set, or sha256 of the file"),
        Column("licence", pl.String(), "licence of the source"),
    ),
)

DISTRACTORS = Table(
    "distractors",
    ("source_id", "position"),
    (
        Column("source_id", pl.String(), "problem the sentence comes from"),
        Column("position", pl.Int64(), "index of the sentence there"),
        Column("text", pl.String(), "the sentence"),
    ),
)

TWINS = Table(
    "twins",
    ("twin_id",),
    (
        BASE_ID,
        TWIN_ID,
        DOSE,
        FAMILY,
        INJECT_SIZE,
        OPERATOR,
        Column("text", pl.String(), "the reworded problem"),
        TEXT_HASH,
        Column("generator", pl.String(), "rules, or the solver that wrote it"),
        Column("edit", pl.String(), "JSON of the edit itself"),
    ),
)

DECLINES = Table(
    "declines",
    ("base_id", "dose", "family"),
    (BASE_ID, DOSE, FAMILY, Column("reason", pl.String(), "why the operator declined")),
)

NOOP_AUDIT = Table(
    "noop_audit",
    ("twin_id",),
    (
        BASE_ID,
        TWIN_ID,
        DOSE,
        FAMILY,
        Column("entity_collision", pl.Boolean(), "inserted text re-uses a proper noun of the base"),
        Column("gold_number", pl.Boolean(), "the gold value stands in the inserted text"),
        Column("multi_question", pl.Boolean(), "the inserted text asks something"),
        Column("altered_base", pl.Boolean(), "undoing the recorded edit does not give the base back"),
        Column("unit_compatible", pl.Boolean(), "flag only: inserted quantity in a unit of the question"),
        Column("unverifiable_gold", pl.Boolean(), "flag only: the base lacks the option that its gold names"),
        Column("adjudicators", TEXTS, "models that judged the pair"),
        Column("verdicts", TEXTS, "their verdicts, in that order"),
        Column("rationales", TEXTS, "their reasons, in that order"),
        Column("keep", pl.Boolean(), "the twin may be solved"),
        Column("reasons", TEXTS, "why it was dropped"),
    ),
)

MULTIOP_MIX = Table(
    "multiop_mix",
    ("base_id", "twin_id"),
    (
        DOSE,
        BASE_ID,
        TWIN_ID,
        FAMILY,
        INJECT_SIZE,
        OPERATOR,
        TEXT_HASH,
        Column("source_dose", pl.Int64(), "dose file the twin was drawn from"),
        Column("text", pl.String(), "the reworded problem"),
        Column("generator", pl.String(), "rules, or the solver that wrote it"),
        Column("edit", pl.String(), "JSON of the edit itself"),
    ),
)

LABELED_PAIRS = Table(
    "labeled_pairs",
    ("base_id", "twin_id"),
    (
        SOLVER,
        BASE_ID,
        TWIN_ID,
        OPERATOR,
        Column("category", pl.String(), "subject or topic of the base"),
        Column("complexity", pl.String(), "easy, medium or hard"),
        Column("complexity_score", pl.Float64(), "C mapped to [0.05, 0.95]"),
        Column("declared_complexity", pl.Float64(), "C"),
        Column("base_text", pl.String(), "the problem as published"),
        Column("twin_text", pl.String(), "the reworded problem"),
        TEXT_HASH,
        Column("delta", pl.Int64(), "Y_run(J) - Y(T), in {-1, 0, 1}"),
        Column("d_obs", pl.Float64(), "mean delta of the job's twins in this file"),
        Column("d_wc", pl.Float64(), "largest delta of the job's twins in this file"),
        Column("y_base_mean", pl.Float64(), "share of correct base samples in this run"),
        FAMILY,
        Column("file_dose", pl.Int64(), "m of the corpus file"),
        INJECT_SIZE,
        Column("generator", pl.String(), "rules, or the solver that wrote it"),
        Column("run_id", pl.String(), "name of the dose run"),
        Column("y_base_run", pl.Int64(), "1 if this run solved the base"),
        Column("n_base_correct", pl.Int64(), "correct base samples of this run"),
        Column("n_base", pl.Int64(), "base samples of this run"),
        Column("y_twin", pl.Int64(), "1 if the twin was solved"),
        Column("twin_samples_correct", pl.Int64(), "correct samples of the twin"),
        Column("audit", pl.String(), "JSON of the audit's flags"),
        Column("gold_steps", pl.Int64(), "steps of the gold solution", nullable=True),
        Column("source_distractor_ids", TEXTS, "problems the inserted sentences come from"),
    ),
)
