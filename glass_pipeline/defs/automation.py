"""Holds the one automation condition of the project, and nothing else.

Never names an asset: ``build`` stamps the condition on all of them.
"""

from __future__ import annotations

from collections.abc import Mapping

import dagster as dg

Condition = dg.AutomationCondition


def rerun_condition(
    *,
    waits_for_all: bool,
    order_only: dg.AssetSelection | None = None,
    upstream: Mapping[dg.AssetKey, dg.AssetSelection | None] | None = None,
) -> dg.AutomationCondition:
    """Return the condition under which an asset is made anew: something it was made from has other bytes now.

    Args:
        waits_for_all: True for assets that need every upstream partition. Fan-in assets use what exists, so
            for them a missing dose or solver is no reason to wait.
        order_only: Upstream assets that must come first but whose content does not matter.
        upstream: Each upstream asset that is made here, with the order-only ones among its own.

    Gates: nothing upstream missing, running, failed or due itself, not running itself, and every blocking check
    upstream passed: a blocking check stops downstream assets only inside its own run. ``due`` keeps a diamond in
    order: of two upstream assets that the same change concerns, the later one would otherwise come too late, and
    labels would be paid for a mix that is about to be drawn anew.
    """
    gate: dg.AutomationCondition = (
        ~Condition.any_deps_in_progress()
        & ~Condition.in_progress()
        & ~Condition.any_deps_match(Condition.execution_failed())
        & Condition.all_deps_blocking_checks_passed()
    )
    if waits_for_all:
        gate = gate & ~Condition.any_deps_missing()
    for key, unread in (upstream or {}).items():
        gate = gate & ~Condition.asset_matches(key, _triggers(unread).since(_handled() | Condition.newly_updated()))
    return _triggers(order_only).since(_handled()).with_label("due") & gate


def _triggers(order_only: dg.AssetSelection | None) -> dg.AutomationCondition:
    """What makes an asset due; all are edges, latched by the caller until a run is requested.

    An edge that arrives while the gate is shut would otherwise be lost. The accident that each prevents:

    * ``data_changed``: reacts to a new data version, not to a new run, so identical bytes start nothing.
    * ``code_changed``: the eager condition never reacts to a bumped code version.
    * ``newly_missing``: a dose or solver added to the study is filled in.
    * ``failed``: the first failure since the last success is tried again. A bare "is failed" asks on every tick,
      and "has just failed" for ever with one run a failure; what fails twice is a fault, not weather.
    """
    any_changed = Condition.any_deps_match(Condition.data_version_changed())
    data_changed = (any_changed.ignore(order_only) if order_only else any_changed).with_label(
        "an upstream table has other bytes"
    )
    code_changed = Condition.code_version_changed().with_label("its code version was bumped")
    newly_missing = Condition.newly_missing().with_label("it was never made")
    failing = Condition.execution_failed().newly_true().since(Condition.newly_updated())
    failed = failing.newly_true().with_label("it has failed for the first time since it was last made")
    return data_changed | code_changed | newly_missing | failed


def _handled() -> dg.AutomationCondition:
    return Condition.newly_requested() | Condition.initial_evaluation()
