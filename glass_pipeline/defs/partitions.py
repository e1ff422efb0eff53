"""Holds the translation of the graph's shape into Dagster partitions and mappings.

Never decides what depends on what: that is ``keys``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import dagster as dg

from glass_pipeline.defs.keys import Cell, cell_at
from glass_pipeline.defs.stages import GRID, PREDICTED, STAGES, Edge, Stage
from glass_pipeline.study import Study, dose_key


class GridCell(NamedTuple):
    """One partition of the dose-solver grid."""

    dose: int
    solver: str


class PredictedCell(NamedTuple):
    """One predictor of one solver's break rates."""

    predictor: str
    solver: str


def dose_partitions(doses: Sequence[int]) -> dg.StaticPartitionsDefinition:
    """One partition a dose, e.g. ``m1``."""
    return dg.StaticPartitionsDefinition([dose_key(dose) for dose in doses])


def solver_partitions(solvers: Sequence[str]) -> dg.StaticPartitionsDefinition:
    """One partition a solver."""
    return dg.StaticPartitionsDefinition(list(solvers))


def partitions_of(stage: Stage, study: Study, suite: str) -> dg.PartitionsDefinition | None:
    """Return the partitions of a suite's stage: none, dose, solver or the grid of both."""
    by_dimension = {
        "dose": dose_partitions(study.doses_of(suite)),
        "solver": solver_partitions(study.solvers_of(suite)),
        "predictor": dg.StaticPartitionsDefinition(list(study.predictor_names)),
    }
    if len(stage.dimensions) == 2:
        return dg.MultiPartitionsDefinition({name: by_dimension[name] for name in stage.dimensions})
    return by_dimension[stage.dimensions[0]] if stage.dimensions else None


def mapping_of(stage: Stage, edge: Edge) -> dg.PartitionMapping | None:
    """Return the partition mapping of an edge; None where Dagster's own inference is the right one.

    A mix reads all doses of the twins, which Dagster would not guess: undeclared, only its own dose arrives.
    """
    upstream = STAGES[edge.upstream].dimensions
    if edge.all_doses and len(upstream) == 2:
        return dg.MultiPartitionMapping(
            {
                "solver": dg.DimensionPartitionMapping("solver", dg.IdentityPartitionMapping()),
                "dose": dg.DimensionPartitionMapping("dose", dg.AllPartitionMapping()),
            }
        )
    if edge.all_doses:
        return dg.AllPartitionMapping()
    if {upstream, stage.dimensions} == {GRID, PREDICTED}:
        return dg.MultiPartitionMapping(
            {"solver": dg.DimensionPartitionMapping("solver", dg.IdentityPartitionMapping())}
        )
    if {len(upstream), len(stage.dimensions)} == {1, 2}:
        shared = upstream[0] if len(upstream) == 1 else stage.dimensions[0]
        return dg.MultiToSingleDimensionPartitionMapping(shared)
    return None


def cell_of_key(asset_key: dg.AssetKey, partition_key: str | None) -> Cell:
    """Return the cell that a Dagster asset key and partition key name."""
    *suites, stage = asset_key.path
    dimensions = STAGES[stage].dimensions
    values = partition_key.split("|") if partition_key is not None else []
    return cell_at("".join(suites), stage, dict(zip(dimensions, values, strict=True)))


def grid_cell(context: dg.AssetExecutionContext) -> GridCell:
    """Return the dose m and the solver that a grid asset is run for."""
    dose, solver = context.partition_key.split("|")
    return GridCell(int(dose.removeprefix("m")), solver)


def predicted_cell(context: dg.AssetExecutionContext) -> PredictedCell:
    """Return the predictor and the solver that an asset is run for."""
    return PredictedCell(*context.partition_key.split("|"))
