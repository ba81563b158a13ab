"""A damaged library is moved aside, whole, and the newest backup that is whole takes its place.

What was saved after that backup is not taken out of the damaged file: of rows on damaged pages nobody can say whether
they are what was written. It is named, as far as it can be read, and the damaged file is kept.
"""

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from cache.backup_files import Backup, backups_of
from cache.backups import only_one, to_disk
from cache.errors import Damaged, NotALibrary, RepairFailed, named_errors
from cache.integrity import check, inspect
from cache.timestamps import utc_now
from cache.version import APPLICATION_ID, VERSION

_LATER = {
    "searches and other runs": ("runs", "started", "SELECT question FROM runs WHERE started > ? ORDER BY started"),
    "saved papers": (
        "shelf", "saved", "SELECT title FROM shelf JOIN papers ON papers.id = paper WHERE saved > ? ORDER BY saved",
    ),
    "papers found": ("papers", "first_seen", "SELECT title FROM papers WHERE first_seen > ? ORDER BY first_seen"),
}  # fmt: skip
"""What a person would miss: the table, its column of moments, and what names the rows after one."""


class Later(NamedTuple):
    """What the damaged library holds of one sort after the backup was made, as far as it can be read."""

    what: str
    names: tuple[str, ...]
    all_read: bool


class Plan(NamedTuple):
    """What is wrong with a library, and what can be put in its place."""

    path: Path
    reason: str
    backup: Backup
    unusable: tuple[Path, ...]
    """Newer backups that cannot take its place."""
    later: tuple[Later, ...]


def planned(path: Path, wait: float) -> Plan | None:
    """How the library at `path` can be repaired; None where nothing is wrong with it. Nothing is written.

    Raises the `CacheError` of a file that is not to be touched, and `RepairFailed` where no backup is whole."""
    reason = _damage(path, wait)
    if reason is None:
        return None
    unusable: list[Path] = []
    for backup in backups_of(path):
        if _is_whole(backup.file):
            return Plan(path, reason, backup, tuple(unusable), tuple(_later(path, backup.file)))
        unusable.append(backup.file)
    found = f"none of its {len(unusable)} backups is whole" if unusable else "there is no backup beside it"
    raise RepairFailed(path, f"is damaged ({reason}), and {found}", "move it away to start anew, and keep it")


def put_back(plan: Plan) -> Path:
    """Do what was planned; where the damaged file lies then. Killed at any moment, it leaves the damaged library or
    the backup in its place, and the damaged file is never lost. Raises `RepairFailed`, with the library as it was."""
    path = plan.path
    try:
        with only_one(path) as here:
            if not here:
                raise RepairFailed(path, "is being backed up or repaired by another spar", "try again in a minute")
            return _put_back(path, plan.backup.file)
    except (sqlite3.Error, OSError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise RepairFailed(path, f"could not be repaired ({why})", "make room on the disk") from error


def _put_back(path: Path, backup: Path) -> Path:
    aside = path.with_name(f"{path.name}.damaged-{datetime.now():%Y-%m-%d-%H%M%S}")
    if aside.exists():
        raise FileExistsError(0, f"{aside.name} is there already")
    new = path.with_name(f"{path.name}.repair.tmp")
    new.unlink(missing_ok=True)
    try:
        shutil.copyfile(backup, new)
        new.chmod(0o600)
        if not _is_whole(new):
            raise OSError(0, "the backup could not be copied")
        to_disk(new)
        # The damaged file stays in its place until the backup takes it: a library that is missing would be made anew.
        try:
            os.link(path, aside)
        except OSError:
            shutil.copyfile(path, aside)
            to_disk(aside)
        _move_beside(path, aside)  # the log of the damaged file would be written into the backup
        try:
            new.replace(path)
        except OSError:
            _move_beside(aside, path)
            raise
    finally:
        new.unlink(missing_ok=True)
    to_disk(path.parent)
    return aside


def _move_beside(old: Path, new: Path) -> None:
    """Move what SQLite keeps beside the file `old` to stand beside `new`."""
    for suffix in ("-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            old.with_name(old.name + suffix).rename(new.with_name(new.name + suffix))


def _damage(path: Path, wait: float) -> str | None:
    """What is broken in the library, all of whose pages are read; None if nothing is."""
    try:
        found = inspect(path, utc_now(), wait)
        if found.library and not found.checked:
            with named_errors(path, wait), closing(_read_only(path)) as db:
                check(db, path)
    except Damaged as damaged:
        return damaged.reason
    except NotALibrary as other:
        # The first bytes of a library may be what is broken; a backup tells that there was one.
        if other.is_database or not backups_of(path):
            raise
        return other.what
    return None


def _is_whole(backup: Path) -> bool:
    """Whether the file is a library that this version can open, with every page in order."""
    try:
        with closing(_read_only(backup)) as db:
            [application], [version] = (
                db.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
            )
            check(db, backup)
    except (sqlite3.Error, Damaged):
        return False
    return bool(application == APPLICATION_ID and 0 < version <= VERSION)


def _later(path: Path, backup: Path) -> list[Later]:
    """What is in the damaged library and came after what is in the backup."""
    with closing(_read_only(backup)) as kept, closing(_read_only(path)) as damaged:
        return [
            later
            for what, (table, column, names) in _LATER.items()
            if (later := _read(damaged, what, names, _last(kept, table, column))).names or not later.all_read
        ]


def _last(db: sqlite3.Connection, table: str, column: str) -> str:
    try:
        return str(db.execute(f"SELECT coalesce(max({column}), '') FROM {table}").fetchone()[0])
    except sqlite3.OperationalError:  # a backup of before there was such a table
        return ""


def _read(db: sqlite3.Connection, what: str, query: str, after: str) -> Later:
    names: list[str] = []
    try:
        for row in db.execute(query, [after]):
            names.append(str(row[0]))
    except (sqlite3.Error, UnicodeError):
        return Later(what, tuple(names), all_read=False)
    return Later(what, tuple(names), all_read=True)


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
