"""Thresholds declared before looking."""

from __future__ import annotations

import hashlib

import pytest

from glass_pipeline.domain.comparison.results import ComparisonError
from glass_pipeline.domain.comparison.thresholds import Thresholds, declaration, parse_thresholds, require_declared

FILE = b"minimum_gain = 0.02\nstratum_floor = -0.05\n"


def test_what_the_file_leaves_out_is_the_labs() -> None:
    """One point overall, no stratum below minus two, strata of thirty (methods §10.3a)."""
    assert parse_thresholds(b"") == Thresholds(
        minimum_gain=0.01, stratum_floor=-0.02, smallest_stratum=30, weights="share"
    )
    assert parse_thresholds(FILE).minimum_gain == 0.02


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"minimum_gian = 0.02", "unknown key 'minimum_gian'; there are minimum_gain"),
        (b"minimum_gain = ", "t.toml: not TOML"),
        (b"\xff", "t.toml: not TOML"),
        (b"minimum_gain = true", "minimum_gain is True"),
        (b"stratum_floor = nan", "stratum_floor is nan"),
        (b"smallest_stratum = 1", "smallest_stratum is 1; at least 2"),
        (b"smallest_stratum = 2.5", "smallest_stratum is 2.5; give a whole number"),
        (b"weights = 'size'", "weights is 'size'; choose share or uniform"),
    ],
)
def test_a_file_that_means_nothing_is_refused(data: bytes, message: str) -> None:
    """Unknown keys and odd values are errors, never ignored."""
    with pytest.raises(ComparisonError, match=message):
        parse_thresholds(data, "t.toml")


def test_the_declaration_is_the_hash_of_the_bytes() -> None:
    """Anyone can check it with sha256sum."""
    assert declaration(FILE) == hashlib.sha256(FILE).hexdigest()


def test_declared_thresholds_that_did_not_change_pass() -> None:
    """By hash whatever the times say, and by time where no hash is stored."""
    require_declared(FILE, declared=declaration(FILE), written_at=9.0, first_result_at=1.0)
    require_declared(FILE, declared=None, written_at=1.0, first_result_at=9.0)


def test_a_change_after_declaring_is_refused() -> None:
    """One byte is a change, also where the file looks old."""
    with pytest.raises(ComparisonError, match="changed after they were declared"):
        require_declared(FILE + b"\n", declared=declaration(FILE), written_at=1.0, first_result_at=9.0)


def test_thresholds_newer_than_the_first_result_are_refused() -> None:
    """Without a stored hash the file must be older than what it judges."""
    with pytest.raises(ComparisonError, match="newer than the first result"):
        require_declared(FILE, declared=None, written_at=9.1, first_result_at=9.0)
