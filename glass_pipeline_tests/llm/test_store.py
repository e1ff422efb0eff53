"""Tests of the append-only store of replies, on SQLite and, where there is one, on Postgres."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from glass_pipeline.llm.store import Attempt, Batch, ResponseStore, Spend, StoredReply, StoredRequest, StoreError

REQUEST = StoredRequest(request_key="r", solver="mini", draw="twin", document="{}")


def reply(key: str, **changes: object) -> StoredReply:
    """Return a stored reply."""
    fields = {"key": key, "round": 0, "request_key": "r", "sample": 0, "status": "ok", "text": "#### 4"}
    return StoredReply(**{**fields, **changes})  # type: ignore[arg-type]


def test_what_is_appended_is_found(store: ResponseStore) -> None:
    """A reply comes back field by field, and a key without a reply does not."""
    full = reply(
        "a", finish_reason="stop", prompt_tokens=7, completion_tokens=3, cost_usd=0.001, attempts=2, error="odd"
    )
    store.append(Batch(requests=[REQUEST], replies=[full]))

    assert store.lookup(["a", "b"]) == {"a": full}


def test_latest_round_is_served(store: ResponseStore) -> None:
    """A reply that was asked for again is served; the first stays in the table."""
    store.append(Batch(replies=[reply("a", status="length", text="cut")]))
    store.append(Batch(replies=[reply("a", round=1, text="whole")]))

    assert store.lookup(["a"])["a"].text == "whole"


def test_first_reply_stands(store: ResponseStore) -> None:
    """Two processes that answered the same sample agree afterwards on the reply that was stored first."""
    store.append(Batch(requests=[REQUEST], replies=[reply("a", text="first")]))

    stood = store.append(Batch(requests=[REQUEST], replies=[reply("a", text="second"), reply("b")]))

    assert {key: stored.text for key, stored in stood.items()} == {"a": "first"}
    assert store.lookup(["a", "b"])["a"].text == "first"


def test_append_is_all_or_nothing(store: ResponseStore) -> None:
    """A batch that cannot be written leaves nothing of itself."""
    broken = replace(reply("b"), status=None)  # type: ignore[arg-type]

    with pytest.raises(Exception, match="NOT NULL"):
        store.append(
            Batch(attempts=[Attempt(solver="mini", request_key="r", samples=1, status="ok")], replies=[broken])
        )

    assert store.spend("mini") == Spend(requests=0, cost_usd=0.0)


def test_spend_counts_every_request(store: ResponseStore) -> None:
    """Requests count whatever came of them, money where it is known, each solver for itself."""
    spent = [("mini", "ok", 0.5), ("mini", "timeout", None), ("mini", "ok", 0.25), ("other", "ok", 9.0)]
    store.append(
        Batch(
            attempts=[
                Attempt(solver=solver, request_key="r", samples=5, status=status, cost_usd=cost)
                for solver, status, cost in spent
            ]
        )
    )

    assert store.spend("mini") == Spend(requests=3, cost_usd=0.75)
    assert store.attempts_by_status("mini") == {"ok": 2, "timeout": 1}


def test_store_is_kept(tmp_path: Path) -> None:
    """A store that is closed and opened again has what it had."""
    first = ResponseStore(tmp_path / "deep" / "responses.sqlite")
    first.append(Batch(replies=[reply("a")]))
    first.close()
    second = ResponseStore(tmp_path / "deep" / "responses.sqlite")

    assert "a" in second.lookup(["a"])
    second.close()


def test_many_threads_write_at_once(store: ResponseStore) -> None:
    """Eight threads that each append a hundred times lose nothing."""

    def write(thread: int) -> None:
        for i in range(100):
            store.append(Batch(replies=[reply(f"{thread}-{i}")]))

    threads = [threading.Thread(target=write, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(store.lookup(f"{thread}-{i}" for thread in range(8) for i in range(100))) == 800


WRITER = """
import sys
from glass_pipeline.llm.store import *
store = ResponseStore(sys.argv[1])
for i in range(60):
    fields = dict(round=0, request_key="r", sample=0, status="ok")
    own, shared = f"{sys.argv[2]}-{i}", f"shared-{i}"
    store.append(Batch(replies=[StoredReply(key=own, text="", **fields), StoredReply(key=shared, text=own, **fields)]))
    stored = store.lookup([shared])[shared].text
    print(shared, stored)
"""


def written_by_processes(location: str, n: int) -> list[str]:
    """Return what ``n`` processes that write at the same time say of the keys they share."""
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, location, str(i)], stdout=subprocess.PIPE, text=True)
        for i in range(n)
    ]
    said = [writer.communicate(timeout=60)[0] for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * n
    return said


def test_many_processes_write_at_once(tmp_path: Path) -> None:
    """Processes that create and write one store together lose nothing and agree on the keys they share."""
    location = tmp_path / "responses.sqlite"

    said = written_by_processes(str(location), 3)

    assert len(set(said)) == 1
    store = ResponseStore(location)
    assert len(store.lookup(f"{process}-{i}" for process in range(3) for i in range(60))) == 180
    store.close()


def test_lookup_of_a_hundred_thousand_keys_is_fast(store: ResponseStore) -> None:
    """100,000 keys take under three seconds to look up."""
    keys = [f"{i:064x}" for i in range(100_000)]
    store.append(Batch(replies=[reply(key) for key in keys]))

    started = time.process_time()
    found = store.lookup(keys)
    took_s = time.process_time() - started

    assert len(found) == 100_000
    assert took_s < 3.0


def test_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    """A file that is something else is named, and left as it is."""
    file = tmp_path / "responses.sqlite"
    file.write_text("these are my notes, not a database" * 100)

    with pytest.raises(StoreError, match=r"responses\.sqlite cannot be opened: file is not a database"):
        ResponseStore(file)
    assert file.read_text().startswith("these are my notes")


def test_store_of_another_version_is_refused(tmp_path: Path) -> None:
    """Tables with other columns are named rather than written into."""
    file = tmp_path / "responses.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE attempts (id INTEGER PRIMARY KEY, solver TEXT)")

    with pytest.raises(StoreError, match="of another version"):
        ResponseStore(file)


def test_unreachable_server_is_one_sentence_without_password() -> None:
    """A database that does not answer is named without its password."""
    pytest.importorskip("psycopg2", reason="the extra [distributed] is not installed")

    with pytest.raises(StoreError, match="cannot be opened") as caught:
        ResponseStore("postgresql+psycopg2://glass:secret@127.0.0.1:9/none")
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_postgres_store(postgres: str) -> None:
    """On Postgres replies are found, the first stands, the latest round is served, and requests are counted."""
    store = ResponseStore(postgres)
    attempt = Attempt(solver="pg", request_key="r", samples=1, status="ok", cost_usd=0.5)
    store.append(Batch(requests=[REQUEST], replies=[reply("pg-a", text="first")], attempts=[attempt]))
    stood = store.append(Batch(requests=[REQUEST], replies=[reply("pg-a", text="second"), reply("pg-b")]))
    store.append(Batch(replies=[reply("pg-b", round=1, text="again")]))
    texts = {key: found.text for key, found in store.lookup(["pg-a", "pg-b", "pg-c"]).items()}
    spent = store.spend("pg")
    store.close()

    assert {key: stored.text for key, stored in stood.items()} == {"pg-a": "first"}
    assert texts == {"pg-a": "first", "pg-b": "again"}
    assert spent == Spend(requests=1, cost_usd=0.5)


def test_many_processes_write_to_postgres(postgres: str) -> None:
    """On Postgres, processes that create and write one store together agree on the keys they share."""
    assert len(set(written_by_processes(postgres, 3))) == 1
