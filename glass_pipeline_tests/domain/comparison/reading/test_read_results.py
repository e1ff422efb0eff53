"""Every format by its bytes."""

from __future__ import annotations

import io
import json
import zipfile

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glass_pipeline.domain.comparison import BreakRates, ComparisonError, Results
from glass_pipeline.domain.comparison.reading import Columns, read_results

ROWS = [{"id": "q1", "correct": 1, "seed": 3}, {"id": "q2", "correct": 0, "seed": 3}]


def jsonl(rows: list[dict]) -> bytes:
    """Write JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def parquet(frame: pl.DataFrame) -> bytes:
    """Write parquet."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("r.jsonl", jsonl(ROWS)),
        ("r.jsonl", b"\xef\xbb\xbf" + jsonl(ROWS).replace(b"\n", b"\r\n\r\n")),
        ("r.csv", b"id,correct,seed\nq1,1,3\nq2,0,3\n"),
        ("r.csv", b'seed,correct,id\n3,true,"q1"\n3,false,q2\n'),
        ("r.parquet", parquet(pl.DataFrame(ROWS))),
    ],
    ids=["jsonl", "jsonl with mark and blank lines", "csv", "csv in another order", "parquet"],
)
def test_plain_tables_say_the_same(name: str, data: bytes) -> None:
    """The same rows in each format are the same results."""
    found = read_results(name, data)

    assert isinstance(found, Results)
    assert (found.ids, found.values.tolist(), found.seeds, found.measure) == (
        ("q1", "q2"),
        [1.0, 0.0],
        ("3", "3"),
        "correct",
    )


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("r.jsonl", b"", "r.jsonl holds no result"),
        ("r.jsonl", b'{"id": 1\n', "r.jsonl, line 1: not JSON"),
        ("r.jsonl", b"[1]\n", "line 1: a JSON object is needed, found list"),
        ("r.jsonl", b'{"id": "\xff"}\n', "byte 8 is not UTF-8"),
        ("r.jsonl", b"[" * 100_000, "line 1: not JSON"),
        ("r.csv", b"", "r.csv: not CSV with a header line"),
        ("r.csv", b"id,correct\nq1\nq2,1,2,3\n", "r.csv"),
        ("r.parquet", b"PAR1 nothing", "r.parquet: not parquet"),
        ("r.eval", b"PK\x03\x04 nothing", "r.eval"),
    ],
)
def test_broken_bytes_are_named(name: str, data: bytes, message: str) -> None:
    """With the line where there is one."""
    with pytest.raises(ComparisonError, match=message):
        read_results(name, data)


@given(st.binary(max_size=200), st.sampled_from(["r.csv", "r.jsonl", "r.eval"]))
@settings(max_examples=60, deadline=None)
def test_any_bytes_are_results_or_an_error(data: bytes, name: str) -> None:
    """Nothing else is ever raised."""
    try:
        read_results(name, data)
    except ComparisonError:
        return


HARNESS = {"doc": {"category": "physics"}, "arguments": [], "resps": [["x"]], "target": "4", "target_hash": "t"}


def harness(doc_id: int, correct: float, kind: str = "strict-match", **metrics: float) -> dict:
    """Log a sample as lm-evaluation-harness does."""
    values = {"exact_match": correct, **metrics}
    row = {**HARNESS, "doc_id": doc_id, "doc_hash": f"h{doc_id}", "filter": kind, "metrics": list(values)}
    return {**row, **values}


def test_harness_samples_are_sorted_by_document() -> None:
    """Several processes log in any order; ids are doc_id, the text hash is kept, doc fields may be strata."""
    data = jsonl([harness(10, 1.0), harness(2, 0.0)])

    found = read_results("samples_gsm.jsonl", data, Columns(stratum="doc.category"))

    assert (found.ids, found.values.tolist()) == (("2", "10"), [0.0, 1.0])
    assert (found.digests, found.strata, found.measure) == (("h2", "h10"), ("physics", "physics"), "exact_match")


def test_one_of_two_filters_must_be_named() -> None:
    """Rows of both filters would repeat each document; metric,filter chooses, as the harness writes it."""
    rows = [harness(1, 0.0), harness(2, 0.0), harness(1, 1.0, "flexible-extract"), harness(2, 1.0, "flexible-extract")]

    with pytest.raises(ComparisonError, match=r"2 among the filters \(strict-match, flexible-extract\)"):
        read_results("s.jsonl", jsonl(rows))
    chosen = read_results("s.jsonl", jsonl(rows), Columns(value="exact_match,flexible-extract"))
    assert chosen.values.tolist() == [1.0, 1.0]


def test_one_of_two_metrics_must_be_named() -> None:
    """As must one of two metrics; older logs do not list them, and their numbers are found."""
    rows = [harness(1, 0.0, acc_norm=1.0), harness(2, 0.0, acc_norm=1.0)]
    older = [{**HARNESS, "doc_id": 1, "acc": 1.0}, {**HARNESS, "doc_id": 2, "acc": 0.0}]

    with pytest.raises(
        ComparisonError, match=r"2 among the metrics \(exact_match, acc_norm\); choose one with --value"
    ):
        read_results("s.jsonl", jsonl(rows))
    with pytest.raises(ComparisonError, match=r"no 'bleu' among the metrics"):
        read_results("s.jsonl", jsonl(rows), Columns(value="bleu"))
    assert read_results("s.jsonl", jsonl(rows), Columns(value="acc_norm")).values.tolist() == [1.0, 1.0]
    assert read_results("s.jsonl", jsonl(older)).values.tolist() == [1.0, 0.0]


def sample(identity: object, value: object, epoch: int = 1, scorer: str = "match") -> dict:
    """Log a sample as inspect does."""
    scores = {scorer: {"value": value, "answer": "4"}}
    return {"id": identity, "epoch": epoch, "input": "?", "metadata": {"topic": "sums"}, "scores": scores}


def inspect_json(*samples: dict) -> bytes:
    """Write a JSON log."""
    log = {"version": 2, "status": "success", "eval": {"task": "t"}, "samples": list(samples)}
    return json.dumps(log, indent=2).encode()


def inspect_eval(*samples: dict, summaries: bool) -> bytes:
    """Write an .eval log, with or without the summaries that newer versions add."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as log:
        log.writestr("header.json", "{}")
        for each in samples:
            log.writestr(f"samples/{each['id']}_epoch_{each['epoch']}.json", json.dumps(each))
        if summaries:
            log.writestr("summaries.json", json.dumps(list(samples)))
    return buffer.getvalue()


@pytest.mark.parametrize("form", ["json", "eval", "eval with summaries"])
def test_inspect_logs_say_the_same_in_each_form(form: str) -> None:
    """Grades C, P, I, N are 1, 1/2, 0, 0; samples stand in the order of their ids."""
    samples = [sample(10, "C"), sample(2, "I"), sample(3, "P"), sample(4, "N"), sample(5, True)]
    data = inspect_json(*samples) if form == "json" else inspect_eval(*samples, summaries="summaries" in form)

    found = read_results("log.eval", data, Columns(stratum="metadata.topic"))

    assert (found.ids, found.values.tolist()) == (("2", "3", "4", "5", "10"), [0.0, 0.5, 0.0, 1.0, 1.0])
    assert (found.measure, found.decodings, set(found.strata)) == ("match", None, {"sums"})


def test_epochs_of_inspect_are_decodings() -> None:
    """Or seeds, where the user says so."""
    data = inspect_json(sample("q", "C"), sample("q", "I", epoch=2), sample("p", "C"), sample("p", "C", epoch=2))

    decodings, seeds = read_results("l.json", data), read_results("l.json", data, Columns(seed="epoch"))

    assert (decodings.ids, decodings.decodings, decodings.seeds) == (("p", "p", "q", "q"), ("1", "2", "1", "2"), None)
    assert (seeds.seeds, seeds.decodings) == (("1", "2", "1", "2"), None)


def test_one_of_two_scorers_must_be_named() -> None:
    """A scorer with several values is entered by a dot."""
    both = sample("q", "C")
    both["scores"]["judge"] = {"value": {"style": 0.25, "truth": 1}}
    data = inspect_json(both)

    with pytest.raises(ComparisonError, match="scorers are judge, match; choose one with --value"):
        read_results("l.json", data)
    assert read_results("l.json", data, Columns(value="match")).values.tolist() == [1.0]
    assert read_results("l.json", data, Columns(value="judge.style")).values.tolist() == [0.25]


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        ([{"id": "q", "epoch": 1, "error": "x"}, sample("p", "C")], "item 'q': no score of 'match'; finish the run"),
        ([sample("q", float("nan"))], "item 'q': match is nan"),
        ([sample("q", "B")], "item 'q': match is 'B'"),
        ([], "the log has no samples"),
    ],
    ids=["no score", "unscored", "letter", "no samples"],
)
def test_samples_without_a_score_are_named(samples: list[dict], message: str) -> None:
    """A failed sample is not silently left out."""
    with pytest.raises(ComparisonError, match=message):
        read_results("l.json", inspect_json(*samples))


def test_a_zip_that_unpacks_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bytes are counted while unpacking, whatever the entry declares."""
    monkeypatch.setattr("glass_pipeline.domain.comparison.reading.inspect_log.LARGEST_ENTRY", 64)

    with pytest.raises(ComparisonError, match=r"samples/q_epoch_1\.json takes more than"):
        read_results("l.eval", inspect_eval(sample("q", "C"), summaries=False))


def break_rate_frame() -> pl.DataFrame:
    """Two bases in two slices."""
    return pl.DataFrame(
        {
            "slice": ["pooled", "pooled", "m9", "m9"],
            "base_id": ["q", "p", "p", "q"],
            "in_stratum": [True, False, True, True],
            "pi": [0.25, None, 0.5, 0.75],
            "n": [4, 0, 4, 4],
        }
    )


def test_tables_of_break_rates_are_known_by_their_columns() -> None:
    """A slice is taken; an unsolved base has no rate."""
    pooled, largest = (
        read_results("part.parquet", parquet(break_rate_frame()), part=part) for part in ("pooled", "m9")
    )

    assert pooled == BreakRates(name="part.parquet", ids=("p", "q"), solved=(False, True), rates=(None, 0.25))
    assert isinstance(largest, BreakRates)
    assert largest.rates == (0.5, 0.75)


def test_a_slice_that_is_absent_or_repeated_is_named() -> None:
    """The slices that exist are listed; two solvers in one table are refused."""
    frame = break_rate_frame()

    with pytest.raises(ComparisonError, match="no slice 'm3'; there are m9, pooled"):
        read_results("p", parquet(frame), part="m3")
    with pytest.raises(ComparisonError, match="base 'p' occurs twice in slice pooled; pass the table of one solver"):
        read_results("p", parquet(pl.concat([frame, frame])))
