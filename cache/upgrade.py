"""Bringing a library file to today's schema: one transaction, after a checked copy of what was there."""

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from cache.backup_files import before_upgrade_name
from cache.backups import back_up
from cache.version import UPGRADED

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
        back_up(path, before_upgrade_name(path, version))
    from sqlite_utils import Database

    from cache.migrations import LIBRARY

    (steps or LIBRARY).apply(Database(db, execute_plugins=False, recursive_triggers=False))
    db.execute(f"PRAGMA user_version = {version}")
    if found:
        db.execute("INSERT OR REPLACE INTO upkeep VALUES (?, '')", (UPGRADED,))
