from __future__ import annotations

import gzip
import hashlib
import http.server
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from glass_pipeline.domain.problems import SourceError, generate
from glass_pipeline.llm.sources import HuggingFaceHub, read_problems, read_split
from glass_pipeline.study import Suite

COMMIT = "0123456789abcdef0123456789abcdef01234567"
OTHER_COMMIT = "f" * 40
OWN = [{"id": f"a{n}", "question": f"What is {n} + 1?", "answer": n + 1} for n in range(3)]
GSM8K = [
    {"question": f"Ana has {n} pens and buys 1. How many?", "answer": f"{n}+1={n + 1}\n#### {n + 1}"} for n in range(3)
]
MATH = {"problem": "What is $1+1$?", "solution": "$\\boxed{2}$", "level": "Level 1", "type": "Algebra"}


class FolderHub:
    """A hub whose data sets are one local folder, and which counts what it is asked."""

    def __init__(self, folder: Path, commit: str = COMMIT) -> None:
        self.root, self.commit = folder, commit
        self.asked: list[str] = []

    def head(self, repo: str) -> str:
        """Return the newest commit."""
        self.asked.append(f"head {repo}")
        return self.commit

    def folder(self, repo: str, revision: str, patterns: Sequence[str]) -> Path:
        """Return the folder, whatever the revision."""
        self.asked.append(f"folder {repo} {revision}")
        return self.root


class BrokenHub(FolderHub):
    """A hub that cannot be reached."""

    def head(self, repo: str) -> str:
        """Fail as a connection does."""
        raise ConnectionError("no route to host")


def write_jsonl(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Write rows as a user would."""
    text = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def write_parquet(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Write rows as the hub does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pl.DataFrame(list(rows)).write_parquet(path)
    return path


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    """Where the source lock will be, in a warehouse that does not exist yet."""
    return tmp_path / "warehouse" / "source_lock.json"


def read(suite: Suite, lock: Path, environment: Mapping[str, str] | None = None, hub: Any = None) -> Any:
    """Read a suite with the seed that does not matter here."""
    return read_problems(suite, seed=42, lock=lock, environment=environment or {}, hub=hub)


def test_a_users_own_file(tmp_path: Path, lock: Path) -> None:
    """A jsonl suite is read from its path; its revision is the file's sha256; no lock is written."""
    path = write_jsonl(tmp_path / "own.jsonl", OWN)
    problems = read(Suite(source="jsonl", path=str(path)), lock)

    assert [problem.gold for problem in problems] == ["1", "2", "3"]
    assert {problem.revision for problem in problems} == {hashlib.sha256(path.read_bytes()).hexdigest()}
    assert not lock.exists()


def test_an_edited_file_is_a_new_revision(tmp_path: Path, lock: Path) -> None:
    """A user who edits their file may go on: the rows carry another revision."""
    suite = Suite(source="jsonl", path=str(write_jsonl(tmp_path / "own.jsonl", OWN)))
    before = read(suite, lock)
    write_jsonl(tmp_path / "own.jsonl", [*OWN, {"id": "new", "question": "What is 2 + 2?", "answer": 4}])
    after = read(suite, lock)

    assert len(after) == 4
    assert before[0].revision != after[0].revision


def test_blank_lines_carriage_returns_and_a_byte_order_mark_are_no_rows(tmp_path: Path, lock: Path) -> None:
    """A file saved by a Windows editor is read like any other."""
    path = tmp_path / "own.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + b"\r\n\r\n".join(json.dumps(row).encode() for row in OWN) + b"\r\n")

    assert len(read(Suite(source="jsonl", path=str(path)), lock)) == 3


def test_a_limit_takes_the_first(tmp_path: Path, lock: Path) -> None:
    """A derived suite holds the first N problems of the full one."""
    path = write_jsonl(tmp_path / "own.jsonl", OWN)
    full = read(Suite(source="jsonl", path=str(path)), lock)

    assert read(Suite(source="jsonl", path=str(path), limit=2), lock) == full[:2]
    assert read(Suite(source="glassmini", limit=5), lock) == read(Suite(source="glassmini"), lock)[:5]


@pytest.mark.parametrize("name", ["test.jsonl", "test.jsonl.gz", "gsm8k_test.jsonl.gz"])
def test_the_environment_names_a_folder(tmp_path: Path, lock: Path, name: str) -> None:
    """GLASS_SOURCE_GSM8K may hold a file a split, plain or compressed, with or without the source's name."""
    write_jsonl(tmp_path / "data" / name, GSM8K)
    problems = read(Suite(source="gsm8k"), lock, {"GLASS_SOURCE_GSM8K": str(tmp_path / "data")})

    assert [problem.base_id for problem in problems] == ["gsm8k-test-0", "gsm8k-test-1", "gsm8k-test-2"]


def test_the_path_of_the_suite_comes_first(tmp_path: Path, lock: Path) -> None:
    """What glass.toml names is read even where the environment names something else."""
    named = write_jsonl(tmp_path / "one.jsonl", GSM8K[:1])
    environment = {"GLASS_SOURCE_GSM8K": str(write_jsonl(tmp_path / "all.jsonl", GSM8K))}

    assert len(read(Suite(source="gsm8k", path=str(named)), lock, environment)) == 1


def test_a_file_of_another_split_is_refused(tmp_path: Path, lock: Path) -> None:
    """Distractors for test problems must not come from the test file."""
    environment = {"GLASS_SOURCE_GSM8K": str(write_jsonl(tmp_path / "gsm8k-test.jsonl", GSM8K))}

    assert len(read(Suite(source="gsm8k"), lock, environment)) == 3
    with pytest.raises(SourceError, match=r"\(GLASS_SOURCE_GSM8K\) is not the split 'train'"):
        read_split("gsm8k/train", seed=42, lock=lock, environment=environment)


def test_distractors_may_lie_beside_the_suite(tmp_path: Path, lock: Path) -> None:
    """A folder given for the suite serves its distractors too."""
    write_jsonl(tmp_path / "train.jsonl", GSM8K)
    problems = read_split("gsm8k/train", seed=42, lock=lock, environment={}, path=str(tmp_path))

    assert [problem.base_id for problem in problems][-1] == "gsm8k-train-2"


def test_distractors_need_no_level(tmp_path: Path, lock: Path) -> None:
    """MATH's rows of unknown level may lend their sentences."""
    write_jsonl(tmp_path / "train.jsonl", [{**MATH, "level": "Level ?"}])

    assert len(read_split("math/train", seed=42, lock=lock, environment={"GLASS_SOURCE_MATH": str(tmp_path)})) == 1


def test_glassmini_distractors_are_written(lock: Path) -> None:
    """The train split of the generator is the first 2,000 problems of all difficulties."""
    problems = read_split("glassmini/train", seed=42, lock=lock, environment={})

    assert len(problems) == 2000
    assert problems[:8] == generate(8, seed=42, split="train", max_steps=8)


def test_glassmini_suites_are_written(lock: Path) -> None:
    """Size, steps, split and complexity of a glassmini suite reach the generator."""
    suite = Suite(source="glassmini", size=6, max_steps=2, split="train", complexity="heuristic")

    assert read(suite, lock) == generate(6, seed=42, split="train", max_steps=2, complexity="heuristic")


@pytest.mark.parametrize(
    ("suite", "message"),
    [
        (Suite(source="glassmini", path="x.jsonl"), "written, not read: remove path"),
        (Suite(source="glassmini", complexity="level"), "glassmini has no levels"),
        (Suite(source="glassmini", split="dev"), "no split 'dev'; choose test or train"),
    ],
    ids=["path", "level", "split"],
)
def test_an_impossible_glassmini_suite_is_refused(suite: Suite, message: str, lock: Path) -> None:
    """What the generator cannot do is not ignored."""
    with pytest.raises(SourceError, match=message):
        read(suite, lock)


@pytest.mark.parametrize("reference", ["gsm8k", "aime/test", "jsonl/test", "", "gsm8k/"])
def test_an_unknown_reference_is_refused(reference: str, lock: Path) -> None:
    """A distractor reference is a known source and a split."""
    with pytest.raises(SourceError, match=r"No distractors .*; write gsm8k/train"):
        read_split(reference, seed=42, lock=lock, environment={})


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("own.jsonl", None, r"own\.jsonl \(path\) does not exist"),
        ("own.jsonl", b"", r"own\.jsonl is empty"),
        ("own.jsonl", b"\n\n", r"own\.jsonl is empty"),
        ("own.jsonl", b'{"id": "a"}\n{"id": "\xff"}\n', r"own\.jsonl, line 2 is not UTF-8"),
        ("own.jsonl", b'{"id": "a"}\n\n{"id": \n', r"own\.jsonl, line 3 is not JSON"),
        ("own.jsonl", b"[" * 100_000, r"own\.jsonl, line 1 is not JSON"),
        ("own.jsonl", b"[1, 2]\n", r"own\.jsonl, line 1 is not a JSON object"),
        ("own.jsonl", b'{"id": "a", "question": "?"}', r"own\.jsonl: row 1: no 'answer' among its fields"),
        ("own.jsonl.gz", b"no gzip", r"own\.jsonl\.gz is not a whole gzip file"),
        ("own.jsonl.gz", gzip.compress(b'{"id": 1}\n' * 999)[:-20], r"own\.jsonl\.gz is not a whole gzip file"),
        ("own.jsonl.gz", gzip.compress(b" " * (17 * 2**20)), r"line 1 is longer than 16 MiB"),
        ("own.parquet", b"PAR1 nothing PAR1", r"own\.parquet is not a readable parquet file"),
    ],
    ids=["absent", "empty", "blank", "utf-8", "json", "nested", "list", "row", "gzip", "cut", "bomb", "parquet"],
)
def test_a_bad_file_is_named(tmp_path: Path, lock: Path, name: str, content: bytes | None, message: str) -> None:
    """Each refusal names the file, and the line where there is one."""
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError, match=message):
        read(Suite(source="jsonl", path=str(tmp_path / name)), lock)


def test_an_empty_folder_says_what_it_should_hold(tmp_path: Path, lock: Path) -> None:
    """The names that would have been read are in the message."""
    with pytest.raises(SourceError, match=r"holds no test\.jsonl, test\.jsonl\.gz or math_test\.jsonl"):
        read(Suite(source="math"), lock, {"GLASS_SOURCE_MATH": str(tmp_path)})


def test_the_hub_is_locked_at_its_commit(tmp_path: Path, lock: Path) -> None:
    """The first reading writes the commit, later ones keep it although the hub has moved on."""
    write_parquet(tmp_path / "hub/main/test-00000-of-00001.parquet", GSM8K)
    first = read(Suite(source="gsm8k"), lock, hub=FolderHub(tmp_path / "hub"))
    moved = FolderHub(tmp_path / "hub", OTHER_COMMIT)
    second = read(Suite(source="gsm8k"), lock, hub=moved)

    assert json.loads(lock.read_text()) == {"gsm8k/test": {"repo": "openai/gsm8k", "revision": COMMIT}}
    assert moved.asked == [f"folder openai/gsm8k {COMMIT}"]
    assert first == second
    assert {problem.revision for problem in first} == {COMMIT}


def test_splits_of_one_data_set_share_their_commit(tmp_path: Path, lock: Path) -> None:
    """Train is taken at the commit that test is locked at."""
    for split in ("test", "train"):
        write_parquet(tmp_path / f"hub/main/{split}-0.parquet", GSM8K)
    read(Suite(source="gsm8k"), lock, hub=FolderHub(tmp_path / "hub"))
    hub = FolderHub(tmp_path / "hub", OTHER_COMMIT)
    train = read_split("gsm8k/train", seed=42, lock=lock, environment={}, hub=hub)

    assert {problem.revision for problem in train} == {COMMIT}
    assert sorted(json.loads(lock.read_text())) == ["gsm8k/test", "gsm8k/train"]


def test_a_spoilt_lock_is_not_overwritten(tmp_path: Path, lock: Path) -> None:
    """A lock that cannot be read stops the reading and stays as it is."""
    lock.parent.mkdir()
    lock.write_text("{]")
    with pytest.raises(SourceError, match="is not a source lock; restore it, or delete it"):
        read(Suite(source="gsm8k"), lock, hub=FolderHub(tmp_path))

    assert lock.read_text() == "{]"


def test_subjects_of_math_are_read_in_order(tmp_path: Path, lock: Path) -> None:
    """The hub keeps MATH in a folder a subject; rows are numbered through, algebra first."""
    write_parquet(tmp_path / "precalculus/test-0.parquet", [{**MATH, "type": "Precalculus"}])
    write_parquet(tmp_path / "algebra/test-0.parquet", [MATH, {**MATH, "problem": "What is $3-1$?"}])
    problems = read(Suite(source="math"), lock, hub=FolderHub(tmp_path))

    assert [(problem.base_id, problem.category) for problem in problems] == [
        ("math-test-0", "Algebra"),
        ("math-test-1", "Algebra"),
        ("math-test-2", "Precalculus"),
    ]


def test_a_hub_that_cannot_be_reached_names_the_remedy(tmp_path: Path, lock: Path) -> None:
    """Without network the message says which variable to set, and no lock is left behind."""
    with pytest.raises(SourceError, match=r"openai/gsm8k \(no route to host\); set GLASS_SOURCE_GSM8K"):
        read(Suite(source="gsm8k"), lock, hub=BrokenHub(tmp_path))

    assert not lock.exists()


def test_a_hub_without_the_file_names_the_remedy(tmp_path: Path, lock: Path) -> None:
    """A mirror that was rearranged is reported, not read as empty."""
    with pytest.raises(SourceError, match=r"has no rows in main/test-\*\.parquet; set GLASS_SOURCE_GSM8K"):
        read(Suite(source="gsm8k"), lock, hub=FolderHub(tmp_path))


def test_a_split_that_the_hub_has_not_is_refused(tmp_path: Path, lock: Path) -> None:
    """The splits there are stand in the message."""
    with pytest.raises(SourceError, match="openai/gsm8k has no split 'dev'; choose test or train"):
        read(Suite(source="gsm8k", split="dev"), lock, hub=FolderHub(tmp_path))


class HubServer(http.server.BaseHTTPRequestHandler):
    """The three answers of the hub that a download needs: the commit, the list of files, a file."""

    files: Mapping[str, bytes] = {}

    def log_message(self, *args: object) -> None:
        """Stay silent."""

    def do_HEAD(self) -> None:
        """Answer with headers alone."""
        self.do_GET()

    def do_GET(self) -> None:
        """Answer one request."""
        path = self.path.partition("?")[0]
        if path == "/api/datasets/openai/gsm8k":
            self._send(json.dumps({"id": "openai/gsm8k", "sha": COMMIT}).encode())
        elif path.startswith(f"/api/datasets/openai/gsm8k/tree/{COMMIT}"):
            entries = [
                {"type": "file", "path": name, "size": len(body), "oid": hashlib.sha1(body).hexdigest()}
                for name, body in self.files.items()
            ]
            self._send(json.dumps(entries).encode())
        elif path.startswith(f"/datasets/openai/gsm8k/resolve/{COMMIT}/"):
            self._send(self.files[path.split(COMMIT + "/")[1]])
        else:
            self.send_error(404)

    def _send(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Type", "application/json")
        self.send_header("ETag", f'"{hashlib.sha1(body).hexdigest()}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)


@pytest.fixture
def hub_endpoint(tmp_path: Path) -> Iterator[str]:
    """A hub on this machine that serves one split of one data set."""
    files = {
        "main/test-00000-of-00001.parquet": write_parquet(tmp_path / "served.parquet", GSM8K).read_bytes(),
        "README.md": b"not wanted",
    }
    handler = type("OneDataset", (HubServer,), {"files": files})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_real_client_downloads_and_caches(tmp_path: Path, lock: Path, hub_endpoint: str) -> None:
    """huggingface_hub fetches only the wanted files at the commit, and needs no server the second time."""
    hub = HuggingFaceHub(endpoint=hub_endpoint, cache=tmp_path / "cache")
    problems = read(Suite(source="gsm8k"), lock, hub=hub)
    nowhere = HuggingFaceHub(endpoint="http://127.0.0.1:9", cache=tmp_path / "cache")

    assert [problem.gold for problem in problems] == ["1", "2", "3"]
    assert json.loads(lock.read_text())["gsm8k/test"]["revision"] == COMMIT
    assert not list((tmp_path / "cache").rglob("README.md"))
    assert read(Suite(source="gsm8k"), lock, hub=nowhere) == problems


def test_the_real_client_without_a_server(tmp_path: Path, lock: Path) -> None:
    """A refused connection ends in the sentence that names the remedy."""
    hub = HuggingFaceHub(endpoint="http://127.0.0.1:9", cache=tmp_path / "cache")
    with pytest.raises(SourceError, match=r"The hub does not give openai/gsm8k .*; set GLASS_SOURCE_GSM8K"):
        read(Suite(source="gsm8k"), lock, hub=hub)


@pytest.mark.parametrize(
    ("suite", "folder", "count"),
    [
        (Suite(source="gsm8k"), "gsm8k", 1319),
        (Suite(source="gsm8k", split="train"), "gsm8k", 7473),
        (Suite(source="math"), "math_test", 5000),
        (Suite(source="svamp", split="all"), "svamp", 1000),
        (Suite(source="math"), "math500/math500.jsonl", 500),
    ],
    ids=["gsm8k-test", "gsm8k-train", "math", "svamp", "math500"],
)
def test_real_folders(shared: Path, lock: Path, suite: Suite, folder: str, count: int) -> None:
    """Folders and files of real benchmarks are read whole, in the shapes people keep them in."""
    environment = {f"GLASS_SOURCE_{suite.source.upper()}": str(shared / "data" / folder)}

    assert len(read(suite, lock, environment)) == count
