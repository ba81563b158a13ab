"""Names of a library's backups: `library.db.2026-11-22.bak` for a day, `library.db.before-v12.bak` for an upgrade,
all beside it. Other files are not backups; unfinished ones end in `.tmp`."""

import re
from collections.abc import Iterator
from datetime import date, datetime, time
from pathlib import Path
from typing import NamedTuple

_NAME = re.compile(r"\.(?:([0-9]{4}-[0-9]{2}-[0-9]{2})|before-v[0-9]+)\.bak")


class Backup(NamedTuple):
    """A file with the name of a backup, and the local time of its contents; the file itself is not read."""

    file: Path
    made: datetime
    daily: bool

    @property
    def day(self) -> date:
        """The day of the backup."""
        return self.made.date()


def daily_name(path: Path, day: date) -> Path:
    """Return the path of the backup of `day`."""
    return path.with_name(f"{path.name}.{day.isoformat()}.bak")


def before_upgrade_name(path: Path, version: int) -> Path:
    """Return the path of the copy made before the library at `path` is upgraded to `version`."""
    return path.with_name(f"{path.name}.before-v{version}.bak")


def backups_of(path: Path) -> list[Backup]:
    """Return the backups of the library at `path`, newest first; those dated in the future come last."""
    try:
        backups = [backup for file in path.parent.iterdir() if (backup := _backup(path, file))]
    except OSError:
        return []
    today = datetime.now().astimezone().date()
    return sorted(backups, key=lambda backup: (backup.day <= today, backup.made), reverse=True)


def unfinished_of(path: Path) -> Iterator[Path]:
    """Return the parts of daily backups that a killed process left behind."""
    return path.parent.glob(f"{glob_free(path.name)}.????-??-??.bak.tmp*")


def glob_free(name: str) -> str:
    """Return a glob pattern that matches only `name`."""
    return re.sub(r"([*?\[])", r"[\1]", name)


def _backup(path: Path, file: Path) -> Backup | None:
    match = _NAME.fullmatch(file.name[len(path.name) :]) if file.name.startswith(path.name) else None
    if match is None or not file.is_file():
        return None
    modified = datetime.fromtimestamp(file.stat().st_mtime).astimezone()
    if match[1] is None:
        return Backup(file, modified, daily=False)
    try:
        day = date.fromisoformat(match[1])
    except ValueError:
        return None
    # Copying a file can change its date but not its name.
    return Backup(file, modified if modified.date() == day else datetime.combine(day, time()).astimezone(), daily=True)
