"""A test that opens a copy sees nothing else than one that makes its library."""

import stat
from pathlib import Path

from cache.store import Store
from tests.agents.assistant import world
from tests.library import copied


def described(path: Path) -> dict[str, object]:
    """All that is kept in the library at `path` and how, but for the moments at which that was."""
    with Store.open(path) as store, store.reading() as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        columns = {name: [row[1] for row in db.execute(f"PRAGMA table_info('{name}')")] for name in names}
        rows = {
            name: [
                {one: value for one, value in zip(columns[name], row, strict=True) if one not in ("applied_at", "at")}
                for row in db.execute(f"SELECT * FROM '{name}'")
            ]
            for name in names
        }
        pragmas = ("user_version", "application_id", "journal_mode", "page_size", "auto_vacuum", "encoding")
        return {
            "mode": stat.S_IMODE(path.stat().st_mode),
            "schema": db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name").fetchall(),
            "rows": rows,
            "pragmas": {name: db.execute(f"PRAGMA {name}").fetchone() for name in pragmas},
        }


def test_a_copy_is_what_a_new_library_is(tmp_path: Path) -> None:
    Store.open(tmp_path / "made.db").close()
    assert described(copied(tmp_path / "copied.db")) == described(tmp_path / "made.db")


def test_a_copy_of_a_filled_library_holds_what_it_was_filled_with(tmp_path: Path) -> None:
    with Store.open(tmp_path / "made.db") as store:
        world.filled(store)
    assert described(copied(tmp_path / "copied.db", world.filled)) == described(tmp_path / "made.db")


def test_a_library_that_is_there_already_is_not_replaced(tmp_path: Path) -> None:
    with Store.open(tmp_path / "made.db") as store:
        world.filled(store)
    before = (tmp_path / "made.db").read_bytes()
    assert copied(tmp_path / "made.db").read_bytes() == before


def test_two_copies_share_nothing(tmp_path: Path) -> None:
    with Store.open(copied(tmp_path / "one.db")) as store:
        world.filled(store)
    assert described(copied(tmp_path / "other.db")) == described(copied(tmp_path / "third.db"))
