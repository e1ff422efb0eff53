"""A lab of three seeds whose results are invented, so that no model is needed to analyse it."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from glass_pipeline.domain.arc_lab.items import ChoiceItem
from glass_pipeline.domain.arc_lab.predicting import Prediction
from glass_pipeline.domain.arc_lab.protocol import LabConfig
from glass_pipeline.domain.comparison.thresholds import declaration
from glass_pipeline.llm.arc_lab.folder import LabFolder, file_hash, write_bytes, write_json
from glass_pipeline.llm.arc_lab.prepare import DEFAULT_THRESHOLDS
from glass_pipeline.llm.arc_source import SourceLock

SEEDS, ITEMS, WEIGHTS = (1, 2, 3), 40, b"weights"


def write_exam(folder: Path, count: int = 6) -> Path:
    """Write the three splits of an invented exam and return their folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for split in ("train", "validation", "test"):
        rows = [
            {"id": f"{split}-{n}", "question": f"Which of {split} {n}?", "choices": ["ice", "fog"], "answer": "B"}
            for n in range(count)
        ]
        (folder / f"{split}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


@pytest.fixture
def exam(tmp_path: Path) -> Path:
    """The folder of an invented exam of six items a split."""
    return write_exam(tmp_path / "exam")


@pytest.fixture
def lab(tmp_path: Path) -> LabFolder:
    """A complete lab: 20 of 40 items right before, 22 to 26 after."""
    folder = LabFolder(tmp_path / "lab")
    ids = [f"q{number}" for number in range(ITEMS)]
    folder.write_items(
        "test",
        [ChoiceItem(id=each, question="Why?", labels=("A", "B"), choices=("a", "b"), answer_index=0) for each in ids],
    )
    lock = SourceLock(
        dataset_id="owner/exam",
        dataset_config="Hard",
        dataset_revision="1" * 40,
        model_id="owner/tiny",
        model_revision="2" * 40,
    )
    write_json(folder.lock, asdict(lock))
    write_bytes(folder.thresholds, DEFAULT_THRESHOLDS)
    write_bytes(folder.declared, declaration(DEFAULT_THRESHOLDS).encode())
    config = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(LabConfig()).items()}
    write_json(folder.series, {"config": {**config, "seeds": list(SEEDS)}, "scoring": "shared"})
    made_from = {
        "test": file_hash(folder.split("test"), "prepare"),
        "thresholds": declaration(DEFAULT_THRESHOLDS),
        "adapters": {str(seed): declaration(WEIGHTS) for seed in SEEDS},
    }
    write_json(folder.made_from, made_from)
    for name, solved in {"baseline": 20, "seed-1": 22, "seed-2": 24, "seed-3": 26}.items():
        folder.write_predictions(
            name, [Prediction(q, 0, int(n >= solved), int(n < solved), (-1.0, -2.0)) for n, q in enumerate(ids)]
        )
    for seed in SEEDS:
        write_bytes(folder.adapter(seed) / "adapter_model.safetensors", WEIGHTS)
        for name in ("adapter_config.json", "selection.json"):
            write_bytes(folder.adapter(seed) / name, b"{}")
    return folder
