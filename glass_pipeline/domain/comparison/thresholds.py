"""Holds the thresholds that are declared before anyone looks: their file, their hash, the refusal if they changed.

Never reads a file or a clock: bytes, hashes and times are handed in.
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass, fields
from typing import Any

from glass_pipeline.domain.comparison.results import ComparisonError

WEIGHTS = ("share", "uniform")


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """What must hold, in the unit of the scores; the defaults are those of the lab."""

    minimum_gain: float = 0.01
    """Overall difference to reach."""
    stratum_floor: float = -0.02
    """No stratum may lie below it."""
    smallest_stratum: int = 30
    """Strata with fewer items merge into 'other'."""
    weights: str = "share"
    """Weight of a stratum: its share of the items, or uniform."""

    def __post_init__(self) -> None:
        """Refuse values that mean nothing.

        Raises:
            ComparisonError: a bound is not a number, the smallest stratum is below 2, or the weights are unknown.
        """
        for name in ("minimum_gain", "stratum_floor"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < float("inf"):
                raise ComparisonError(f"thresholds: {name} is {value!r}; give a number, e.g. 0.01 for one point.")
        if isinstance(self.smallest_stratum, bool) or not isinstance(self.smallest_stratum, int):
            raise ComparisonError(f"thresholds: smallest_stratum is {self.smallest_stratum!r}; give a whole number.")
        if self.smallest_stratum < 2:
            raise ComparisonError(f"thresholds: smallest_stratum is {self.smallest_stratum}; at least 2 is needed.")
        if self.weights not in WEIGHTS:
            raise ComparisonError(f"thresholds: weights is {self.weights!r}; choose {' or '.join(WEIGHTS)}.")


def parse_thresholds(data: bytes, name: str = "thresholds.toml") -> Thresholds:
    """Read a thresholds file.

    Args:
        data: TOML with any of the fields of ``Thresholds``.
        name: How messages call it.

    Raises:
        ComparisonError: it is not TOML, has an unknown key, or a value means nothing.
    """
    try:
        declared: dict[str, Any] = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ComparisonError(f"{name}: not TOML ({error}).") from None
    known = [field.name for field in fields(Thresholds)]
    unknown = sorted(set(declared) - set(known))
    if unknown:
        raise ComparisonError(f"{name}: unknown key {unknown[0]!r}; there are {', '.join(known)}.")
    return Thresholds(**declared)


def declaration(data: bytes) -> str:
    """Return what is stored when thresholds are declared: the sha256 of the file's bytes."""
    return hashlib.sha256(data).hexdigest()


def require_declared(data: bytes, *, declared: str | None, written_at: float, first_result_at: float) -> None:
    """Refuse thresholds that may have been chosen after seeing a result.

    Where a declaration is stored the hash decides (file times do not survive a copy); else the file must be older
    than the first result.

    Args:
        data: The thresholds file as it is now.
        declared: Stored ``declaration``, None where there is none.
        written_at: When the file was last written, seconds.
        first_result_at: When the first result file was last written, seconds.

    Raises:
        ComparisonError: the hash differs, or without one the file is newer than the first result.

    Source: methods §10.3a.
    """
    if declared is not None and declared != declaration(data):
        raise ComparisonError(
            f"The thresholds changed after they were declared: sha256 {declaration(data)[:12]}… now, {declared[:12]}… "
            "declared; restore the file, or declare new thresholds for data not yet looked at."
        )
    if declared is None and written_at > first_result_at:
        raise ComparisonError(
            "The thresholds are newer than the first result, so they may have been chosen after seeing it; declare "
            "thresholds before the systems are evaluated."
        )
