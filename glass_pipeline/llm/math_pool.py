"""Holds the pool of killable processes that ask math-verify for a second opinion on MATH answers.

Never shows it a whole reply, never runs it in this process, and never waits for it beyond a deadline: it evaluates
what models wrote, and some of that takes for ever. Run as a module, this file is the worker.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import logging
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType

from glass_pipeline.domain.errors import BadInput
from glass_pipeline.domain.grading.second_opinion import MathPair, MathVerdict

DEADLINE_S = 2.0
"""Seconds that one pair may take."""

_START_S = 120.0
_MAX_MEMORY_BYTES = 2 * 2**30
_DECIMALS = 15
_DIGITS = 50


class MathVerifyMissing(BadInput):
    """The extra that holds math-verify is not installed."""


class MathPool:
    """A second opinion (``domain.grading.SecondOpinion``) that survives whatever it is asked.

    Workers start at the first question. Use it as a context manager, or call ``close``.
    """

    def __init__(self, *, workers: int = 2, deadline_s: float = DEADLINE_S) -> None:
        if importlib.util.find_spec("math_verify") is None:
            raise MathVerifyMissing(
                "math-verify is not installed; run pip install 'glass-pipeline[math]', or grade MATH answers without "
                "a second opinion."
            )
        self._deadline_s = deadline_s
        self._workers = [_Worker() for _ in range(workers)]
        self._idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        for worker in self._workers:
            self._idle.put(worker)

    def __enter__(self) -> MathPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __call__(self, pairs: Sequence[MathPair]) -> list[MathVerdict]:
        """Ask about every pair, each at most once.

        Args:
            pairs: Gold and answer, both in normal form.

        Returns:
            One verdict a pair, in order. A pair that hits the deadline is a ``timeout``, one that kills its worker an
            ``error``; neither accepts, and the others are not affected.
        """
        distinct = list(dict.fromkeys(pairs))
        with ThreadPoolExecutor(max_workers=len(self._workers)) as threads:
            verdicts = dict(zip(distinct, threads.map(self._ask, distinct), strict=True))
        return [verdicts[pair] for pair in pairs]

    def close(self) -> None:
        """Stop the workers; a later question starts them anew."""
        for worker in self._workers:
            worker.stop()

    def _ask(self, pair: MathPair) -> MathVerdict:
        worker = self._idle.get()
        try:
            return worker.ask(pair, self._deadline_s)
        finally:
            self._idle.put(worker)


class _Worker:
    """One process, one question at a time; a process that does not answer in time is killed and replaced."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def ask(self, pair: MathPair, deadline_s: float) -> MathVerdict:
        process = self._started()
        try:
            assert process.stdin is not None
            process.stdin.write(json.dumps([pair.gold, pair.answer]) + "\n")
            process.stdin.flush()
            line = self._lines.get(timeout=deadline_s)
        except queue.Empty:
            self.stop()
            return MathVerdict(accepted=False, how="timeout")
        except OSError:
            line = ""
        if line.strip() not in {"true", "false"}:
            self.stop()
            return MathVerdict(accepted=False, how="error")
        accepted = line.strip() == "true"
        return MathVerdict(accepted=accepted, how="math_verify" if accepted else "different")

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._process = None

    def _started(self) -> subprocess.Popen[str]:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.stop()
        # A fresh queue: what a killed process still had to say is not an answer to the next question.
        self._lines = queue.SimpleQueue()
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        threading.Thread(target=_pump, args=(self._process, self._lines), daemon=True).start()
        try:
            self._lines.get(timeout=_START_S)
        except queue.Empty:
            self.stop()
            raise RuntimeError(
                f"The math-verify worker did not start within {_START_S:.0f} s; is the machine overloaded?"
            ) from None
        return self._process


def _pump(process: subprocess.Popen[str], lines: queue.SimpleQueue[str]) -> None:
    assert process.stdout is not None
    with contextlib.suppress(ValueError, OSError):
        for line in process.stdout:
            lines.put(line)
    lines.put("")


def _is_same(gold: str, answer: str) -> bool:
    """Ask math-verify, gold first (it is not symmetric), strictly, without its own signal-based timeouts."""
    from math_verify import LatexExtractionConfig, parse, verify

    # LaTeX only: the other extractor ends in sympy's parse_expr, which evaluates text.
    wanted, stated = (
        parse(
            f"${side}$",
            extraction_config=[LatexExtractionConfig()],
            fallback_mode="no_fallback",
            parsing_timeout=None,
            raise_on_error=True,
        )
        for side in (gold, answer)
    )
    if not wanted or not stated:
        return False
    return bool(
        verify(
            wanted,
            stated,
            float_rounding=_DECIMALS,
            numeric_precision=_DIGITS,
            strict=True,
            timeout_seconds=None,
            raise_on_error=True,
        )
    )


def _limit_memory() -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MAX_MEMORY_BYTES, _MAX_MEMORY_BYTES))


def serve() -> None:
    """Answer one JSON pair a line with ``true`` or ``false`` until the input ends."""
    logging.disable()
    _limit_memory()
    _is_same("1", "1")
    print("ready", flush=True)
    for line in sys.stdin:
        gold, answer = json.loads(line)
        try:
            same = _is_same(gold, answer)
        except Exception:
            # Whatever a CAS raises on hostile input, the answer is the same: it does not accept.
            same = False
        print(json.dumps(same), flush=True)


if __name__ == "__main__":
    serve()
