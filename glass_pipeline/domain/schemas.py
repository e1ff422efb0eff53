"""Holds the declared schema of every table of the warehouse.

Never reads or writes a table, and never computes a column; what a table is, ``table`` says.
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from glass_pipeline.domain.table import Column, Table

TEXTS = pl.List(pl.String())
DOSE = Column("dose", pl.Int64(), "m of the corpus file")
SOLVER = Column("solver", pl.String(), "slug of the solver")
BASE_ID = Column("base_id", pl.String(), "the job: id of the base problem")
TWIN_ID = Column("twin_id", pl.String(), "id of the twin")
FAMILY = Column("family", pl.String(), "operator family")
INJECT_SIZE = Column("inject_size", pl.Int64(), "sentences spliced in; null for surface twins", nullable=True)
OPERATOR = Column("operator", pl.String(), "family, with _m<inject_size> for injections")
TEXT_HASH = Column("text_hash", pl.String(), "sha256 of the NFC, white-space-collapsed text")
SAMPLE_COLUMNS = (
    Column("modal_answer", pl.String(), "modal canonical answer of the samples", nullable=True),
    Column("how", pl.String(), "comparison that decided Y", nullable=True),
    Column("n_samples", pl.Int64(), "samples with an answer or a terminal status"),
    Column("n_correct", pl.Int64(), "samples whose answer is right"),
    Column("answers", TEXTS, "canonical answer of each sample, null where there is none"),
    Column("correct", pl.List(pl.Boolean()), "whether each sample's own answer is right", nullable=True),
    Column("rules", TEXTS, "extraction rule that found each answer"),
    Column("statuses", TEXTS, "status of each sample"),
    Column("outputs", TEXTS, "the solver's own words"),
    Column("prompt_tokens", pl.Int64(), "sum over samples; null if not reported", nullable=True),
    Column("completion_tokens", pl.Int64(), "sum over samples; null if not reported", nullable=True),
    Column("cost_usd", pl.Float64(), "sum over samples; null if a price is unknown", nullable=True),
)

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

BASE_LABELS = Table(
    "base_labels",
    ("base_id",),
    (
        DOSE,
        SOLVER,
        BASE_ID,
        Column("run_id", pl.String(), "name of the dose run: draw of the samples"),
        Column("y_base", pl.Int64(), "1 if the modal answer is right"),
        *SAMPLE_COLUMNS,
    ),
)

SOLVER_LABELS = Table(
    "solver_labels",
    ("base_id", "twin_id"),
    (
        DOSE,
        SOLVER,
        BASE_ID,
        TWIN_ID,
        TEXT_HASH,
        FAMILY,
        INJECT_SIZE,
        Column("y_twin", pl.Int64(), "1 if the modal answer is right"),
        *SAMPLE_COLUMNS,
    ),
)

BASE_PROBES = Table(
    "base_probes",
    ("base_id",),
    (SOLVER, BASE_ID, Column("y_base", pl.Int64(), "1 if the modal answer is right"), *SAMPLE_COLUMNS),
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

FAMILY_COUNTS = tuple(
    Column(f"{letter}_{family}", pl.Int64(), f"{meaning} among {family} twins")
    for family in ("sentence_reorder", "entity_rename", "math_irrelevant_context")
    for letter, meaning in (("n", "eligible observations"), ("k", "breaks"))
)

CAUSAL_DIFFICULTY = Table(
    "causal_difficulty",
    ("slice", "base_id"),
    (
        SOLVER,
        Column("slice", pl.String(), "pooled, or one dose (m1 … m9)"),
        BASE_ID,
        Column("category", pl.String(), "subject or topic of the base"),
        Column("declared_complexity", pl.Float64(), "C"),
        Column("y_base_mean", pl.Float64(), "Ȳ: share of correct base samples over every run held"),
        Column("n_base", pl.Int64(), "base samples over every run held"),
        Column("in_stratum", pl.Boolean(), "Ȳ >= 0.5"),
        Column("n", pl.Int64(), "eligible observations"),
        Column("k", pl.Int64(), "breaks"),
        Column("pi", pl.Float64(), "k/n; null outside the stratum or where n = 0", nullable=True),
        Column("pi_low", pl.Float64(), "lower end of the EB beta-binomial 90 % interval", nullable=True),
        Column("pi_high", pl.Float64(), "upper end of the EB beta-binomial 90 % interval", nullable=True),
        Column("jeffreys_low", pl.Float64(), "lower end of Jeffreys' 90 % interval", nullable=True),
        Column("jeffreys_high", pl.Float64(), "upper end of Jeffreys' 90 % interval", nullable=True),
        Column("pi_std", pl.Float64(), "family-standardised pi: as if every job had the same families", nullable=True),
        Column("d_avg", pl.Float64(), "mean delta over all twins, stratum or not", nullable=True),
        Column("d_wc", pl.Float64(), "largest delta over all twins", nullable=True),
        Column("a", pl.Float64(), "a_J in logits: fragility at m = 5, by file dose", nullable=True),
        Column("b", pl.Float64(), "b_J in logits per dose unit, by file dose", nullable=True),
        Column("a_inject", pl.Float64(), "a_J fitted on injection size", nullable=True),
        Column("b_inject", pl.Float64(), "b_J fitted on injection size", nullable=True),
        Column("crd", pl.Float64(), "pi minus its 5-fold regression on C (descriptive)", nullable=True),
        Column("always_solved", pl.Int64(), "pairs: base and twin solved"),
        Column("breaks", pl.Int64(), "pairs: base solved, twin failed"),
        Column("repaired", pl.Int64(), "pairs: base failed, twin solved"),
        Column("never_solved", pl.Int64(), "pairs: neither solved"),
        *FAMILY_COUNTS,
        Column("doses", pl.List(pl.Int64()), "doses this row holds"),
    ),
)

SOLVER_AGREEMENT = Table(
    "solver_agreement",
    ("solver", "other"),
    (
        SOLVER,
        Column("other", pl.String(), "the second solver"),
        Column("n_jobs", pl.Int64(), "jobs that both can solve and that have twins of both"),
        Column("spearman", pl.Float64(), "rank agreement of the two pi", nullable=True),
        Column("spearman_se", pl.Float64(), "its standard error, jackknife over jobs", nullable=True),
        Column("kendall", pl.Float64(), "Kendall's tau of the two pi", nullable=True),
        Column("kappa", pl.Float64(), "Cohen's kappa of fragile (pi > 0.05) against not", nullable=True),
        Column("r", pl.Float64(), "reliability of the first solver on these jobs", nullable=True),
        Column("r_other", pl.Float64(), "reliability of the second", nullable=True),
        Column("disattenuated", pl.Float64(), "spearman / sqrt(r r_other); may exceed 1", nullable=True),
        Column("note", pl.String(), "'n too small' under 30 jobs, else empty"),
    ),
)

IDENTITY_FLOOR = Table(
    "identity_floor",
    ("solver",),
    (
        SOLVER,
        Column("reference_dose", pl.Int64(), "dose run whose solved bases are re-solved by the others"),
        Column("n_items", pl.Int64(), "bases of the stratum that the reference run solved"),
        Column("n_resolves", pl.Int64(), "further solves of these bases"),
        Column("breaks", pl.Int64(), "of these, how many failed"),
        Column("floor", pl.Float64(), "breaks / re-solves; null without a re-solve", nullable=True),
        Column("low", pl.Float64(), "lower end of its 95 % job-cluster interval", nullable=True),
        Column("high", pl.Float64(), "upper end of its 95 % job-cluster interval", nullable=True),
        Column("note", pl.String(), "why there is no floor, else empty"),
    ),
)

CELL = (
    SOLVER,
    Column("slice", pl.String(), "pooled, or one dose (m1 … m9)"),
    Column("kind", pl.String(), "all, family, category, complexity or category_complexity"),
    Column("name", pl.String(), "which family, category or level"),
    Column("unit", pl.String(), "unique: distinct twin texts; pairs: rows, repeats included"),
    Column("n_jobs", pl.Int64(), "jobs with an observation"),
    Column("n_observations", pl.Int64(), "eligible observations"),
)
NOTE = Column("note", pl.String(), "'n too small' under 30 jobs, 'inflated by repeats' for pairs, else empty")


def _number(name: str, meaning: str) -> Column:
    return Column(name, pl.Float64(), meaning, nullable=True)


RELIABILITY = Table(
    "reliability",
    ("slice", "kind", "name", "unit"),
    (
        *CELL,
        Column("default_prior", pl.String(), "prior of r, sqrt_r and oracle"),
        _number("r", "new-twins reliability by the default prior"),
        _number("r_low", "lower end of its 95 % job-bootstrap interval"),
        _number("r_high", "upper end of its 95 % job-bootstrap interval"),
        _number("r_sd", "its standard deviation over replicates"),
        _number("sqrt_r", "published ceiling"),
        _number("oracle", "Spearman that a predictor knowing the truth would reach"),
        _number("r_npmle", "r with the non-parametric prior"),
        _number("oracle_npmle", "oracle with the non-parametric prior"),
        _number("r_beta", "r with the beta prior"),
        _number("oracle_beta", "oracle with the beta prior"),
        _number("split_half", "Spearman-Brown; too high where many rates tie"),
        NOTE,
    ),
)
"""One row a cell of one solver."""

SLICES = Table(
    "slices",
    ("slice", "kind", "name", "unit"),
    (
        *CELL,
        Column("n_breaks", pl.Int64(), "breaks"),
        _number("mean_pi", "mean break rate over jobs"),
        _number("pi_low", "lower end of its 95 % job-bootstrap interval"),
        _number("pi_high", "upper end of its 95 % job-bootstrap interval"),
        _number("floor", "identity floor of these jobs"),
        _number("above_floor", "breaks / observations less the floor"),
        _number("above_floor_low", "lower end of its 95 % job-cluster interval"),
        _number("above_floor_high", "upper end of its 95 % job-cluster interval"),
        NOTE,
    ),
)
"""One row a cell of one solver."""

REPORT = Table(
    "report",
    ("solver", "figure"),
    (
        SOLVER,
        Column("figure", pl.String(), "name of the figure on the first screen"),
        Column("value", pl.Float64(), "its value; null where it cannot be had", nullable=True),
        Column("low", pl.Float64(), "lower end of its 95 % interval", nullable=True),
        Column("high", pl.Float64(), "upper end of its 95 % interval", nullable=True),
        Column("n", pl.Int64(), "items or pairs behind it", nullable=True),
        Column("note", pl.String(), "unit, or why there is no value"),
    ),
)

TABLES: Mapping[str, Table] = {
    table.name: table
    for table in (
        BASE_PROBLEMS,
        DISTRACTORS,
        TWINS,
        DECLINES,
        NOOP_AUDIT,
        MULTIOP_MIX,
        BASE_LABELS,
        SOLVER_LABELS,
        BASE_PROBES,
        LABELED_PAIRS,
        CAUSAL_DIFFICULTY,
        IDENTITY_FLOOR,
        RELIABILITY,
        SLICES,
        SOLVER_AGREEMENT,
        REPORT,
    )
}
