"""Holds the stages of the graph, once: what each reads, its partition dimensions, and why it is there.

Never imports Dagster, and never knows which of them a suite has (see ``keys``).
"""

from __future__ import annotations

from dataclasses import dataclass

GRID = ("dose", "solver")
PREDICTED = ("predictor", "solver")
FLOOR_COLUMNS = ("solver", "dose", "base_id", "y_base", "n_samples", "n_correct")


@dataclass(frozen=True, slots=True)
class Edge:
    """One stage reading another."""

    upstream: str
    all_doses: bool = False
    """Read every dose of the upstream (same solver), not only one's own."""
    loads: bool = True
    """False: the upstream must come first, but its content does not enter the result."""
    columns: tuple[str, ...] | None = None
    """Only these columns are read."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One asset of every suite."""

    name: str
    group: str
    dimensions: tuple[str, ...]
    edges: tuple[Edge, ...]
    why: str
    """One sentence: what it holds and why it is built so."""
    spans_suites: bool = False
    """One for the whole study: it reads every suite."""

    @property
    def is_rollup(self) -> bool:
        """Whether it is one small table made from others, which SQL tools are given as a table of its own."""
        return bool(self.edges) and not self.dimensions

    def fans_in(self, edge: Edge) -> bool:
        """Whether the edge reads several partitions, of which some may still be missing."""
        return edge.all_doses or bool(set(STAGES[edge.upstream].dimensions) - set(self.dimensions))


_STAGES = (
    Stage(
        "base_problems",
        "problems",
        (),
        (),
        "The benchmark as published, one row a problem, with gold answer and declared complexity C.",
    ),
    Stage(
        "distractors",
        "problems",
        (),
        (),
        "Sentences of other problems that may be spliced in; from a train split, so that no twin quotes a base.",
    ),
    Stage(
        "twins",
        "twins",
        ("dose",),
        (Edge("base_problems"), Edge("distractors")),
        "Rewordings that keep the gold answer, each with the edit that made it; the only partitioned root.",
    ),
    Stage(
        "declines",
        "twins",
        ("dose",),
        (Edge("twins", loads=False),),
        "Bases that an operator refused to reword rather than guess, with the reason; made together with twins.",
    ),
    Stage(
        "noop_audit",
        "audit",
        ("dose",),
        (Edge("base_problems"), Edge("twins")),
        "Every twin checked for a changed meaning; runs before solving, so nobody pays for a twin it drops.",
    ),
    Stage(
        "reaudit",
        "audit",
        ("dose",),
        (Edge("base_problems"), Edge("twins"), Edge("noop_audit", loads=False)),
        "The twins judged anew, one dated audit after the other; none replaces the audit in use until it is adopted.",
    ),
    Stage(
        "multiop_mix",
        "corpus",
        ("dose",),
        (Edge("twins", all_doses=True), Edge("noop_audit", all_doses=True, columns=("twin_id", "keep"))),
        "Which audited twins make the m-twin mix of each base; solver-free, so every solver meets the same twins.",
    ),
    Stage(
        "base_labels",
        "grading",
        GRID,
        # Twins come first only so that `twins` is the one partitioned root, on which the UI anchors a backfill.
        (Edge("base_problems"), Edge("twins", loads=False)),
        "Every base solved anew in every dose run: the pass rate over runs and the identity floor come for free.",
    ),
    Stage(
        "solver_labels",
        "grading",
        GRID,
        (
            Edge("base_problems"),
            Edge("multiop_mix"),
            Edge("twins"),
            Edge("noop_audit", columns=("twin_id", "keep")),
            Edge("base_labels", all_doses=True, columns=("base_id", "n_correct", "n_samples")),
        ),
        "Each twin of the mix solved; a text that occurs in several doses is asked once.",
    ),
    Stage(
        "labeled_pairs",
        "corpus",
        GRID,
        (
            Edge("base_problems"),
            Edge("noop_audit", all_doses=True),
            Edge("multiop_mix"),
            Edge("base_labels"),
            Edge("solver_labels"),
        ),
        "Base and twin side by side with their labels: the interchange rows that other tools read.",
    ),
    Stage(
        "causal_difficulty",
        "estimands",
        ("solver",),
        (Edge("base_problems"), Edge("base_labels"), Edge("labeled_pairs")),
        "π, its interval, dose response and CRD of every job, over whatever doses exist, which each row names.",
    ),
    Stage(
        "orthogonality",
        "estimands",
        ("solver",),
        (Edge("base_problems"), Edge("causal_difficulty")),
        "What π and its residuals still share with each proxy of complexity: whether fragility is just difficulty.",
    ),
    Stage(
        "budget_targets",
        "estimands",
        ("solver",),
        (Edge("causal_difficulty"),),
        "What K new twins would do to each job: the chance that one breaks it, and that half of them do.",
    ),
    Stage(
        "base_probes",
        "grading",
        ("solver",),
        (Edge("base_problems"), Edge("causal_difficulty", columns=("slice", "base_id", "in_stratum"))),
        "Further samples of every solvable base: what re-sampling alone would call a break; only where asked for.",
    ),
    Stage(
        "identity_floor",
        "estimands",
        ("solver",),
        (Edge("base_labels", columns=FLOOR_COLUMNS),),
        "How often merely solving an untouched base again fails: what a break rate must exceed to mean anything.",
    ),
    Stage(
        "reliability",
        "reliability",
        ("solver",),
        (Edge("causal_difficulty"), Edge("labeled_pairs")),
        "How well the ranking of items would repeat with new twins, and the best any predictor could reach, per slice.",
    ),
    Stage(
        "slices",
        "reliability",
        ("solver",),
        (Edge("causal_difficulty"), Edge("base_labels", columns=FLOOR_COLUMNS)),
        "Break rate per family, category and level, each with its own floor; cells of under 30 jobs say so.",
    ),
    Stage(
        "solver_agreement",
        "reliability",
        (),
        (Edge("causal_difficulty"),),
        "How far solvers agree on which items are fragile, raw and freed of measurement noise.",
    ),
    Stage(
        "splits",
        "predictors",
        (),
        (Edge("base_problems", columns=("base_id", "category", "revision")),),
        "Which jobs each seed trains and tests on: by source and seed, so that solvers and generators share them.",
    ),
    Stage(
        "predictions",
        "predictors",
        PREDICTED,
        (
            Edge("base_problems", columns=("base_id", "text", "category", "declared_complexity")),
            Edge("splits"),
            Edge("causal_difficulty", columns=("slice", "base_id", "y_base_mean")),
            Edge("labeled_pairs"),
        ),
        "Held-out predictions of one declared predictor over its seeds; a new predictor is a new partition, no rerun.",
    ),
    Stage(
        "predictor_scores",
        "predictors",
        ("solver",),
        (Edge("predictions"), Edge("splits"), Edge("causal_difficulty"), Edge("reliability")),
        "How well each predictor ranks held-out jobs, beside the ceiling of the same slice, whole and in parts.",
    ),
    Stage(
        "predictor_verdicts",
        "predictors",
        ("solver",),
        (Edge("predictions"), Edge("splits")),
        "Whether Frail-π beats each baseline: one job-clustered test over all seeds, never seeds alone.",
    ),
    Stage(
        "solver_transfer",
        "predictors",
        (),
        (Edge("predictions"), Edge("splits"), Edge("causal_difficulty"), Edge("reliability")),
        "Trained on one solver, scored on another, beside what measured rates alone would score; folds are shared.",
    ),
    Stage(
        "report",
        "report",
        (),
        (
            Edge("base_problems"),
            Edge("twins"),
            Edge("declines"),
            Edge("noop_audit"),
            Edge("multiop_mix", columns=("base_id", "text_hash")),
            Edge("base_labels"),
            Edge("solver_labels"),
            Edge("labeled_pairs"),
            Edge("causal_difficulty"),
            Edge("orthogonality"),
            Edge("budget_targets"),
            Edge("identity_floor"),
            Edge("reliability"),
            Edge("slices"),
            Edge("predictor_scores"),
            Edge("predictor_verdicts"),
            Edge("solver_transfer"),
        ),
        "The page people read, one file a suite, with the figures behind it as a table.",
    ),
    Stage(
        "overview",
        "report",
        (),
        (Edge("report"),),
        "Every suite and solver on one page, from the figures of their reports; what has no report yet is named.",
        spans_suites=True,
    ),
)

STAGES: dict[str, Stage] = {stage.name: stage for stage in _STAGES}
"""Every stage, in an order in which each comes after what it reads."""


IMPORTED = ("base_problems", "base_labels", "labeled_pairs")
"""Tables that ``glass import-pairs`` puts into the warehouse."""
ON_DEMAND = frozenset({"reaudit"})
"""Stages that no run makes unless they are named: a re-audit is dated, so it is never merely missing or stale."""
LABELLING = frozenset({"base_labels", "solver_labels", "base_probes"})
"""Stages that ask the solvers under study."""
ESTIMATED = (
    "causal_difficulty",
    "orthogonality",
    "budget_targets",
    "identity_floor",
    "reliability",
    "slices",
    "solver_agreement",
)
"""Stages that need nothing but labels."""
PREDICTORS = ("splits", "predictions", "predictor_scores", "predictor_verdicts", "solver_transfer")
"""Stages that exist where the study declares a predictor."""
