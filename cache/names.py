"""Complete names that a person gave, by their beginning, while a word is typed. This creates, checks and waits for
nothing: a missing, foreign or locked library has no names."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Literal

from cache.schema import is_current, shield

Name = Literal["key", "tag", "watch", "run"]
_PATIENCE = 0.1
_SQL: dict[Name, str] = {
    "key": "SELECT DISTINCT key, '' FROM citation_keys WHERE {} ORDER BY key LIMIT ?",
    "tag": "SELECT DISTINCT tag, '' FROM tags WHERE {} ORDER BY tag LIMIT ?",
    "watch": "SELECT name, question FROM watches WHERE {} ORDER BY name LIMIT ?",
    "run": "SELECT id, question FROM runs WHERE {} ORDER BY started DESC LIMIT ?",
}
_COLUMN: dict[Name, str] = {"key": "key", "tag": "tag", "watch": "name", "run": "id"}


def beginning(database: Path, kind: Name, text: str, limit: int = 100) -> list[tuple[str, str]]:
    """Return the names of a kind that begin with `text`, each with a description, "" for none."""
    sql = _SQL[kind].format(f"substr({_COLUMN[kind]}, 1, length(?1)) = ?1").replace("LIMIT ?", "LIMIT ?2")
    try:
        with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True, timeout=_PATIENCE)) as db:
            shield(db)
            if not is_current(db):
                return []
            return [(str(name), str(hint or "")) for name, hint in db.execute(sql, (text, limit))]
    except (sqlite3.Error, OSError, ValueError):
        return []
