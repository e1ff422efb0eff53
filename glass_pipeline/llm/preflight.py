"""Holds the check that a solver could be asked at all, before a run makes or sends anything.

Never sends a request and never starts a model.
"""

from __future__ import annotations

from collections.abc import Mapping

from glass_pipeline.llm.budget import Budget
from glass_pipeline.llm.solvers import KINDS
from glass_pipeline.llm.solvers.openai_endpoint import api_key_of
from glass_pipeline.llm.solvers.protocol import Setting
from glass_pipeline.llm.store import Spend
from glass_pipeline.study import Solver


def preflight(slug: str, solver: Solver, *, environment: Mapping[str, str], study_seed: int) -> None:
    """Raise what would stop a solver's first request: no key, no weights, a cap in money without a price.

    Args:
        slug: Name of the solver in glass.toml.
        solver: Its declaration.
        environment: Where keys are looked up.
        study_seed: As for ``solve``.

    Raises:
        Permanent: see ``errors``; the message is one sentence with the remedy.
    """
    setting = Setting(slug=slug, solver=solver, environment=environment, study_seed=study_seed)
    KINDS[solver.kind](setting)
    Budget(slug, solver, Spend(requests=0, cost_usd=0.0))
    if solver.kind == "openai":
        api_key_of(setting)
