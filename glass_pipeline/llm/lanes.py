"""Holds the carrier of requests: one connection a lane, so that the cost of a request does not grow with their number.

The HTTP client's own pool looks at every open connection for every request, which at 256 connections costs more than
the rest of the request. Reads each response whole, up to a limit. Never retries, and never follows a redirect.
"""

from __future__ import annotations

import ssl

import httpx2

LARGEST_BODY = 16 * 2**20
"""Bytes after decompression; a longer response is dropped."""
ENCODING_HEADERS = (b"content-encoding", b"content-length", b"transfer-encoding")
"""What no longer holds once a body is read whole and decompressed."""


class Lanes(httpx2.AsyncBaseTransport):
    """Transport of as many connections as there are requests in flight, each kept open for the next one."""

    def __init__(self) -> None:
        """Open nothing yet."""
        self._free: list[httpx2.AsyncHTTPTransport] = []
        self._all: list[httpx2.AsyncHTTPTransport] = []
        self._tls: ssl.SSLContext = httpx2.create_ssl_context()

    @property
    def opened(self) -> int:
        """Connections there are."""
        return len(self._all)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request over a free lane, or a new one."""
        lane = self._free.pop() if self._free else self._open()
        try:
            response = await lane.handle_async_request(request)
            try:
                body = await _whole(response)
            finally:
                await response.aclose()
        finally:
            # A connection that broke is replaced inside its lane.
            self._free.append(lane)
        headers = [(name, value) for name, value in response.headers.raw if name.lower() not in ENCODING_HEADERS]
        return httpx2.Response(response.status_code, headers=headers, stream=httpx2.ByteStream(body))

    async def aclose(self) -> None:
        """Close every connection."""
        for lane in self._all:
            await lane.aclose()

    def _open(self) -> httpx2.AsyncHTTPTransport:
        one = httpx2.Limits(max_connections=1, max_keepalive_connections=1)
        lane = httpx2.AsyncHTTPTransport(verify=self._tls, limits=one)
        self._all.append(lane)
        return lane


async def _whole(response: httpx2.Response) -> bytes:
    parts: list[bytes] = []
    size = 0
    async for part in response.aiter_bytes():
        parts.append(part)
        size += len(part)
        if size > LARGEST_BODY:
            raise httpx2.RemoteProtocolError(f"a response of more than {LARGEST_BODY} bytes")
    return b"".join(parts)
