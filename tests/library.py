"""New libraries for tests that are not about how one is made: to open a copy takes a fifth of the time."""

import atexit
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from cache.backups import lock_of
from cache.store import Store


def empty(store: Store) -> None:
    """Put nothing into the library."""


def copied(path: Path, fill: Callable[[Store], object] = empty) -> Path:
    """`path`, where a new library is now with what `fill` puts into it, of which a backup was tried a moment ago and is
    not due; a file that was there stays."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(0o600)
        shutil.copyfile(_made(fill), path)
        lock_of(path).touch(0o600)
    return path


def home_after(make: Callable[[Path], object], home: Path) -> Path:
    """`home`, where all is now that `make` leaves in a home; that is done once and copied from then on."""
    return shutil.copytree(_left_by(make), home, dirs_exist_ok=True)


@cache
def _left_by(make: Callable[[Path], object]) -> Path:
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    make(Path(folder.name))
    return Path(folder.name)


@cache
def _made(fill: Callable[[Store], object]) -> Path:
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    path = Path(folder.name) / "library.db"
    with Store.open(path) as store:
        fill(store)
    return path
