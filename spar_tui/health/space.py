"""Say what uses space in the workspace and how to reduce it, and whether the library has a backup."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from cache.backup_files import backups_of
from cache.backups import BackupOutcome, keep_daily
from cache.conditions.wording import listed
from cache.errors import CacheError
from cache.free_pages import file_space
from cache.store import Store
from spar_tui.health.sources import Outcome
from spar_tui.phrases import counted

_PARTS = {
    "papers": ("papers", "identifiers", "citation_links", "tellings", "originals", "merges", "corrections"),
    "searches and other runs": ("runs", "events", "event_batches", "run_papers"),
    "stored answers": ("answers", "model_replies"),
    "PDF texts": ("full_texts", "page_texts"),
    "vectors": ("text_vectors",),
}
"""The tables of each part; the rest is small."""
_LARGE = 10_000_000
"""Unused bytes from which compacting is worthwhile."""


def space_told(store: Store) -> Outcome:
    """Name the parts of the library and its backups by size, the largest first."""
    space, backups = file_space(store), backups_of(store.path)
    parts = dict(_sizes(store)) | {"unused": space.unused}
    parts_by_size = [
        f"{part} {megabytes(size)}" for part, size in sorted(parts.items(), key=lambda part: -part[1]) if size
    ]
    copies = f"{counted(len(backups), 'backup')} {megabytes(sum(backup.file.stat().st_size for backup in backups))}"
    text = f"{listed(parts_by_size)}. In addition: {copies}."
    if (space.unused >= _LARGE and not space.steady) or (space.half_empty and space.size >= _LARGE):
        return Outcome("note", f"{text} `spar doctor --compact` gives the unused part back to the disk.")
    return Outcome("ok", f"{text} `spar history forget RUN` removes a run.")


def _sizes(store: Store) -> Iterator[tuple[str, int]]:
    """Yield the bytes of each part with its indexes, or of all used space if SQLite cannot separate them."""
    sql = (
        "SELECT s.tbl_name, sum(d.pgsize) FROM dbstat d JOIN sqlite_schema s ON s.name = d.name"
        " WHERE d.aggregate = TRUE GROUP BY s.tbl_name"
    )
    try:
        tables: dict[str, int] = dict(store.rows(sql))
    except sqlite3.OperationalError:  # not every SQLite has `dbstat`
        space = file_space(store)
        yield "in use", space.size - space.unused
        return
    for part, names in _PARTS.items():
        yield part, sum(tables.pop(name) for name in list(tables) if name.partition("_fts")[0] in names)
    yield "the rest", sum(tables.values())


def megabytes(size: int) -> str:
    """Return a number of bytes in megabytes."""
    return f"{size / 1e6:.1f} MB"


def backups_told(path: Path) -> Outcome:
    """Make today's backup of the library at `path` if it is missing, and report the existing backups."""
    try:
        outcome = keep_daily(path)
    except CacheError as error:
        newest = next(iter(backups_of(path)), None)
        text = f"none since {newest.day} ({newest.file.name})" if newest else "there is none"
        return Outcome("problem", f"{text}. {error.sentence}")
    backups, text = backups_of(path), "none yet"
    if backups:
        others = f" (and {counted(len(backups) - 1, 'older one')})" if len(backups) > 1 else ""
        text = f"the newest is from {backups[0].day}: {backups[0].file.name}{others}, in {path.parent}"
    if outcome is BackupOutcome.ELSEWHERE:
        return Outcome("ok", f"{text}; another spar is making or restoring one now.")
    if not backups:
        return Outcome("note", "none yet, since the library has no papers and no searches.")
    remarks = {
        BackupOutcome.MADE: " It was made and checked just now.",
        BackupOutcome.EMPTY: " The library has no papers and no searches now, so spar makes no more.",
    }
    return Outcome("ok", f"{text}.{remarks.get(outcome, '')}")
