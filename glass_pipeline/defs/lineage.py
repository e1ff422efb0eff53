"""Holds which columns come unchanged from which column of another table.

Never names a column that is computed: a figure has no single origin, and a guess would be worse than none.
"""

from __future__ import annotations

from collections.abc import Mapping

import dagster as dg

from glass_pipeline.defs.keys import Cell, stages_of
from glass_pipeline.defs.stages import IMPORTED, STAGES
from glass_pipeline.study import Study


def _same(upstream: str, *columns: str) -> dict[str, tuple[str, str]]:
    return {column: (upstream, column) for column in columns}


LINEAGE: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "twins": _same("base_problems", "base_id"),
    "declines": _same("base_problems", "base_id"),
    "noop_audit": _same("twins", "base_id", "twin_id", "dose", "family"),
    "reaudit": _same("twins", "base_id", "twin_id", "dose", "family"),
    "multiop_mix": {
        **_same("twins", "base_id", "twin_id", "family", "inject_size", "operator"),
        **_same("twins", "text", "text_hash", "generator", "edit"),
        "source_dose": ("twins", "dose"),
    },
    "base_labels": _same("base_problems", "base_id"),
    "solver_labels": _same("multiop_mix", "base_id", "twin_id", "text_hash", "family", "inject_size"),
    "base_probes": _same("base_problems", "base_id"),
    "labeled_pairs": {
        **_same("base_problems", "category", "complexity_score", "declared_complexity", "gold_steps"),
        **_same("multiop_mix", "base_id", "twin_id", "text_hash", "family", "inject_size", "operator", "generator"),
        **_same("base_labels", "solver", "run_id"),
        "base_text": ("base_problems", "text"),
        "twin_text": ("multiop_mix", "text"),
        "y_base_run": ("base_labels", "y_base"),
        "n_base": ("base_labels", "n_samples"),
        "n_base_correct": ("base_labels", "n_correct"),
        "y_twin": ("solver_labels", "y_twin"),
        "twin_samples_correct": ("solver_labels", "n_correct"),
    },
    "causal_difficulty": {
        **_same("base_problems", "base_id", "category", "declared_complexity"),
        **_same("base_labels", "solver"),
    },
    "orthogonality": _same("causal_difficulty", "solver", "slice"),
    "budget_targets": _same("causal_difficulty", "solver", "base_id"),
    "identity_floor": _same("base_labels", "solver"),
    "reliability": _same("causal_difficulty", "solver"),
    "slices": _same("causal_difficulty", "solver"),
    "solver_agreement": {**_same("causal_difficulty", "solver"), "other": ("causal_difficulty", "solver")},
    "splits": _same("base_problems", "base_id"),
    "predictions": _same("causal_difficulty", "solver", "base_id", "pi", "pi_std", "k", "n"),
    "predictor_scores": _same("predictions", "solver", "predictor", "kind", "reads", "slice"),
    "predictor_verdicts": {
        **_same("predictions", "solver", "slice"),
        "candidate": ("predictions", "predictor"),
        "baseline": ("predictions", "predictor"),
    },
    "solver_transfer": {
        **_same("predictions", "predictor", "kind", "slice", "solver"),
        "other": ("predictions", "solver"),
    },
    "report": _same("base_labels", "solver"),
    "overview": _same("report", "solver", "figure", "value", "low", "high", "n", "note"),
}
"""By stage and column: the upstream stage and its column. A stage that is absent computes or reads all it holds."""


def lineage_of(cell: Cell, study: Study, suites: tuple[str, ...]) -> dg.TableColumnLineage:
    """Return the column lineage of a table as Dagster shows it.

    Args:
        cell: The table.
        study: What glass.toml declares.
        suites: Suites that a table which spans them may come from.
    """
    deps: dict[str, list[dg.TableColumnDep]] = {}
    for column, (upstream, origin) in LINEAGE.get(cell.stage, {}).items():
        sources = suites if STAGES[cell.stage].spans_suites else (cell.suite,)
        deps[column] = [
            dg.TableColumnDep(asset_key=dg.AssetKey([suite, upstream]), column_name=origin)
            for suite in sources
            if upstream in (*stages_of(study, suite), *IMPORTED)
        ]
    return dg.TableColumnLineage({column: each for column, each in deps.items() if each})
