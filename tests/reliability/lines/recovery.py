"""Line 14: damaged, foreign, newer and older libraries, the drill of a restore, and a disk that is full."""

import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

from cache import shelf
from cache.backup_files import backups_of, daily_name
from cache.backups import keep_daily
from cache.errors import CacheError
from cache.store import Store
from cache.version import VERSION
from tests.cache.conftest import make_paper
from tests.reliability.libraries import WORDS, corrupt, fill, halves, lost, older
from tests.reliability.line import Figure, Line, Trial
from tests.reliability.processes import Tell, done
from tests.spar_tui.in_process import spar
from tests.spar_tui.running import environment, forked_python

TODAY = datetime.now().astimezone().date()


def measure(trial: Trial) -> Line:
    figures = [
        *refusals(trial.folder / "refused", VERBS if trial.full else VERBS[:1]),
        *upgrades(trial.folder / "older"),
        *drills(trial, trial.many(1, 20)),
        *kept_seven(trial.folder / "seven"),
        *full_disks(trial, trial.many(1, 20)),
    ]
    return Line(
        14, "recovery",
        f"{len(REFUSED)} states of a library that no verb may touch, each opened by {trial.many(1, len(VERBS))} "
        f"verbs; an upgrade from each of {VERSION - 1} older schemas; {trial.many(1, 20)} restores with `spar doctor "
        f"--repair`; fourteen days of backups; {trial.many(1, 20)} disks that fill up at different moments of a save "
        "or an export",
        tuple(figures),
        unseen="a network drive without locks",
        tests=(
            "tests/cache/test_store.py", "tests/cache/test_backups.py", "tests/cache/test_repair.py",
            "tests/spar_tui/health/test_repair.py",
        ),
    )  # fmt: skip


def _page(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2 // 4096 * 4096)
        file.write(b"\xff" * 4096)


def _newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")


def _foreign(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE bookmarks (url)")


REFUSED: dict[str, Callable[[Path], object]] = {
    "random bytes": lambda path: path.write_bytes(os.urandom(20_000)),
    "a text": lambda path: path.write_bytes(b"not a database, but dear to somebody"),
    "another program's database": _foreign,
    "a newer schema": _newer,
    "one damaged page": _page,
    "half a file": lambda path: os.truncate(path, path.stat().st_size // 2),
    "a header of zeros": lambda path: path.write_bytes(bytes(4096) + path.read_bytes()[4096:]),
}
VERBS = (
    ("shelf",), ("save", "pmid:1", "--offline"), ("search", "words", "--offline"), ("tag", "pmid:1", "--add", "x"),
    ("history", "forget", "last"), ("import", "REFS"), ("doctor", "--offline"),
)  # fmt: skip


def refusals(folder: Path, verbs: Sequence[Sequence[str]]) -> list[Figure]:
    """Of libraries that must be refused: how often a verb changed one, said nothing, or said it with a traceback."""
    changed = unsaid = tracebacks = 0
    for state, spoil in REFUSED.items():
        home = folder / state
        path = home / "spar" / "spar.db"
        fill(path)
        spoil(path)
        (home / "refs.bib").write_text("@misc{a, title = {Birds}, year = 2020}\n")
        before = path.read_bytes()
        for verb in verbs:
            ran = spar(home, *(str(home / "refs.bib") if word == "REFS" else word for word in verb))
            changed += path.read_bytes() != before
            unsaid += ran.returncode == 0 or "spar.db" not in ran.stderr + ran.stdout
            tracebacks += "Traceback" in ran.stderr
    return [
        Figure("refused libraries that were changed", changed),
        Figure("refusals without the library's name or an exit code", unsaid),
        Figure("tracebacks", tracebacks),
    ]


def upgrades(folder: Path) -> list[Figure]:
    """Of libraries of each older version: papers that are lost, and copies from before that are not whole."""
    folder.mkdir()
    missing = spoiled = 0
    for version in range(1, VERSION):
        path = folder / f"{version}.db"
        older(path, version, 30)
        before = titles(path)
        with Store.open(path) as store:
            missing += lost(store, list(range(1, 31)))
        [copy] = path.parent.glob(f"{path.name}.before-*.bak")
        spoiled += corrupt(path) + (titles(copy) != before)
    return [Figure("papers lost in an upgrade", missing), Figure("damaged libraries or copies", spoiled)]


def titles(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as db:
        return [title for (title,) in db.execute("SELECT title FROM papers ORDER BY id")]


def drills(trial: Trial, times: int) -> list[Figure]:
    """A library is damaged after its backup and repaired: what of the backup, and of the damaged bytes, is missing."""
    dice, missing, thrown_away, failed, repaired = trial.dice, 0, 0, 0, 0
    for drill in range(times):
        home = trial.folder / f"drill-{drill}"
        path = home / "spar" / "spar.db"
        count = dice.randrange(20, 120)
        fill(path, count)
        keep_daily(path)
        daily_name(path, TODAY).rename(daily_name(path, TODAY - timedelta(days=1)))
        fill(path, 5, first=1_000)
        damage_anywhere(path, dice.randrange(1, path.stat().st_size // 4096))
        before = path.read_bytes()
        ran = spar(home, "doctor", "--repair", "--yes")
        failed += ran.returncode != 0
        with Store.open(path) as store:
            missing += lost(store, list(range(1, count + 1)))
        aside = [file.read_bytes() for file in path.parent.glob("*.damaged-*")]
        repaired += bool(aside)
        thrown_away += before not in [path.read_bytes(), *aside]  # a page that nothing stands on is not repaired
    return [
        Figure("repaired libraries", repaired, max(1, times // 2), least=True),
        Figure("failed repairs", failed), Figure("papers of the backup that were not restored", missing),
        Figure("damaged files that were deleted", thrown_away),
    ]  # fmt: skip


def damage_anywhere(path: Path, page: int) -> None:
    with path.open("r+b") as file:
        file.seek(page * 4096)
        file.write(b"\xff" * 4096)


def kept_seven(path: Path) -> list[Figure]:
    """A backup a day for fourteen days: how many are kept that are whole."""
    library = path / "spar.db"
    fill(library)
    for ago in range(14, 0, -1):
        keep_daily(library)
        daily_name(library, TODAY).rename(daily_name(library, TODAY - timedelta(days=ago)))
    keep_daily(library)
    kept = [backup.file for backup in backups_of(library)]
    whole = sum(len(titles(file)) == 50 and not corrupt(file) for file in kept)
    return [Figure("intact daily backups", whole, 7, least=True), Figure("daily backups kept", len(kept), 7)]


def save_until_full(tell: Tell, path: Path, limit: int) -> None:
    sys.dont_write_bytecode = True  # of modules that are imported late: Python takes half a file for a whole one
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    try:
        with Store.open(path) as store:
            for number in range(1, 5_000):
                found = make_paper(f"Paper {number}", f"pmid:{number}", abstract=f"{number} {WORDS}")
                shelf.save(store, [found], ["kept"])
                tell(number)
    except CacheError as error:
        tell(error.sentence)


def full_disks(trial: Trial, times: int) -> list[Figure]:
    dice, missing, unnamed, half, bad, broken = trial.dice, 0, 0, 0, 0, 0
    for number in range(times):
        home = trial.folder / f"full-{number}"
        path = home / "spar" / "spar.db"
        Store.open(path).close()
        told = done(save_until_full, path, dice.randrange(200_000, 900_000))[0]
        acknowledged = [one for one in told if isinstance(one, int)]
        unnamed += not (told and "Free space on the disk" in str(told[-1]))
        with Store.open(path) as store:
            missing += lost(store, acknowledged)
            half += halves(store)
        bad += corrupt(path)
        broken += export_to_a_full_disk(home, dice.randrange(100, 5_000))
    return [
        Figure("acknowledged papers lost on a full disk", missing), Figure("papers saved in part on a full disk", half),
        Figure("libraries corrupted by a full disk", bad), Figure("full disks that were not reported", unnamed),
        Figure("files damaged by an export to a full disk", broken),
    ]  # fmt: skip


EXPORTED_ON_A_FULL_DISK = """
import resource, signal, sys
from spar_tui.__main__ import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
sys.argv = ["spar", *sys.argv[2:]]
main()
"""


def export_to_a_full_disk(home: Path, limit: int) -> bool:
    """Whether the file that was there is another one now, though nothing was exported."""
    file = home / "refs.bib"
    file.write_text("% kept by hand\n")
    ran = subprocess.run(
        forked_python("-c", EXPORTED_ON_A_FULL_DISK, str(limit), "export", "--shelf", "-o", str(file), "--append"),
        env=environment(home, {"PYTHONDONTWRITEBYTECODE": "1"}), capture_output=True, text=True,
        cwd=Path(__file__).parents[3],
    )  # fmt: skip
    return (file.read_text() != "% kept by hand\n") and ran.returncode != 0
