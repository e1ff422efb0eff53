"""Holds a small study under automation: ticks of the real sensors over a real instance, each request executed.

Never decides what must run: it only counts what the sensors of ``build_definitions`` ask for.
"""

from __future__ import annotations

import datetime as dt
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dagster as dg

from glass_pipeline.defs.build import build_definitions
from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.partitions import cell_of_key
from glass_pipeline.defs.plan import whole
from glass_pipeline.defs.run import run_selection
from glass_pipeline.defs.warehouse import Warehouse
from glass_pipeline.defs.wiring import key_of
from glass_pipeline.study import Settings, Study

START = dt.datetime(2026, 12, 1, tzinfo=dt.UTC)
MOST_TICKS = 30
SENSORS = ("glass_reruns", "paid_reruns")


class Automation:
    """One warehouse and one instance, watched by sensors that somebody has turned on."""

    def __init__(self, folder: Path, study: Study, sensors: tuple[str, ...] = SENSORS) -> None:
        self.folder, self.sensors = folder, sensors
        self.settings = Settings(study_file=folder / "glass.toml", warehouse=folder / "warehouse", environment={})
        self.warehouse = Warehouse(self.settings.warehouse)
        (folder / "home").mkdir(parents=True, exist_ok=True)
        self.instance = dg.DagsterInstance.local_temp(str(folder / "home"))
        self.time = START
        self.cursors: dict[str, Any] = {}
        self.load(study)
        self.tick()

    def load(self, study: Study) -> None:
        """Reload the code location, as Dagster does after glass.toml has changed."""
        self.study = study
        self.definitions = build_definitions(study, self.settings, suites=("mini",))

    def tick(self) -> list[Cell]:
        """Evaluate every sensor once and return the cells that it asks for."""
        self.time += dt.timedelta(minutes=1)
        asked: list[Cell] = []
        for name in self.sensors:
            sensor = self.definitions.get_sensor_def(name)
            result = dg.evaluate_automation_conditions(
                self.definitions,
                self.instance,
                asset_selection=sensor.asset_selection,
                cursor=self.cursors.get(name),
                evaluation_time=self.time,
            )
            self.cursors[name] = result.cursor
            for each in result.results:
                assert isinstance(each.key, dg.AssetKey)
                keys = result.get_requested_partitions(each.key)
                asked += [cell_of_key(each.key, key) for key in sorted(keys, key=str)]
        return asked

    def make(self, *cells: Cell) -> None:
        """Execute requests, one run a cell, as the daemon would; a failed check leaves its mark and no more."""
        parts: list[Any] = [*(self.definitions.assets or ()), *(self.definitions.asset_checks or ())]
        for cell in cells:
            stages = {"twins", "declines"} if cell.stage == "twins" else {cell.stage}
            dg.materialize(
                parts,
                selection=dg.AssetSelection.assets(*(key_of(cell.suite, stage) for stage in stages)),
                partition_key=cell.partition_key,
                resources=dict(self.definitions.resources or {}),
                instance=self.instance,
                raise_on_error=False,
                run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
            )

    def observe(self) -> None:
        """Observe what glass.toml says now, as the sensor `settings_watch` does on each of its ticks."""
        sensor = self.definitions.get_sensor_def("settings_watch")
        context = dg.build_sensor_context(instance=self.instance, cursor=self.cursors.get("settings_watch"))
        found = sensor(context)
        assert isinstance(found, dg.SensorResult)
        self.cursors["settings_watch"] = found.cursor
        for event in found.asset_events:
            self.instance.report_runless_asset_event(event)

    def settle(self) -> list[str]:
        """Tick and execute until nothing more is asked for, and return every cell made, in order."""
        made: list[Cell] = []
        for _ in range(MOST_TICKS):
            asked = self.tick()
            if not asked:
                return [str(cell) for cell in made]
            self.make(*asked)
            made += asked
        raise AssertionError(f"the sensors still ask after {MOST_TICKS} ticks: {[str(cell) for cell in made]}")

    def glass_run(self, study: Study | None = None) -> list[str]:
        """Make with `glass run` whatever it finds stale, and return those cells."""
        study = study or self.study
        made = run_selection(whole("mini", study), study, self.settings, instance=self.instance)
        return [str(each.cell) for each in made]


@contextmanager
def copied(made: Path, target: Path, study: Study, sensors: tuple[str, ...] = SENSORS) -> Iterator[Automation]:
    """Yield automation over a copy of a warehouse and instance that hold the whole study."""
    shutil.copytree(made, target)
    bench = Automation(target, study, sensors)
    try:
        yield bench
    finally:
        bench.instance.dispose()
