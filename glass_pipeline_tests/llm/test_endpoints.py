"""Tests of what an endpoint is called."""

from __future__ import annotations

import pytest

from glass_pipeline.llm.endpoints import endpoint_identity


@pytest.mark.parametrize(
    ("base_url", "identity"),
    [
        ("https://api.example/v1", "https://api.example/v1"),
        ("https://API.example/v1/", "https://api.example/v1"),
        ("https://user:secret@api.example/v1?key=secret", "https://api.example/v1"),
        ("http://gpu-7.lab:8000/v1", "http://gpu-7.lab:8000/v1"),
        ("http://127.0.0.1:8000/v1", "loopback/v1"),
        ("http://localhost:11434/v1", "loopback/v1"),
        ("http://[::1]:8000/v1", "loopback/v1"),
    ],
)
def test_endpoint_identity(base_url: str, identity: str) -> None:
    """An endpoint is its host and path; on this machine its port changes from day to day and does not count."""
    assert endpoint_identity(base_url) == identity
