"""Fixtures for the review of an audit: a builder of pairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from glass_pipeline.domain.audit.review_sample import ReviewPair
from glass_pipeline.domain.audit.verdicts import Verdict


@pytest.fixture(scope="session")
def make_pair() -> Callable[..., ReviewPair]:
    """Return a builder of audited pairs: ``make_pair(3, "kept", judge="no_op")`` is twin-3, kept, judged by judge."""

    def build(number: int, outcome: str = "kept", base_id: str | None = None, **findings: Any) -> ReviewPair:
        twin_id = f"twin-{number:04d}"
        return ReviewPair(
            twin_id=twin_id,
            base_id=base_id or f"base-{number}",
            family="entity_rename",
            base_text="Mia has 3 pens.",
            twin_text=f"Nora {number} has 3 pens.",
            gold="3",
            text_hash=f"hash-{number}",
            outcome=outcome,
            opinions=tuple(
                Verdict(twin_id=twin_id, adjudicator=name, finding=finding, rationale="because")
                for name, finding in findings.items()
            ),
        )

    return build
