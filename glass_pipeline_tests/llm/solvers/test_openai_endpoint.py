"""Tests of what identifies an endpoint."""

from __future__ import annotations

import pytest

from glass_pipeline.llm.lanes import Lanes
from glass_pipeline.llm.solvers.openai_endpoint import endpoint_identity, network


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


@pytest.mark.parametrize(
    ("base_url", "environment", "own_carrier"),
    [
        ("https://api.example/v1", {}, True),
        ("https://api.example/v1", {"HTTPS_PROXY": "http://proxy:3128"}, False),
        ("https://api.example/v1", {"https_proxy": "http://proxy:3128"}, False),
        ("http://127.0.0.1:8000/v1", {"HTTP_PROXY": "http://proxy:3128"}, True),
    ],
)
def test_proxies_are_honoured(base_url: str, environment: dict[str, str], own_carrier: bool) -> None:
    """Behind a proxy the client's own network is used, which knows proxies; this machine needs none."""
    assert isinstance(network(base_url, environment), Lanes) == own_carrier
