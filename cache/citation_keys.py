"""Citation keys: an issued key names its paper forever.

Keys of files that differ only in case are different keys, as for biber. Made and chosen keys differ in more, because
BibTeX confuses such keys; and a key in another case names the paper if no other paper has such a key. A paper can have
several from different files: its own is the one that the person chose last, else the first issued; the others still
name it and are given to no other paper.
"""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Generic, TypeVar

from cache.readable_rows import readable
from cache.store import PaperId, Store
from cache.timestamps import stamp, utc_now

T = TypeVar("T")
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
            if key.casefold() in keys_in_use or not _reserve(db, number, key, stamp(now or utc_now())):
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
    """Make `key` the paper's own; return False if it names another, in any case unless both came from files. The
    earlier keys still name the paper."""
    with store.writing() as db:
        bearers = _bearers(db, key)
        if bearers.get(key, number) != number or (key not in bearers and {*bearers.values()} - {number}):
            return False
        _reserve(db, number, key, stamp(now or utc_now()))
        # Before all other keys, so that the choice survives when two works are merged.
        first = "(SELECT min(rowid) FROM citation_keys) - 1"
        db.execute(f"UPDATE citation_keys SET rowid = {first} WHERE key = ?", (key,))
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
    """Return the number of the paper that `key` names: exactly, else in any case, unless several papers have it so."""
    with store.reading() as db:
        return ByKey(_bearers(db, key).items()).get(key)


class ByKey(Generic[T]):
    """Values by citation keys, of a repeated key the first one."""

    def __init__(self, values: Iterable[tuple[str, T]]) -> None:
        self.exact, self._folded = dict[str, T](), dict[str, list[T]]()
        for key, value in values:
            if self.exact.setdefault(key, value) is value:
                self._folded.setdefault(key.casefold(), []).append(value)

    def get(self, key: str) -> T | None:
        """Return the value of `key`, else the only one of a key that differs in case; None if there is none."""
        alike = self._folded.get(key.casefold(), [])
        return self.exact.get(key) or (alike[0] if alike and all(value == alike[0] for value in alike) else None)


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


def _bearers(db: sqlite3.Connection, key: str) -> dict[str, PaperId]:
    """Return the papers by those of their keys that equal `key` or differ from it only in case."""
    sql = "SELECT CAST(key AS TEXT), paper FROM citation_keys WHERE key = ? COLLATE NOCASE"
    return {own_key: PaperId(number) for own_key, number in db.execute(sql, (key,))}


def _reserve(db: sqlite3.Connection, number: int, key: str, issued: str) -> bool:
    sql = "INSERT INTO citation_keys (key, paper, issued) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING"
    return bool(db.execute(sql, (key, number, issued)).rowcount) or _bearers(db, key).get(key) == number
