"""Holds the errors of solving, drawn as one tree; whoever catches one knows whether asking again can help.

    SolverError
      + Transient            no answer now, perhaps one later: asked again, then counted under its status
        - RateLimited        429, or an error body that says so
        - TimedOut           no answer within the solver's timeout
        - ConnectionLost     reset, or closed without an answer
          . Unreachable      nothing listens there
        - ServerFault        5xx, or 200 with an error body
        - Malformed          200 with something that is not a chat completion
      + Permanent            asking again cannot help: the run stops
        - KeyRejected        401 or 403
        - MissingKey         the environment variable that should hold the key is not set
        - ModelNotFound      404
        - BadRequest         the endpoint refuses the request itself
        - QuotaSpent         the account behind the key has no credit left
        - EndpointGone       connection after connection fails
        - MissingWeights     no GGUF file, or nothing that could serve it
        - UnknownPrice       a cap in money for a solver without a price
      + BudgetExhausted      the next request could exceed the solver's cap

Never holds what to do about an error: retries are written on this tree in ``asking``, exit codes in the command
line. An answer that cannot be read is data, not an error (see ``domain.records.TERMINAL_STATUSES``).
"""

from __future__ import annotations

from typing import ClassVar


class SolverError(Exception):
    """Solving failed; the message is one sentence with the remedy."""


class Transient(SolverError):
    """No answer this time; the class says under which status it is counted."""

    status: ClassVar[str] = "error"

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class RateLimited(Transient):
    """The endpoint asks for fewer requests."""

    status = "rate_limited"


class TimedOut(Transient):
    """No answer within the solver's timeout."""

    status = "timeout"


class ConnectionLost(Transient):
    """The connection broke before an answer was complete."""

    status = "reset"


class Unreachable(ConnectionLost):
    """No connection could be made."""


class ServerFault(Transient):
    """The endpoint says that it failed."""


class Malformed(Transient):
    """The endpoint answered with something that is not a chat completion."""

    status = "malformed"


class Permanent(SolverError):
    """Asking again cannot help."""


class KeyRejected(Permanent):
    """The endpoint does not accept the key."""


class MissingKey(Permanent):
    """The environment variable that should hold the key is not set."""


class ModelNotFound(Permanent):
    """The endpoint knows no such model, or no such path."""


class BadRequest(Permanent):
    """The endpoint refuses the request itself."""


class QuotaSpent(Permanent):
    """The account behind the key has no credit left."""


class EndpointGone(Permanent):
    """Connection after connection fails."""


class MissingWeights(Permanent):
    """There is no GGUF file, or nothing installed that could serve it."""


class UnknownPrice(Permanent):
    """A cap in money was set for a solver whose price is unknown."""


class BudgetExhausted(SolverError):
    """The next request could exceed the solver's cap on money or requests."""
