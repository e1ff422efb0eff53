"""Holds the ARC lab as the graph sees it: the shape of its assets, and its folder and settings out of glass.toml.

Never trains or evaluates (see ``llm.arc_lab``). The lab is no suite, so ``keys.STAGES`` does not know it; its files lie
in its own folder, which ``glass arc`` shares, and not in the tables of the warehouse.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import dagster as dg

from glass_pipeline.defs.automation import rerun_condition
from glass_pipeline.defs.code_versions import version_of
from glass_pipeline.defs.io_managers import shown_columns
from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.protocol import LabConfig
from glass_pipeline.domain.schemas.arc_lab import LAB_COLUMNS
from glass_pipeline.llm.arc_lab.folder import LabFolder, file_hash
from glass_pipeline.llm.arc_lab.series import Log, read_series
from glass_pipeline.llm.arc_source import Asked, HuggingFaceLabHub, LabHub
from glass_pipeline.location import on_this_machine
from glass_pipeline.study import ArcLab, Settings, StudyError

LAB = "arc_lab"
DEVICE_POOL = "arc_lab_device"
"""Concurrency pool of the assets that hold a model; give it one slot where runs would share a GPU."""
MOST_SEEDS = 99
"""Beyond this many upstream partitions Dagster no longer sees a changed one."""


class LabStage(NamedTuple):
    """One asset of the lab."""

    name: str
    kinds: frozenset[str]
    why: str
    by_seed: bool = False
    reads: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()
    """Assets that must come first, but whose content does not enter the result."""
    holds_model: bool = False
    starts_itself: bool = True
    """False: only a person starts it."""


LAB_STAGES: Mapping[str, LabStage] = {
    stage.name: stage
    for stage in (
        LabStage(
            "items",
            frozenset({"python", "json"}),
            "Train, validation and test items at a locked revision, with the thresholds declared: whatever changes "
            "later cannot have been chosen for its result.",
        ),
        LabStage(
            "lora_adapter",
            frozenset({"python", "pytorch"}),
            "One LoRA adapter a seed, selected on validation with the test split shut: a single seed could be a lucky "
            "one. Trains for minutes to hours, so only a person starts it; a finished adapter is kept.",
            by_seed=True,
            reads=("items",),
            holds_model=True,
            starts_itself=False,
        ),
        LabStage(
            "base_predictions",
            frozenset({"python", "pytorch", "json"}),
            "Test items answered by the model without an adapter. It opens the test split, so it waits for the "
            "adapters of all seeds: none may be trained knowing a result.",
            reads=("items",),
            follows=("lora_adapter",),
            holds_model=True,
        ),
        LabStage(
            "predictions",
            frozenset({"python", "pytorch", "json"}),
            "The same test items answered with one seed's adapter; an adapter that changed remakes its own only.",
            by_seed=True,
            reads=("items", "lora_adapter"),
            follows=("base_predictions",),
            holds_model=True,
        ),
        LabStage(
            "paired_report",
            frozenset({"python", "json", "markdown"}),
            "Whether the adapters are better than the base model on the same items: interval and exact test over "
            "seeds, and the verdict in words with the limits of the claim.",
            reads=("items", "base_predictions", "predictions"),
        ),
    )
}
"""Every asset of the lab, each after what it reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """The lab that glass.toml declares."""

    folder: LabFolder
    asked: Asked
    limits: Mapping[str, int]
    thresholds: Path | None
    config: LabConfig
    device: str
    hub: LabHub

    @property
    def seeds(self) -> dg.StaticPartitionsDefinition:
        """One partition a training seed."""
        return dg.StaticPartitionsDefinition([str(seed) for seed in self.config.seeds])

    def declared_thresholds(self) -> bytes | None:
        """Return the thresholds file of glass.toml, None where it names none.

        Raises:
            LabError: the file cannot be read.
        """
        try:
            return None if self.thresholds is None else self.thresholds.read_bytes()
        except OSError as error:
            raise LabError(f"{self.thresholds} cannot be read ({error.strerror or error}); see [arc_lab].") from None

    def trained_folder(self) -> LabFolder:
        """Return the folder, whose series is the one that glass.toml declares.

        Raises:
            LabError: nothing was trained yet, or with other settings.
        """
        trained, declared = asdict(read_series(self.folder).config), asdict(self.config)
        other = next((name for name, value in declared.items() if trained[name] != value), None)
        if other is not None:
            raise LabError(
                f"[arc_lab] of glass.toml says {other} = {declared[other]!r}, but the series in {self.folder.root} was "
                f"trained with {trained[other]!r}; write that back, or materialize {LAB}/lora_adapter first."
            )
        return self.folder


def lab_of(declared: ArcLab, settings: Settings) -> Lab:
    """Return the lab that glass.toml declares.

    Raises:
        StudyError: a setting is out of its range, or there are more seeds than Dagster can watch.
    """
    given = declared.model_dump(include={*LabConfig.__dataclass_fields__}, exclude_none=True)
    try:
        config = LabConfig(**given)
    except LabError as error:
        raise StudyError(f"{settings.study_file.name}: [arc_lab] {error}") from None
    if len(config.seeds) > MOST_SEEDS:
        raise StudyError(f"{settings.study_file.name}: [arc_lab] has {len(config.seeds)} seeds, at most {MOST_SEEDS}.")
    home = settings.study_file.parent
    return Lab(
        folder=LabFolder(
            home / declared.folder
            if declared.folder
            else on_this_machine(settings.warehouse, "The ARC lab ([arc_lab] folder)") / LAB
        ),
        asked=Asked(_beside(home, declared.dataset), declared.dataset_config, _beside(home, declared.model)),
        limits={str(split): size for split, size in declared.sizes.items()},
        thresholds=home / declared.thresholds if declared.thresholds else None,
        config=config,
        device=declared.device,
        hub=HuggingFaceLabHub(),
    )


def lab_key(name: str) -> dg.AssetKey:
    """Return the asset key ``arc_lab/<name>``; no suite can have this prefix, since slugs have no underscore."""
    return dg.AssetKey([LAB, name])


def lab_wired(lab: Lab, name: str) -> dict[str, Any]:
    """Return the arguments of ``dg.asset`` for one asset of the lab, policy included."""
    stage = LAB_STAGES[name]
    follows = dg.AssetSelection.assets(*map(lab_key, stage.follows)) if stage.follows else None
    condition = rerun_condition(waits_for_all=True, order_only=follows)
    return {
        "key": lab_key(name),
        "deps": [lab_key(each) for each in (*stage.reads, *stage.follows)],
        "partitions_def": lab.seeds if stage.by_seed else None,
        "group_name": LAB,
        "description": stage.why,
        "kinds": set(stage.kinds),
        "owners": ["team:glass"],
        "pool": DEVICE_POOL if stage.holds_model else None,
        "code_version": version_of(f"{LAB}/{name}"),
        "automation_condition": condition if stage.starts_itself else None,
        "metadata": {"dagster/column_schema": shown_columns(LAB_COLUMNS[name])},
    }


def told(context: dg.AssetExecutionContext) -> Log:
    """Return what writes the lab's log lines into the run's log."""
    return lambda line, _: context.log.info(line)


def files_result(paths: Sequence[Path], metadata: Mapping[str, dg.MetadataValue]) -> dg.MaterializeResult[Any]:
    """Return files of the lab as a materialization whose data version is the hash of their bytes."""
    parts = "\n".join(file_hash(path, "prepare") for path in paths)
    version = hashlib.sha256(parts.encode()).hexdigest()
    return dg.MaterializeResult(data_version=dg.DataVersion(version), metadata=metadata)


def _beside(home: Path, reference: str | None) -> str | None:
    """Return a path relative to glass.toml as an absolute one, and any other reference as it is."""
    return str(home / reference) if reference is not None and (home / reference).exists() else reference
