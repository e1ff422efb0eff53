"""Commands on any file: twins and audit from a file or from stdin, as lines or as one JSON object."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from glass_pipeline.cli import main

PROBLEMS = (
    {"id": "p1", "question": "Nadia has 6 plums. She buys 9 plums. How many plums does Nadia have?", "answer": "15"},
    {"id": "p2", "question": "A lamp costs $30. A desk costs $80. How much do they cost together?", "answer": 110},
    {
        "id": "p3",
        "question": "Omar reads 12 pages a day. His book has 84 pages. How many days does he need?",
        "answer": "7",
    },
)


class Stdin(io.TextIOWrapper):
    """A standard input that holds given bytes."""

    def __init__(self, content: bytes) -> None:
        super().__init__(io.BytesIO(content), encoding="utf-8")


@pytest.fixture
def glass(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Any:
    """Run the command in an empty folder; returns exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["glass", *arguments])
        monkeypatch.setattr(sys, "stdin", Stdin(stdin))
        with pytest.raises(SystemExit) as ended:
            main()
        code = ended.value.code
        return int(code or 0) if not isinstance(code, str) else 1, *capsys.readouterr()

    return run


def as_lines(rows: Any) -> bytes:
    """Return rows as JSON lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def parsed(text: str) -> list[dict[str, Any]]:
    """Return the objects of JSON lines."""
    return [json.loads(line) for line in text.split("\n") if line]


def test_stdin_and_a_file_of_any_name_give_the_same_twins(glass: Any) -> None:
    """Twins depend on problems, operators, dose and seed, not on where the problems came from."""
    for name in ("a.jsonl", "b.jsonl"):
        Path(name).write_bytes(as_lines(PROBLEMS))
    code, from_stdin, declines = glass("twins", "-", stdin=as_lines(PROBLEMS))

    assert code == 0
    assert from_stdin
    assert glass("twins", "a.jsonl") == glass("twins", "b.jsonl") == (0, from_stdin, declines)


def test_operators_are_chosen_by_name(glass: Any) -> None:
    """Only the families asked for are tried, each problem being a twin or a decline of each."""
    code, out, err = glass(
        "twins", "-", "--operator", "entity_rename", "--operator", "gsm_ic", stdin=as_lines(PROBLEMS)
    )
    tried = {(row["base_id"], row["family"]) for row in parsed(out)} | {
        tuple(line.split(":")[0].split()[1:3]) for line in err.splitlines()
    }

    assert code == 0
    assert tried == {(f"p{n}", family) for n in (1, 2, 3) for family in ("entity_rename", "gsm_ic")}


def test_the_seed_and_the_dose_enter_the_twins(glass: Any) -> None:
    """Another seed draws other twins; dose m3 stacks three sentences where the pool has them."""
    arguments = ("twins", "-", "--operator", "entity_rename")
    first = glass(*arguments, stdin=as_lines(PROBLEMS))

    assert glass(*arguments, "--seed", "42", stdin=as_lines(PROBLEMS)) == first
    assert glass(*arguments, "--seed", "43", stdin=as_lines(PROBLEMS)) != first
    dosed = parsed(glass("twins", "-", "--dose", "m3", stdin=as_lines(PROBLEMS))[1])
    assert {row["dose"] for row in dosed} == {3}


def test_json_holds_twins_and_declines_together(glass: Any) -> None:
    """One object, so that a program can read the reasons too; the twins are those of the lines."""
    _, lines, declines = glass("twins", "-", stdin=as_lines(PROBLEMS))
    code, text, err = glass("twins", "-", "--json", stdin=as_lines(PROBLEMS))
    whole = json.loads(text)

    assert (code, err) == (0, "")
    assert whole["twins"] == parsed(lines)
    assert len(whole["declines"]) == len(declines.splitlines())
    assert all(decline["reason"] for decline in whole["declines"])


def test_twins_can_be_piped_into_the_audit(glass: Any) -> None:
    """What ``twins`` writes has what ``audit`` reads, and every row comes out with a verdict."""
    _, made, _ = glass("twins", "-", stdin=as_lines(PROBLEMS))
    code, audited, _ = glass("audit", "-", stdin=made.encode())

    assert code == 0
    assert [row["twin_id"] for row in parsed(audited)] == [row["twin_id"] for row in parsed(made)]
    assert all(isinstance(row["keep"], bool) for row in parsed(audited))


def test_the_audit_counts_what_each_rule_said(glass: Any) -> None:
    """As JSON there is a summary: of two twins the one that quotes the gold value is dropped."""
    base = PROBLEMS[0]["question"]
    pairs = [
        {"base_text": base, "twin_text": f"A shop opens at noon. {base}", "gold": "15"},
        {"base_text": base, "twin_text": f"A shop has 15 doors. {base}", "gold": 15, "mine": [1, "\u2028"]},
    ]
    code, text, _ = glass("audit", "-", "--json", stdin=as_lines(pairs))
    whole = json.loads(text)

    assert code == 0
    assert whole["summary"] == {"pairs": 2, "kept": 1, "dropped": 1, "reasons": {"gold_number": 1}}
    assert whole["pairs"][1]["mine"] == [1, "\u2028"]


@pytest.mark.parametrize(
    ("arguments", "stdin", "sentence"),
    [
        (("twins", "-", "--dose", "m2"), as_lines(PROBLEMS), "--dose m2: no such dose; there are m1, m3"),
        (
            ("twins", "-", "--operator", "shout"),
            as_lines(PROBLEMS),
            "--operator shout: no such operator; there are sentence_",
        ),
        (("twins", "-"), b" \n", "stdin is empty"),
        (("twins", "gone.jsonl"), b"", "gone.jsonl: No such file"),
        (("audit", "-"), b'{"base_text": "A?", "twin_text": "B?"}\n', "stdin, line 1: no 'gold'"),
        (
            ("audit", "-"),
            b'{"base_text": "A?", "twin_text": "B?", "gold": 1}\n\n{"twin_text": "B?"}\n',
            "line 3: no 'base_text'",
        ),
        (("audit", "-"), b'{"base_text": "\\ud800"}\n', "stdin, line 1: not JSON"),
        (
            ("audit", "-"),
            b'{"base_text": 7, "twin_text": "B?", "gold": 1}\n',
            "stdin, line 1: base_text and twin_text are texts",
        ),
        (("audit", "-"), b'\n{"base_text": "\xff"}\n', "stdin, line 2: byte 15 is not UTF-8"),
        (
            ("audit", "-"),
            as_lines([{"base_text": "a" * 10_001, "twin_text": "B?", "gold": 1}]),
            "stdin, line 1: A text has",
        ),
    ],
)
def test_bad_input_is_one_sentence(glass: Any, arguments: tuple[str, ...], stdin: bytes, sentence: str) -> None:
    """Exit code 2, nothing on stdout, and the sentence says where."""
    code, out, err = glass(*arguments, stdin=stdin)

    assert (code, out, err.count("\n")) == (2, "", 1)
    assert sentence in err
