"""The unfinished check of references, so that `spar check --resume` can resume it."""

import json
from collections.abc import Mapping
from typing import Any

from cache.readable_rows import json_object
from cache.store import Store

_CHECK = "check begun"


def store_check(store: Store, command: Mapping[str, Any]) -> None:
    """Store the `command` of a check, replacing an earlier one. Raises `CacheError`."""
    with store.writing() as db:
        db.execute("INSERT OR REPLACE INTO upkeep VALUES (?, ?)", (_CHECK, json.dumps(command)))


def forget_check(store: Store, command: Mapping[str, Any]) -> None:
    """Forget the `command`, unless another check has begun since. Raises `CacheError`."""
    with store.writing() as db:
        db.execute("DELETE FROM upkeep WHERE name = ? AND value = ?", (_CHECK, json.dumps(command)))


def stored_check(store: Store) -> dict[str, Any]:
    """Return the command of the unfinished check, to resume it; empty if there is none. Raises `CacheError`."""
    with store.reading() as db:
        row = db.execute("SELECT value FROM upkeep WHERE name = ?", (_CHECK,)).fetchone()
    return json_object(row[0]) if row else {}
