"""Holds the table of a solver: one model behind one endpoint, how it is asked and what it costs.

Never holds a key: only the name of the variable that does.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from glass_pipeline.study.record import Record


class Solver(Record):
    """One model behind one endpoint, or a simulation."""

    kind: Literal["openai", "llama_cpp", "planted"]
    model: str | None = None
    """Model name (openai), or a GGUF path, ``hub:<repo>/<file>`` or ``wheel:<package>`` (llama_cpp)."""
    base_url: str | None = None
    api_key_env: str | None = None
    """Name of the environment variable that holds the key; the key itself is written nowhere."""
    enabled: bool = True
    prompt: str = "zero-shot-v1"
    temperature: float | None = Field(default=0.2, ge=0, le=2)
    """None, written ``temperature = "none"``, sends no temperature (reasoning models refuse it)."""
    max_tokens: int = Field(default=1024, ge=1)
    reasoning_effort: Literal["minimal", "low", "medium", "high"] | None = None
    supports_n: bool = True
    """False: one request a sample."""
    concurrency: int = Field(default=16, ge=1)
    rpm: int | None = Field(default=None, ge=1)
    tpm: int | None = Field(default=None, ge=1)
    timeout_s: float = Field(default=120.0, gt=0)
    max_attempts: int = Field(default=6, ge=1)
    usd_per_million_prompt_tokens: float | None = Field(default=None, ge=0)
    usd_per_million_completion_tokens: float | None = Field(default=None, ge=0)
    max_cost_usd: float | None = Field(default=None, gt=0)
    max_requests: int | None = Field(default=None, ge=1)

    @field_validator("temperature", mode="before")
    @classmethod
    def _none_in_words(cls, value: Any) -> Any:
        # TOML has no null.
        if isinstance(value, str) and value != "none":
            raise ValueError(f'{value!r} is neither a number nor "none", which sends no temperature')
        return None if value == "none" else value

    @model_validator(mode="after")
    def _complete(self) -> Solver:
        if self.kind != "planted" and not self.model:
            raise ValueError(f'a solver of kind {self.kind} needs model = "…"')
        if self.kind == "openai" and not self.base_url:
            raise ValueError('a solver of kind openai needs base_url = "…"')
        return self
