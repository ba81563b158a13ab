"""Check whether the library has a backup of today or, if not, since when there has been none and why."""

from pathlib import Path

from cache.backup_files import Backup, backups_of
from cache.backups import Done, keep_daily
from cache.errors import CacheError
from spar_tui.health.outcome import Outcome
from spar_tui.phrases import counted


def backups_told(path: Path) -> Outcome:
    """Make today's backup of the library at `path` if it is missing, and report the existing backups."""
    try:
        done = keep_daily(path)
    except CacheError as error:
        return Outcome("problem", f"{_lack(backups_of(path))}. {error.sentence}")
    backups = backups_of(path)
    if done is Done.ELSEWHERE:
        return Outcome("ok", f"{_held(path, backups)}; another spar is making or restoring one now.")
    if not backups:
        return Outcome("note", "none yet, since the library has no papers and no searches.")
    made = " It was made and checked just now." if done is Done.MADE else ""
    empty = " The library has no papers and no searches now, so spar makes no more." if done is Done.EMPTY else ""
    return Outcome("ok", f"{_held(path, backups)}.{made}{empty}")


def _held(path: Path, backups: list[Backup]) -> str:
    if not backups:
        return "none yet"
    newest, rest = backups[0], len(backups) - 1
    others = f" (and {counted(rest, 'older one')})" if rest else ""
    return f"the newest is from {newest.day}: {newest.file.name}{others}, in {path.parent}"


def _lack(backups: list[Backup]) -> str:
    return f"none since {backups[0].day} ({backups[0].file.name})" if backups else "there is none"
