"""A damaged cell only hides its own row: all others are listed, and a warning names the row and what to do."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cache import shelf, watches
from cache.runs import StoredRank, append, finish, resolve, start
from cache.store import Store
from tests.agents.scripted import paper
from tests.library import copied
from tests.spar_tui.in_process import spar
from tests.spar_tui.tui.world import Hand, play, resources

FIRST = paper("First of the papers", "arxiv:2001.00001", date="2020")
SECOND = paper("Second of the papers", "arxiv:2001.00002", date="2020")
OLDER, NEWER = (
    "(SELECT id FROM runs WHERE question = 'older one')",
    "(SELECT id FROM runs WHERE question = 'newer one')",
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A library with two rows of each kind."""
    copied(tmp_path / "spar" / "spar.db", fill)
    return tmp_path


def fill(store: Store) -> None:
    numbers = shelf.save(store, [FIRST, SECOND], ["kept"])
    for place, question in enumerate(("older one", "newer one")):
        run = start(store, "search", question, now=datetime(2026, 11, 20 + place, tzinfo=UTC))
        append(store, run, "judge", "note", {"x": 1})
        finish(store, run, "finished", {"shown": 1}, [StoredRank(FIRST, {}), StoredRank(SECOND, {})])
        watches.set_watch(store, f"watch{place}", question, {})
        shelf.set_note(store, numbers[place], f"My note {place}.")


def damage(home: Path, sql: str) -> None:
    with closing(sqlite3.connect(home / "spar" / "spar.db")) as db, db:
        db.execute(sql)


CELLS = ["9e999", "'{{'", "'[]'", "5", "x'ff00'", "'\"\"'", "cast(x'7b22c3' as text)"]
NEWEST = "(SELECT id FROM runs WHERE question = 'newest one')"


def fill_for_each_cell(store: Store) -> None:
    """Put a row of each kind for each cell into the library, and a last one, which stays whole."""
    last = len(CELLS)
    listed = [paper(f"Paper {number} of all", f"arxiv:2002.0000{number}", date="2020") for number in range(last + 1)]
    numbers = shelf.save(store, listed, ["kept"])
    for number, paper_id in enumerate(numbers):
        question = "newest one" if number == last else f"question {number}"
        run = start(store, "search", question, now=datetime(2026, 11, 10 + number, tzinfo=UTC))
        append(store, run, "judge", "note", {"x": 1})
        finish(store, run, "finished", {"shown": 1}, [StoredRank(one, {}) for one in listed])
        watches.set_watch(store, f"watch{number}", question, {})
        shelf.set_note(store, paper_id, f"My note {number}.")


LISTED = f"Paper {len(CELLS)} of"
TASTE = {("profile",): "", ("recommend", "--offline"): ""}
LOGS = {("log", f"202611{10 + number}"): "" for number in range(len(CELLS))}


@pytest.mark.parametrize(
    ("table", "column", "row", "verbs"),
    [
        ("runs", "counts", "question = 'question {}'", {("history",): "newest one", ("log", "last"): ""}),
        ("runs", "parameters", "question = 'question {}'", {("history",): "newest one"}),
        ("runs", "started", "question = 'question {}'", {("history",): "newest one"}),
        ("runs", "finished", "question = 'question {}'", {("history",): "newest one"}),
        ("watches", "parameters", "name = 'watch{}'", {("watch", "--list"): f"watch{len(CELLS)}"}),
        ("papers", "record", "title LIKE 'Paper {}%'", {("shelf",): LISTED, ("library", "papers"): LISTED}),
        ("papers", "authors", "title LIKE 'Paper {}%'", {("shelf",): LISTED, ("library", "papers"): LISTED}),
        ("papers", "record", "title LIKE 'Paper {}%'", TASTE),
        ("shelf", "details", "note LIKE '%{}.'", {("shelf",): LISTED, ("tag",): "kept"}),
        ("shelf", "saved", "note LIKE '%{}.'", {("shelf",): LISTED, ("recommend", "--offline"): ""}),
        ("acts", "at", "id = 1 + {}", TASTE | {("history", "reading"): LISTED}),
        ("acts", "paper", "id = 1 + {}", TASTE),
        ("paper_tokens", "tokens", "paper = 1 + {}", TASTE),
        ("run_papers", "entry", f"run = {NEWEST} AND rank = 1 + {{}}",
         {("search", "--resume", "last", "--offline"): ""}),
        ("event_batches", "events", "run = (SELECT id FROM runs WHERE question = 'question {}')", LOGS),
    ],
)  # fmt: skip
def test_all_other_rows_are_listed(
    tmp_path: Path, table: str, column: str, row: str, verbs: dict[tuple[str, ...], str]
) -> None:
    """Each kind of damage stands in a row of its own."""
    library = copied(tmp_path / "spar" / "spar.db", fill_for_each_cell)
    spar(tmp_path, "profile")  # which keeps the tokens of papers
    with closing(sqlite3.connect(library)) as db, db:
        for number, cell in enumerate(CELLS):
            changed = db.execute(f"UPDATE {table} SET {column} = {cell} WHERE {row.format(number)}")
            assert changed.rowcount == 1
    for verb, shown in verbs.items():
        ran = spar(tmp_path, *verb)
        assert "unexpected" not in ran.stderr, (verb, ran.stderr)
        assert shown in ran.stdout, (verb, ran.stdout, ran.stderr)


ON_ONE_PAPER = (
    ("show",), ("cite",), ("note", "a new note"), ("key", "new2020"), ("edit", "--set", "year=1999"), ("tag", "more"),
    ("merge", "arxiv:2001.00002"), ("split",), ("open",),
)  # fmt: skip


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE papers SET record = '{{' WHERE id = 1", "UPDATE papers SET title = x'ff00' WHERE id = 1",
        "UPDATE shelf SET note = x'ff00', details = '[1]', saved = 'once' WHERE paper = 1",
    ],
)  # fmt: skip
def test_what_is_done_with_the_paper_of_a_damaged_row_works_or_fails_with_a_sentence(home: Path, sql: str) -> None:
    damage(home, sql)
    for verb, *more in ON_ONE_PAPER:
        ran = spar(home, verb, "arxiv:2001.00001", *more)
        assert "unexpected" not in ran.stderr, (verb, ran.stderr)
    assert "unexpected" not in spar(home, "chat", "--no-model", "what about the papers").stderr


def test_the_row_is_named_and_counted_and_can_be_forgotten(home: Path) -> None:
    with Store.open(home / "spar" / "spar.db") as store:
        run = resolve(store, "20261120")
    damage(home, f"UPDATE runs SET counts = '{{{{' WHERE id = '{run}'")
    assert spar(home, "history").stderr == (
        f"spar: left out 1 row with a damaged cell: runs {run}. spar doctor counts them.\n"
    )
    assert f"1 row with a damaged cell: runs {run}" in spar(home, "doctor", "--offline").stdout
    told = spar(home, "search", "--resume", run, "--offline").stderr
    assert f"{run} of the table runs has a damaged cell" in told
    assert spar(home, "history", "forget", run).returncode == 0
    assert spar(home, "history").stderr == ""


@pytest.mark.parametrize(
    ("table", "column", "verbs"),
    [
        ("papers", "title", {("shelf",): "Second of", ("history", "reading"): "Second of", ("profile",): ""}),
        ("runs", "kind", {("history",): "newer one"}),
        ("tags", "tag", {("shelf",): "Second of", ("tag",): "kept"}),
        ("citation_keys", "key", {("shelf",): "Second of", ("export", "--shelf", "--format", "bibtex"): "Second of"}),
        ("runs", "question", {("history",): "newer one"}),
    ],
)
def test_bytes_in_place_of_a_text_hide_their_own_row_and_are_counted(
    home: Path, table: str, column: str, verbs: dict[tuple[str, ...], str]
) -> None:
    spar(home, "export", "--shelf")  # which issues keys
    where = "paper = 1" if table in ("tags", "citation_keys") else f"rowid = (SELECT min(rowid) FROM {table})"
    damage(home, f"UPDATE {table} SET {column} = x'ff00' WHERE {where}")
    for verb, shown in verbs.items():
        ran = spar(home, *verb)
        assert "unexpected" not in ran.stderr, (verb, ran.stderr)
        assert shown in ran.stdout, (verb, ran.stdout, ran.stderr)
    assert f"1 row with a damaged cell: {table}" in spar(home, "doctor", "--offline").stdout


@pytest.mark.parametrize(
    ("damaged", "key", "shown", "name"),
    [
        ("runs SET counts = '{{' WHERE question = 'older one'", "f4", "newer one", "runs 20261120"),
        ("papers SET record = '{{' WHERE title LIKE 'First%'", "f3", "Second of", "papers 1"),
    ],
)
def test_the_app_shows_the_other_rows_and_names_the_damaged_one_once(
    home: Path, damaged: str, key: str, shown: str, name: str
) -> None:
    damage(home, f"UPDATE {damaged}")

    async def scene(hand: Hand) -> None:
        def named() -> list[str]:
            return [one.why for one in hand.app.messages if f"1 row with a damaged cell: {name}" in one.why]

        for _ in range(2):
            await hand.press(key)
            await hand.until_shown(shown)
            await hand.until(lambda: len(named()) == 1)
            await hand.press("f2")

    play(home / "spar", scene, resources())
