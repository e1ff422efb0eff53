"""Holds how the columns of a released table of pairs are understood: by name, never by position.

Never opens a file, and never fills in what a row does not say (see ``completion``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from glass_pipeline.domain.corpus.deltas import chosen_solver
from glass_pipeline.domain.corpus.fields import FIELDS, STATED, Field, InterchangeError, Stated
from glass_pipeline.domain.corpus.labeled_pairs import complexity_band

ALIASES: Mapping[str, tuple[str, ...]] = {
    "base_id": ("job_id", "problem_id"),
    "twin_id": ("pair_id",),
    "operator": ("operator_tag",),
    "family": ("operator_family",),
    "base_text": ("base_question", "original_question", "base"),
    "twin_text": ("twin_question", "perturbed_question", "twin"),
    "file_dose": ("dose", "m"),
    "y_base_run": ("y_base",),
    "gold": ("gold_answer", "answer"),
    "delta": ("delta_mean",),
    "solver": ("model", "scoring_model", "solver_name"),
}
"""Other names under which a column is taken, in this order."""

SOLVER_COLUMN = re.compile(r"^delta[_./:-](?!mean$|per_model)(?P<solver>.+)$")
DERIVABLE = frozenset({"operator", "complexity", "delta_mean", "d_obs", "d_wc", "y_base_mean"})
"""Required fields that follow from other columns."""


def state_columns(table: pl.DataFrame, *, name: str, solver: str | None = None, dose: int | None = None) -> Stated:
    """Return what a table states of one solver.

    The solvers' deltas stand in ``delta_per_model`` (a struct, a map, or JSON text), in columns
    ``delta_<solver>``, or in ``delta`` beside a column that names the solver; ``y_base_run - y_twin`` will do
    where no delta is stated. ``<field>_<solver>`` is preferred to ``<field>``. Rows without a delta of the
    solver are not its pairs. Of what the format requires, the operator may follow from family and size, the
    complexity from its score, y_base_mean from the counts or the verdict of the run, d_obs and d_wc from delta.

    Args:
        table: A release as read from parquet.
        name: Name of the file, without its folder.
        solver: Solver to read; None takes the only one.
        dose: Dose that the file's name states, for tables that have no column of it.

    Raises:
        InterchangeError: a column that is needed is missing, which lists the columns found; the solver is not
            there; or a value is not of its column's type.
    """
    rows = table.with_row_index("line", offset=1).with_columns(pl.col("line").cast(pl.Int64()))
    deltas = _deltas_by_solver(rows, name, solver)
    chosen = chosen_solver(deltas, solver, name)
    rows = rows.with_columns(delta=deltas[chosen]).filter(pl.col("delta").is_not_null())
    stated = Stated(name, "row", rows)
    columns = {field.name: _read(stated, field, chosen) for field in FIELDS}
    _require(columns, table.columns, name)
    read = pl.DataFrame(
        {
            "line": rows["line"],
            "solver": pl.Series([chosen], dtype=pl.String()).new_from_index(0, rows.height),
            "delta": rows["delta"],
            **{
                field.name: pl.Series([], dtype=field.dtype).extend_constant(None, rows.height)
                if columns[field.name] is None
                else columns[field.name]
                for field in FIELDS
            },
        }
    )
    dosed = read.with_columns(pl.coalesce("file_dose", pl.lit(dose, dtype=pl.Int64())))
    return Stated(name, "row", _derived(dosed).select(list(STATED)))


def _deltas_by_solver(rows: pl.DataFrame, name: str, solver: str | None) -> dict[str, pl.Series]:
    """Return one column of deltas a solver, null where it has none."""
    if "delta_per_model" in rows.columns:
        found = _unpacked(rows["delta_per_model"], name)
    else:
        found = {match["solver"]: rows[match[0]] for match in map(SOLVER_COLUMN.match, rows.columns) if match}
    if not found:
        found = _single_deltas(rows, name, solver)
    place = Stated(name, "row", rows)
    numbers = {each: _numbers(place, column, f"delta of {each!r}", pl.Float64()) for each, column in found.items()}
    return {each: column for each, column in numbers.items() if column.null_count() < max(column.len(), 1)}


def _single_deltas(rows: pl.DataFrame, name: str, solver: str | None) -> dict[str, pl.Series]:
    delta, who = _named(rows, "delta"), _named(rows, "solver")
    if delta is None and {"y_base_run", "y_twin"} <= set(rows.columns):
        delta = rows["y_base_run"].cast(pl.Float64()) - rows["y_twin"].cast(pl.Float64())
    if delta is None:
        raise _missing(("delta_per_model",), rows.columns, name)
    if who is None:
        if solver is None:
            raise InterchangeError(
                f"{name}: no column names the solver of delta; say whose labels they are (--solver)."
            )
        return {solver: delta}
    whose = rows.select(who=who.cast(pl.String()), delta=delta)
    return {
        each: whose.select(pl.when(pl.col("who") == each).then(pl.col("delta")).alias("delta"))["delta"]
        for each in whose["who"].drop_nulls().unique()
    }


def _unpacked(packed: pl.Series, name: str) -> dict[str, pl.Series]:
    if isinstance(packed.dtype, pl.Struct):
        return {field.name: packed.struct.field(field.name) for field in packed.dtype.fields}
    records = [_record(value, f"{name}, row {number}") for number, value in enumerate(packed.to_list(), start=1)]
    solvers = sorted({solver for record in records for solver in record})
    return {each: _plain_series([record.get(each) for record in records], each, name) for each in solvers}


def _plain_series(values: list[Any], solver: str, name: str) -> pl.Series:
    for number, value in enumerate(values, start=1):
        if value is not None and type(value) not in {int, float}:
            raise InterchangeError(f"{name}, row {number}: delta of {solver!r} is {value!r}, not a number; correct it.")
    return pl.Series([None if value is None else float(value) for value in values], dtype=pl.Float64())


def _record(value: Any, place: str) -> dict[str, Any]:
    """Return one row's map of solvers: JSON text, or the key-value list that parquet keeps a map as."""
    if value is None:
        return {}
    try:
        if isinstance(value, str):
            value = json.loads(value)
        elif isinstance(value, Iterable):
            value = {entry["key"]: entry["value"] for entry in value}
    except (ValueError, RecursionError, TypeError, KeyError):
        value = None
    if not isinstance(value, dict):
        raise InterchangeError(f"{place}: delta_per_model is no map from models to deltas; correct it.")
    return value


def _named(rows: pl.DataFrame, name: str) -> pl.Series | None:
    found = next((each for each in (name, *ALIASES.get(name, ())) if each in rows.columns), None)
    return None if found is None else rows[found]


def _read(stated: Stated, field: Field, solver: str) -> pl.Series | None:
    own = next(
        (each for each in (f"{field.name}_{solver}", f"{field.name}.{solver}") if each in stated.rows.columns), None
    )
    column = _named(stated.rows, field.name) if own is None else stated.rows[own]
    if column is None:
        return None
    if field.name == "audit":
        return _audit(column, stated)
    if field.name == "file_dose" and column.dtype == pl.String():
        column = column.str.strip_prefix("m")
    if field.dtype.is_numeric():
        return _numbers(stated, column, field.name, field.dtype)
    try:
        return column.cast(field.dtype)
    except pl.exceptions.PolarsError:
        raise InterchangeError(
            f"{stated.name}: column {column.name!r} holds {column.dtype}; it needs {field.dtype}."
        ) from None


def _numbers(stated: Stated, column: pl.Series, name: str, dtype: Any) -> pl.Series:
    """Cast a column to numbers; a NaN, as some writers spell a missing number, becomes null.

    Raises:
        InterchangeError: a value is not a number, or not a whole one where a count is needed.
    """
    try:
        numbers = column.cast(pl.Float64(), strict=False).fill_nan(None)
        is_nan = column.is_nan() if column.dtype.is_float() else pl.Series([False]).new_from_index(0, column.len())
    except pl.exceptions.PolarsError:
        raise InterchangeError(f"{stated.name}: column {column.name!r} holds {column.dtype}, not numbers.") from None
    lost = column.is_not_null() & ~is_nan & numbers.is_null()
    if dtype == pl.Int64():
        lost = lost | ((numbers != numbers.floor()) | numbers.is_infinite()).fill_null(False)
    if lost.any():
        place = int(lost.arg_true()[0])
        kind = "a whole number" if dtype == pl.Int64() else "a number"
        raise InterchangeError(
            f"{stated.place(stated.rows['line'][place])}: {name} is {column[place]!r}, not {kind}; correct it."
        )
    return numbers.cast(dtype, strict=False)


def _audit(column: pl.Series, stated: Stated) -> pl.Series:
    try:
        column = column.struct.json_encode() if isinstance(column.dtype, pl.Struct) else column
        texts = {text: _audit_text(text) for text in column.drop_nulls().cast(pl.String()).unique()}
    except (ValueError, RecursionError, pl.exceptions.PolarsError):
        raise InterchangeError(f"{stated.name}: column {column.name!r} is not JSON objects; correct it.") from None
    return column.cast(pl.String()).replace_strict(texts, return_dtype=pl.String(), default=None)


def _audit_text(text: str) -> str:
    record = json.loads(text)
    if not isinstance(record, dict):
        raise ValueError("not an object")
    return json.dumps(record, allow_nan=False)


def _require(columns: Mapping[str, pl.Series | None], found: Iterable[str], name: str) -> None:
    missing = [field.name for field in FIELDS if field.is_required and columns[field.name] is None]
    needed = [each for each in missing if each not in DERIVABLE]
    if "operator" in missing and columns["family"] is None:
        needed.append("operator")
    if "y_base_mean" in missing and columns["y_base_run"] is None and columns["n_base_correct"] is None:
        needed.append("y_base_mean")
    if needed:
        raise _missing(needed, found, name)


def _missing(needed: Iterable[str], found: Iterable[str], name: str) -> InterchangeError:
    wanted = ", ".join(" or ".join((each, *ALIASES.get(each, ()))) for each in needed)
    listed = ", ".join(column for column in found if column != "line")
    return InterchangeError(f"{name}: it needs a column {wanted}, but has only {listed}; rename the columns.")


def _derived(read: pl.DataFrame) -> pl.DataFrame:
    """Fill in what the format requires and other columns say."""
    of_job = ("file_dose", "base_id")
    sized = pl.when(pl.col("inject_size").is_null()).then(pl.col("family"))
    operator = sized.otherwise(pl.format("{}_m{}", "family", pl.col("inject_size").fill_null(0)))
    return read.with_columns(
        operator=pl.coalesce("operator", operator),
        complexity=pl.coalesce("complexity", complexity_band(pl.col("complexity_score"))),
        delta_mean=pl.coalesce("delta_mean", "delta"),
        y_base_mean=pl.coalesce(
            "y_base_mean", pl.col("n_base_correct") / pl.col("n_base"), pl.col("y_base_run").cast(pl.Float64())
        ),
        d_obs=pl.coalesce("d_obs", pl.col("delta").mean().over(of_job)),
        d_wc=pl.coalesce("d_wc", pl.col("delta").max().over(of_job)),
    )
