"""Holds the assets of stage ``predictors``: folds, held-out predictions, their scores, and what the scores show.

What learns is imported where it is run: every command loads the graph, and few of them train.
"""

from collections.abc import Mapping
from typing import Any

import dagster as dg
import polars as pl

from glass_pipeline.defs.code_versions import version_of
from glass_pipeline.defs.figures import prediction_figures, score_figures, transfer_figures, verdict_figures
from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.partitions import predicted_cell
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.defs.wiring import table_result, wired
from glass_pipeline.study import Study, fold_source


def predictors_assets(suite: str, study: Study) -> list[dg.AssetsDefinition]:
    """Return the predictors' assets of one suite; none where the study declares no predictor."""
    seed = study.study.seed

    @dg.asset(**wired(suite, "splits", study))
    def splits(base_problems: pl.DataFrame) -> dg.MaterializeResult[pl.DataFrame]:
        from glass_pipeline.domain.predictors.split_table import splits_table

        table = splits_table(base_problems, source=fold_source(study.suite(suite)))
        return table_result("splits", table, {"can_be_split": not table.is_empty()})

    @dg.asset(**wired(suite, "predictions", study))
    def predictions(
        context: dg.AssetExecutionContext, warehouse: dg.ResourceParam[Warehouse], **upstream: pl.DataFrame
    ) -> dg.MaterializeResult[pl.DataFrame]:
        from glass_pipeline.domain.predictors.deployed import MODEL_FILES, files_of, train_and_keep

        name, solver = predicted_cell(context)
        held, model = train_and_keep(task_of(suite, study, name, solver, upstream), tell=context.log.info)
        folder = warehouse.folder(Cell(suite, "predictions", None, solver, name))
        warehouse.replace_files(folder, MODEL_FILES, files_of(model) if model else {})
        return table_result("predictions", held.table, prediction_figures(held))

    @dg.asset(**wired(suite, "predictor_scores", study))
    def predictor_scores(
        predictions: pl.DataFrame, splits: pl.DataFrame, causal_difficulty: pl.DataFrame, reliability: pl.DataFrame
    ) -> dg.MaterializeResult[pl.DataFrame]:
        from glass_pipeline.domain.predictors.evaluation.score_table import predictor_scores as score_all
        from glass_pipeline.domain.predictors.split_table import splits_of

        scores = score_all(predictions, splits_of(splits), causal_difficulty, reliability, seed=seed)
        return table_result("predictor_scores", scores, score_figures(scores))

    @dg.asset(**wired(suite, "predictor_verdicts", study))
    def predictor_verdicts(predictions: pl.DataFrame, splits: pl.DataFrame) -> dg.MaterializeResult[pl.DataFrame]:
        from glass_pipeline.domain.comparison.predictor_verdicts import predictor_verdicts as judge_all
        from glass_pipeline.domain.predictors.split_table import splits_of

        verdicts = judge_all(predictions, splits_of(splits), seed=seed)
        return table_result("predictor_verdicts", verdicts, verdict_figures(verdicts))

    @dg.asset(**wired(suite, "solver_transfer", study))
    def solver_transfer(
        predictions: pl.DataFrame, splits: pl.DataFrame, causal_difficulty: pl.DataFrame, reliability: pl.DataFrame
    ) -> dg.MaterializeResult[pl.DataFrame]:
        from glass_pipeline.domain.predictors.evaluation.transfer import solver_transfer_table
        from glass_pipeline.domain.predictors.split_table import splits_of

        table = solver_transfer_table(predictions, splits_of(splits), causal_difficulty, reliability, seed=seed)
        return table_result("solver_transfer", table, transfer_figures(table))

    made = [splits, predictions, predictor_scores, predictor_verdicts, solver_transfer]
    return made if study.predictors else []


def task_of(suite: str, study: Study, name: str, solver: str, upstream: Mapping[str, pl.DataFrame]) -> Any:
    """Return the ``PredictorTask`` that one predictor is to be trained on."""
    from glass_pipeline.domain.predictors.declared import Declared
    from glass_pipeline.domain.predictors.deployed import PredictorTask
    from glass_pipeline.domain.predictors.jobs import solver_jobs
    from glass_pipeline.domain.predictors.split_table import splits_of

    asked = study.predictor(name)
    return PredictorTask(
        declared=Declared(**asked.model_dump(exclude={"slice", "seeds"})),
        jobs=solver_jobs(
            upstream["base_problems"], upstream["causal_difficulty"], upstream["labeled_pairs"], asked.slice
        ),
        splits=splits_of(upstream["splits"], asked.seeds),
        suite=suite,
        solver=solver,
        slice_name=asked.slice,
        is_simulated=solver in study.simulated_solvers,
        code_version=version_of("predictions"),
    )
