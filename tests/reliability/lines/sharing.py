"""Line 3: two processes write to one library at once, and a bibliography is imported while the app is open."""

import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from cache import runs, shelf
from cache.store import Store
from spar_tui.bibliography.formats import Writing, written
from tests.agents.scripted import ScriptedSource
from tests.reliability.libraries import corrupt
from tests.reliability.line import Figure, Line, Trial, harm
from tests.reliability.processes import Tell, done, started
from tests.spar_tui.bibliography.test_validators import chance_entries
from tests.spar_tui.in_process import spar
from tests.spar_tui.running import PATIENCE, environment, forked
from tests.spar_tui.tui.world import SPARSE, Hand, play, resources


def measure(trial: Trial) -> Line:
    each, imported = trial.many(300, 5_000), trial.many(100, 2_000)
    stored, refused = two_writers(trial.folder / "two" / "spar.db", each)
    missing, complaints = import_beside_the_app(trial.folder, imported)
    controls = (
        harm("writes refused as locked if a reader becomes a writer", plain_writers(trial.folder / "plain.db", 5_000)),
    ) if trial.full else ()  # fmt: skip
    return Line(
        3, "two processes, one library",
        f"two processes each write {each:,} rows at the same time and read before each write; {imported:,} entries "
        "are imported while the app searches in the same library",
        (
            Figure("lost writes", 2 * each - stored), Figure("refused writes", refused),
            Figure("lost imported entries", missing),
            Figure("“locked” errors of the app or the import", complaints),
        ),
        controls, tests=("tests/cache/test_processes.py", "tests/cache/test_store.py"),
    )  # fmt: skip


def read_and_write(tell: Tell, path: Path, who: str, wanted: int) -> None:
    with Store.open(path) as store:
        run = runs.start(store, "search", who)
        for number in range(wanted):
            with store.reading() as db:
                db.execute("SELECT count(*) FROM runs").fetchone()
            runs.append(store, run, "searcher", "found", {"number": number})
    tell("all written")


def two_writers(path: Path, each: int) -> tuple[int, int]:
    """How many rows are there in the end, and how many of the two processes did not come to theirs."""
    path.parent.mkdir()
    working = [started(read_and_write, path, who, each) for who in ("one", "two")]
    ended = []
    for process, ear in working:
        process.join(2 * PATIENCE)
        ended.append(process.exitcode == 0 and ear.poll() and ear.recv() == "all written")
    with Store.open(path) as store:
        stored = sum(len(runs.events(store, run.id)) for run in runs.recent(store))
    assert not corrupt(path)
    return stored, ended.count(False)


def write_plainly(tell: Tell, path: Path, wanted: int) -> None:
    with closing(sqlite3.connect(path, isolation_level=None, timeout=5)) as db:
        for number in range(wanted):
            try:
                db.execute("BEGIN")
                db.execute("SELECT count(*) FROM rows").fetchone()
                db.execute("INSERT INTO rows VALUES (?)", (number,))
                db.execute("COMMIT")
            except sqlite3.OperationalError:
                db.execute("ROLLBACK")
                tell("refused")


def plain_writers(path: Path, each: int) -> int:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE rows (number)")
    first, ear = started(write_plainly, path, each)
    told = done(write_plainly, path, each)[0]
    first.join(PATIENCE)
    refused = len(told)
    while ear.poll():
        try:
            refused += ear.recv() == "refused"
        except EOFError:
            break
    return refused


def import_beside_the_app(folder: Path, count: int) -> tuple[int, int]:
    """How many of `count` entries are missing, and how often somebody said that the library is locked."""
    file, home = folder / "refs.bib", folder / "home"
    file.write_text(written(chance_entries(count), Writing("biblatex")).text)
    assert spar(folder / "alone", "import", str(file)).returncode == 0
    said: list[str] = []

    async def scene(hand: Hand) -> None:
        process = subprocess.Popen(
            forked("import", str(file)), env=environment(home, {"SPAR_HOME": str(home)}), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, cwd=Path(__file__).parents[3],
        )  # fmt: skip
        await hand.ask()
        await hand.until_shown("✔ finished")
        await hand.press("s")
        await hand.until(lambda: process.poll() is not None)
        said.extend((process.communicate()[0], hand.text))

    play(home, scene, resources(ScriptedSource("openalex", SPARSE)))
    missing = shelved(folder / "alone" / "spar" / "spar.db") - shelved(home / "spar.db")
    return len(missing), sum("locked" in text for text in said)


def shelved(path: Path) -> set[str]:
    """The citation keys of what is on the shelf."""
    with Store.open(path) as store:
        return {row.key or row.paper.title for row in shelf.shelf(store)}
