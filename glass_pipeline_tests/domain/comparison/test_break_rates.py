"""Break rates of jointly solved items."""

from __future__ import annotations

import pytest

from glass_pipeline.domain.comparison import BreakRates, ComparisonConfig, ComparisonError, compare_break_rates, figures

FAST = ComparisonConfig(resamples=300)


def rates(name: str, **by_base: float | None) -> BreakRates:
    """Give each base a rate; None stands for an unsolved base."""
    return BreakRates(
        name=name,
        ids=tuple(by_base),
        solved=tuple(rate is not None for rate in by_base.values()),
        rates=tuple(by_base.values()),
    )


def test_only_jointly_solved_items_are_compared() -> None:
    """Joint p, q, r: differences .1, .3, -.1 with mean .1; s is B's alone, t A's, u nobody's."""
    a = rates("a", p=0.0, q=0.2, r=0.5, s=None, t=0.9, u=None)
    b = rates("b", p=0.1, q=0.5, r=0.4, s=0.7, t=None, u=None)

    found = compare_break_rates(a, b, FAST)

    assert (found.n_items, found.measure) == (3, "pi")
    assert found.delta == pytest.approx(0.1)
    assert found.flips is not None
    assert (found.flips.won, found.flips.lost, found.flips.both, found.flips.neither) == (
        ("s",),
        ("t",),
        ("p", "q", "r"),
        ("u",),
    )
    assert figures(found)["delta_pi"] == found.delta
    assert figures(found)["delta_pi_high"] == figures(found)["delta_high"]


def test_more_breaks_are_worse() -> None:
    """A rise of a break rate is called worse."""
    a = rates("a", **{f"j{n}": 0.1 + 0.01 * (n % 3) for n in range(40)})
    b = rates("b", **{f"j{n}": 0.3 + 0.02 * (n % 4) for n in range(40)})

    assert compare_break_rates(a, b, FAST).verdict.sentence.startswith("b is higher (worse) than a by at least 1.00 pp")


def test_other_bases_are_refused() -> None:
    """Two suites are not compared."""
    with pytest.raises(ComparisonError, match="Base 'r' is only in b"):
        compare_break_rates(rates("a", p=0.1, q=0.2), rates("b", p=0.1, q=0.2, r=0.1), FAST)


def test_too_few_joint_items_are_refused() -> None:
    """One item solved by both is no comparison."""
    with pytest.raises(ComparisonError, match="1 bases are solved by both a and b"):
        compare_break_rates(rates("a", p=0.1, q=None), rates("b", p=0.1, q=0.2), FAST)
