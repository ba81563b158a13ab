"""Give the pages that a library's file no longer needs back to the disk.

A new file gives pages back in small steps (`auto_vacuum`). A file of a version before 15 has to be compacted once. That
writes all of it anew, and nobody else can write meanwhile.
"""

from typing import NamedTuple

from cache.store import Store
from cache.version import UPGRADED

STEP = 256
"""Pages that are given back in one transaction: a hundredth of a second."""


class FileSpace(NamedTuple):
    """Bytes of the file: all, those of empty pages, and whether `give_back` needs no compacting for them. After an
    upgrade, pages can be `half_empty` besides."""

    size: int
    unused: int
    steady: bool
    half_empty: bool = False


def file_space(store: Store) -> FileSpace:
    """How much of the file is in use. Raises `CacheError`."""
    sql = (
        "SELECT page_size, page_count, freelist_count, auto_vacuum,"
        f" EXISTS (SELECT 1 FROM upkeep WHERE name = '{UPGRADED}')"
        " FROM pragma_page_size, pragma_page_count, pragma_freelist_count, pragma_auto_vacuum"
    )
    with store.reading() as db:
        page, count, free, mode, upgraded = db.execute(sql).fetchone()
    return FileSpace(page * count, page * free, mode != 0, bool(upgraded))


def give_back(store: Store, steps: int = 1_000_000) -> None:
    """Shorten a file by its unused pages, in up to `steps` transactions between which others write.

    A file that has to be compacted first stays as it is. Raises `CacheError`.
    """
    if not file_space(store).steady:
        return
    for _ in range(steps):
        with store.writing() as db:
            (free,) = db.execute("PRAGMA freelist_count").fetchone()
            for _ in range(min(free, STEP)):  # a statement of Python's frees one page, whatever it asks for
                db.execute("PRAGMA incremental_vacuum(1)")
        if free <= STEP:
            return


def compact(store: Store) -> None:
    """Write the file anew without unused pages. Others can read meanwhile and not write. Raises `CacheError`."""
    with store.reading() as db:
        db.execute("VACUUM")
    with store.writing() as db:
        db.execute("DELETE FROM upkeep WHERE name = ?", (UPGRADED,))
