"""Released tables: columns are taken by name, several solvers are told apart, what is missing is named."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import polars as pl
import pytest

from glass_pipeline.domain.corpus.completion import complete
from glass_pipeline.domain.corpus.fields import FIELDS, InterchangeError
from glass_pipeline.domain.corpus.released import state_columns

BASE = "Ana has 4 kites and buys 3 more. How many kites does she have?"
TWIN = "Eva has 4 kites and buys 3 more. How many kites does she have?"


def table(**changed: Any) -> pl.DataFrame:
    """Return two pairs of one base, in the columns of a release without labels."""
    columns = {
        "base_id": ["r-1", "r-1"],
        "twin_id": ["r-1-a", "r-1-b"],
        "operator": ["entity_rename", "math_irrelevant_context_m3"],
        "category": ["math", "math"],
        "complexity_score": [0.2, 0.2],
        "base_text": [BASE, BASE],
        "twin_text": [TWIN, f"A shelf has 9 books. {BASE}"],
        "y_base_mean": [1.0, 1.0],
        "dose": [9, 9],
    }
    return pl.DataFrame({name: values for name, values in (columns | changed).items() if values is not None})


def pairs(frame: pl.DataFrame, solver: str | None = None, dose: int | None = None) -> pl.DataFrame:
    """Read a table as an import does."""
    return complete(state_columns(frame, name="r.parquet", solver=solver, dose=dose))


@pytest.mark.parametrize(
    "labels",
    [
        {"delta_per_model": [{"a": 1.0, "b": 0.0}, {"a": 0.0, "b": 1.0}]},
        {"delta_per_model": ['{"a": 1, "b": 0}', '{"a": 0, "b": 1}']},
        {"delta_per_model": [[{"key": "a", "value": 1.0}], [{"key": "a", "value": 0.0}, {"key": "b", "value": 1.0}]]},
        {"delta_a": [1, 0], "delta_b": [0, 1]},
        {"delta/a": [1.0, 0.0], "delta/b": [None, 1.0]},
    ],
    ids=["struct", "json", "map", "a column each", "a column each, one gap"],
)
def test_labels_of_several_solvers_are_told_apart(labels: dict[str, Any]) -> None:
    """However a release spells the deltas of solvers a and b, those of a are 1, 0; without a name it is an error."""
    frame = table(**labels)

    assert pairs(frame, "a")["delta"].to_list() == [1, 0]
    assert pairs(frame, "b").filter(pl.col("twin_id") == "r-1-b")["delta"].to_list() == [1]
    with pytest.raises(InterchangeError, match=r"names 2 models; say which solver to read \(a, b\)"):
        pairs(frame)
    with pytest.raises(InterchangeError, match="has no 'z'; it names a, b"):
        pairs(frame, "z")


def test_rows_of_several_solvers_are_told_apart() -> None:
    """One row a pair and solver: only rows of the solver asked for are its pairs."""
    frame = pl.concat([table(model=["a", "a"], delta=[1, 0]), table(model=["b", "b"], delta=[0, 1])])

    assert pairs(frame, "a")["delta"].to_list() == [1, 0]
    assert pairs(frame, "b")["delta"].to_list() == [0, 1]
    assert pairs(frame, "b")["d_obs"].to_list() == [0.5, 0.5]


def test_a_solvers_own_column_beats_the_common_one() -> None:
    """With ``y_base_mean_b`` beside ``y_base_mean``, solver b has its own pass rate."""
    frame = table(delta_a=[0, 0], delta_b=[0, 0], y_base_mean_b=[0.2, 0.2])

    assert pairs(frame, "a")["y_base_run"].to_list() == [1, 1]
    assert pairs(frame, "b")["y_base_run"].to_list() == [0, 0]


def test_what_follows_from_other_columns_may_be_left_out() -> None:
    """Operator from family and size, delta from the verdicts, pass rate from the run, contrasts from delta."""
    frame = table(
        operator=None,
        y_base_mean=None,
        family=["entity_rename", "math_irrelevant_context"],
        inject_size=[None, 3],
        y_base_run=[1, 1],
        y_twin=[0, 1],
        model=["a", "a"],
    )
    read = pairs(frame)

    assert read["operator"].to_list() == ["entity_rename", "math_irrelevant_context_m3"]
    assert read["delta"].to_list() == [1, 0]
    assert read.select("y_base_mean", "d_obs", "d_wc", "complexity").unique().rows() == [(1.0, 0.5, 1.0, "easy")]


def test_other_names_of_a_column_are_taken() -> None:
    """A release may call its columns by names of the field's other tools."""
    frame = table(delta_a=[1, 0]).rename({"base_text": "base_question", "twin_text": "twin_question", "dose": "m"})

    assert pairs(frame).select("base_text", "file_dose").rows() == [(BASE, 9), (BASE, 9)]


def test_a_missing_column_lists_those_found() -> None:
    """The error says what is needed and what the table has."""
    with pytest.raises(InterchangeError, match=r"needs a column base_text or .* has only base_id, twin_id, .*delta_a"):
        pairs(table(base_text=None, delta_a=[1, 0]))
    with pytest.raises(InterchangeError, match="needs a column delta_per_model, but has only base_id"):
        pairs(table())


def test_a_dose_stands_in_a_column_or_in_the_files_name() -> None:
    """Without a column of doses the name's is taken; without either the row is refused, not given a zero."""
    frame = table(dose=None, operator=["entity_rename", "sentence_reorder"], delta_a=[1, 0])

    assert pairs(table(dose=["m7", "m7"], delta_a=[1, 0]))["file_dose"].to_list() == [7, 7]
    assert pairs(frame, dose=5)["file_dose"].to_list() == [5, 5]
    with pytest.raises(InterchangeError, match=r"r\.parquet, row 1: neither file name nor operator"):
        pairs(frame)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"delta_a": ["1", "x"]}, "row 2: delta of 'a' is 'x', not a number"),
        ({"delta_a": [1.0, 0.4]}, "row 2: delta 0.4 of 'a' is not -1, 0 or 1"),
        ({"delta_a": [1, 0], "n_base": [5.0, 2.5]}, "row 2: n_base is 2.5, not a whole number"),
        ({"delta_a": [1, 0], "twin_text": [TWIN, None]}, "row 2: field 'twin_text' is missing"),
        ({"delta_a": [1, 0], "twin_text": [TWIN, " "]}, "row 2: 'twin_text' is blank"),
        ({"delta_a": [1, 0], "base_text": [BASE, None]}, "row 2: field 'base_text' is missing"),
        (
            {"delta_a": [1, 0], "base_text": [BASE, "Another?"]},
            "row 2: base_text of 'r-1' is not that of an earlier row",
        ),
        ({"delta_a": [1, 0], "complexity_score": [0.2, float("inf")]}, "row 2: complexity_score is inf"),
        ({"delta_a": [1, 0], "twin_id": ["t", "t"]}, "row 2: twin_id 't' of base 'r-1' stands already in row 1"),
        (
            {"delta_a": [1, 0], "base_id": ["gsmic_adv-1", "math_adv-1"]},
            "row 2: base_id 'math_adv-1' is of another suite",
        ),
        ({"delta_per_model": ['{"a": 1}', "[]"]}, "row 2: delta_per_model is no map"),
        ({"delta_per_model": ['{"a": 1}', '{"a": true}']}, "row 2: delta of 'a' is True, not a number"),
        ({"delta": [1, 0]}, "no column names the solver of delta"),
        ({"delta_a": [1, 0], "audit": ["{}", "no"]}, "column 'audit' is not JSON objects"),
        ({"delta_a": [1, 0], "twin_text": [[1], [2]]}, "column 'twin_text' holds List"),
    ],
)
def test_a_wrong_value_is_refused(changed: dict[str, Any], message: str) -> None:
    """The error names file, row and field."""
    with pytest.raises(InterchangeError, match=message) as caught:
        pairs(table(**changed))

    assert str(caught.value).startswith("r.parquet")


COLUMNS_OF_ANY_TYPE = {
    "text": pl.Series(["a", "b"]),
    "number": pl.Series([1.0, float("nan")]),
    "truth": pl.Series([True, None]),
    "date": pl.Series([date(2020, 1, 1), date(2020, 1, 2)]),
    "list": pl.Series([[1], [2]]),
    "struct": pl.Series([{"x": 1}, None]),
    "bytes": pl.Series([b"a", b"\xff"]),
    "null": pl.Series([None, None], dtype=pl.Null()),
    "category": pl.Series(["a", "b"], dtype=pl.Categorical()),
    "decimal": pl.Series([1, 2]).cast(pl.Decimal(10, 2)),
}


@pytest.mark.parametrize("kind", COLUMNS_OF_ANY_TYPE)
def test_any_column_of_any_type_is_read_or_refused(kind: str) -> None:
    """Whatever type a release gives a column, the answer is a table of its pairs or the reader's own error."""
    for name in (*(field.name for field in FIELDS), "delta_per_model", "delta_a", "solver", "dose"):
        frame = table(delta_a=[1, 0]).with_columns(COLUMNS_OF_ANY_TYPE[kind].alias(name))
        try:
            read = pairs(frame)
        except InterchangeError as error:
            assert str(error).startswith("r.parquet")
        else:
            assert read.height in (1, 2)


def test_a_missing_number_spelled_nan_is_missing() -> None:
    """Writers without null integers spell a missing size as NaN."""
    read = pairs(table(delta_a=[1, 0], inject_size=[float("nan"), 3.0]))

    assert read["inject_size"].to_list() == [None, 3]


def test_an_audit_may_be_a_struct_or_a_text() -> None:
    """Both become the same JSON."""
    struct = pairs(table(delta_a=[1, 0], audit=[{"entity": False}, {"entity": True}]))["audit"]
    text = pairs(table(delta_a=[1, 0], audit=['{"entity":false}', '{"entity":true}']))["audit"]

    assert struct.to_list() == text.to_list() == [json.dumps({"entity": False}), json.dumps({"entity": True})]
