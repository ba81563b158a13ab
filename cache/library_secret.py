"""A random text per library, which no author of a paper can know."""

from secrets import token_hex

from cache.store import Store

_NAME = "secret"


def library_secret(store: Store) -> str:
    """Return the library's secret; the first call creates it. Raises `CacheError`. It is stored, because a model's
    reply can only be found again if the prompt is the same."""
    with store.reading() as db:
        if row := db.execute("SELECT value FROM upkeep WHERE name = ?", (_NAME,)).fetchone():
            return str(row[0])
    with store.writing() as db:
        db.execute("INSERT OR IGNORE INTO upkeep VALUES (?, ?)", (_NAME, token_hex(16)))
        [secret] = db.execute("SELECT value FROM upkeep WHERE name = ?", (_NAME,)).fetchone()
        return str(secret)
