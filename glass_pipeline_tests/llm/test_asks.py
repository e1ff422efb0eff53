"""Tests of the keys under which replies are stored."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from glass_pipeline.domain.fingerprint import settings_hash
from glass_pipeline.llm.asks import request_key, sample_keys

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def test_key_is_the_sha256_of_canonical_json() -> None:
    """The key of sample 3 is the sha256 of the sorted, spaceless JSON with ``"sample":3`` in its place."""
    text = '{"draw":"twin","messages":[],"sample":3,"solver":{"model":"tiny"}}'

    keys = sample_keys({"solver": {"model": "tiny"}, "messages": [], "draw": "twin"}, [3])

    assert keys == [hashlib.sha256(text.encode()).hexdigest()]


@given(st.dictionaries(st.text().filter(lambda name: name != "sample"), JSON, max_size=4), st.integers(0, 10**6))
def test_hashing_what_is_shared_once_changes_no_key(document: dict[str, Any], sample: int) -> None:
    """A key is that of the whole document with its sample, whatever else the document holds."""
    assert sample_keys(document, [sample]) == [settings_hash({**document, "sample": sample})]


@given(st.dictionaries(st.text(), JSON, max_size=4))
def test_order_of_fields_does_not_matter(document: dict[str, Any]) -> None:
    """Two documents with the same fields in another order are one request."""
    turned = dict(reversed(document.items()))

    assert request_key(document) == request_key(turned)
    assert json.dumps(document, sort_keys=True) == json.dumps(turned, sort_keys=True)
