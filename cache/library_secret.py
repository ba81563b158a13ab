"""A random text of each library, which no author of a paper can know."""

from secrets import token_hex

from cache.store import Store

_NAME = "secret"


def library_secret(store: Store) -> str:
    """Return the library's secret; the first call makes it. Raises `CacheError`.

    It is kept, because what a model is asked must be the same next time for its reply to be found again.
    """
    with store.reading() as db:
        if row := db.execute("SELECT value FROM upkeep WHERE name = ?", (_NAME,)).fetchone():
            return str(row[0])
    with store.writing() as db:
        db.execute("INSERT OR IGNORE INTO upkeep VALUES (?, ?)", (_NAME, token_hex(16)))
        [secret] = db.execute("SELECT value FROM upkeep WHERE name = ?", (_NAME,)).fetchone()
        return str(secret)
