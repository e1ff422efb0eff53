"""Holds what the lab's assets show of themselves in the UI: key figures, curves and the report.

Never computes a statistic: it picks numbers out of the lab's finished files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import dagster as dg
import numpy as np

from glass_pipeline.domain.arc_lab.analysis import LabAnalysis
from glass_pipeline.domain.arc_lab.items import shared_items
from glass_pipeline.domain.arc_lab.predicting import accuracy
from glass_pipeline.domain.arc_lab.protocol import SPLITS
from glass_pipeline.domain.arc_lab.report import report_page
from glass_pipeline.domain.arc_lab.training import Epoch, first_best
from glass_pipeline.domain.report.text_bars import text_bars
from glass_pipeline.llm.arc_lab.folder import BASELINE, LabFolder, read_json

Shown = Mapping[str, dg.MetadataValue]
CURVE_POINTS = 20


def item_figures(folder: LabFolder) -> Shown:
    """Return sizes of the splits, locked sources, and how many test items were also trained or selected on."""
    splits = {split: folder.read_items(split) for split in SPLITS}
    lock = folder.read_lock()
    leaked = shared_items(splits["test"], (*splits["train"], *splits["validation"]))
    sizes = [len(items) for items in splits.values()]
    return {
        "dagster/row_count": dg.MetadataValue.int(sum(sizes)),
        "items_by_split": dg.MetadataValue.md(text_bars(list(splits), sizes, digits=0)),
        "test_items_also_in_training": dg.MetadataValue.json(list(leaked)),
        "dataset": dg.MetadataValue.text(f"{lock.dataset_id} {lock.dataset_config} at {lock.dataset_revision}"),
        "model": dg.MetadataValue.text(f"{lock.model_id} at {lock.model_revision}"),
        "thresholds": dg.MetadataValue.path(folder.thresholds),
    }


def adapter_figures(folder: LabFolder, seed: int) -> Shown:
    """Return what was trained, the loss curve, and the validation accuracy of each epoch."""
    epochs = folder.read_epochs(seed)
    selected = first_best(epochs)
    names = [f"epoch {epoch.epoch}" for epoch in epochs]
    return {
        "dagster/partition_row_count": dg.MetadataValue.int(len(epochs)),
        "target_modules": dg.MetadataValue.json(read_json(folder.series, "train-all")["target_modules"]),
        "selected_epoch": dg.MetadataValue.int(selected.epoch),
        "loss": dg.MetadataValue.float(selected.loss),
        "loss_curve": dg.MetadataValue.md(loss_curve(epochs)),
        "validation_accuracy": dg.MetadataValue.float(selected.validation_accuracy),
        "validation_by_epoch": dg.MetadataValue.md(text_bars(names, [epoch.validation_accuracy for epoch in epochs])),
        "adapter": dg.MetadataValue.path(folder.adapter(seed)),
    }


def loss_curve(epochs: Sequence[Epoch]) -> str:
    """Return the loss over the batches of all epochs as text bars, neighbours averaged to at most twenty bars."""
    losses = np.array([loss for epoch in epochs for loss in epoch.batch_losses])
    if not losses.size:
        return text_bars([f"epoch {epoch.epoch}" for epoch in epochs], [epoch.loss for epoch in epochs])
    places = np.array_split(np.arange(losses.size), min(CURVE_POINTS, losses.size))
    names = [f"batches {part[0] + 1}–{part[-1] + 1}" for part in places]
    return text_bars(names, [float(losses[part].mean()) for part in places])


def prediction_figures(folder: LabFolder, name: str) -> Shown:
    """Return the accuracy of one result file, and how often each place of a choice was chosen and was right."""
    found = folder.read_predictions(name)
    places = range(max(len(each.scores) for each in found))
    names = [f"choice {place + 1}" for place in places]
    chosen = [float(sum(each.prediction == place for each in found)) for place in places]
    right = [float(sum(each.gold == place for each in found)) for place in places]
    rows = "dagster/row_count" if name == BASELINE else "dagster/partition_row_count"
    return {
        rows: dg.MetadataValue.int(len(found)),
        "accuracy": dg.MetadataValue.float(accuracy(found)),
        "chosen_by_place": dg.MetadataValue.md(text_bars(names, chosen, digits=0)),
        "right_by_place": dg.MetadataValue.md(text_bars(names, right, digits=0)),
        "predictions": dg.MetadataValue.path(folder.result(name)),
    }


def paired_figures(folder: LabFolder, found: LabAnalysis) -> Shown:
    """Return verdict, interval, p-value, accuracies as a plot, the table of seeds, and the whole page."""
    seeds = found.seeds
    names = ["base model", *(f"seed {seed}" for seed in found.seed_accuracies_pct)]
    accuracies = [found.baseline_accuracy_pct, *found.seed_accuracies_pct.values()]
    rows = [
        dg.TableRecord({"seed": seed, "accuracy_pct": found.seed_accuracies_pct[seed], "delta_pp": delta})
        for seed, delta in found.seed_deltas_pp.items()
    ]
    return {
        "dagster/row_count": dg.MetadataValue.int(len(rows)),
        "verdict": dg.MetadataValue.text(found.verdict.sentence),
        "mean_delta_pp": dg.MetadataValue.float(seeds.mean_delta_pp),
        "bca_low_pp": dg.MetadataValue.float(seeds.bca.low),
        "bca_high_pp": dg.MetadataValue.float(seeds.bca.high),
        "sign_flip_p": dg.MetadataValue.float(seeds.p_value),
        "accuracies_pct": dg.MetadataValue.md(text_bars(names, accuracies)),
        "seeds": dg.MetadataValue.table(rows),
        "page": dg.MetadataValue.path(folder.page),
        "report": dg.MetadataValue.md(report_page(found)),
    }
