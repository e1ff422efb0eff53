"""Holds the assets of stage ``grading``: bases and twins solved and marked; the only assets that may cost money."""

import dagster as dg
import polars as pl

from glass_pipeline.defs.figures import probe_figures
from glass_pipeline.defs.partitions import grid_cell
from glass_pipeline.defs.resources import SolverResource
from glass_pipeline.defs.wiring import table_result, wired
from glass_pipeline.domain.grading.tables import (
    base_labels_frame,
    base_probes_frame,
    base_questions,
    outside_stratum,
    probe_questions,
    to_solve,
    twin_labels_frame,
    twin_questions,
)
from glass_pipeline.llm.solve import SolveResult
from glass_pipeline.study import Study


def grading_assets(suite: str, study: Study) -> list[dg.AssetsDefinition]:
    """Return ``base_labels``, ``solver_labels`` and, where the study asks for probes, ``base_probes`` of one suite."""
    samples = study.study.samples

    @dg.asset(**wired(suite, "base_labels", study))
    def base_labels(
        context: dg.AssetExecutionContext, base_problems: pl.DataFrame, solvers: dg.ResourceParam[SolverResource]
    ) -> dg.MaterializeResult[pl.DataFrame]:
        dose, solver = grid_cell(context)
        result = solvers.answer(solver, base_questions(base_problems, dose, samples))
        labels = base_labels_frame(
            base_problems, result.replies, dose=dose, solver=solver, second_opinion=solvers.second_opinion
        )
        return table_result("base_labels", labels, solving_metadata(result, base_problems.height - labels.height))

    @dg.asset(**wired(suite, "solver_labels", study))
    def solver_labels(
        context: dg.AssetExecutionContext, solvers: dg.ResourceParam[SolverResource], **upstream: pl.DataFrame
    ) -> dg.MaterializeResult[pl.DataFrame]:
        dose, solver = grid_cell(context)
        problems, twins = upstream["base_problems"], to_solve(**upstream)
        questions = twin_questions(problems, twins, samples, may_stop=study.study.curtails)
        result = solvers.answer(solver, questions)
        labels = twin_labels_frame(
            problems, twins, result.replies, dose=dose, solver=solver, second_opinion=solvers.second_opinion
        )
        metadata = solving_metadata(result, twins.height - labels.height)
        metadata["spared_by_stratum"] = dg.MetadataValue.int(samples * outside_stratum(**upstream))
        return table_result("solver_labels", labels, metadata)

    @dg.asset(**wired(suite, "base_probes", study))
    def base_probes(
        context: dg.AssetExecutionContext,
        base_problems: pl.DataFrame,
        causal_difficulty: pl.DataFrame,
        solvers: dg.ResourceParam[SolverResource],
    ) -> dg.MaterializeResult[pl.DataFrame]:
        questions = probe_questions(base_problems, causal_difficulty, study.study.probe_samples)
        result = solvers.answer(context.partition_key, questions)
        probes = base_probes_frame(
            base_problems, result.replies, solver=context.partition_key, second_opinion=solvers.second_opinion
        )
        asked = solving_metadata(result, len(questions) - probes.height)
        return table_result("base_probes", probes, {**asked, **probe_figures(probes)})

    return [base_labels, solver_labels, *([base_probes] if study.study.probe_samples else [])]


def solving_metadata(result: SolveResult, missing_items: int) -> dict[str, dg.MetadataValue]:
    """Return what a labelling asked for, missed and cost, as the UI shows it."""
    return {
        "requests": dg.MetadataValue.int(result.requests),
        "samples_from_store": dg.MetadataValue.int(result.cached),
        "spared_by_curtailment": dg.MetadataValue.int(result.curtailed),
        "spared_by_distinct_text": dg.MetadataValue.int(result.repeated),
        "missing_items": dg.MetadataValue.int(missing_items),
        "failures": dg.MetadataValue.json(dict(result.failures)),
        "cost_usd": dg.MetadataValue.null() if result.cost_usd is None else dg.MetadataValue.float(result.cost_usd),
    }
