"""Holds ``glass requests``: what is left to ask written as a file, and a file of responses taken into the store.

Never sends anything; the format is that of OpenAI's Batch API (see ``llm.request_file``).
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from glass_pipeline.cli.files import parse_lines, read_bytes
from glass_pipeline.cli.graph import Wanted, select
from glass_pipeline.study import settings_from

if TYPE_CHECKING:
    from glass_pipeline.domain.records import Question
    from glass_pipeline.llm.solvers.protocol import Setting
    from glass_pipeline.llm.store import ResponseStore


class _Asked(NamedTuple):
    setting: Setting
    questions: list[Question]
    store: ResponseStore


def export_requests(wanted: Wanted, study_file: Path | None) -> None:
    """Write one request a line for every sample that the response store does not have."""
    from glass_pipeline.llm.request_file import request_lines

    n = 0
    with _asked(wanted, study_file) as asked:
        for line in request_lines(*asked):
            print(json.dumps(line))
            n += 1
    print(f"{n} requests; take in their responses, then ask again until there are none.", file=sys.stderr)


def import_responses(wanted: Wanted, responses: Path, study_file: Path | None, *, as_json: bool) -> None:
    """Take the answers of a file of responses into the response store."""
    from glass_pipeline.llm.request_file import take_responses

    rows = [line.row for line in parse_lines(read_bytes(responses), responses)]
    with _asked(wanted, study_file) as asked:
        taken = take_responses(*asked, rows)
    if as_json:
        print(json.dumps({"stored": taken.stored, "failed": dict(taken.failed), "unknown": taken.unknown}))
        return
    failed = ", ".join(f"{status} {n}" for status, n in sorted(taken.failed.items())) or "none"
    print(
        f"{taken.stored} replies stored; without an answer: {failed}; {taken.unknown} lines answer nothing that is "
        f"left to ask. `glass run {wanted.suite}` goes on from here."
    )


@contextmanager
def _asked(wanted: Wanted, study_file: Path | None) -> Iterator[_Asked]:
    """Hand out what one solver is to be asked, after making the stages that ask nobody."""
    from glass_pipeline.defs.instance import open_instance
    from glass_pipeline.defs.resources import SolverResource
    from glass_pipeline.defs.run import free_part, questions_of, run_selection
    from glass_pipeline.defs.warehouse import Warehouse
    from glass_pipeline.llm.solvers.protocol import Setting

    study, settings = settings_from(os.environ, study_file)
    selection = select(wanted, study)
    with open_instance(settings) as instance:
        run_selection(free_part(selection, study, settings), study, settings, instance=instance)
    (slug,) = wanted.solvers
    setting = Setting(
        slug=slug, solver=study.solver(slug), environment=settings.environment, study_seed=study.study.seed
    )
    resource = SolverResource(study, Warehouse(settings.warehouse), settings.environment)
    with resource.store() as store:
        yield _Asked(setting, questions_of(selection, study, settings), store)
