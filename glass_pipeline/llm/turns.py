"""Holds whose turn it is to ask a solver: of the processes that share a store, one at a time under each draw.

Two runs that need the same reply would both pay for it; the second one waits instead and then finds it in the store. A
process that dies, however it dies, gives its turn up. Never reads or writes a reply.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import sqlalchemy as sa
from filelock import FileLock

LOOK_EVERY_S = 0.2


@contextmanager
def turns(engine: sa.Engine, solver: str, draws: Iterable[str]) -> Iterator[None]:
    """Hold a solver's turn under each of some draws, waiting for those who hold one.

    Args:
        engine: The store's database; a lock of that database, or a file beside it, is what is held.
        solver: Slug of the solver.
        draws: Names of the draws; all who take several take them in the same order.
    """
    with ExitStack() as held:
        for draw in sorted(set(draws)):
            name = hashlib.sha256(f"{solver}\n{draw}".encode()).digest()
            if engine.dialect.name == "postgresql":
                held.enter_context(_database_lock(engine, int.from_bytes(name[:8], signed=True)))
            else:
                store = Path(str(engine.url.database))
                held.enter_context(FileLock(store.with_name(f".{store.name}.{name.hex()[:16]}.lock")))
        yield


@contextmanager
def _database_lock(engine: sa.Engine, number: int) -> Iterator[None]:
    connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    # The lock is the connection's: closed for good, by us or by our death, it is free again.
    connection.detach()
    try:
        # Asked again and again, because an interrupt is not heard inside a query that waits.
        while not connection.execute(sa.select(sa.func.pg_try_advisory_lock(number))).scalar_one():
            time.sleep(LOOK_EVERY_S)
        yield
    finally:
        with suppress(sa.exc.DBAPIError):
            connection.close()
