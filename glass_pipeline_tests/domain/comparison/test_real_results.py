"""Comparisons of real systems on real items."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from statsmodels.stats.contingency_tables import mcnemar

from glass_pipeline.domain.comparison import ComparisonConfig, Results, compare, compare_many
from glass_pipeline.domain.comparison.reading import Columns
from glass_pipeline.domain.comparison.reading.rows import results_of

FAST = ComparisonConfig(resamples=1000)


@pytest.fixture(scope="session")
def run_of(shared: Path) -> Callable[[str], Results]:
    """Read one run of the 1,319 GSM8K test items by name."""
    lines = (shared / "data/gsm8k_item_correctness/runs.jsonl").read_text(encoding="utf-8").splitlines()
    runs = {run["run"]: run["correct"] for run in map(json.loads, lines)}

    def read(name: str) -> Results:
        return results_of(name, [{"id": n, "correct": mark} for n, mark in enumerate(runs[name])], Columns())

    return read


@pytest.mark.parametrize(
    ("a", "b", "reading"),
    [
        ("gsmplus_abel_7b", "gsmplus_metamath_13b", "at_least"),
        ("re2_gpt-3.5-turbo-0613_base_cot", "re2_gpt-3.5-turbo-0613_re2_cot", "no_direction"),
        ("gsmplus_gpt4", "faithful_gpt4_COT", "no_direction"),
        ("faithful_gpt4_NL+SL", "faithful_gpt4_standard", "at_least"),
    ],
)
def test_real_pairs_agree_with_mcnemar(run_of, a: str, b: str, reading: str) -> None:
    """The item test is McNemar's exact one, accuracies are those of the files, and the reading follows."""
    first, second = run_of(a), run_of(b)
    table = np.histogram2d(first.values, second.values, bins=2, range=[[0, 1], [0, 1]])[0]

    found = compare(first, second, FAST)

    assert found.delta == pytest.approx(second.values.mean() - first.values.mean())
    assert found.over_items.sign_flip.exact
    assert found.p_value == pytest.approx(mcnemar(table, exact=True).pvalue, rel=1e-6)
    assert found.verdict.reading == reading


def test_five_exemplar_sets_are_five_seeds(run_of) -> None:
    """Real prompts that differ in their exemplars only: the interval over seeds is far shorter than over items too."""
    parts = [run_of(f"faithful_code002_NL+SL_exemplarset{number}") for number in range(1, 6)]
    system = Results(
        name="five sets",
        measure="correct",
        ids=tuple(item for part in parts for item in part.ids),
        values=np.concatenate([part.values for part in parts]),
        seeds=tuple(part.name for part in parts for _ in part.ids),
    )

    found = compare(run_of("faithful_code002_COT"), system, FAST)

    assert found.verdict.reading == "not_confirmed"
    assert found.over_seeds.sign_flip.p_value == pytest.approx(0.0625)
    lengths = [each.high - each.low for each in (found.over_seeds.t, found.hierarchical.percentile)]
    assert lengths[0] < lengths[1]


def test_many_systems_against_one(run_of) -> None:
    """Three families of one size: Holm over the comparisons never lowers a p-value."""
    others = [run_of(f"gsmplus_{name}") for name in ("metamath_7b", "tora_7b", "abel_13b")]

    found = compare_many(run_of("gsmplus_abel_7b"), others, FAST)

    assert all(each.p_holm >= each.p_value for each in found)
    assert all(each.verdict.reading == "at_least" for each in found)


def test_samples_of_a_real_model_have_a_decoding_level(shared: Path) -> None:
    """Three samples a GSM8K item of two prompts of one model, kept where all three parsed."""
    with gzip.open(shared / "data/gsm8k_multisample/samples.jsonl.gz", "rt", encoding="utf-8") as stream:
        rows = [row for row in map(json.loads, stream) if row["model"] == "gpt-4" and row["run"] in ("cot1", "pot1")]
    by_run = {run: {row["idx"]: row for row in rows if row["run"] == run and row["n"] == 3} for run in ("cot1", "pot1")}
    joint = sorted(set(by_run["cot1"]) & set(by_run["pot1"]))
    systems = [
        results_of(
            run,
            [
                {"id": idx, "correct": int(number < found[idx]["n_correct"]), "decoding": number}
                for idx in joint
                for number in range(3)
            ],
            Columns(),
        )
        for run, found in by_run.items()
    ]

    found = compare(*systems, FAST)

    assert found.n_items == len(joint) > 1000
    assert found.hierarchical.components.decoding_a > 0
    assert found.hierarchical.standard_error == pytest.approx(found.over_items.standard_error, rel=0.25)


def test_rewordings_cluster_by_their_problem(shared: Path) -> None:
    """Paraphrase and distractor of one seed problem are one cluster, so the units are problems."""
    with gzip.open(shared / "data/mathcheck_gsm/outputs.jsonl.gz", "rt", encoding="utf-8") as stream:
        rows = list(map(json.loads, stream))
    variants = ("seed", "paraphrase", "distractor")
    systems = [
        results_of(
            model,
            sorted(
                (
                    {"id": f"{row['group']}-{row['variant']}", "correct": row["correct"], "cluster": row["group"]}
                    for row in rows
                    if row["model"] == model and row["variant"] in variants
                ),
                key=lambda row: row["id"],
            ),
            Columns(),
        )
        for model in ("chatglm3-6b", "gpt-3.5-turbo")
    ]

    found = compare(*systems, FAST)

    assert (found.n_items, found.n_clusters) == (387, 129)
    assert found.verdict.reading == "at_least"
    assert found.over_items.unit == "cluster"


def test_renamed_problems_of_a_real_model(shared: Path) -> None:
    """Phi-3.5-mini on 100 GSM8K problems and the same with other names: paired by problem, won and lost by id."""
    with gzip.open(shared / "data/gsm_symbolic_robustness/outputs.jsonl.gz", "rt", encoding="utf-8") as stream:
        rows = list(map(json.loads, stream))
    original, renamed = (
        results_of(
            run,
            sorted(
                ({"id": row["q_id"], "correct": row["correct"]} for row in rows if row["run"] == run),
                key=lambda row: row["id"],
            ),
            Columns(),
        )
        for run in ("phi_all_again_colab", "phi_all_names")
    )

    found = compare(original, renamed, FAST)

    assert found.n_items == 100
    assert len(found.flips.won) - len(found.flips.lost) == round(100 * found.delta)
