"""Tests of the published reference values."""

from __future__ import annotations

from collections import Counter

import pytest

from glass_pipeline.domain.report.published import counterpart, published_values


@pytest.mark.parametrize(
    ("suite", "expected"),
    [
        ("glassgsm", "gsm"),
        ("glassgsm-qwen-n20", "gsm"),
        ("glassmath", "math"),
        ("glassmini", None),
        ("glasssvamp", None),
    ],
)
def test_a_suite_finds_its_counterpart(suite: str, expected: str | None) -> None:
    """Only suites made from the paper's own sources have one."""
    assert counterpart(suite) == expected


def test_values_of_table_1_are_the_papers() -> None:
    """GlassGSM: 1,319 problems, 44.9 % fragile, 48.6 % without effect (methods §11)."""
    values = {value.key: value.published for value in published_values("glassgsm")}

    assert (values["problems"], values["fragile_uncond"], values["zero_uncond"]) == ("1,319", "44.9 %", "48.6 %")


def test_what_the_source_lacks_is_a_dash() -> None:
    """The bodies of Tables 2 to 11 are not in the sources, and nothing is invented."""
    values = {value.key: value for value in published_values("glassgsm")}

    assert values["floor_resolves"].published == values["transfer_ds_4o"].published == "—"


@pytest.mark.parametrize("suite", ["glassgsm", "glassmath", "glassmini"])
def test_a_quantity_stands_once(suite: str) -> None:
    """No key is listed twice for one suite, and no value is empty."""
    values = published_values(suite)

    assert max(Counter(value.key for value in values).values()) == 1
    assert all(value.published and value.quantity for value in values)
