"""What can be detected."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from glass_pipeline.domain.comparison.power import items_needed, paired_standard_error, smallest_detectable


@pytest.mark.parametrize(
    ("discordance", "error_pp", "detectable_pp"), [(0.1, 0.92, 2.6), (0.2, 1.31, 3.7), (0.3, 1.60, 4.5)]
)
def test_worked_numbers_of_the_lab(discordance: float, error_pp: float, detectable_pp: float) -> None:
    """1,172 test questions (methods §10.2)."""
    error = paired_standard_error(discordance, 1172)

    assert 100 * error == pytest.approx(error_pp, abs=0.006)
    assert 100 * smallest_detectable(error) == pytest.approx(detectable_pp, abs=0.06)


def test_worked_number_of_the_predictors() -> None:
    """2.8 times .0265 is .074 (methods §10.4)."""
    assert smallest_detectable(0.0265) == pytest.approx(0.074, abs=0.0005)


def test_items_needed_solves_for_the_size() -> None:
    """With 20 % discordance a point needs (1.960 + 0.842)^2 * .2 / .01^2 = 15,698 items."""
    assert items_needed(0.01, 0.2) == 15_698
    assert smallest_detectable(paired_standard_error(0.2, 15_698)) == pytest.approx(0.01, abs=1e-6)


def test_four_of_five_true_differences_are_found() -> None:
    """A normal estimate around the smallest detectable difference passes 1.96 errors with chance .80."""
    shift = smallest_detectable(1.0)

    assert stats.norm.sf(1.959964 - shift) + stats.norm.cdf(-1.959964 - shift) == pytest.approx(0.8, abs=1e-4)
    assert np.isclose(smallest_detectable(2.0), 2 * shift)
