"""Bringing a library file to today's schema: one transaction, after a checked copy of what was there."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from cache.integrity import check

if TYPE_CHECKING:
    from sqlite_utils import Migrations


def upgrade(db: sqlite3.Connection, path: Path, version: int, steps: "Migrations | None" = None) -> None:
    """Apply the steps that the file lacks up to `version`; the caller holds the write lock, so nobody else does.

    Either all steps hold or none. A file that already held a library is copied to `<name>.before-v<version>.bak` first.
    """
    found: int = db.execute("PRAGMA user_version").fetchone()[0]
    if found >= version:
        return
    if found:
        back_up(path, path.with_name(f"{path.name}.before-v{version}.bak"))
    from sqlite_utils import Database

    from cache.migrations import LIBRARY

    (steps or LIBRARY).apply(Database(db, execute_plugins=False, recursive_triggers=False))
    db.execute(f"PRAGMA user_version = {version}")


def back_up(path: Path, target: Path) -> None:
    """Copy the last saved state of the library at `path`; `target` is the whole, checked copy or is not there."""
    unfinished = target.with_name(target.name + ".tmp")
    unfinished.unlink(missing_ok=True)
    os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    address = f"{path.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as source, closing(sqlite3.connect(unfinished)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, no log beside it
        check(copy, unfinished)
    _to_disk(unfinished)
    unfinished.replace(target)
    _to_disk(target.parent)


def _to_disk(path: Path) -> None:
    if os.name == "nt" and path.is_dir():
        return  # Windows cannot open a folder, and orders its renames by itself
    # A file has to be open for writing there; a folder cannot be elsewhere.
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
