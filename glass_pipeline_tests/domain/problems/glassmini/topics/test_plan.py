from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.problems.glassmini.topics.plan import draw_divisor, draw_outline, draw_removal


@given(st.integers(1, 8), st.integers())
def test_an_outline_has_exactly_its_steps(steps: int, seed: int) -> None:
    """Parts, their sum where there are several, and extras are together the wanted steps."""
    outline = draw_outline(random.Random(seed), steps, most_parts=5, most_extras=3)

    assert outline.parts + (1 if outline.parts > 1 else 0) + outline.extras == steps
    assert 1 <= outline.parts <= 5 and 0 <= outline.extras <= 3


def test_divisors_leave_something() -> None:
    """Of 12 between 2 and 12, the divisors 2, 3, 4 and 6 may be drawn, 12 may not; 7 has none."""
    drawn = {draw_divisor(random.Random(seed), 12, 2, 12) for seed in range(200)}

    assert drawn == {2, 3, 4, 6}
    assert draw_divisor(random.Random(0), 7, 2, 6) is None


@given(st.integers(2, 9), st.integers(2, 200), st.integers(1, 50), st.integers())
def test_a_removal_leaves_a_multiple(divisor: int, factor: int, most: int, seed: int) -> None:
    """What is left after a removal is a positive multiple of the divisor."""
    value = divisor * factor + seed % divisor
    removed = draw_removal(random.Random(seed), value, divisor, most)

    assert removed >= 1
    assert value - removed >= divisor and (value - removed) % divisor == 0
