"""Holds the one automation condition of the project, and nothing else.

Never names an asset: ``build`` stamps the condition on all of them.
"""

from __future__ import annotations

import dagster as dg


def rerun_condition(*, waits_for_all: bool, order_only: dg.AssetSelection | None = None) -> dg.AutomationCondition:
    """Return the condition under which an asset is made anew: something it was made from has other bytes now.

    Args:
        waits_for_all: True for assets that need every upstream partition. Fan-in assets use what exists, so
            for them a missing dose or solver is no reason to wait.
        order_only: Upstream assets that must come first but whose content does not matter.

    Triggers, and the accident each prevents:

    * ``data_changed``: reacts to a new data version, not to a new run, so identical bytes start nothing; it is
      latched, since a change that arrives while the gate is shut would otherwise be lost.
    * ``code_changed``: the eager condition never reacts to a bumped code version.
    * ``newly_missing``: a dose or solver added to the study is filled in.
    * ``failed``: an edge, not a level; a bare "is failed" asks again on every tick, for ever.

    Gates: nothing upstream missing or running, not running itself, and every blocking check upstream passed: a
    blocking check stops downstream assets only inside its own run.
    """
    any_changed = dg.AutomationCondition.any_deps_match(dg.AutomationCondition.data_version_changed())
    data_changed = (
        (any_changed.ignore(order_only) if order_only else any_changed)
        .since(dg.AutomationCondition.newly_requested() | dg.AutomationCondition.initial_evaluation())
        .with_label("an upstream table has other bytes")
    )
    code_changed = dg.AutomationCondition.code_version_changed().with_label("its code version was bumped")
    newly_missing = dg.AutomationCondition.newly_missing().with_label("it was never made")
    failed = dg.AutomationCondition.execution_failed().newly_true().with_label("its last run has just failed")
    gate = (
        ~dg.AutomationCondition.any_deps_in_progress()
        & ~dg.AutomationCondition.in_progress()
        & dg.AutomationCondition.all_deps_blocking_checks_passed()
    )
    if waits_for_all:
        gate = gate & ~dg.AutomationCondition.any_deps_missing()
    return (data_changed | code_changed | newly_missing | failed) & gate
