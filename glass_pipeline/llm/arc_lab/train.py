"""Holds the step train: one adapter a seed, selected on validation.

Never opens the test split, and never adds an adapter to a series of other settings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from glass_pipeline.domain.arc_lab.adapters import WEIGHTS, target_modules
from glass_pipeline.domain.arc_lab.base_watch import BaseWatch
from glass_pipeline.domain.arc_lab.encoding import training_row
from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.items import ChoiceItem
from glass_pipeline.domain.arc_lab.predicting import Questions, encode_questions
from glass_pipeline.domain.arc_lab.protocol import LabConfig
from glass_pipeline.domain.arc_lab.scoring import Scorer, choose_scorer
from glass_pipeline.domain.arc_lab.training import Epoch, Material, train_adapter
from glass_pipeline.llm.arc_lab.device import environment, require_device
from glass_pipeline.llm.arc_lab.folder import LabFolder, file_hash, read_json, write_json
from glass_pipeline.llm.arc_lab.series import Log, require_same_making
from glass_pipeline.llm.arc_source import LOCAL, Base, LabHub, load_base


def train(
    folder: LabFolder,
    config: LabConfig,
    device: str,
    hub: LabHub,
    *,
    log: Log,
    only: Sequence[int] | None = None,
) -> None:
    """Train the adapters of a series that are not there yet, each selected on validation; the test split stays shut.

    Args:
        folder: Of the lab, prepared.
        config: One for all seeds.
        device: Of the whole series.
        hub: Where the model comes from, if no local path.
        log: Told of every epoch.
        only: Seeds of the series to train now; None for all.

    Raises:
        LabError: the device is absent, adapters of other settings are there, or a loss is not a finite number.
    """
    strange = next((seed for seed in only or () if seed not in config.seeds), None)
    if strange is not None:
        raise LabError(f"Seed {strange} is not one of the series ({', '.join(map(str, config.seeds))}).")
    require_device(device)
    train_items, validation_items = folder.read_items("train"), folder.read_items("validation")
    base = load_base(folder.read_lock(), device, hub)
    validation = encode_questions(validation_items, base.encode, max_length=config.max_length)
    scorer = choose_scorer(base.model, validation.encoded, config.max_length)
    _continue_series(folder, config, base, scorer, device)
    material = _material(folder, train_items, validation, config, base)
    watch = BaseWatch(base.model, validation.encoded[0])
    for seed in config.seeds if only is None else only:
        if (folder.adapter(seed) / WEIGHTS).is_file():
            log(f"seed={seed} kept, trained before", {"event": "kept", "seed": seed})
            continue
        trained = train_adapter(
            base.model, material, config, seed, scorer=scorer, on_epoch=lambda epoch: _tell(log, epoch)
        )
        watch.check(base.model, f"training seed {seed}")
        folder.write_adapter(trained)


def _continue_series(folder: LabFolder, config: LabConfig, base: Base, scorer: Scorer, device: str) -> None:
    """Write down what all adapters share, or refuse to add one that was made in another way."""
    made = {
        "config": {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(config).items()},
        "target_modules": list(target_modules(config, base.model.config.model_type)),
        "scoring": scorer.scoring,
        "environment": environment(device),
        "sources": asdict(folder.read_lock()),
        "splits": {split: file_hash(folder.split(split), "prepare") for split in ("train", "validation")},
    }
    _declare_seeds(folder, made)
    require_same_making(
        folder.series,
        made,
        "train-all",
        "adapters",
        "train all seeds again after `glass arc clean`, or use its settings",
    )


def _declare_seeds(folder: LabFolder, made: Mapping[str, Any]) -> None:
    """Let the seeds of a series change while the test split is shut: no adapter depends on which others there are.

    Afterwards they stay, since seeds that join when results are known make the p-value untrue.
    """
    held = read_json(folder.series, "train-all") if folder.series.exists() else {}
    config = held.get("config")
    if not isinstance(config, dict) or config.get("seeds") == made["config"]["seeds"]:
        return
    if folder.made_from.exists():
        raise LabError(
            f"The test split was evaluated with the seeds {config.get('seeds')}, so {made['config']['seeds']} would be "
            "chosen knowing results; keep them, or forget the results first with `glass arc clean --results`."
        )
    if {**held, "config": {**config, "seeds": made["config"]["seeds"]}} == made:
        write_json(folder.series, made)


def _material(
    folder: LabFolder, items: Sequence[ChoiceItem], validation: Questions, config: LabConfig, base: Base
) -> Material:
    lock = folder.read_lock()
    rows = tuple(training_row(item, base.encode, eos=base.eos, max_length=config.max_length) for item in items)
    commit = None if lock.model_revision.startswith(LOCAL) else lock.model_revision
    return Material(rows, validation, base.eos, lock.model_id, commit)


def _tell(log: Log, epoch: Epoch) -> None:
    fields = {name: value for name, value in asdict(epoch).items() if name != "batch_losses"}
    log(epoch.line(), {"event": "epoch", **fields})
