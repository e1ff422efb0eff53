"""Holds the judgement whether an endpoint is still there, and how many retries a run may spend.

Never waits and never sends.
"""

from __future__ import annotations

from glass_pipeline.llm.errors import ConnectionLost, EndpointGone, Transient

FIRST_CONTACT = 5
"""Failed connections in a row after which an endpoint that never answered is given up."""
FREE_RETRIES = 200
"""Retries that a run may spend before its successes pay for them."""


class Contact:
    """Counts failed connections in a row, over all workers of a run."""

    def __init__(self, slug: str, url: str, concurrency: int) -> None:
        """Allow three failures for each worker once the endpoint has answered, FIRST_CONTACT before."""
        self._place = f"{slug}: {url}"
        self._patience = max(3 * concurrency, 2 * FIRST_CONTACT)
        self._failed = 0
        self._answered = False

    def made(self) -> None:
        """Note a response, whatever it says."""
        self._failed = 0
        self._answered = True

    def failed(self, fault: ConnectionLost) -> None:
        """Note a failed connection.

        Raises:
            EndpointGone: too many in a row.
        """
        self._failed += 1
        if self._failed >= (self._patience if self._answered else FIRST_CONTACT):
            happened = "stopped answering" if self._answered else "does not answer"
            raise EndpointGone(
                f"{self._place} {happened} ({self._failed} failed connections in a row, last: {fault}); check that it "
                "runs and run again, what is stored is kept."
            )


class RetryBudget:
    """Lets retries be at most as many as replies, after FREE_RETRIES; a 429 is pacing and costs none."""

    def __init__(self) -> None:
        """Start with FREE_RETRIES."""
        self._left = float(FREE_RETRIES)

    def earn(self) -> None:
        """Note a reply."""
        self._left += 1

    def spend(self, fault: Transient) -> bool:
        """Return whether a fault may be retried, and pay for it."""
        if fault.status == "rate_limited":
            return True
        if self._left < 1:
            return False
        self._left -= 1
        return True
