"""Return unused pages of a library's file to the disk.

New files return pages in small steps (`auto_vacuum`). A file of a version before 15 must be compacted once, which
rewrites it completely; others cannot write meanwhile.
"""

from typing import NamedTuple

from cache.store import Store
from cache.version import UPGRADED

STEP = 256
"""Pages returned per transaction, in a hundredth of a second."""


class FileSpace(NamedTuple):
    """Bytes of the file: all, those of empty pages, and whether `give_back` can return them without compacting.
    After an upgrade, other pages can be `half_empty`."""

    size: int
    unused: int
    steady: bool
    half_empty: bool = False


def file_space(store: Store) -> FileSpace:
    """Return how much of the file is in use. Raises `CacheError`."""
    sql = (
        "SELECT page_size, page_count, freelist_count, auto_vacuum,"
        f" EXISTS (SELECT 1 FROM upkeep WHERE name = '{UPGRADED}')"
        " FROM pragma_page_size, pragma_page_count, pragma_freelist_count, pragma_auto_vacuum"
    )
    page, count, free, mode, upgraded = store.row(sql)
    return FileSpace(page * count, page * free, mode != 0, bool(upgraded))


def give_back(store: Store, steps: int = 1_000_000) -> None:
    """Truncate a file by its unused pages, in up to `steps` transactions between which others can write. A file that
    must be compacted first is left unchanged. Raises `CacheError`."""
    if not file_space(store).steady:
        return
    for _ in range(steps):
        with store.writing() as db:
            (free,) = db.execute("PRAGMA freelist_count").fetchone()
            for _ in range(min(free, STEP)):  # through Python, one statement frees only one page
                db.execute("PRAGMA incremental_vacuum(1)")
        if free <= STEP:
            return


def compact(store: Store) -> None:
    """Rewrite the file without unused pages. Others can read but not write meanwhile. Raises `CacheError`."""
    with store.reading() as db:
        db.execute("VACUUM")
    store.write("DELETE FROM upkeep WHERE name = ?", (UPGRADED,))
