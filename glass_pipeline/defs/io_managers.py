"""Holds how tables enter and leave Dagster: parquet files with their provenance.

Never computes or reshapes data; paths and atomic writes belong to ``warehouse``.
"""

from __future__ import annotations

from collections.abc import Sequence

import dagster as dg
import polars as pl

from glass_pipeline.defs.code_versions import settings_of, version_of
from glass_pipeline.defs.keys import Cell, edges_of, upstream_cells
from glass_pipeline.defs.lineage import lineage_of
from glass_pipeline.defs.partitions import cell_of_key
from glass_pipeline.defs.warehouse import Provenance, Warehouse
from glass_pipeline.domain.fingerprint import frame_hash
from glass_pipeline.domain.schemas import TABLES
from glass_pipeline.domain.table import Column, TableError
from glass_pipeline.study import Study, known_suites


class ParquetIOManager(dg.IOManager):
    """One parquet file a partition; many partitions arrive as one frame.

    What a step read is remembered and written into the footer of what it makes, so that a plan can tell later
    whether anything it was made from has changed.
    """

    def __init__(self, warehouse: Warehouse, study: Study) -> None:
        self.warehouse = warehouse
        self.study = study
        self._versions_read: dict[Cell, str] = {}

    def handle_output(self, context: dg.OutputContext, obj: pl.DataFrame) -> None:
        """Check the frame against its schema and replace the partition's file.

        Raises:
            dg.Failure: the frame is not the table it claims to be; trying again would not help.
        """
        cell = cell_of_key(context.asset_key, context.partition_key if context.has_partition_key else None)
        table = TABLES[cell.stage]
        try:
            frame = table.check(obj)
        except TableError as error:
            raise dg.Failure(str(error), allow_retries=False) from error
        provenance = Provenance(
            data_version=frame_hash(frame, table.key),
            code_version=version_of(cell.stage),
            settings=settings_of(cell, self.study),
            inputs=self._inputs_of(cell),
            missing_items=_number(context.output_metadata.get("missing_items")),
        )
        path = self.warehouse.write(cell, frame, provenance)
        rows = "dagster/row_count" if cell.partition_key is None else "dagster/partition_row_count"
        suites = known_suites(self.study, self.warehouse.suites_present())
        context.add_output_metadata(
            {
                "dagster/uri": str(path),
                "data_version": provenance.data_version,
                rows: frame.height,
                "dagster/column_lineage": lineage_of(cell, self.study, suites),
            }
        )

    def load_input(self, context: dg.InputContext) -> pl.DataFrame:
        """Return the upstream partitions as one frame; a fan-in takes those that exist.

        What spans suites reads an empty table where a suite has none yet.

        Raises:
            WarehouseError: a partition that must exist does not; names the command that makes it.
        """
        keys = list(context.asset_partition_keys) if context.has_asset_partitions else [None]
        cells = sorted(cell_of_key(context.asset_key, key) for key in keys)
        metadata = context.definition_metadata or {}
        if metadata.get("allow_missing_partitions"):
            existing = [cell for cell in cells if self.warehouse.has(cell)]
            cells = existing or cells[:1]
        if metadata.get("may_be_absent") and not self.warehouse.has(cells[0]):
            return TABLES[cells[0].stage].frame([])
        for cell in cells:
            provenance = self.warehouse.provenance(cell)
            if provenance is not None:
                self._versions_read[cell] = provenance.data_version
        return self.warehouse.read(cells, metadata.get("columns"))

    def _inputs_of(self, cell: Cell) -> dict[str, str]:
        """Versions of the upstream cells of ``cell`` that this process has read."""
        candidates = {
            upstream
            for edge in edges_of(cell.stage, self.study, cell.suite)
            if edge.loads
            for upstream in upstream_cells(cell, edge, self.study, self.warehouse.suites_present())
        }
        return {
            str(each): self._versions_read[each] for each in sorted(candidates & self._versions_read.keys(), key=str)
        }


def _number(value: object) -> int:
    plain = value.value if isinstance(value, dg.MetadataValue) else value
    return int(plain) if isinstance(plain, int) else 0


def columns_of(stage: str) -> dg.TableSchema:
    """Return a table's schema as Dagster shows it."""
    return shown_columns(TABLES[stage].columns)


def shown_columns(columns: Sequence[Column]) -> dg.TableSchema:
    """Return declared columns as Dagster shows them."""
    return dg.TableSchema(
        columns=[
            dg.TableColumn(
                name=column.name,
                type=str(column.dtype),
                description=column.meaning,
                constraints=dg.TableColumnConstraints(nullable=column.nullable),
            )
            for column in columns
        ]
    )
