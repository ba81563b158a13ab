"""The libraries, shelves and bibliographies that are measured: made once, kept as long as the bench's folder is."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cache.store import Store
from spar_tui.bibliography.formats import Writing, written
from tests.benchmarks.app import shelf
from tests.benchmarks.bibliography import entries_by_chance
from tests.benchmarks.recommending import speed


class Homes:
    """Homes in `folder`, made when they are first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def empty(self) -> Path:
        """A home with nothing in it but what the program lays down itself."""
        return self._made("empty")

    def library(self, papers: int) -> Path:
        """A library of so many papers, up to 200 of them on the shelf."""
        home = self._made(f"library-{papers}")
        with self.store(home) as store:
            speed.fill(store, papers, min(200, papers // 5))
        return home

    def shelf(self, papers: int) -> Path:
        """A shelf of so many papers and one."""
        home = self._made(f"shelf-{papers}")
        with self.store(home) as store:
            with store.reading() as db:
                [(there,)] = db.execute("SELECT count(*) FROM shelf")
            if not there:
                shelf.fill(store, papers)
        return home

    def bibliography(self, entries: int) -> Path:
        """A .bib file of so many entries."""
        file = self.folder / f"entries-{entries}.bib"
        if not file.exists():
            file.write_text(written(entries_by_chance(entries), Writing("biblatex")).text, "utf-8")
        return file

    @contextmanager
    def store(self, home: Path) -> Iterator[Store]:
        """The library of a home."""
        with Store.open(home / "spar" / "spar.db") as store:
            yield store

    def _made(self, name: str) -> Path:
        home = self.folder / name
        (home / "spar").mkdir(parents=True, exist_ok=True)
        return home
