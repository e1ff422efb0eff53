"""Every file reader is given files that were damaged at random: a value or one clear error comes out, nothing else."""

from __future__ import annotations

import contextlib
import io
import json
import random
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest

from glass_pipeline.cli import files, pair_files
from glass_pipeline.cli.errors import exit_code, sentence
from glass_pipeline.defs.keys import Cell
from glass_pipeline.defs.reaudit import draw_in_use
from glass_pipeline.defs.warehouse import Provenance, Warehouse
from glass_pipeline.domain.arc_lab.items import parse_items
from glass_pipeline.domain.audit.review_csv import read_csv, to_csv
from glass_pipeline.domain.audit.review_sample import ReviewPair
from glass_pipeline.domain.comparison.reading import read_results
from glass_pipeline.domain.comparison.thresholds import parse_thresholds
from glass_pipeline.domain.schemas import DISTRACTORS
from glass_pipeline.domain.splits import sidecar_from, sidecar_of, split_jobs
from glass_pipeline.llm.sources import read_problems
from glass_pipeline.llm.store import ResponseStore
from glass_pipeline.study import Suite, load_study

FEW, MANY = 40, 2_000
NASTY = (
    None,
    True,
    -1,
    0,
    10**400,
    1e308,
    float("nan"),
    float("-inf"),
    "",
    " ",
    "NaN",
    "1e999",
    "9" * 5_000,
    "\ud800",
    "\x00\x1b[2J",
    "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    "../../etc/passwd",
    [],
    {},
    [[[[[]]]]],
    {"a": {"b": [None]}},
)
"""Values that a reader meets where it expects something else."""


class Reader(NamedTuple):
    """One way into the program: a good file, and what reads it."""

    suffix: str
    good: bytes
    read: Callable[[Path], object]


def lines(*rows: dict[str, Any]) -> bytes:
    """JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def parquet(*rows: dict[str, Any]) -> bytes:
    """A parquet file."""
    written = io.BytesIO()
    pl.DataFrame(list(rows)).write_parquet(written)
    return written.getvalue()


def zipped(name: str, content: bytes) -> bytes:
    """A zip of one entry."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr(name, content)
    return written.getvalue()


def source(name: str) -> Callable[[Path], object]:
    """Read a file as the problems of a source."""

    def read(path: Path) -> object:
        suite = Suite.model_validate({"source": name, "split": "test", "path": str(path)})
        return read_problems(suite, seed=1, lock=path.with_name("lock.json"), environment={})

    return read


def silently(command: Callable[[Path], object]) -> Callable[[Path], object]:
    """Run a command without its output."""

    def run(path: Path) -> object:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return command(path)

    return run


def results(suffix: str) -> Callable[[Path], object]:
    """Read a file of results by its suffix."""
    return lambda path: read_results(f"results{suffix}", path.read_bytes())


def stored(path: Path) -> object:
    """Open a response store and look for a key."""
    store = ResponseStore(path)
    try:
        return store.lookup(["0" * 64])
    finally:
        store.close()


PROBLEM = {"id": "p1", "question": "Mia has 3 boxes of 4 pens. How many pens does she have?", "answer": "12"}
GSM8K = {"question": PROBLEM["question"], "answer": "3 * 4 = <<3*4=12>>12\n#### 12"}
MATH = {"problem": "What is $1+1$?", "solution": "It is $\\boxed{2}$.", "level": "Level 1", "type": "Algebra"}
PAIR = {
    "base_id": "b1",
    "twin_id": "b1-d1",
    "operator": "math_irrelevant_context_m1",
    "category": "math",
    "complexity": "easy",
    "complexity_score": 0.2,
    "base_text": PROBLEM["question"],
    "twin_text": "Leo ran. " + PROBLEM["question"],
    "delta_per_model": {"m": 1.0},
    "delta_mean": 1.0,
    "d_obs": 1.0,
    "d_wc": 1.0,
    "y_base_mean": 1.0,
}
SHEET = [
    ReviewPair(
        twin_id="t1",
        base_id="b1",
        family="entity_rename",
        base_text="A",
        twin_text="B",
        gold="1",
        text_hash="h",
        outcome="kept",
        opinions=(),
    )
]
LM_EVAL = {"doc_id": 1, "doc": {"q": "?"}, "arguments": [], "acc": 1.0, "filter": "none", "metrics": ["acc"]}
INSPECT = {
    "version": 2,
    "status": "success",
    "eval": {"task": "t"},
    "samples": [
        {"id": 1, "epoch": 1, "scores": {"match": {"value": "C"}}},
        {"id": 2, "epoch": 1, "scores": {"match": {"value": "I"}}},
    ],
}
SPLIT = split_jobs({f"j{number}": "math" for number in range(10)}, dataset_key="k", seed=1)
STUDY = (
    b'[study]\nadjudicator = "none"\ndoses = [1, 3]\n[suites.a]\nsource = "glassmini"\n[solvers.p]\nkind = "planted"\n'
)
PAIRS_NAME = "gsmic_adv_m1_multiop_mix_4omini_labeled_pairs"

READERS = {
    "study": Reader(".toml", STUDY, load_study),
    "thresholds": Reader(
        ".toml", b"minimum_gain = 0.01\nsmallest_stratum = 5\n", lambda path: parse_thresholds(path.read_bytes())
    ),
    "problems jsonl": Reader(".jsonl", lines(PROBLEM, {**PROBLEM, "id": "p2"}), source("jsonl")),
    "problems gsm8k": Reader(".jsonl", lines(GSM8K, GSM8K), source("gsm8k")),
    "problems gsm8k parquet": Reader(".parquet", parquet(GSM8K, GSM8K), source("gsm8k")),
    "problems math": Reader(".jsonl", lines(MATH, MATH), source("math")),
    "glass twins": Reader(
        ".jsonl", lines(PROBLEM), silently(lambda path: files.twins(path, (), "m1", 1, as_json=False))
    ),
    "glass audit": Reader(
        ".jsonl",
        lines({"base_text": PAIR["base_text"], "twin_text": PAIR["twin_text"], "gold": "12"}),
        silently(lambda path: files.audit(path, as_json=True)),
    ),
    "pairs jsonl": Reader(".jsonl", lines(PAIR), lambda path: pair_files.read_stated(path, None)),
    "pairs parquet": Reader(
        ".parquet",
        parquet({**PAIR, "delta_per_model": json.dumps({"m": 1.0})}),
        lambda path: pair_files.read_stated(path, None),
    ),
    "results csv": Reader(".csv", b"id,correct\na,1\nb,0\n", results(".csv")),
    "results jsonl": Reader(".jsonl", lines({"id": "a", "correct": 1}, {"id": "b", "correct": 0}), results(".jsonl")),
    "results parquet": Reader(
        ".parquet", parquet({"id": "a", "correct": 1}, {"id": "b", "correct": 0}), results(".parquet")
    ),
    "results lm-eval": Reader(".jsonl", lines(LM_EVAL, {**LM_EVAL, "doc_id": 2}), results(".jsonl")),
    "results inspect json": Reader(".json", json.dumps(INSPECT).encode(), results(".json")),
    "results inspect eval": Reader(
        ".eval", zipped("samples/1_epoch_1.json", json.dumps(INSPECT["samples"][0]).encode()), results(".eval")
    ),
    "review sheet": Reader(
        ".csv",
        to_csv(SHEET).replace("t1,", "t1,no_op", 1).encode(),
        lambda path: read_csv(path.read_text("utf-8", "replace"), SHEET, path.name),
    ),
    "choice items": Reader(
        ".json",
        json.dumps(
            {"id": "q", "question": "?", "choices": {"text": ["a", "b"], "label": ["A", "B"]}, "answerKey": "A"}
        ).encode(),
        lambda path: parse_items([json_object(path)], "items.jsonl"),
    ),
    "split sidecar": Reader(
        ".json",
        sidecar_of(SPLIT, dataset="d", code_version="1", arch="dose", backbone="tfidf_svd").to_json().encode(),
        lambda path: sidecar_from(path.read_text("utf-8", "replace")),
    ),
}
"""Readers of one file; those of a folder have tests of their own below."""


def json_object(path: Path) -> dict[str, Any]:
    """The object of a file, or an empty one: parsing JSON is not under test here."""
    try:
        found = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def damaged(good: bytes, rng: random.Random) -> bytes:
    """A file that was cut, overwritten, doubled, or had one of its JSON values replaced."""
    kind = rng.randrange(7)
    place = rng.randrange(len(good) + 1)
    if kind == 0:
        return rng.randbytes(rng.randrange(200))
    if kind == 1:
        return good[:place]
    if kind == 2:
        return good[:place] + rng.randbytes(rng.randrange(1, 8)) + good[place + rng.randrange(4) :]
    if kind == 3:
        return good[:place] + good[max(place - rng.randrange(1, 40), 0) :]
    return with_a_nasty_value(good, rng)


def with_a_nasty_value(good: bytes, rng: random.Random) -> bytes:
    """The file with one value of one of its JSON lines replaced, removed or renamed; other files lose a byte."""
    try:
        rows = [json.loads(line) for line in good.splitlines()]
    except ValueError:
        place = rng.randrange(len(good))
        return good[:place] + good[place + 1 :]
    row = rng.choice(rows)
    while isinstance(row, dict) and row:
        key = rng.choice(sorted(row))
        if isinstance(row[key], dict) and row[key] and rng.random() < 0.5:
            row = row[key]
            continue
        if rng.random() < 0.2:
            row[rng.choice(["x", key.upper(), "__proto__"])] = row.pop(key)
        else:
            row[key] = rng.choice(NASTY)
        break
    return "".join(json.dumps(each) + "\n" for each in rows).encode()


def survives(read: Callable[[Path], object], path: Path, content: bytes) -> None:
    """Whatever the file holds, reading it ends in a value or in an error that a person is told in one sentence."""
    path.write_bytes(content)
    try:
        read(path)
    except Exception as error:
        assert exit_code(error) == 2, f"{error!r} after {content[:300]!r}"
        told = sentence(str(error))
        assert len(told) < 2_000
        assert told.isprintable() and told.encode()


def contents(name: str, good: bytes, count: int) -> Iterator[bytes]:
    """Damaged versions of a file, the same in every run."""
    rng = random.Random(f"hostile files/{name}")
    return (damaged(good, rng) for _ in range(count))


@pytest.mark.parametrize("name", READERS)
def test_the_undamaged_file_is_read(name: str, tmp_path: Path) -> None:
    """Each reader accepts its own good file, so that the damaged ones are tried on the right path."""
    reader = READERS[name]
    path = tmp_path / f"{PAIRS_NAME}{reader.suffix}"
    path.write_bytes(reader.good)
    reader.read(path)


@pytest.mark.parametrize("name", READERS)
def test_a_damaged_file_is_one_sentence(name: str, tmp_path: Path) -> None:
    """Nothing but clear errors comes out of forty damaged versions of every file."""
    reader = READERS[name]
    for content in contents(name, reader.good, FEW):
        survives(reader.read, tmp_path / f"{PAIRS_NAME}{reader.suffix}", content)


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_many_damaged_files_are_one_sentence(name: str, tmp_path: Path) -> None:
    """Nothing but clear errors comes out of two thousand damaged versions of every file."""
    reader = READERS[name]
    for content in contents(name, reader.good, MANY):
        survives(reader.read, tmp_path / f"{PAIRS_NAME}{reader.suffix}", content)


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
def test_a_damaged_table_of_the_warehouse_is_one_sentence(count: int, tmp_path: Path) -> None:
    """A parquet file of the warehouse that was cut or overwritten names itself and the remedy."""
    warehouse, cell = Warehouse(tmp_path), Cell("mini", "distractors")
    frame = DISTRACTORS.frame({"source_id": "s", "position": number, "text": "Leo ran."} for number in range(5))
    path = warehouse.write(cell, frame, Provenance(data_version="d", code_version="1", settings="s"))
    for content in contents("warehouse", path.read_bytes(), count):
        survives(lambda _: warehouse.provenance(cell), path, content)
        survives(lambda _: warehouse.read([cell]), path, content)


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY // 10, marks=pytest.mark.slow)])
def test_a_damaged_response_store_is_one_sentence(count: int, tmp_path: Path) -> None:
    """A store that is no database, or a cut one, is refused before anything is asked."""
    path = tmp_path / "responses.sqlite"
    ResponseStore(path).close()
    good = path.read_bytes()
    for number, content in enumerate(contents("store", good, count)):
        survives(stored, tmp_path / f"{number}.sqlite", content)


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
def test_a_damaged_adoption_is_one_sentence(count: int, tmp_path: Path) -> None:
    """Which re-audit is in use is never guessed."""
    path = tmp_path / "mini" / "reaudit" / "adopted.json"
    path.parent.mkdir(parents=True)
    for content in contents("adoption", lines({"m1": "2026-12-07"}), count):
        survives(lambda _: draw_in_use(Warehouse(tmp_path), "mini", 1), path, content)
