"""What the backups of a library are called: `library.db.2026-11-22.bak` for a day, `library.db.before-v12.bak` for an
upgrade, all beside it. What is called otherwise is none: an unfinished one ends in `.tmp`."""

import re
from collections.abc import Iterator
from datetime import date, datetime, time
from pathlib import Path
from typing import NamedTuple

_NAME = re.compile(r"\.(?:([0-9]{4}-[0-9]{2}-[0-9]{2})|before-v[0-9]+)\.bak")


class Backup(NamedTuple):
    """A file that is called a backup, and the moment that it is of, by the machine's clock; not looked into."""

    file: Path
    made: datetime
    daily: bool

    @property
    def day(self) -> date:
        """The day that it is of."""
        return self.made.date()


def daily_name(path: Path, day: date) -> Path:
    """Where the backup of `day` of the library at `path` lies."""
    return path.with_name(f"{path.name}.{day.isoformat()}.bak")


def before_upgrade_name(path: Path, version: int) -> Path:
    """Where the copy lies that is made before the library at `path` becomes one of `version`."""
    return path.with_name(f"{path.name}.before-v{version}.bak")


def backups_of(path: Path) -> list[Backup]:
    """The backups of the library at `path`, the newest first; what says that it is of a day to come stands last."""
    try:
        backups = [backup for file in path.parent.iterdir() if (backup := _backup(path, file))]
    except OSError:
        return []
    today = datetime.now().astimezone().date()
    return sorted(backups, key=lambda backup: (backup.day <= today, backup.made), reverse=True)


def unfinished_of(path: Path) -> Iterator[Path]:
    """What a killed process left of a daily backup of the library at `path`."""
    return path.parent.glob(f"{glob_free(path.name)}.????-??-??.bak.tmp*")


def glob_free(name: str) -> str:
    """A pattern that only `name` fits."""
    return re.sub(r"([*?\[])", r"[\1]", name)


def _backup(path: Path, file: Path) -> Backup | None:
    match = _NAME.fullmatch(file.name[len(path.name) :]) if file.name.startswith(path.name) else None
    if match is None or not file.is_file():
        return None
    written = datetime.fromtimestamp(file.stat().st_mtime).astimezone()
    if match[1] is None:
        return Backup(file, written, daily=False)
    try:
        day = date.fromisoformat(match[1])
    except ValueError:
        return None
    # Copying a file may set its date anew, and leaves its name.
    return Backup(file, written if written.date() == day else datetime.combine(day, time()).astimezone(), daily=True)
