"""The one automation condition: only what depends on changed bytes is requested."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import dagster as dg
import pytest

from glass_pipeline.defs.automation import rerun_condition

START = dt.datetime(2026, 12, 1, tzinfo=dt.UTC)


class Toy:
    """Two sources of bytes and a table made from them; each can be materialized with chosen bytes."""

    def __init__(self, instance: dg.DagsterInstance, *, order_only: bool, passes: Callable[[], bool]) -> None:
        self.instance = instance
        self.cursor: Any = None
        self.tick = START
        late = dg.AssetSelection.assets("late") if order_only else None

        def root(name: str) -> dg.AssetsDefinition:
            @dg.asset(name=name, automation_condition=None)
            def made(context: dg.AssetExecutionContext) -> dg.MaterializeResult:
                return dg.MaterializeResult(data_version=dg.DataVersion(context.run.tags["bytes"]))

            return made

        @dg.asset_check(asset="base", blocking=True)
        def sound() -> dg.AssetCheckResult:
            return dg.AssetCheckResult(passed=passes())

        @dg.asset(deps=["base", "late"], automation_condition=rerun_condition(waits_for_all=True, order_only=late))
        def table() -> dg.MaterializeResult:
            return dg.MaterializeResult(data_version=dg.DataVersion("t"))

        self.definitions = dg.Definitions(assets=[root("base"), root("late"), table], asset_checks=[sound])

    def make(self, name: str, content: str = "1") -> None:
        """Materialize one asset with these bytes, checks included."""
        parts: list[Any] = [*(self.definitions.assets or ()), *(self.definitions.asset_checks or ())]
        dg.materialize(
            parts,
            selection=dg.AssetSelection.assets(name),
            instance=self.instance,
            tags={"bytes": content},
            raise_on_error=False,
        )

    def requested(self) -> int:
        """Evaluate one tick and return how many runs it asks for."""
        self.tick += dt.timedelta(minutes=1)
        result = dg.evaluate_automation_conditions(
            self.definitions, self.instance, cursor=self.cursor, evaluation_time=self.tick
        )
        self.cursor = result.cursor
        return result.total_requested


@pytest.fixture
def toy(instance: dg.DagsterInstance) -> Callable[..., Toy]:
    """Make everything once, let the sensor see it once, and hand it over."""

    def made(*, order_only: bool = False, passes: Callable[[], bool] = lambda: True) -> Toy:
        lab = Toy(instance, order_only=order_only, passes=passes)
        for name in ("base", "late", "table"):
            lab.make(name)
        lab.requested()
        return lab

    return made


def test_identical_bytes_start_nothing(toy: Callable[..., Toy]) -> None:
    """A rerun that makes the same content asks for no run."""
    lab = toy()
    lab.make("base", "1")

    assert lab.requested() == 0


def test_other_bytes_start_one_run(toy: Callable[..., Toy]) -> None:
    """A changed upstream table asks for what depends on it, once."""
    lab = toy()
    lab.make("base", "2")

    assert lab.requested() == 1
    lab.make("table")
    assert lab.requested() == 0


def test_what_only_comes_first_starts_nothing(toy: Callable[..., Toy]) -> None:
    """An upstream asset whose content is not read may change without consequence."""
    lab = toy(order_only=True)
    lab.make("late", "2")

    assert lab.requested() == 0
    lab.make("base", "2")
    assert lab.requested() == 1


def test_a_failed_blocking_check_holds_the_change_until_it_passes(toy: Callable[..., Toy]) -> None:
    """Nothing follows a table that failed its check; the change is not lost when the check passes later."""
    verdict = {"passes": True}
    lab = toy(passes=lambda: verdict["passes"])
    verdict["passes"] = False
    lab.make("base", "2")

    assert lab.requested() == 0
    verdict["passes"] = True
    lab.make("base", "2")
    assert lab.requested() == 1
