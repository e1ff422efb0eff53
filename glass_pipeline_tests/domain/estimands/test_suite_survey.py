"""The survey of suites, Table 1: by hand, against plain loops over published data, and where nothing was solved."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from glass_pipeline.domain.corpus.interchange import import_lines
from glass_pipeline.domain.estimands.published_survey import published_survey
from glass_pipeline.domain.estimands.suite_survey import SURVEY, survey
from glass_pipeline.domain.fingerprint import text_hash

SAME, CHANGED = "no_op", "contradiction"


def pair(base: str, text: str, y_base: int | None, y_twin: int | None, **more: Any) -> dict[str, Any]:
    """Return one pair in the columns that a survey reads."""
    known = y_base is not None and y_twin is not None
    row = {
        "solver": "a",
        "base_id": base,
        "twin_id": f"{base}-{text}",
        "text_hash": text_hash(text),
        "file_dose": 1,
        "y_base_run": y_base,
        "delta": y_base - y_twin if known else None,
        "declared_complexity": 1.0,
        "audit": "{}",
    }
    return row | more


def surveyed(rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Survey pairs of one solver."""
    schema = {"y_base_run": pl.Int64(), "delta": pl.Int64(), "declared_complexity": pl.Float64()}
    table = survey(pl.DataFrame(list(rows), schema_overrides=schema, infer_schema_length=None), suite="some")

    assert table.height == 1
    return table.row(0, named=True)


def test_a_table_of_four_problems_by_hand() -> None:
    """d_obs is 1/2, 0, -1 and 0 over distinct texts: one of four fragile, two without effect, 7 twins."""
    row = surveyed(
        [
            pair("breaks", "t1", 1, 0),
            pair("breaks", "t2", 1, 1),
            pair("breaks", "t1", 1, 0, file_dose=3, twin_id="again"),
            pair("holds", "t1", 1, 1),
            pair("holds", "t2", 1, 1),
            pair("repaired", "t1", 0, 1),
            pair("both", "t1", 1, 0),
            pair("both", "t2", 0, 1),
        ]
    )

    assert (row["problems"], row["twins"], row["twins_per_problem"]) == (4, 7, 7 / 4)
    assert (row["fragile"], row["fragile_share"]) == (1, 0.25)
    assert (row["zero"], row["zero_share"]) == (2, 0.5)
    assert row["r2"] is True


def test_exactly_one_in_twenty_is_not_fragile() -> None:
    """Fragile is d_obs above 0.05, and 1 break of 20 twins is 0.05."""
    twins = [pair("j", f"t{number}", 1, int(number > 0)) for number in range(20)]

    assert surveyed(twins)["fragile"] == 0
    assert surveyed(twins[:19])["fragile"] == 1


def test_the_first_condition_is_judged_on_verdicts() -> None:
    """Of three twins two were judged and one of these changed its answer; unparsable says nothing."""
    judged = [
        pair("j", "t1", 1, 1, audit=json.dumps({"llm": {"x": SAME, "y": SAME}})),
        pair("j", "t2", 1, 1, audit=json.dumps({"llm": {"x": SAME, "y": CHANGED}})),
        pair("j", "t3", 1, 1, audit=json.dumps({"llm": {"x": "unparsable"}, "entity": False})),
    ]

    assert (surveyed(judged)["r1"], surveyed(judged)["r1_value"]) == (False, 0.5)
    assert surveyed(judged[:1])["r1"] is True
    assert surveyed(judged[2:])["r1"] is None


@pytest.mark.parametrize(("falls", "holds"), [(True, False), (False, True)])
def test_the_third_condition_is_judged_on_complexity(falls: bool, holds: bool) -> None:
    """Where only the simplest problems break R3 fails, where only the hardest do it holds."""
    rows = [
        pair(f"j{c}", f"t{twin}", 1, int(twin >= (20 - c if falls else c)), declared_complexity=float(c))
        for c in range(20)
        for twin in range(20)
    ]

    assert surveyed(rows)["r3"] is holds


def test_each_solver_has_a_row() -> None:
    """Solvers are surveyed apart, in the order of their names."""
    rows = [pair("j", "t", 1, 0, solver="b"), pair("j", "t", 1, 1, solver="a")]
    table = survey(pl.DataFrame(rows), suite="some")

    assert table.select("solver", "fragile").rows() == [("a", 0), ("b", 1)]


def test_a_suite_without_pairs_has_no_row() -> None:
    """Nothing is said of nothing."""
    assert survey(pl.DataFrame([pair("j", "t", 1, 0)]).clear(), suite="some").schema == pl.Schema(SURVEY)


def test_the_published_table_keeps_its_gaps() -> None:
    """What the paper does not say is null, and its factor of twelve is 44.9 / 3.7."""
    table = published_survey()
    share = dict(table.select("suite", "fragile_share").iter_rows())

    assert table.height == 7
    assert share["MATH"] is None
    assert round(share["GlassGSM"] / share["GSM-IC on GSM8K test"], 1) == 12.1


def read_json_lines(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a published file."""
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in text.split(b"\n") if line.strip()]


def gold_steps(shared: Path) -> list[float]:
    """Return the steps of every GSM8K test item: calculation lines before the final answer."""
    items = read_json_lines(shared / "data" / "gsm8k" / "test.jsonl")
    return [float(sum(bool(line.strip()) for line in item["answer"].split("####")[0].split("\n"))) for item in items]


def test_a_data_set_without_outcomes_has_twins_and_a_first_condition(shared: Path) -> None:
    """GSM-Plus: 300 problems with two meaning-preserving twins, none of another answer; no shares, R2 or R3."""
    kept = ("problem understanding", "distraction insertion")
    rows = [
        row for row in read_json_lines(shared / "data/gsmplus_testmini/testmini.jsonl") if row["perturbation"] in kept
    ]
    row = surveyed(
        pair(
            str(each["gsm8k_idx"]),
            each["question"],
            None,
            None,
            audit=json.dumps({"llm": {"authors": SAME if each["same_answer"] else CHANGED}}),
        )
        for each in rows
    )

    assert (row["problems"], row["twins"], row["twins_per_problem"]) == (300, 600, 2.0)
    assert (row["fragile_share"], row["zero_share"], row["r2"], row["r3"]) == (None, None, None, None)
    assert row["r1"] is True


def outcomes(rows: list[dict[str, Any]], item: str) -> dict[tuple[str, Any, str], int]:
    """Return whether each (system, item, variant) was solved."""
    return {(row.get("run") or row["model"], row[item], row["variant"]): int(row["correct"]) for row in rows}


def plain_shares(deltas: dict[Any, list[int]]) -> tuple[float, float]:
    """Return the fragile and zero shares by the definition, in a plain loop."""
    means = [sum(each) / len(each) for each in deltas.values()]
    return sum(mean > 0.05 for mean in means) / len(means), sum(abs(mean) < 0.001 for mean in means) / len(means)


@pytest.mark.parametrize("model", ["o1-mini", "gpt-3.5-turbo", "chatglm3-6b", "internlm2-math-20b"])
def test_mathcheck_is_surveyed(shared: Path, model: str) -> None:
    """129 problems with a paraphrase and a distractor; shares as a plain loop over the outputs gives them."""
    folder, steps = shared / "data" / "mathcheck_gsm", gold_steps(shared)
    items = [row for row in read_json_lines(folder / "items.jsonl") if row["variant"] in ("paraphrase", "distractor")]
    solved = outcomes(read_json_lines(folder / "outputs.jsonl.gz"), "group")
    rows, deltas = [], defaultdict(list)
    for each in items:
        y_base, y_twin = solved[model, each["group"], "seed"], solved[model, each["group"], each["variant"]]
        deltas[each["group"]].append(y_base - y_twin)
        judged = json.dumps({"llm": {"authors": SAME if each["same_answer"] else CHANGED}})
        complexity = steps[each["gsm8k_idx"]]
        rows.append(
            pair(str(each["group"]), each["question"], y_base, y_twin, audit=judged, declared_complexity=complexity)
        )
    row = surveyed(rows)

    assert (row["problems"], row["twins_per_problem"], row["r1"]) == (129, 2.0, True)
    assert (row["fragile_share"], row["zero_share"]) == pytest.approx(plain_shares(deltas))
    assert row["r2"] is (row["fragile_share"] >= 0.15)
    assert row["r3"] is not None


@pytest.mark.parametrize(
    ("base_run", "runs"),
    [("phi_all_again_colab", {"names": "phi_all_names", "distractor_nonum": "phi_all_noop_v1"})],
)
def test_gsm_symbolic_robustness_is_surveyed(shared: Path, base_run: str, runs: dict[str, str]) -> None:
    """100 problems with renamed entities and a distractor without numbers; nobody judged their answers."""
    folder = shared / "data" / "gsm_symbolic_robustness"
    texts = {(row["q_id"], row["variant"]): row["question"] for row in read_json_lines(folder / "items.jsonl")}
    solved = outcomes(read_json_lines(folder / "outputs.jsonl.gz"), "q_id")
    rows, deltas = [], defaultdict(list)
    for variant, run in runs.items():
        for item in range(100):
            y_base, y_twin = solved[base_run, item, "original"], solved[run, item, variant]
            deltas[item].append(y_base - y_twin)
            rows.append(pair(str(item), texts[item, variant], y_base, y_twin, twin_id=f"{item}-{variant}"))
    row = surveyed(rows)

    assert (row["problems"], row["twins"], row["r1"]) == (100, 200, None)
    assert (row["fragile_share"], row["zero_share"]) == pytest.approx(plain_shares(deltas))


@pytest.mark.parametrize(("folder", "problems"), [("gsm8k_smalllm", 173), ("svamp_smalllm", 382)])
def test_an_imported_suite_of_five_doses_is_surveyed(shared: Path, folder: str, problems: int) -> None:
    """Twins count once however many dose files repeat them; shares as a plain loop over distinct texts gives them."""
    frames, deltas, seen = [], defaultdict(list), set()
    for path in sorted((shared / "data" / folder).glob("*_labeled_pairs.jsonl.gz")):
        lines = gzip.decompress(path.read_bytes()).decode().splitlines()
        frames.append(import_lines(lines, name=path.name))
        for line in map(json.loads, lines):
            key = (line["base_id"], " ".join(line["twin_text"].split()))
            if key not in seen:
                seen.add(key)
                deltas[line["base_id"]].append(int(line["delta_mean"]))
    row = survey(pl.concat(frames), suite=folder).row(0, named=True)

    assert (row["problems"], row["twins"]) == (problems, len(seen))
    assert (row["fragile_share"], row["zero_share"]) == pytest.approx(plain_shares(deltas))
    assert row["r2"] is True
