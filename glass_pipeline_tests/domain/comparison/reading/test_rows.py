"""Which column is what, and how a score is read."""

from __future__ import annotations

import pytest

from glass_pipeline.domain.comparison.reading.rows import Columns, results_of
from glass_pipeline.domain.comparison.results import ComparisonError


def test_usual_names_need_no_option() -> None:
    """Columns id, correct, seed, cluster, stratum and decoding are found by name."""
    row = {"id": "q1", "correct": True, "seed": 7, "cluster": "c", "stratum": "s", "decoding": 2}

    found = results_of("f", [row], Columns())

    assert (found.ids, found.values.tolist(), found.seeds) == (("q1",), [1.0], ("7",))
    assert (found.clusters, found.strata, found.decodings) == (("c",), ("s",), ("2",))


def test_named_columns_may_be_nested() -> None:
    """A dot reaches into an object, but a column whose own name has a dot comes first."""
    rows = [{"key": 1.0, "doc": {"topic": "physics"}, "acc.norm": "0.5"}]

    found = results_of("f", rows, Columns(id="key", value="acc.norm", stratum="doc.topic"))

    assert (found.ids, found.values.tolist(), found.strata) == (("1",), [0.5], ("physics",))
    assert found.measure == "acc.norm"


@pytest.mark.parametrize(
    ("raw", "score"),
    [(1, 1.0), (0.25, 0.25), (False, 0.0), ("true", 1.0), (" FALSE ", 0.0), ("1", 1.0), ("-2.5e1", -25.0)],
)
def test_scores_are_numbers_or_truth_values(raw: object, score: float) -> None:
    """As JSON and CSV write them."""
    assert results_of("f", [{"id": "q", "value": raw}], Columns()).values.tolist() == [score]


@pytest.mark.parametrize("raw", [None, "", "nan", "inf", float("nan"), "right", [1], 10**400, "C"])
def test_a_score_that_is_no_number_names_its_item(raw: object) -> None:
    """Nothing is guessed and nothing is left out."""
    with pytest.raises(ComparisonError, match=r"f, item 'q': value is .*; give every item a finite number"):
        results_of("f", [{"id": "q", "value": raw}], Columns())


@pytest.mark.parametrize(
    ("row", "columns", "message"),
    [
        ({"id": "q", "correct": 1, "score": 2}, Columns(), "columns correct and score; say which is meant"),
        ({"id": "q", "acc": 1}, Columns(), "none of the columns correct, score, value, only id, acc"),
        ({"name": "q", "correct": 1}, Columns(), "row 1: column 'id' is missing"),
        ({"id": None, "correct": 1}, Columns(), "row 1: column 'id' is missing"),
        ({"id": 1.5, "correct": 1}, Columns(), "column 'id' is 1.5; every row needs a text or a whole number"),
        ({"id": "q", "correct": 1}, Columns(seed="run"), "row 1: column 'run' is missing"),
        ({"id": "q", "correct": 1}, Columns(cluster="doc.topic"), "column 'doc.topic' is missing"),
    ],
)
def test_a_column_that_is_not_there_is_named(row: dict, columns: Columns, message: str) -> None:
    """With what is there instead, where that helps."""
    with pytest.raises(ComparisonError, match=message):
        results_of("f", [row], columns)


def test_a_file_without_rows_is_refused() -> None:
    """A header alone is no result."""
    with pytest.raises(ComparisonError, match="f holds no result"):
        results_of("f", [], Columns())
