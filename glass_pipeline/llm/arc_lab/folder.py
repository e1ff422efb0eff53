"""Holds the folder of one lab: what lies where, and its reading and writing.

Never leaves half a file, never interprets what it reads beyond its shape, and never touches a cache outside.

    data/       source_lock.json, train|validation|test.jsonl, limits.json, thresholds.toml and its hash
    adapters/   series.json, seed-<s>/ adapter_model.safetensors, adapter_config.json, selection.json, epochs.jsonl
    results/    made_from.json, baseline.jsonl, seed-<s>.jsonl
    artifacts/  report.json, report.md
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from glass_pipeline.domain.arc_lab.adapters import SETTINGS, WEIGHTS, Adapter
from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.domain.arc_lab.items import ChoiceItem, item_row, parse_items
from glass_pipeline.domain.arc_lab.predicting import Prediction, parse_prediction
from glass_pipeline.domain.arc_lab.training import Epoch, Trained
from glass_pipeline.domain.comparison.reading.tables import jsonl_rows
from glass_pipeline.domain.comparison.results import ComparisonError
from glass_pipeline.llm.arc_source import SourceLock

PARTS = ("data", "adapters", "results", "artifacts")
BASELINE = "baseline"
"""Name of the base model's results."""
EPOCHS = "epochs.jsonl"


@dataclass(frozen=True, slots=True)
class LabFolder:
    """The files of one lab under one root."""

    root: Path

    @property
    def lock(self) -> Path:
        """The locked sources."""
        return self.root / "data" / "source_lock.json"

    @property
    def thresholds(self) -> Path:
        """The thresholds declared by ``prepare``."""
        return self.root / "data" / "thresholds.toml"

    @property
    def declared(self) -> Path:
        """The hash of the thresholds, as declared."""
        return self.root / "data" / "thresholds.toml.sha256"

    @property
    def limits(self) -> Path:
        """How many items of each split were taken."""
        return self.root / "data" / "limits.json"

    @property
    def series(self) -> Path:
        """What all adapters have in common."""
        return self.root / "adapters" / "series.json"

    @property
    def made_from(self) -> Path:
        """What the results were made from."""
        return self.root / "results" / "made_from.json"

    @property
    def report(self) -> Path:
        """The report for machines."""
        return self.root / "artifacts" / "report.json"

    @property
    def page(self) -> Path:
        """The report for people."""
        return self.root / "artifacts" / "report.md"

    def split(self, name: str) -> Path:
        """Return the file of a split."""
        return self.root / "data" / f"{name}.jsonl"

    def adapter(self, seed: int) -> Path:
        """Return the folder of a seed's adapter."""
        return self.root / "adapters" / f"seed-{seed}"

    def result(self, name: str) -> Path:
        """Return the file of predictions of ``baseline`` or ``seed-<s>``."""
        return self.root / "results" / f"{name}.jsonl"

    def read_lock(self) -> SourceLock:
        """Return the locked sources.

        Raises:
            LabError: there is no lock, or it is not one.
        """
        found = read_json(self.lock, "prepare")
        try:
            return SourceLock(**{name: str(value) for name, value in found.items()})
        except TypeError:
            raise LabError(f"{self.lock} is not a source lock; restore it, it belongs to the results.") from None

    def write_items(self, split: str, items: Sequence[ChoiceItem]) -> None:
        """Write a split."""
        _write(self.split(split), _lines(item_row(item) for item in items))

    def read_items(self, split: str) -> tuple[ChoiceItem, ...]:
        """Return the items of a split.

        Raises:
            LabError: there is no such file, or it is damaged.
        """
        path = self.split(split)
        return parse_items(_rows(path, "prepare"), str(path), may_repeat=split == "train")

    def write_adapter(self, trained: Trained) -> None:
        """Write an adapter with its selection and its epochs; the folder appears only when it is whole."""
        target = self.adapter(trained.selected.seed)
        unfinished = target.with_name(f"{target.name}.{os.getpid()}.tmp")
        shutil.rmtree(unfinished, ignore_errors=True)
        selected = trained.selected
        selection = {
            "seed": selected.seed,
            "epoch": selected.epoch,
            "validation_accuracy": selected.validation_accuracy,
        }
        _write(unfinished / WEIGHTS, trained.adapter.weights)
        _write(unfinished / SETTINGS, trained.adapter.settings)
        _write(unfinished / EPOCHS, _lines(asdict(epoch) for epoch in trained.epochs))
        write_json(unfinished / "selection.json", selection)
        shutil.rmtree(target, ignore_errors=True)
        unfinished.replace(target)

    def read_epochs(self, seed: int) -> tuple[Epoch, ...]:
        """Return what the passes of a seed's training came to.

        Raises:
            LabError: there is no such file, or it is damaged.
        """
        path = self.adapter(seed) / EPOCHS
        try:
            return tuple(
                Epoch(**{**row, "batch_losses": tuple(row.get("batch_losses", ()))}) for row in _rows(path, "train-all")
            )
        except TypeError:
            raise LabError(
                f"{path} does not describe epochs; delete its folder and run `glass arc train-all`."
            ) from None

    def write_predictions(self, name: str, predictions: Sequence[Prediction]) -> None:
        """Write a result file."""
        _write(self.result(name), _lines(each.row() for each in predictions))

    def read_predictions(self, name: str) -> tuple[Prediction, ...]:
        """Return the predictions of a result file.

        Raises:
            LabError: there is no such file, or it is damaged.
        """
        path = self.result(name)
        rows = _rows(path, "evaluate")
        if not rows:
            raise LabError(f"{path} is empty; delete it and run `glass arc evaluate`.")
        return tuple(parse_prediction(row, f"{path}, row {number}") for number, row in enumerate(rows, start=1))

    def clean(self, parts: Iterable[str]) -> list[Path]:
        """Delete parts of the folder and return what was deleted; caches and other folders stay as they are."""
        found = [self.root / part for part in PARTS if part in set(parts) and (self.root / part).is_dir()]
        linked = next((path for path in found if path.is_symlink()), None)
        if linked is not None:
            raise LabError(f"{linked} is a link; delete it yourself, so that nothing outside the lab is touched.")
        for path in found:
            shutil.rmtree(path)
        return found


def result_name(seed: int) -> str:
    """Return the name of the results of a seed's adapter."""
    return f"seed-{seed}"


def read_adapter(path: Path) -> Adapter:
    """Return an adapter from its folder.

    Raises:
        LabError: the folder or one of its two files is missing.
    """
    try:
        return Adapter((path / WEIGHTS).read_bytes(), (path / SETTINGS).read_bytes())
    except OSError as error:
        raise LabError(
            f"No whole adapter at {path} ({error.strerror or error}); run `glass arc train-all`, or name its folder."
        ) from None


def read_json(path: Path, command: str) -> dict[str, Any]:
    """Return a JSON object.

    Args:
        path: Of the file.
        command: Subcommand of ``glass arc`` that writes it, for the message.

    Raises:
        LabError: there is no such file, or it is damaged.
    """
    try:
        found = json.loads(read_bytes(path, command))
    except (ValueError, RecursionError) as error:
        raise LabError(
            f"{path} is not JSON ({error}); restore it, or make it again by `glass arc {command}`."
        ) from None
    if not isinstance(found, dict):
        raise LabError(f"{path} is not a JSON object; restore it, or make it again by `glass arc {command}`.")
    return found


def read_bytes(path: Path, command: str) -> bytes:
    """Return the bytes of a file.

    Raises:
        LabError: there is no such file.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise LabError(f"No file {path}; run `glass arc {command}` first.") from None
    except OSError as error:
        raise LabError(f"{path} cannot be read ({error.strerror or error}); check its permissions.") from None


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write a JSON object."""
    _write(path, (json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file as a whole."""
    _write(path, data)


def file_hash(path: Path, command: str) -> str:
    """Return the sha256 of a file.

    Raises:
        LabError: there is no such file.
    """
    return hashlib.sha256(read_bytes(path, command)).hexdigest()


def _rows(path: Path, command: str) -> list[dict[str, Any]]:
    try:
        return jsonl_rows(str(path), read_bytes(path, command))
    except ComparisonError as error:
        raise LabError(f"{error} Make the file again by `glass arc {command}`.") from None


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        unfinished.write_bytes(data)
        unfinished.replace(path)
    except OSError as error:
        raise LabError(
            f"{path} cannot be written ({error.strerror or error}); free or choose another --folder."
        ) from None


def _lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows).encode()
