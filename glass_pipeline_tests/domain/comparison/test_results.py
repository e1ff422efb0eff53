"""What results refuse at the door."""

from __future__ import annotations

import pytest

from glass_pipeline.domain.comparison.results import ComparisonError


def test_a_value_that_is_no_number_names_its_item(make_results) -> None:
    """NaN is refused with the item that has it."""
    with pytest.raises(ComparisonError, match=r"a, item 'i1': correct is nan; give every item a finite number"):
        make_results([1.0, float("nan"), 0.0])


def test_no_result_at_all_is_refused(make_results) -> None:
    """An empty file is no system."""
    with pytest.raises(ComparisonError, match="a holds no result"):
        make_results([])
