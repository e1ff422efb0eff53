"""Local source files: which one a suite reads, what it holds now, and which ids are left out."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from glass_pipeline.domain.problems import SourceError
from glass_pipeline.domain.records import Problem
from glass_pipeline.llm import source_files
from glass_pipeline.llm.source_files import digests
from glass_pipeline.llm.sources import read_problems
from glass_pipeline.study import Suite

ROWS = [{"id": f"a{n}", "question": f"What is {n} + 1?", "answer": n + 1} for n in range(4)]


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    """A file of four problems, a0 to a3."""
    path = tmp_path / "problems.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in ROWS), encoding="utf-8")
    return path


def listed(folder: Path, text: str) -> str:
    """Write a list of ids and return its path."""
    (folder / "ids.txt").write_text(text, encoding="utf-8")
    return str(folder / "ids.txt")


def read(suite: Suite, folder: Path) -> list[Problem]:
    """Read a suite's problems."""
    return read_problems(suite, seed=1, lock=folder / "lock.json", environment={})


def test_listed_items_are_left_out_before_the_limit(problems: Path) -> None:
    """Two of four are excluded, so the first two that remain are a1 and a3; blank lines and spaces do not matter."""
    exclude = listed(problems.parent, "a0\n\n  a2  \n")
    suite = Suite(source="jsonl", path=str(problems), exclude=exclude)

    assert [each.base_id for each in read(suite, problems.parent)] == ["a1", "a3"]
    assert [each.base_id for each in read(suite.model_copy(update={"limit": 1}), problems.parent)] == ["a1"]


def test_written_problems_can_be_left_out_too(tmp_path: Path) -> None:
    """A glassmini suite has ids as well."""
    plain = Suite(source="glassmini", size=3)
    first, *rest = (each.base_id for each in read(plain, tmp_path))
    short = plain.model_copy(update={"exclude": listed(tmp_path, first)})

    assert [each.base_id for each in read(short, tmp_path)] == rest


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a0\na9\n", r"ids\.txt \(exclude\) names 'a9', which is no problem of this suite; ids look like 'a0'\.$"),
        ("a0\na1\na2\na3", r"ids\.txt \(exclude\) leaves no problem; shorten the list\.$"),
    ],
)
def test_a_list_that_does_not_fit_is_one_sentence(problems: Path, text: str, said: str) -> None:
    """An id that nobody has is a slip; silence would leave a wrong gold answer in."""
    with pytest.raises(SourceError, match=said):
        read(Suite(source="jsonl", path=str(problems), exclude=listed(problems.parent, text)), problems.parent)


def test_a_list_that_cannot_be_read_is_one_sentence(problems: Path) -> None:
    """A missing file and one that is no text are named."""
    with pytest.raises(
        SourceError, match=r"nowhere\.txt \(exclude\) cannot be read \(No such file or directory\); give"
    ):
        read(Suite(source="jsonl", path=str(problems), exclude="nowhere.txt"), problems.parent)
    problems.with_name("ids.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SourceError, match=r"ids\.txt \(exclude\) cannot be read \(it is not UTF-8\); give"):
        read(Suite(source="jsonl", path=str(problems), exclude=str(problems.with_name("ids.txt"))), problems.parent)


def test_digests_name_what_the_files_hold(problems: Path) -> None:
    """The sha256 of both files; a suite without local files has none."""
    suite = Suite(source="jsonl", path=str(problems), exclude=listed(problems.parent, "a0\n"))

    assert digests(suite) == {
        "path": hashlib.sha256(problems.read_bytes()).hexdigest(),
        "exclude": hashlib.sha256(b"a0\n").hexdigest(),
    }
    assert digests(Suite(source="glassmini")) == {}


def test_a_file_that_is_gone_is_absent(problems: Path) -> None:
    """Hashing says so and leaves the sentence to whoever reads it."""
    suite = Suite(source="jsonl", path=str(problems), exclude=str(problems.with_name("ids.txt")))
    problems.unlink()

    assert digests(suite) == {"path": "absent", "exclude": "absent"}


def test_the_file_of_the_split_is_hashed(tmp_path: Path) -> None:
    """Of a folder, only the file that would be read counts."""
    (tmp_path / "test.jsonl").write_text("{}", encoding="utf-8")
    suite = Suite(source="gsm8k", path=str(tmp_path))
    before = digests(suite)
    (tmp_path / "train.jsonl").write_text("{}", encoding="utf-8")

    assert digests(suite) == before == {"path": hashlib.sha256(b"{}").hexdigest()}


def test_a_file_is_read_once_until_it_changes(problems: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its time and size are what it is known by, so that status stays cheap."""
    read_files: list[Path] = []
    plain = source_files.sha256_of

    def counted(path: Path) -> str:
        read_files.append(path)
        return plain(path)

    monkeypatch.setattr(source_files, "sha256_of", counted)
    suite = Suite(source="jsonl", path=str(problems))
    first = digests(suite)
    assert digests(suite) == first
    assert read_files == [problems]

    problems.write_text(json.dumps(ROWS[0]), encoding="utf-8")
    os.utime(problems, ns=(1, 1))
    assert digests(suite) != first
    assert read_files == [problems, problems]
