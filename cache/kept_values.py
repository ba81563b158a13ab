"""Small values that a library keeps by name: its secret, and the check of references that can be resumed."""

import json
from collections.abc import Mapping
from secrets import token_hex
from typing import Any

from cache.readable_rows import json_object
from cache.store import Store

_SECRET, _CHECK = "secret", "check begun"


def kept_value(store: Store, name: str) -> str | None:
    """Return the value called `name`. Raises `CacheError`."""
    row = store.row("SELECT value FROM upkeep WHERE name = ?", (name,))
    return str(row[0]) if row else None


def keep_value(store: Store, name: str, value: str) -> None:
    """Store a value, replacing an earlier one. Raises `CacheError`."""
    store.write("INSERT OR REPLACE INTO upkeep VALUES (?, ?)", (name, value))


def library_secret(store: Store) -> str:
    """Return a random text per library, which no author of a paper can know; the first call creates it. It is stored,
    because a model's reply can only be found again if the prompt is the same. Raises `CacheError`."""
    if (secret := kept_value(store, _SECRET)) is not None:
        return secret
    with store.writing():  # another process may have created it meanwhile
        secret = kept_value(store, _SECRET) or token_hex(16)
        keep_value(store, _SECRET, secret)
    return secret


def store_check(store: Store, command: Mapping[str, Any]) -> None:
    """Store the `command` of a check of references, so that `spar check --resume` can resume it."""
    keep_value(store, _CHECK, json.dumps(command))


def forget_check(store: Store, command: Mapping[str, Any]) -> None:
    """Forget the `command`, unless another check has begun since. Raises `CacheError`."""
    store.write("DELETE FROM upkeep WHERE name = ? AND value = ?", (_CHECK, json.dumps(command)))


def stored_check(store: Store) -> dict[str, Any]:
    """Return the command of the unfinished check; empty if there is none. Raises `CacheError`."""
    return json_object(kept_value(store, _CHECK) or "{}")
