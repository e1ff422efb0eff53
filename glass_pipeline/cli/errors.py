"""Holds the way from an exception to one sentence and an exit code.

Codes (DESIGN §7): bad input 2, failed endpoint 3, exhausted budget 4, a gate that does not hold 5.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from glass_pipeline.domain.errors import BadInput

BAD_INPUT, FAILED_ENDPOINT, EXHAUSTED_BUDGET, GATE_DOES_NOT_HOLD = 2, 3, 4, 5
INTERRUPTED = 130


class InputError(BadInput):
    """A file or an argument given to a command is wrong."""


@contextmanager
def explained() -> Iterator[None]:
    """Turn an expected error into a sentence on stderr and an exit code; let a defect of ours through."""
    try:
        yield
    except BrokenPipeError:
        # The reader (head, less) has seen enough; Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:
        fail("interrupted; what was answered is stored, and the same command goes on from there.", INTERRUPTED)
    except Exception as error:
        code = exit_code(error)
        if code is None:
            raise
        fail(str(error), code)


def exit_code(error: Exception) -> int | None:
    """Return the exit code of an expected error, None for a defect of ours."""
    if isinstance(error, BadInput):
        return BAD_INPUT
    from glass_pipeline.llm import errors as solving

    if isinstance(error, solving.BudgetExhausted):
        return EXHAUSTED_BUDGET
    if isinstance(error, solving.MissingKey | solving.MissingWeights | solving.UnknownPrice):
        return BAD_INPUT
    if isinstance(error, solving.SolverError):
        return FAILED_ENDPOINT
    from glass_pipeline.defs.run import CheckFailed

    return GATE_DOES_NOT_HOLD if isinstance(error, CheckFailed) else None


def fail(message: str, code: int) -> None:
    """Print one sentence on stderr and exit."""
    print(f"glass: {sentence(message)}", file=sys.stderr)
    sys.exit(code)


def sentence(message: str) -> str:
    """Return a message on one line; what of it came from a file cannot steer the terminal."""
    from glass_pipeline.domain.report.display_text import visible

    return visible(" ".join(message.split()))
