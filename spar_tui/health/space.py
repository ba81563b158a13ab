"""Say what uses space in the workspace and how to reduce it, and whether the library has a backup."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from cache.backup_files import Backup, backups_of
from cache.backups import BackupOutcome, keep_daily
from cache.conditions.wording import listed
from cache.errors import CacheError
from cache.free_pages import file_space
from cache.store import Store
from spar_tui.health.outcome import Outcome
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
    named = [f"{part} {_megabytes(size)}" for part, size in sorted(parts.items(), key=lambda part: -part[1]) if size]
    copies = f"{counted(len(backups), 'backup')} {_megabytes(sum(backup.file.stat().st_size for backup in backups))}"
    text = f"{listed(named)}. In addition: {copies}."
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


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


def compacted_text(path: Path, before: int, after: int) -> str:
    """Return the sizes before and after compacting."""
    return f"{path}: {_megabytes(before)} before, {_megabytes(after)} now."


def backups_told(path: Path) -> Outcome:
    """Make today's backup of the library at `path` if it is missing, and report the existing backups."""
    try:
        done = keep_daily(path)
    except CacheError as error:
        return Outcome("problem", f"{_lack(backups_of(path))}. {error.sentence}")
    backups = backups_of(path)
    if done is BackupOutcome.ELSEWHERE:
        return Outcome("ok", f"{_held(path, backups)}; another spar is making or restoring one now.")
    if not backups:
        return Outcome("note", "none yet, since the library has no papers and no searches.")
    made = " It was made and checked just now." if done is BackupOutcome.MADE else ""
    empty = (
        " The library has no papers and no searches now, so spar makes no more." if done is BackupOutcome.EMPTY else ""
    )
    return Outcome("ok", f"{_held(path, backups)}.{made}{empty}")


def _held(path: Path, backups: list[Backup]) -> str:
    if not backups:
        return "none yet"
    newest, rest = backups[0], len(backups) - 1
    others = f" (and {counted(rest, 'older one')})" if rest else ""
    return f"the newest is from {newest.day}: {newest.file.name}{others}, in {path.parent}"


def _lack(backups: list[Backup]) -> str:
    return f"none since {backups[0].day} ({backups[0].file.name})" if backups else "there is none"
