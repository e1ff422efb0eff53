"""Holds the carrier of requests: bytes to one endpoint and back over connections that are kept open, with aiohttp.

An SDK between this and the wire costs more than the request: 0.4 ms against 0.1 ms, and half a second of start-up.
Reads each response whole, up to a limit. Never retries, never follows a redirect, and reads no environment but the
one it is handed.
"""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from typing import NamedTuple, Protocol
from urllib.parse import unquote, urlsplit
from urllib.request import proxy_bypass_environment  # type: ignore[attr-defined]

import aiohttp
import certifi

from glass_pipeline.llm.endpoints import is_loopback
from glass_pipeline.llm.errors import ConnectionLost, TimedOut, Unreachable

LARGEST_BODY = 16 * 2**20
"""Bytes after decompression; a longer response is dropped."""


class Response(NamedTuple):
    """What came back, whatever its status."""

    status: int
    headers: Mapping[str, str]
    """Lower-case names, or a mapping that is blind to case."""
    body: bytes


class Carrier(Protocol):
    """The seam below the client."""

    async def post(self, body: bytes) -> Response:
        """Send one request.

        Raises:
            Transient: no response.
        """

    async def close(self) -> None:
        """Close every connection."""


class HttpCarrier:
    """Carrier to one URL; as many connections as there are requests in flight, each kept open for the next one."""

    def __init__(self, base_url: str, *, api_key: str, timeout_s: float, environment: Mapping[str, str]) -> None:
        """Open nothing yet; must be made where an event loop runs.

        Args:
            base_url: Of the endpoint; ``/chat/completions`` is added to its path.
            api_key: Sent as bearer token, unless the URL has a user of its own.
            timeout_s: Seconds a whole request may take.
            environment: Where proxies and ``SSL_CERT_FILE`` are looked up.
        """
        parts = urlsplit(base_url)
        self._url = parts._replace(
            netloc=parts.netloc.rpartition("@")[2], path=f"{parts.path.rstrip('/')}/chat/completions"
        ).geturl()
        self._timeout_s = timeout_s
        self._proxy = proxy_for(base_url, environment)
        authorization = (
            f"Bearer {api_key}"
            if parts.username is None
            else aiohttp.encode_basic_auth(unquote(parts.username), unquote(parts.password or ""))
        )
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, ssl=_tls(environment) if parts.scheme == "https" else True),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers={
                "Authorization": authorization,
                "Content-Type": "application/json",
                "User-Agent": "glass-pipeline",
            },
            timeout=aiohttp.ClientTimeout(total=timeout_s),
        )

    async def post(self, body: bytes) -> Response:
        """Send one request.

        Raises:
            TimedOut: the response was not complete in time.
            Unreachable: no connection could be made.
            ConnectionLost: the connection broke, or the response is too long.
        """
        try:
            async with self._session.post(self._url, data=body, proxy=self._proxy, allow_redirects=False) as response:
                return Response(response.status, response.headers, await _whole(response))
        except TimeoutError:
            raise TimedOut(f"no answer within {self._timeout_s:g} s") from None
        except aiohttp.ClientConnectorError as error:
            raise Unreachable(_reason(error)) from None
        except (aiohttp.ClientError, OSError) as error:
            raise ConnectionLost(_reason(error)) from None

    async def close(self) -> None:
        """Close every connection."""
        await self._session.close()


def proxy_for(base_url: str, environment: Mapping[str, str]) -> str | None:
    """Return the proxy that leads to an endpoint, if any; none leads to this machine or to a host in ``NO_PROXY``."""
    parts = urlsplit(base_url)
    named = (
        environment.get(name)
        for variable in (f"{parts.scheme}_proxy", "all_proxy")
        for name in (variable, variable.upper())
    )
    proxy = next((url for url in named if url), None)
    exempt = environment.get("no_proxy") or environment.get("NO_PROXY") or ""
    if proxy is None or is_loopback(base_url) or proxy_bypass_environment(parts.hostname or "", {"no": exempt}):
        return None
    return proxy


async def _whole(response: aiohttp.ClientResponse) -> bytes:
    parts: list[bytes] = []
    size = 0
    async for part in response.content.iter_any():
        parts.append(part)
        size += len(part)
        if size > LARGEST_BODY:
            raise ConnectionLost(f"a response of more than {LARGEST_BODY} bytes")
    return b"".join(parts)


def _tls(environment: Mapping[str, str]) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=environment.get("SSL_CERT_FILE") or certifi.where())


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".rstrip(": ")
