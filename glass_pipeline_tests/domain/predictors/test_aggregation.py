"""From probabilities of cells to pi, dose line and worst case."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from glass_pipeline.domain.predictors.aggregation import Design, aggregate
from glass_pipeline.domain.predictors.dose_features import ANY_FAMILY, Cells, dose_features
from glass_pipeline.domain.predictors.dose_network import cell_logits, dose_network

ONE = Cells((ANY_FAMILY,))
TWINS = np.array([1.0, 3.0, 5.0, 7.0, 9.0])
RATES = np.array([[0.05, 0.08, 0.10, 0.15, 0.20]])


def test_the_worked_example() -> None:
    """P = .05, .08, .10, .15, .20: a = -2.1410, b = 0.1912, pi .1160 uniform and .1456 by 1:3:5:7:9."""
    uniform = aggregate(["j"], RATES, ONE, Design(np.full(5, 0.2)), (1, 3, 5, 7, 9)).row(0, named=True)
    weighted = aggregate(["j"], RATES, ONE, Design(TWINS / 25), (0, 0, 0, 0, 9)).row(0, named=True)

    assert uniform["a_hat"] == pytest.approx(-2.1410, abs=5e-5)
    assert uniform["b_hat"] == pytest.approx(0.1912, abs=5e-5)
    assert uniform["pi_hat"] == pytest.approx(0.1160, abs=5e-5)
    assert weighted["pi_hat"] == pytest.approx(0.1456, abs=5e-5)
    assert weighted["wc_hat"] == pytest.approx(1 - 0.8**9)


def test_nine_twins_at_one_in_ten() -> None:
    """P = .1, K = 9: the worst case is .6126."""
    found = aggregate(["j"], np.full((1, 5), 0.1), ONE, Design(np.full(5, 0.2)), (0, 0, 9, 0, 0))

    assert found["wc_hat"][0] == pytest.approx(0.6126, abs=5e-5)


@given(arrays(np.float64, (3, 5), elements=st.floats(0.0, 1.0)))
def test_the_worst_case_is_above_every_dose_and_pi_between_them(rates: np.ndarray) -> None:
    """Worst case >= max p >= pi >= min p, if every dose has a twin."""
    found = aggregate(["a", "b", "c"], rates, ONE, Design(TWINS / 25), (1, 3, 5, 7, 9))
    pi, worst = found["pi_hat"].to_numpy(), found["wc_hat"].to_numpy()

    assert (worst >= rates.max(axis=1) - 1e-12).all()
    assert (rates.max(axis=1) >= pi - 1e-12).all()
    assert (pi >= rates.min(axis=1) - 1e-12).all()


def test_a_jobs_own_design_weighs_its_families() -> None:
    """Family x breaks at 0, y at 1. Planned x, y = 3, 1 gives .25; nothing planned gives the suite's .5."""
    cells = Cells(("x", "y"))
    rates = np.tile([0.0, 1.0], (2, 5))
    planned = np.zeros((2, 10))
    planned[0, :2] = 3, 1

    found = aggregate(["a", "b"], rates, cells, Design(np.full(10, 0.1), planned), (1, 1, 1, 1, 1))
    assert found["pi_hat"].to_list() == pytest.approx([0.25, 0.5])


def test_the_network_is_the_plain_one_on_every_text_and_cell() -> None:
    """Multiplying a text once a job gives what the layers give on text and cell joined."""
    torch.manual_seed(0)
    network = dose_network(3 + 8, hidden=5, dropout=0.25, start_rate=0.3).eval()
    texts, cells = torch.randn(4, 3), torch.as_tensor(ONE.features(), dtype=torch.float32)
    joined = torch.cat([texts[:, None].expand(-1, 5, -1), cells[None].expand(4, -1, -1)], dim=2)

    torch.testing.assert_close(cell_logits(network, texts, cells), network(joined).squeeze(2))


def test_dose_features_of_the_middle_and_the_highest_dose() -> None:
    """M = 5: z = 0; m = 9: z = 1, log 9 / log 9 = 1."""
    found = dose_features(np.array([5, 9]))

    np.testing.assert_allclose(found[0], [0, 0, np.log(5) / np.log(9), 0, 0, 1, 0, 0])
    np.testing.assert_allclose(found[1], [1, 1, 1, 0, 0, 0, 0, 1])
