"""Holds the ways from the bytes of a file to ``Results``: plain tables, harness logs, tables of break rates.

Never opens a file, and never guesses between two columns that could be meant.
"""

from __future__ import annotations

from glass_pipeline.domain.comparison.break_rates import BreakRates
from glass_pipeline.domain.comparison.reading.break_rate_table import break_rates_of, is_break_rate_table
from glass_pipeline.domain.comparison.reading.inspect_log import inspect_rows, is_inspect_json
from glass_pipeline.domain.comparison.reading.lm_eval_log import is_lm_eval, lm_eval_rows
from glass_pipeline.domain.comparison.reading.rows import Columns, results_of
from glass_pipeline.domain.comparison.reading.tables import csv_rows, jsonl_rows, parquet_frame
from glass_pipeline.domain.comparison.results import Results

ZIP_MAGIC, PARQUET_MAGIC = b"PK\x03\x04", b"PAR1"

__all__ = ["Columns", "read_results"]


def read_results(name: str, data: bytes, columns: Columns | None = None, part: str = "pooled") -> Results | BreakRates:
    """Read per-item results, whatever the format.

    The format is seen from the bytes: a zip is an inspect ``.eval`` log, a JSON object with samples an inspect JSON
    log, parquet says so itself, and JSON lines with ``doc_id`` are ``--log_samples`` of lm-evaluation-harness. A
    name that ends in ``.csv`` is CSV, all else JSON lines.

    Args:
        name: File name.
        data: Its bytes.
        columns: Where to find id, value, seed and so on.
        part: Slice to take from a table of break rates: pooled, or a dose such as m9.

    Raises:
        ComparisonError: the bytes are not what they seem to be, or a column or value is missing.
    """
    wanted = columns or Columns()
    if data.startswith(ZIP_MAGIC) or is_inspect_json(data):
        return results_of(name, *inspect_rows(name, data, wanted))
    if data.startswith(PARQUET_MAGIC):
        frame = parquet_frame(name, data)
        if is_break_rate_table(frame):
            return break_rates_of(name, frame, part)
        return results_of(name, frame.to_dicts(), wanted)
    if name.lower().endswith(".csv"):
        return results_of(name, csv_rows(name, data), wanted)
    rows = jsonl_rows(name, data)
    if is_lm_eval(rows):
        return results_of(name, *lm_eval_rows(name, rows, wanted))
    return results_of(name, rows, wanted)
