"""Holds the one HTTP request: a chat completion from any OpenAI-compatible endpoint, or a named failure.

It learns what the endpoint refuses (temperature, several samples a request, the name of the token limit, a structure)
and says so in ``remarks``. Never retries a failure, never waits for a slot, never stores.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from glass_pipeline.llm.asks import Message
from glass_pipeline.llm.carrier import Carrier
from glass_pipeline.llm.faults import Endpoint, Refusal, fault_of_status, refusal_of
from glass_pipeline.llm.structured import NEXT_RUNG, Rung, Structure, refuses_structure, response_format
from glass_pipeline.llm.wire import Choice, Completion, read_completion

TERMINAL_CODES = {
    "content_filter": "content_filter",
    "content_policy_violation": "content_filter",
    "context_length_exceeded": "length",
    "exceed_context_size_error": "length",
}
"""Error codes that speak of one prompt, not of the run, and the terminal status that each stands for."""
REFUSES_N = re.compile(r"\bn\b[^.]{0,40}(must|only|support|allowed|1)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How answers are drawn."""

    temperature: float | None
    """None sends none."""
    max_tokens: int
    reasoning_effort: str | None
    structure: Structure | None = None
    """The JSON object that every answer is to be; None: free text."""


class EndpointClient:
    """Client of one endpoint; the carrier is the seam below it."""

    def __init__(
        self, endpoint: Endpoint, carrier: Carrier, *, api_key: str, sampling: Sampling, supports_n: bool
    ) -> None:
        """Send nothing yet.

        Args:
            endpoint: Where, and what messages call it.
            carrier: What carries requests; closed with the client.
            api_key: What the carrier sends; cut out of every message.
            sampling: How answers are drawn.
            supports_n: Whether to ask for several samples in one request.
        """
        self.supports_n = supports_n
        """Becomes False when the endpoint answers fewer choices than asked, or refuses the parameter."""
        self.remarks: list[str] = []
        """What was learnt about the endpoint, for the report."""
        self._endpoint = endpoint
        self._carrier = carrier
        self._api_key = api_key
        self._temperature = sampling.temperature
        self._max_tokens = sampling.max_tokens
        self._reasoning_effort = sampling.reasoning_effort
        self._structure = sampling.structure
        self._rung: Rung = "json_schema"
        self._limit_name = "max_tokens" if sampling.reasoning_effort is None else "max_completion_tokens"

    async def complete(self, messages: Sequence[Message], samples: int, seed: int | None = None) -> Completion:
        """Return at most ``samples`` choices, at least one.

        Args:
            messages: The prompt.
            samples: Choices wanted; fewer come back where the endpoint ignores ``n``.
            seed: Sent where given.

        Raises:
            Transient: no answer this time.
            Permanent: asking again cannot help.
        """
        body = self._body(messages, samples, seed)
        while True:
            response = await self._carrier.post(json.dumps(body, separators=(",", ":")).encode())
            if 200 <= response.status < 300:
                completion = read_completion(response.body)
                if len(completion.choices) < body.get("n", 1):
                    self._learn_single("answers one sample whatever n asks for")
                return completion._replace(choices=completion.choices[:samples])
            refusal = self._redacted(refusal_of(response))
            if refusal.status_code in {400, 422}:
                refused_prompt = _refused_prompt(refusal, samples)
                if refused_prompt is not None:
                    return refused_prompt
                if self._adapt(refusal, body):
                    continue
            raise fault_of_status(refusal, response.headers, self._endpoint)

    async def close(self) -> None:
        """Close every connection."""
        await self._carrier.close()

    def _body(self, messages: Sequence[Message], samples: int, seed: int | None) -> dict[str, Any]:
        optional = {
            "temperature": self._temperature,
            "reasoning_effort": self._reasoning_effort,
            "n": samples if samples > 1 and self.supports_n else None,
            "seed": seed,
            "response_format": response_format(self._structure, self._rung) if self._structure else None,
        }
        return {
            "model": self._endpoint.model,
            "messages": [message._asdict() for message in messages],
            self._limit_name: self._max_tokens,
            **{name: value for name, value in optional.items() if value is not None},
        }

    def _adapt(self, refusal: Refusal, body: dict[str, Any]) -> bool:
        """Take what the endpoint refuses out of the body, and remember it; False if there is nothing to take out."""
        said = f"{refusal.parameter} {refusal.message}".lower()
        if "max_completion_tokens" in said and "max_tokens" in body:
            self._limit_name = "max_completion_tokens"
            body["max_completion_tokens"] = body.pop("max_tokens")
        elif "temperature" in said and "temperature" in body:
            self._temperature = None
            del body["temperature"]
            self._remark("refuses a temperature: none was sent")
        elif "n" in body and (refusal.parameter == "n" or REFUSES_N.search(refusal.message)):
            del body["n"]
            self._learn_single("refuses several samples in one request")
        elif "response_format" in body and refuses_structure(said):
            self._descend(body)
        else:
            return False
        return True

    def _descend(self, body: dict[str, Any]) -> None:
        """Ask for less structure than a refused request did; another request may have learnt that already."""
        refused = body.pop("response_format")["type"]
        if refused == self._rung:
            self._rung = NEXT_RUNG[self._rung]
            self._remark(f"refuses {refused}: asked for {self._rung} instead")
        wanted = response_format(self._structure, self._rung) if self._structure else None
        if wanted is not None:
            body["response_format"] = wanted

    def _learn_single(self, remark: str) -> None:
        self.supports_n = False
        self._remark(f"{remark}: asked once a sample")

    def _remark(self, remark: str) -> None:
        if remark not in self.remarks:
            self.remarks.append(remark)

    def _redacted(self, refusal: Refusal) -> Refusal:
        # Some endpoints repeat the key in their error message.
        return refusal._replace(message=refusal.message.replace(self._api_key, "…")) if self._api_key else refusal


def _refused_prompt(refusal: Refusal, samples: int) -> Completion | None:
    """Return the completion that a refused prompt stands for; None if the refusal is of another kind."""
    status = next((status for code, status in TERMINAL_CODES.items() if code in refusal.code), None)
    return None if status is None else Completion((Choice(status, "", None, refusal.message),) * samples, None, None)
