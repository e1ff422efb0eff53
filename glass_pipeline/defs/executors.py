"""Holds the choice of who executes a run's steps: this process, Celery workers, or pods of a Kubernetes cluster.

Never imports what the choice does not need, so that one machine needs none of the extras.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import dagster as dg

from glass_pipeline.domain.errors import BadInput

EXECUTOR = "GLASS_EXECUTOR"
BROKER = "GLASS_CELERY_BROKER"
BACKEND = "GLASS_CELERY_BACKEND"
IN_PROCESS = "in_process"


def executor_of(environment: Mapping[str, str]) -> dg.ExecutorDefinition:
    """Return the executor that ``GLASS_EXECUTOR`` names; unset, everything runs in this process.

    Raises:
        BadInput: an unknown name, an extra that is not installed, or Celery without a broker.
    """
    name = environment.get(EXECUTOR) or IN_PROCESS
    if name not in EXECUTORS:
        raise BadInput(f"{EXECUTOR} = {name!r}: no such executor; there are {', '.join(EXECUTORS)}.")
    try:
        return EXECUTORS[name](environment)
    except ImportError as error:
        raise BadInput(
            f"{EXECUTOR} = {name!r} needs {error.name}; for Celery, `pip install 'glass-pipeline[distributed]'`."
        ) from None


def _in_process(_: Mapping[str, str]) -> dg.ExecutorDefinition:
    return dg.in_process_executor


def _celery(environment: Mapping[str, str]) -> dg.ExecutorDefinition:
    from dagster_celery import celery_executor

    broker = environment.get(BROKER)
    if not broker:
        raise BadInput(f"{EXECUTOR} = 'celery' needs {BROKER}, e.g. redis://127.0.0.1:6379/0.")
    configured = celery_executor.configured({"broker": broker, "backend": environment.get(BACKEND) or broker})
    assert isinstance(configured, dg.ExecutorDefinition)
    return configured


def _kubernetes(_: Mapping[str, str]) -> dg.ExecutorDefinition:
    from dagster_k8s import k8s_job_executor

    return k8s_job_executor


EXECUTORS: Mapping[str, Callable[[Mapping[str, str]], dg.ExecutorDefinition]] = {
    IN_PROCESS: _in_process,
    "celery": _celery,
    "kubernetes": _kubernetes,
}
