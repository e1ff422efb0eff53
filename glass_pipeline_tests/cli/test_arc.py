"""``glass arc`` from an exam to a report, with a real model of two layers and random weights."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from glass_pipeline.cli.app import app
from glass_pipeline.cli.arc import parse_seeds
from glass_pipeline.cli.errors import InputError
from glass_pipeline.domain.errors import BadInput

SERIES = ("--seeds", "1,2,3", "--epochs", "2", "--learning-rate", "0.05", "--device", "cpu")


def glass(*arguments: str, code: int = 0) -> str:
    """Run ``glass arc`` in this process and return what it prints."""
    result = CliRunner().invoke(app, ["arc", *arguments])
    assert result.exit_code == code, (result.output, result.exception)
    return result.stdout


def refused(*arguments: str) -> str:
    """Run ``glass arc`` and return the sentence with which it refuses."""
    result = CliRunner().invoke(app, ["arc", *arguments])
    assert isinstance(result.exception, BadInput), (result.output, result.exception)
    return str(result.exception)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, exam_in_words: SimpleNamespace) -> Path:
    """A folder with a lab that went through every step."""
    root = tmp_path_factory.mktemp("arc")
    lab = ("--folder", str(root / "lab"))
    glass("prepare", *lab, "--dataset", str(exam_in_words.exam), "--model", str(exam_in_words.model))
    hidden = (root / "lab" / "data" / "test.jsonl").rename(root / "hidden.jsonl")
    (root / "train.log").write_text(glass("train-all", *lab, *SERIES), encoding="utf-8")
    hidden.rename(root / "lab" / "data" / "test.jsonl")
    glass("evaluate", *lab, "--device", "cpu")
    glass("analyze", *lab)
    return root


@pytest.fixture
def root(finished: Path, tmp_path: Path) -> Path:
    """A copy of the finished lab, to be broken."""
    shutil.copytree(finished / "lab", tmp_path / "lab")
    return tmp_path


def test_every_artifact_of_the_lab_is_there(finished: Path) -> None:
    """Three adapters, four result files of 24 rows, report and lock; the training never saw the test split."""
    lab = finished / "lab"

    assert glass("verify", "--folder", str(lab)) == "OK: 3 adapters, paired predictions, BCa CI and final report.\n"
    names = sorted(path.name for path in (lab / "results").glob("*.jsonl"))
    assert names == ["baseline.jsonl", "seed-1.jsonl", "seed-2.jsonl", "seed-3.jsonl"]
    for name in names:
        rows = [json.loads(line) for line in (lab / "results" / name).read_text(encoding="utf-8").splitlines()]
        assert [row["id"] for row in rows] == [f"test-{number}" for number in range(24)]
        assert set(rows[0]) == {"id", "gold", "prediction", "correct", "scores"}


def test_the_log_and_the_selection_agree(finished: Path) -> None:
    """Two lines a seed, and the selected epoch is the first best of them."""
    lines = (finished / "train.log").read_text(encoding="utf-8").splitlines()

    assert [line.split(" loss=")[0] for line in lines] == [f"seed={s} epoch={e}" for s in (1, 2, 3) for e in (1, 2)]
    for seed in (1, 2, 3):
        found = [float(line.rpartition("=")[2]) for line in lines if line.startswith(f"seed={seed} ")]
        selection = json.loads((finished / f"lab/adapters/seed-{seed}/selection.json").read_text(encoding="utf-8"))
        assert selection["epoch"] == found.index(max(found)) + 1
        assert selection["validation_accuracy"] == pytest.approx(max(found), abs=1e-6)


def test_a_finished_adapter_is_kept_and_a_lost_one_comes_back_the_same(root: Path) -> None:
    """To the byte; as JSON, one object a line."""
    weights = root / "lab/adapters/seed-2/adapter_model.safetensors"
    expected = weights.read_bytes()
    shutil.rmtree(weights.parent)

    told = [
        json.loads(line) for line in glass("train-all", "--folder", str(root / "lab"), *SERIES, "--json").splitlines()
    ]
    assert [(each["event"], each["seed"]) for each in told] == [("kept", 1), ("epoch", 2), ("epoch", 2), ("kept", 3)]
    assert weights.read_bytes() == expected


def test_evaluating_again_gives_the_same_predictions(root: Path) -> None:
    """The results are deleted, the adapters are not."""
    lab = ("--folder", str(root / "lab"))
    before = {path.name: path.read_bytes() for path in (root / "lab/results").iterdir()}
    glass("clean", *lab, "--results")
    glass("evaluate", *lab, "--device", "cpu")

    assert {path.name: path.read_bytes() for path in (root / "lab/results").iterdir()} == before


def test_adapters_of_other_settings_are_not_mixed(root: Path) -> None:
    """The message names the setting, and both values."""
    found = refused("train-all", "--folder", str(root / "lab"), *SERIES, "--batch-size", "4")

    assert "made with another config (batch_size 8, now 4)" in found
    assert "train all seeds again after `glass arc clean`" in found


def test_results_of_other_adapters_are_not_mixed(root: Path) -> None:
    """A seed that was trained anew needs all models evaluated anew."""
    weights = root / "lab/adapters/seed-1/adapter_model.safetensors"
    weights.write_bytes((root / "lab/adapters/seed-2/adapter_model.safetensors").read_bytes())

    found = refused("evaluate", "--folder", str(root / "lab"), "--device", "cpu")
    assert "The results that are there were made with another adapters (1 " in found
    assert "`glass arc clean --results`" in found


def test_evaluation_needs_every_adapter(root: Path) -> None:
    """It names the folder and the command."""
    shutil.rmtree(root / "lab/adapters/seed-3")

    found = refused("evaluate", "--folder", str(root / "lab"), "--device", "cpu")
    assert found.startswith(f"No whole adapter at {root / 'lab/adapters/seed-3'}")
    assert "`glass arc train-all`" in found


def test_evaluation_needs_declared_thresholds(root: Path) -> None:
    """They may change neither before nor after the first result."""
    (root / "lab/data/thresholds.toml").write_text("minimum_gain = 0.5\n", encoding="utf-8")

    assert "has changed since it was declared" in refused("evaluate", "--folder", str(root / "lab"), "--device", "cpu")


def test_predict_scores_as_the_evaluation_does(finished: Path) -> None:
    """The first test item, asked by hand, gets the scores of its row, up to the batch it was scored in."""
    item = json.loads((finished / "lab/data/test.jsonl").read_text(encoding="utf-8").splitlines()[0])
    row = json.loads((finished / "lab/results/seed-1.jsonl").read_text(encoding="utf-8").splitlines()[0])
    choices = [word for choice in item["choices"] for word in ("--choice", choice)]
    lab = ("--folder", str(finished / "lab"), "--device", "cpu", "--adapter", str(finished / "lab/adapters/seed-1"))

    found = json.loads(glass("predict", *lab, "--question", item["question"], *choices))
    assert found["selected_index"] == row["prediction"]
    assert found["selected_text"] == item["choices"][row["prediction"]]
    assert found["scores"] == pytest.approx(row["scores"], abs=1e-4)


def test_predict_needs_two_choices(finished: Path) -> None:
    """A single one would always win."""
    lab = ("--folder", str(finished / "lab"), "--device", "cpu", "--adapter", str(finished / "lab/adapters/seed-1"))

    assert "at least two choices" in refused("predict", *lab, "--question", "Which?", "--choice", "one")


def test_cleaning_keeps_data_unless_asked(root: Path) -> None:
    """Adapters, results and report go; with --data the rest does too."""
    lab = ("--folder", str(root / "lab"))
    glass("clean", *lab)
    assert sorted(path.name for path in (root / "lab").iterdir()) == ["data"]

    glass("clean", *lab, "--data")
    assert list((root / "lab").iterdir()) == []


def test_check_says_what_is_missing(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit 0 where a series may start, 2 where it may not."""
    lab = ("--folder", str(finished / "lab"))
    found = json.loads(glass("check", *lab, "--device", "cpu", "--json"))["findings"]
    assert {each["name"]: each["state"] for each in found}["sources"] == "ok"

    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    output = glass("check", "--folder", str(tmp_path), "--device", "cuda", code=2)
    assert "missing device      CUDA is needed" in output
    assert "prepare will take allenai/ai2_arc from the hub and EleutherAI/pythia-70m-deduped from the hub" in output


def test_seeds_are_whole_numbers() -> None:
    """With commas, blanks, or both."""
    assert parse_seeds("101,211, 307") == (101, 211, 307)
    with pytest.raises(InputError, match="write whole numbers"):
        parse_seeds("101;211")


@pytest.mark.parametrize("command", ["train-all", "evaluate", "analyze", "verify"])
def test_every_step_names_the_one_before(tmp_path: Path, command: str) -> None:
    """On an empty folder."""
    device = ["--device", "cpu"] if command in {"train-all", "evaluate"} else []

    assert "run `glass arc " in refused(command, "--folder", str(tmp_path), *device)


@pytest.mark.slow
def test_the_corridor_on_real_questions(
    shared: Path, tmp_path: Path, write_model: Callable[[Path, list[str]], None]
) -> None:
    """ARC-Challenge cut to 64, 40 and 80 items, three seeds: complete, and low <= mean <= high."""
    data = shared / "data" / "arc_challenge"
    lines = (data / "train.jsonl").read_text(encoding="utf-8").splitlines()
    write_model(tmp_path / "model", [json.loads(line)["question"] for line in lines])
    lab = ("--folder", str(tmp_path / "lab"))
    sizes = ("--train", "64", "--validation", "40", "--test", "80")

    printed = glass("prepare", *lab, "--dataset", str(data), "--model", str(tmp_path / "model"), *sizes)
    assert "prepared split=test rows=80" in printed
    glass("train-all", *lab, *SERIES)
    glass("evaluate", *lab, "--device", "cpu")
    report = json.loads(glass("analyze", *lab, "--json"))
    assert report["bca_95_ci_pp"][0] <= report["mean_delta_pp"] <= report["bca_95_ci_pp"][1]
    assert glass("verify", *lab).startswith("OK: 3 adapters")
