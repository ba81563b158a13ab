"""Citation keys: an issued key names its paper forever.

Keys are compared without case, as in BibTeX. A paper can have several from different files: its own is the one that the
person chose last, else the first issued; the others still name it and are given to no other paper.
"""

import json
import sqlite3
from collections.abc import Callable, Collection, Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime

from cache.readable_rows import readable
from cache.store import PaperId, Store
from cache.timestamps import stamp, utc_now

MakeKey = Callable[[AbstractSet[str]], str]
"""Makes a key that is not among those taken (in lower case)."""


def issue(store: Store, makers: Mapping[int, MakeKey], now: datetime | None = None) -> dict[int, str]:
    """Return the keys of the papers `makers`; a paper without one gets the key that its function makes, in this
    order. Raises `ValueError` if a made key is taken, and `CacheError`."""
    with store.writing() as db:
        keys = keys_of(store, makers.keys())
        keys_in_use = set(taken(store))
        for number, make in makers.items():
            if number in keys:
                continue
            key = make(keys_in_use)
            if not _reserve(db, number, key, stamp(now or utc_now())):
                raise ValueError(f"the key {key!r} is taken")
            keys[number] = key
            keys_in_use.add(key.casefold())
    return {number: keys[number] for number in makers}


def keep(store: Store, number: int, key: str, now: datetime | None = None) -> bool:
    """Add `key` to the paper's citation keys; return False if it belongs to another paper. Exports keep using the
    first key."""
    with store.writing() as db:
        return _reserve(db, number, key, stamp(now or utc_now()))


def choose(store: Store, number: int, key: str, now: datetime | None = None) -> bool:
    """Make `key` the paper's own; return False if it names another. The earlier keys still name the paper."""
    with store.writing() as db:
        if not _reserve(db, number, key, stamp(now or utc_now())):
            return False
        if keys_of(store, [number])[number].casefold() == key.casefold():
            db.execute("UPDATE citation_keys SET key = ?1 WHERE key = ?1 AND key != ?1 COLLATE BINARY", (key,))
            return True
        # Before all other keys, so that the choice survives when two works are merged.
        db.execute(
            "UPDATE citation_keys SET key = ?1, rowid = (SELECT min(rowid) FROM citation_keys) - 1 WHERE key = ?1",
            (key,),
        )
        return True


def give(store: Store, key: str, number: int) -> None:
    """Make `key` name another paper."""
    store.write("UPDATE citation_keys SET paper = ? WHERE key = ?", (number, key))


def keys_of(store: Store, numbers: Collection[int]) -> dict[int, str]:
    """Return the own keys of those papers that have one."""
    sql = f"SELECT paper, key FROM citation_keys WHERE paper IN (SELECT value FROM json_each(?)) {_LAST_FIRST}"
    return dict(readable("citation_keys", store.rows(sql, (json.dumps([*numbers]),)), tuple))


def own_keys(db: sqlite3.Connection) -> dict[int, str]:
    """Return the own key of every paper that has one."""
    rows = db.execute(f"SELECT paper, key FROM citation_keys {_LAST_FIRST}")
    return dict(readable("citation_keys", rows, tuple))


def paper_of(store: Store, key: str) -> PaperId | None:
    """Return the number of the paper that `key` names."""
    with store.reading() as db:
        return _bearer(db, key)


def as_written(store: Store, key: str) -> str:
    """Return the issued key that equals `key` or differs from it only in case; `key` itself if there is none."""
    row = store.row("SELECT CAST(key AS TEXT) FROM citation_keys WHERE key = ?", (key,))
    return str(row[0]) if row else key


def taken(store: Store) -> frozenset[str]:
    """Return all issued keys, in lower case."""
    rows = store.rows("SELECT key FROM citation_keys")
    return frozenset(readable("citation_keys", rows, lambda row: row[0].casefold()))


def all_keys(store: Store) -> dict[str, PaperId]:
    """Return every issued key, as written, and the paper that it names."""
    return {
        key: PaperId(number)
        for key, number in store.rows("SELECT CAST(key AS TEXT), paper FROM citation_keys ORDER BY key")
    }


_LAST_FIRST = "ORDER BY rowid DESC"
"""In a dict built in this order, a paper's first key overwrites later ones, also if the clock was set back. A chosen
key is made the first."""


def _bearer(db: sqlite3.Connection, key: str) -> PaperId | None:
    row = db.execute("SELECT paper FROM citation_keys WHERE key = ?", (key,)).fetchone()
    return PaperId(row[0]) if row else None


def _reserve(db: sqlite3.Connection, number: int, key: str, issued: str) -> bool:
    sql = "INSERT INTO citation_keys (key, paper, issued) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING"
    return bool(db.execute(sql, (key, number, issued)).rowcount) or _bearer(db, key) == number
