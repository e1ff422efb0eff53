"""From result files to the report and the end check, and every reason to refuse."""

from __future__ import annotations

import json

import pytest

from glass_pipeline.domain.arc_lab.errors import LabError
from glass_pipeline.llm.arc_lab import LabFolder, analyze_results, verify


def test_the_report_is_written_and_passes_the_end_check(lab: LabFolder) -> None:
    """+5, +10 and +15 pp of 40 items: mean +10."""
    found = analyze_results(lab)
    report = json.loads(lab.report.read_text(encoding="utf-8"))

    assert found.benchmark == "Hard"
    assert found.model == "tiny"
    assert report["seed_deltas_pp"] == pytest.approx({"1": 5.0, "2": 10.0, "3": 15.0})
    assert report["mean_delta_pp"] == pytest.approx(10.0)
    assert lab.page.read_text(encoding="utf-8").startswith("# Hard paired evaluation")
    assert verify(lab) == "OK: 3 adapters, paired predictions, BCa CI and final report."


def test_the_same_results_give_the_same_bytes(lab: LabFolder) -> None:
    """Nothing in a report depends on time."""
    analyze_results(lab)
    first = lab.report.read_bytes(), lab.page.read_bytes()
    analyze_results(lab)

    assert (lab.report.read_bytes(), lab.page.read_bytes()) == first


def test_thresholds_that_changed_after_the_results_are_refused(lab: LabFolder) -> None:
    """Even where the stored hash was changed with them."""
    lab.thresholds.write_text("minimum_gain = 0.0001\n", encoding="utf-8")

    with pytest.raises(LabError, match="thresholds changed after they were declared"):
        analyze_results(lab)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("results/seed-2.jsonl", "No file .*seed-2.jsonl; run `glass arc evaluate` first"),
        ("results/made_from.json", "run `glass arc evaluate` first"),
        ("data/thresholds.toml", "run `glass arc prepare` first"),
        ("data/test.jsonl", "run `glass arc prepare` first"),
        ("data/source_lock.json", "run `glass arc prepare` first"),
        ("adapters/series.json", "run `glass arc train-all` first"),
    ],
)
def test_a_missing_file_names_the_command_that_makes_it(lab: LabFolder, path: str, found: str) -> None:
    """Every step says which comes before it."""
    (lab.root / path).unlink()

    with pytest.raises(LabError, match=found):
        analyze_results(lab)


def test_a_reordered_result_names_its_seed(lab: LabFolder) -> None:
    """The remedy is to evaluate all models again."""
    path = lab.result("seed-2")
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join([lines[1], lines[0], *lines[2:]]), encoding="utf-8")

    with pytest.raises(LabError, match=r"Item order differs for seed=2: .*glass arc clean --results"):
        analyze_results(lab)


def test_a_test_split_that_was_exchanged_is_refused(lab: LabFolder) -> None:
    """Strata would come from other questions than the results."""
    lab.split("test").write_bytes(lab.split("test").read_bytes().replace(b"Why?", b"How?"))

    with pytest.raises(LabError, match="is not the file that was evaluated"):
        analyze_results(lab)


def test_equal_seeds_write_no_report(lab: LabFolder) -> None:
    """No interval stands in for one that does not exist."""
    for seed in (2, 3):
        lab.result(f"seed-{seed}").write_bytes(lab.result("seed-1").read_bytes())

    with pytest.raises(LabError, match="BCa CI cannot be calculated from identical seed deltas"):
        analyze_results(lab)
    assert not lab.report.exists()


@pytest.mark.parametrize("line", [b"{", b"[]", b"\xff", b'{"id": "q0"}'])
def test_a_damaged_result_is_named(lab: LabFolder, line: bytes) -> None:
    """With its file and line."""
    lab.result("seed-1").write_bytes(line + b"\n")

    with pytest.raises(LabError, match=r"seed-1\.jsonl"):
        analyze_results(lab)


@pytest.mark.parametrize(
    "path",
    ["adapters/seed-3/adapter_model.safetensors", "adapters/seed-1/selection.json", "results/baseline.jsonl"],
)
def test_the_end_check_wants_every_artifact(lab: LabFolder, path: str) -> None:
    """The lab's acceptance list."""
    analyze_results(lab)
    (lab.root / path).unlink()

    with pytest.raises(LabError, match=f"No file .*{path}, so the lab is not complete"):
        verify(lab)


@pytest.mark.parametrize(
    "change", [{"mean_delta_pp": 99}, {"bca_95_ci_pp": [1]}, {"seed_deltas_pp": {}}, {"bca_95_ci_pp": None}], ids=str
)
def test_the_end_check_wants_figures_that_fit(lab: LabFolder, change: dict[str, object]) -> None:
    """Low <= mean <= high, one accuracy and one difference a seed."""
    analyze_results(lab)
    report = json.loads(lab.report.read_text(encoding="utf-8"))
    lab.report.write_text(json.dumps({**report, **change}), encoding="utf-8")

    with pytest.raises(LabError, match="do not fit together"):
        verify(lab)


def test_the_end_check_wants_results_of_the_adapters_that_are_there(lab: LabFolder) -> None:
    """A seed that was trained anew after the evaluation makes its results those of an adapter that is gone."""
    analyze_results(lab)
    (lab.adapter(2) / "adapter_model.safetensors").write_bytes(b"other weights")

    with pytest.raises(
        LabError, match=r"seed-2\.jsonl was not made with the adapter that is at .*seed-2; evaluate all"
    ):
        verify(lab)
