"""Citation keys: once issued, a key stays its paper's for good.

Keys are compared without case, as bibtex compares them. A paper can have several, from files that called it
differently: the one that the person chose last, else the first issued, is its own; the others still name it and are
given to no other.
"""

import sqlite3
from collections.abc import Callable, Collection, Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime

from cache.readable_rows import readable
from cache.store import PaperId, Store
from cache.timestamps import stamp, utc_now

MakeKey = Callable[[AbstractSet[str]], str]
"""Makes a key from those that are taken (in lower case), of which it must be none."""


def issue(store: Store, wanted: Mapping[int, MakeKey], now: datetime | None = None) -> dict[int, str]:
    """The keys of the papers `wanted`; those without one are given the key that their function makes, in this order.

    Raises `ValueError` if a made key is taken, `CacheError`.
    """
    with store.writing() as db:
        keys = keys_of(store, wanted.keys())
        used = set(taken(store))
        for number, make in wanted.items():
            if number in keys:
                continue
            key = make(used)
            if not _reserve(db, number, key, stamp(now or utc_now())):
                raise ValueError(f"the key {key!r} is taken")
            keys[number] = key
            used.add(key.casefold())
    return {number: keys[number] for number in wanted}


def keep(store: Store, number: int, key: str, now: datetime | None = None) -> bool:
    """Let `key` name the paper; False if it names another. The paper's own key stays the first that it was given."""
    with store.writing() as db:
        return _reserve(db, number, key, stamp(now or utc_now()))


def choose(store: Store, number: int, key: str, now: datetime | None = None) -> bool:
    """Let `key` be the paper's own; False if it names another. The keys that it had go on naming it."""
    with store.writing() as db:
        if not _reserve(db, number, key, stamp(now or utc_now())):
            return False
        if keys_of(store, [number])[number].casefold() == key.casefold():
            db.execute("UPDATE citation_keys SET key = ?1 WHERE key = ?1 AND key != ?1 COLLATE BINARY", (key,))
            return True
        # Ahead of all others, so that a choice also holds when two works turn out to be one.
        db.execute(
            "UPDATE citation_keys SET key = ?1, rowid = (SELECT min(rowid) FROM citation_keys) - 1 WHERE key = ?1",
            (key,),
        )
        return True


def give(store: Store, key: str, number: int) -> None:
    """Let `key` name another paper than it did."""
    with store.writing() as db:
        db.execute("UPDATE citation_keys SET paper = ? WHERE key = ?", (number, key))


def keys_of(store: Store, numbers: Collection[int]) -> dict[int, str]:
    """The own keys of those of the papers that have one."""
    with store.reading() as db:
        if len(numbers) <= 100:
            marks = ", ".join("?" * len(numbers))
            rows = db.execute(
                f"SELECT paper, key FROM citation_keys WHERE paper IN ({marks}) {_LAST_FIRST}", [*numbers]
            )
            return dict(readable("citation_keys", rows, tuple))
        keys = own_keys(db)
        return {number: keys[number] for number in numbers if number in keys}


def own_keys(db: sqlite3.Connection) -> dict[int, str]:
    """The own key of every paper that has one."""
    rows = db.execute(f"SELECT paper, key FROM citation_keys {_LAST_FIRST}")
    return dict(readable("citation_keys", rows, tuple))


def paper_of(store: Store, key: str) -> PaperId | None:
    """The number of the paper that `key` names."""
    with store.reading() as db:
        return _bearer(db, key)


def taken(store: Store) -> frozenset[str]:
    """All keys that were ever issued, in lower case."""
    with store.reading() as db:
        rows = db.execute("SELECT key FROM citation_keys")
        return frozenset(readable("citation_keys", rows, lambda row: row[0].casefold()))


def all_keys(store: Store) -> dict[str, PaperId]:
    """Every key that was ever issued, as it is written, and the paper that it names."""
    with store.reading() as db:
        return {
            key: PaperId(number)
            for key, number in db.execute("SELECT CAST(key AS TEXT), paper FROM citation_keys ORDER BY key")
        }


_LAST_FIRST = "ORDER BY rowid DESC"
"""In a dict made in this order, a paper's first key replaces its later ones; a clock that was set back changes nothing.
A key that the person chose is put first."""


def _bearer(db: sqlite3.Connection, key: str) -> PaperId | None:
    row = db.execute("SELECT paper FROM citation_keys WHERE key = ?", (key,)).fetchone()
    return PaperId(row[0]) if row else None


def _reserve(db: sqlite3.Connection, number: int, key: str, issued: str) -> bool:
    sql = "INSERT INTO citation_keys (key, paper, issued) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING"
    return bool(db.execute(sql, (key, number, issued)).rowcount) or _bearer(db, key) == number
