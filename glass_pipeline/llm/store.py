"""Holds the append-only store of every reply ever received: SQLite in WAL mode, or Postgres by URL.

A reply is written once and served for ever after; asking again (``--retry``) appends a later round beside it. Every
request sent has a line in ``attempts``, failed ones too, but only ``responses`` is ever served. Never deletes or
updates a row, and never decides what is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa

from glass_pipeline.domain.errors import BadInput
from glass_pipeline.llm.turns import turns

LOOKUP_CHUNK = 10_000
"""Keys in one query; SQLite allows 32,766 parameters."""
LOCK_WAIT_S = 60
"""How long a writer waits for another process's transaction."""
SCHEMA_LOCK = 7_403_113
"""Postgres advisory lock under which one process at a time creates the tables."""

METADATA = sa.MetaData()

REQUESTS = sa.Table(
    "requests",
    METADATA,
    sa.Column("request_key", sa.String(64), primary_key=True),
    sa.Column("solver", sa.Text, nullable=False),
    sa.Column("draw", sa.Text, nullable=False),
    sa.Column("document", sa.Text, nullable=False),
    sa.Column("created_at", sa.Text, nullable=False),
)
"""What was asked, in full: identity, parameters, prompt version and messages as JSON."""

RESPONSES = sa.Table(
    "responses",
    METADATA,
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("round", sa.Integer, primary_key=True),
    sa.Column("request_key", sa.String(64), nullable=False),
    sa.Column("sample", sa.Integer, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("finish_reason", sa.Text),
    sa.Column("prompt_tokens", sa.BigInteger),
    sa.Column("completion_tokens", sa.BigInteger),
    sa.Column("cost_usd", sa.Double),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("error", sa.Text),
    sa.Column("created_at", sa.Text, nullable=False),
)
"""One row a sample and round; the latest round is served."""

ATTEMPTS = sa.Table(
    "attempts",
    METADATA,
    sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
    sa.Column("solver", sa.Text, nullable=False, index=True),
    sa.Column("request_key", sa.String(64), nullable=False),
    sa.Column("samples", sa.Integer, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("prompt_tokens", sa.BigInteger),
    sa.Column("completion_tokens", sa.BigInteger),
    sa.Column("cost_usd", sa.Double),
    sa.Column("error", sa.Text),
    sa.Column("created_at", sa.Text, nullable=False),
)
"""One row for each request that went out, whatever came of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRequest:
    """What was asked."""

    request_key: str
    solver: str
    draw: str
    document: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReply:
    """What one sample came back as."""

    key: str
    round: int
    request_key: str
    sample: int
    status: str
    text: str
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    attempts: int = 1
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One request that went out."""

    solver: str
    request_key: str
    samples: int
    status: str
    """``ok`` if it brought at least one reply."""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    error: str | None = None


@dataclass(slots=True)
class Batch:
    """What is written in one transaction."""

    requests: list[StoredRequest] = field(default_factory=list)
    replies: list[StoredReply] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)


class Spend(NamedTuple):
    """What one solver has used up according to this store."""

    requests: int
    cost_usd: float
    """Sum over the requests whose cost is known."""


class StoreError(BadInput):
    """The response store cannot be opened, or is not one."""


class ResponseStore:
    """Append-only store of replies; safe for many threads and many processes."""

    def __init__(self, location: Path | str) -> None:
        """Open the store, and create it where there is none.

        Args:
            location: Path of an SQLite file, or a database URL such as ``postgresql+psycopg2://host/db``.

        Raises:
            StoreError: it cannot be opened, or its tables are those of another version.
        """
        self._engine = _engine(location)
        self._insert = _insert_of(self._engine.dialect.name)
        try:
            self._create()
        except (sa.exc.DBAPIError, OSError) as error:
            reason = str(getattr(error, "orig", error)).strip().partition("\n")[0]
            raise StoreError(f"The response store {self._place} cannot be opened: {reason}.") from None

    @property
    def folder(self) -> Path | None:
        """Where the file lies, for what lies beside it; None for a database behind a URL."""
        file = self._engine.url.database if self._engine.dialect.name == "sqlite" else None
        return Path(file).parent if file else None

    def lookup(self, keys: Iterable[str]) -> dict[str, StoredReply]:
        """Return the latest reply under each key that has one."""
        found: dict[str, StoredReply] = {}
        columns = [RESPONSES.c[name] for name in StoredReply.__dataclass_fields__]
        wanted = sa.select(*columns).where(RESPONSES.c.key.in_(sa.bindparam("wanted", expanding=True)))
        try:
            with self._engine.connect() as connection:
                for chunk in _chunks(keys, LOOKUP_CHUNK):
                    for row in connection.execute(wanted, {"wanted": chunk}):
                        reply = StoredReply(**row._mapping)
                        held = found.get(reply.key)
                        if held is None or held.round < reply.round:
                            found[reply.key] = reply
        except sa.exc.DatabaseError as error:
            raise StoreError(
                f"The response store {self._place} cannot be read ({error.orig}); restore it from a backup, or move it "
                "away and pay anew."
            ) from None
        return found

    def append(self, batch: Batch) -> dict[str, StoredReply]:
        """Write a batch durably, in one transaction.

        Returns:
            The replies that another process had stored first under a key and round of the batch: they stand, and
            the batch's own are dropped.
        """
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._engine.begin() as connection:
            if batch.requests:
                self._insert_new(connection, REQUESTS, [asdict(row) | {"created_at": now} for row in batch.requests])
            if batch.attempts:
                connection.execute(ATTEMPTS.insert(), [asdict(row) | {"created_at": now} for row in batch.attempts])
            added = self._insert_new(
                connection, RESPONSES, [_reply_row(reply) | {"created_at": now} for reply in batch.replies]
            )
        if added == len(batch.replies):
            return {}
        return self._stored_first(batch.replies)

    def turns(self, solver: str, draws: Iterable[str]) -> AbstractContextManager[None]:
        """Keep other processes from asking a solver under some draws while a block asks; wait for them first."""
        return turns(self._engine, solver, draws)

    def spend(self, solver: str) -> Spend:
        """Return how many requests a solver has sent and what they cost, over all runs that used this store."""
        used = sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(ATTEMPTS.c.cost_usd), 0.0))
        with self._engine.connect() as connection:
            requests, cost_usd = connection.execute(used.where(ATTEMPTS.c.solver == solver)).one()
        return Spend(requests=int(requests), cost_usd=float(cost_usd))

    def attempts_by_status(self, solver: str) -> dict[str, int]:
        """Return how many requests of a solver ended in which status, over all runs that used this store."""
        counted = sa.select(ATTEMPTS.c.status, sa.func.count()).where(ATTEMPTS.c.solver == solver)
        with self._engine.connect() as connection:
            return {status: int(n) for status, n in connection.execute(counted.group_by(ATTEMPTS.c.status))}

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    def _insert_new(self, connection: sa.Connection, table: sa.Table, rows: Sequence[dict[str, Any]]) -> int:
        if not rows:
            return 0
        return connection.execute(self._insert(table).on_conflict_do_nothing(), rows).rowcount

    def _stored_first(self, replies: Sequence[StoredReply]) -> dict[str, StoredReply]:
        stored = self.lookup(reply.key for reply in replies)
        return {reply.key: stored[reply.key] for reply in replies if stored[reply.key] != reply}

    def _create(self) -> None:
        with self._engine.begin() as connection:
            if self._engine.dialect.name == "postgresql":
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(SCHEMA_LOCK)))
            for table in METADATA.sorted_tables:
                connection.execute(sa.schema.CreateTable(table, if_not_exists=True))
                for index in table.indexes:
                    connection.execute(sa.schema.CreateIndex(index, if_not_exists=True))
                self._check(connection, table)

    def _check(self, connection: sa.Connection, table: sa.Table) -> None:
        found = {column["name"] for column in sa.inspect(connection).get_columns(table.name)}
        if found != set(table.c.keys()):
            raise StoreError(
                f"The response store {self._place} is of another version (its table {table.name} has columns "
                f"{', '.join(sorted(found))}); move it away, a new one is made."
            )

    @property
    def _place(self) -> str:
        return self._engine.url.render_as_string(hide_password=True)


def _engine(location: Path | str) -> sa.Engine:
    text = str(location)
    if "://" in text and not text.startswith("sqlite:"):
        return sa.create_engine(text, pool_pre_ping=True)
    path = Path(text.removeprefix("sqlite:///"))
    path.parent.mkdir(parents=True, exist_ok=True)
    engine = sa.create_engine(f"sqlite:///{path}", connect_args={"timeout": LOCK_WAIT_S})
    sa.event.listen(engine, "connect", _tune_sqlite)
    return engine


def _insert_of(dialect: str) -> Callable[[sa.Table], Any]:
    # Each import loads every driver of its dialect.
    if dialect == "postgresql":
        from sqlalchemy.dialects.postgresql import insert
    else:
        from sqlalchemy.dialects.sqlite import insert  # type: ignore[assignment]
    return insert


def _tune_sqlite(connection: Any, _: Any) -> None:
    # NORMAL syncs at checkpoints: what is committed survives a killed process, and a power cut leaves the file whole.
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL"):
        connection.execute(f"PRAGMA {pragma}")


def _reply_row(reply: StoredReply) -> dict[str, Any]:
    return {name: getattr(reply, name) for name in StoredReply.__dataclass_fields__}


def _chunks(keys: Iterable[str], size: int) -> Iterator[list[str]]:
    rest = iter(keys)
    while chunk := list(islice(rest, size)):
        yield chunk
