"""Holds the way from an exception to one sentence and an exit code.

Codes (DESIGN §7): bad input 2, failed endpoint 3, exhausted budget 4, a gate that does not hold 5.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

BAD_INPUT, FAILED_ENDPOINT, EXHAUSTED_BUDGET = 2, 3, 4
INTERRUPTED = 130


class InputError(ValueError):
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
    from glass_pipeline.defs.warehouse import WarehouseError
    from glass_pipeline.domain.audit import PairError
    from glass_pipeline.domain.grading import GoldError, RowError
    from glass_pipeline.domain.problems import SourceError
    from glass_pipeline.domain.schemas import TableError
    from glass_pipeline.llm.errors import (
        BudgetExhausted,
        MissingKey,
        MissingWeights,
        SolverError,
        UnknownPrice,
    )
    from glass_pipeline.llm.math_pool import MathVerifyMissing
    from glass_pipeline.llm.prompts import PromptError
    from glass_pipeline.study import StudyError

    if isinstance(error, BudgetExhausted):
        return EXHAUSTED_BUDGET
    bad_file = (InputError, SourceError, RowError, PairError, GoldError)
    bad_study = (StudyError, TableError, WarehouseError, PromptError, MathVerifyMissing)
    unusable_solver = (MissingKey, MissingWeights, UnknownPrice)
    if isinstance(error, (*bad_file, *bad_study, *unusable_solver)):
        return BAD_INPUT
    return FAILED_ENDPOINT if isinstance(error, SolverError) else None


def fail(message: str, code: int) -> None:
    """Print one sentence on stderr and exit."""
    print(f"glass: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(code)
