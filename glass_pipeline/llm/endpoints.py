"""Holds what an endpoint is called: on this machine or elsewhere, and by which name it is known whatever its port.

Never connects to one.
"""

from __future__ import annotations

from urllib.parse import urlsplit

LOOPBACK = {"localhost", "127.0.0.1", "::1", "0.0.0.0"}


def is_loopback(base_url: str) -> bool:
    """Return whether an endpoint is on this machine."""
    return (urlsplit(base_url).hostname or "").lower() in LOOPBACK


def endpoint_identity(base_url: str) -> str:
    """Return an endpoint's URL without credentials, query, trailing slash and, on this machine, without port."""
    parts = urlsplit(base_url)
    host = (parts.hostname or "").lower()
    port = f":{parts.port}" if parts.port else ""
    place = "loopback" if is_loopback(base_url) else f"{parts.scheme}://{host}{port}"
    return f"{place}{parts.path.rstrip('/')}"
