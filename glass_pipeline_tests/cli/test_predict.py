"""``glass predict`` on a kept model."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from glass_pipeline.cli.curate import percent_of
from glass_pipeline.cli.errors import InputError
from glass_pipeline.cli.predict import predict
from glass_pipeline.domain.predictors.declared import Declared
from glass_pipeline.domain.predictors.deployed import PredictorTask, files_of, train_and_keep
from glass_pipeline.domain.predictors.jobs import PROBLEM_SCHEMA, JobSet, PredictorError
from glass_pipeline.domain.predictors.split_table import splits_of, splits_table


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model trained on forty jobs."""
    rng = np.random.default_rng(0)
    problems = pl.DataFrame(
        [
            {
                "base_id": f"job-{n}",
                "text": f"Mia has {n} {'boats' if n % 2 else 'kites'}. How many?",
                "category": "c",
                "declared_complexity": 1.0,
                "base_pass_rate": 1.0,
            }
            for n in range(40)
        ],
        schema=PROBLEM_SCHEMA,
    ).sort("base_id")
    twins = pl.DataFrame(
        [
            {
                "base_id": f"job-{n}",
                "text": f"twin {n} {twin}",
                "family": "entity_rename",
                "dose": 3,
                "is_break": float(rng.random() < (0.7 if n % 2 else 0.2)),
            }
            for n in range(40)
            for twin in range(6)
        ]
    )
    task = PredictorTask(
        declared=Declared(name="mine", kind="frail_pi", features="hashing", epochs=2),
        jobs=JobSet(problems=problems, twins=twins.sort("base_id", "dose", "family", "text")),
        splits=splits_of(splits_table(problems.with_columns(revision=pl.lit("r")), source="s"), (0,)),
        suite="toys",
        solver="alpha",
        slice_name="pooled",
        is_simulated=False,
        code_version="1",
    )
    kept = train_and_keep(task).model
    assert kept is not None
    folder = tmp_path_factory.mktemp("model")
    for name, content in files_of(kept).items():
        (folder / name).write_bytes(content)
    return folder


def lines(path: Path, *rows: dict[str, object]) -> Path:
    """A JSONL file."""
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_each_item_has_a_line_in_the_order_of_the_file(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ids come back in their order, seen ones are said, and the card is named on stderr."""
    items = lines(
        tmp_path / "items.jsonl",
        {"id": "z", "question": "Leo has 3 boats. How many?"},
        {"id": "job-1", "text": "Mia has 1 boats. How many?"},
    )
    predict(items, model, "m9", 4, as_json=False)
    out, err = capsys.readouterr()
    rows = [json.loads(line) for line in out.splitlines()]

    assert [row["id"] for row in rows] == ["z", "job-1"]
    assert [row["is_seen"] for row in rows] == [False, True]
    assert set(rows[0]) == {
        *("id", "pi_hat", "pi_low", "pi_high", "a", "b", "worst_case", "worst_case_twins", "is_seen"),
    }
    assert rows[0]["worst_case_twins"] == 4
    assert err.startswith("mine, trained on 40 items of toys for alpha: held-out Spearman ")
    assert f"Card: {model / 'card.md'}" in err
    assert "1 of 2 items were among those it was trained on." in err


def test_json_holds_the_model_too(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One object: what is known of the model, and the items."""
    predict(lines(tmp_path / "i.jsonl", {"id": 1, "text": "Leo has 3 boats."}), model, None, None, as_json=True)
    found = json.loads(capsys.readouterr().out)

    assert (found["model"]["suite"], found["model"]["n_jobs"], len(found["items"])) == ("toys", 40, 1)
    assert found["items"][0]["worst_case_twins"] == 1 + 3 + 5 + 7 + 9


@pytest.mark.parametrize(
    ("rows", "dose", "twins", "error", "sentence"),
    [
        ([{"id": "a"}], None, None, InputError, "line 1: no text; each line needs id and one of question, text"),
        ([{"text": "x"}], None, None, InputError, "line 1: no 'id'"),
        ([{"id": "a", "text": "x"}] * 2, None, None, PredictorError, "two share the id 'a'"),
        ([{"id": "a", "text": "x"}], "m9", None, InputError, "a worst case takes both; doses are m1, m3"),
        ([{"id": "a", "text": "x"}], "m2", 3, InputError, "a worst case takes both; doses are m1, m3"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    model: Path,
    tmp_path: Path,
    rows: list[dict[str, object]],
    dose: str | None,
    twins: int | None,
    error: type[Exception],
    sentence: str,
) -> None:
    """Place and remedy."""
    with pytest.raises(error, match=sentence):
        predict(lines(tmp_path / "i.jsonl", *rows), model, dose, twins, as_json=False)


def test_a_folder_without_a_model_says_where_one_lies(model: Path, tmp_path: Path) -> None:
    """Absent folder, empty folder."""
    items = lines(tmp_path / "i.jsonl", {"id": 1, "text": "Leo has 3 boats."})
    with pytest.raises(InputError, match="no such folder; name one that `glass run SUITE --select predictors` made"):
        predict(items, tmp_path / "nowhere", None, None, as_json=False)
    with pytest.raises(PredictorError, match=r"model\.safetensors is missing"):
        predict(items, tmp_path, None, None, as_json=False)


def test_a_share_is_written_with_or_without_its_sign() -> None:
    """5% and 5 are the same; nothing, zero and more than everything are refused."""
    assert [percent_of("5%"), percent_of("5"), percent_of(" 2.5 %".replace(" %", "%"))] == [5.0, 5.0, 2.5]
    for wrong in ("", "0%", "101%", "some"):
        with pytest.raises(InputError, match="give a share of the items"):
            percent_of(wrong)
