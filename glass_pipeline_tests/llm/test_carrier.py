"""Tests of the carrier of requests, against an endpoint on loopback that misbehaves as told."""

from __future__ import annotations

import asyncio
import gzip
import json
from types import SimpleNamespace
from typing import Any

import pytest

from glass_pipeline.llm.carrier import LARGEST_BODY, HttpCarrier, Response, proxy_for
from glass_pipeline.llm.errors import ConnectionLost, TimedOut, Unreachable

BODY = b'{"messages": [{"content": "2 + 2?"}]}'


def posted(url: str, times: int = 1, **changes: Any) -> list[Response | str]:
    """Send requests one after another, and return each response or the name of its failure."""

    async def run() -> list[Response | str]:
        carrier = HttpCarrier(url, **{"api_key": "sk-secret", "timeout_s": 5.0, "environment": {}, **changes})
        seen: list[Response | str] = []
        try:
            for _ in range(times):
                seen.append(await _posted_once(carrier))
        finally:
            await carrier.close()
        return seen

    return asyncio.run(run())


async def _posted_once(carrier: HttpCarrier) -> Response | str:
    try:
        return await carrier.post(BODY)
    except ConnectionLost as error:
        return type(error).__name__


def test_request_and_response(endpoint: Any, answers: SimpleNamespace) -> None:
    """A request goes to the path of chat completions with its key in the header; all of the response comes back."""
    endpoint.behave = lambda body, nth: answers.Act({"said": 4}, 418, {"Retry-After": "7"})

    response = posted(endpoint.url)[0]

    assert isinstance(response, Response)
    assert (response.status, json.loads(response.body), response.headers.get("retry-after")) == (418, {"said": 4}, "7")
    assert endpoint.bodies == [json.loads(BODY)]
    assert endpoint.headers[0].startswith("POST /v1/chat/completions HTTP/1.1\r\n")
    assert "Authorization: Bearer sk-secret\r\n" in endpoint.headers[0]


@pytest.mark.parametrize(
    ("base", "path"),
    [
        ("/v1/", "/v1/chat/completions"),
        ("", "/chat/completions"),
        ("/v1?version=2", "/v1/chat/completions?version=2"),
    ],
)
def test_path_is_added_to_the_url(base: str, path: str, endpoint: Any) -> None:
    """A trailing slash does not double, and a query stays at the end."""
    posted(f"http://127.0.0.1:{endpoint.port}{base}")

    assert endpoint.headers[0].split()[1] == path


def test_user_in_the_url_takes_the_place_of_the_key(endpoint: Any) -> None:
    """A URL with a user of its own is sent that user's basic authorization (aladdin:opensesame in base 64)."""
    posted(f"http://aladdin:opensesame@127.0.0.1:{endpoint.port}/v1")

    assert "Authorization: Basic YWxhZGRpbjpvcGVuc2VzYW1l\r\n" in endpoint.headers[0]


def test_connection_is_kept_and_replaced_when_it_breaks(endpoint: Any, answers: SimpleNamespace) -> None:
    """After a reset, the next request goes through."""
    endpoint.behave = lambda body, nth: answers.Act(reset=True) if nth == 1 else answers.completion("#### 4")

    seen = posted(endpoint.url, times=3)

    assert [each if isinstance(each, str) else each.status for each in seen] == [200, "ConnectionLost", 200]


def test_nothing_listens() -> None:
    """A port on which nothing listens is named as such: no connection could be made."""
    assert posted("http://127.0.0.1:9/v1") == [Unreachable.__name__]


def test_slow_response_times_out(endpoint: Any, answers: SimpleNamespace) -> None:
    """The timeout bounds the whole request."""
    endpoint.behave = lambda body, nth: answers.completion("#### 4", delay_s=1.0)

    with pytest.raises(TimedOut, match=r"no answer within 0\.2 s"):
        posted(endpoint.url, timeout_s=0.2)


def test_redirect_is_not_followed(endpoint: Any, answers: SimpleNamespace) -> None:
    """A redirect is an answer like another: a prompt and a key go to the declared endpoint and nowhere else."""
    endpoint.behave = lambda body, nth: answers.Act(b"", 307, {"location": "/elsewhere"})

    response = posted(endpoint.url)[0]

    assert isinstance(response, Response)
    assert response.status == 307
    assert len(endpoint.bodies) == 1


def test_compressed_body_is_read(endpoint: Any, answers: SimpleNamespace) -> None:
    """A compressed response arrives as what it holds."""
    packed = gzip.compress(b'{"answer": 4}')
    endpoint.behave = lambda body, nth: answers.Act(packed, headers={"content-encoding": "gzip"})

    response = posted(endpoint.url)[0]

    assert isinstance(response, Response)
    assert response.body == b'{"answer": 4}'


def test_endless_body_is_dropped(endpoint: Any, answers: SimpleNamespace) -> None:
    """A response that unpacks to more than the limit is a broken connection, not memory."""
    bomb = gzip.compress(b"0" * (LARGEST_BODY + 1))
    endpoint.behave = lambda body, nth: answers.Act(bomb, headers={"content-encoding": "gzip"})

    assert posted(endpoint.url) == [ConnectionLost.__name__]


PROXY = "http://proxy.example:3128"


@pytest.mark.parametrize(
    ("base_url", "environment", "proxy"),
    [
        ("https://api.example/v1", {}, None),
        ("https://api.example/v1", {"HTTPS_PROXY": PROXY}, PROXY),
        ("https://api.example/v1", {"https_proxy": PROXY}, PROXY),
        ("https://api.example/v1", {"ALL_PROXY": PROXY}, PROXY),
        ("https://api.example/v1", {"HTTP_PROXY": PROXY}, None),
        ("https://api.example/v1", {"HTTPS_PROXY": PROXY, "NO_PROXY": "other.example,api.example"}, None),
        ("http://gpu-7.lab:8000/v1", {"http_proxy": PROXY, "no_proxy": ".lab"}, None),
        ("http://127.0.0.1:8000/v1", {"HTTP_PROXY": PROXY}, None),
    ],
)
def test_proxies_are_honoured(base_url: str, environment: dict[str, str], proxy: str | None) -> None:
    """The proxy of the URL's scheme leads to an endpoint, unless the host is exempt or this machine."""
    assert proxy_for(base_url, environment) == proxy


def test_request_goes_through_the_proxy(endpoint: Any) -> None:
    """Behind a proxy the request names the whole URL and goes to the proxy."""
    posted("http://far.example/v1", environment={"http_proxy": f"http://127.0.0.1:{endpoint.port}"})

    assert endpoint.headers[0].startswith("POST http://far.example/v1/chat/completions HTTP/1.1\r\n")
