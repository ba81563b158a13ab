"""What work on libraries and bibliographies costs."""

import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path

from cache import fulltext, papers
from cache.store import Store
from spar_tui.bibliography.formats import Writing, written
from tests.benchmarks.bibliography import by_bibtexparser, entries_by_chance
from tests.benchmarks.conversing.__main__ import AIM, some_title, turns
from tests.benchmarks.library_100k import HARD, generated
from tests.benchmarks.scorecard.figures import Figure, in_pairs, of_allowed, of_pairs
from tests.benchmarks.scorecard.measure import Bench, Measure
from tests.benchmarks.scorecard.processes import Used, python, spar

PAPERS, LARGE, ENTRIES = 10_000, 100_000, 5_000
_READ = """
import sqlite3, sys
db = sqlite3.connect("{file}")
words = [text.lower().split() for (text,) in db.execute("SELECT title || ' ' || abstract FROM papers")]
"""


def busy(work: Callable[[], object]) -> float:
    """Seconds of the processor."""
    began = time.process_time()
    work()
    return time.process_time() - began


def searched(bench: Bench, size: int) -> Figure:
    """Every one of some common questions, beside SQLite's own ranking of all papers with any of their words."""
    with bench.homes.store(bench.homes.library(size)) as store, store.reading() as db:

        def bare(text: str) -> None:
            any_word = " OR ".join(f'"{word}"' for word in text.split())
            sql = "SELECT p.record FROM papers_fts f JOIN papers p ON p.id = f.rowid WHERE papers_fts MATCH ?"
            db.execute(f"{sql} ORDER BY rank LIMIT 25", (any_word,)).fetchall()

        def pair() -> tuple[float, float]:
            ours = sum(busy(partial(fulltext.search, store, text)) for text in HARD)
            return ours / len(HARD), sum(busy(partial(bare, text)) for text in HARD) / len(HARD)

        return of_pairs([pair() for _ in range(bench.times)])


def remembered(bench: Bench) -> Figure:
    """Made-up papers kept, beside rows of the same words in a table with an index of words."""
    found = list(islice(generated(2_000), 2_000))

    def ours() -> float:
        with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "spar.db") as store:
            return busy(partial(papers.remember, store, found))

    def bare() -> None:
        with tempfile.TemporaryDirectory() as folder, closing(sqlite3.connect(Path(folder) / "bare.db")) as db, db:
            db.execute("CREATE VIRTUAL TABLE papers USING fts5 (title, abstract, authors, venue, tokenize = porter)")
            rows = [(one.title, one.abstract, str(one.authors), one.venue) for one in found]
            db.executemany("INSERT INTO papers VALUES (?, ?, ?, ?)", rows)

    return in_pairs(ours, lambda: busy(bare), bench.times)


def exported(bench: Bench) -> Figure:
    entries = entries_by_chance(ENTRIES)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bare.bib"
        return in_pairs(
            lambda: busy(lambda: file.write_text(written(entries, Writing("bibtex")).text)),
            lambda: busy(lambda: by_bibtexparser(entries, file)),
            max(1, bench.times // 2),
        )


def talked(bench: Bench, which: Callable[[list[float]], float]) -> Figure:
    home = bench.homes.library(PAPERS)
    os.environ["SPAR_HOME"] = str(home / "spar")
    with bench.homes.store(home) as store:
        title = some_title(store)
        turns(store, title)  # reads every paper, as once in a life
        return of_allowed([which(list(turns(store, title).values())) for _ in range(max(1, bench.times // 2))], AIM)


def recommended(bench: Bench, of: Callable[[Used], float], unit: str) -> Figure:
    home = bench.homes.library(PAPERS)
    arguments = ("recommend", "--offline", "--no-model", "--plain")
    spar(home, *arguments)  # reads every paper, as once in a life
    script = _READ.format(file=home / "spar" / "spar.db")
    return in_pairs(lambda: of(spar(home, *arguments)), lambda: of(python(home, script)), bench.times, unit)


LIBRARIES = (
    Measure("search", f"a search in a library of {PAPERS:,} papers", "SQLite's ranking of papers with any word", 1,
            lambda bench: searched(bench, PAPERS)),
    Measure("search-large", f"a search in a library of {LARGE:,} papers", "SQLite's ranking of papers with any word", 1,
            lambda bench: searched(bench, LARGE)),
    Measure("remember", "storing 2,000 papers in the library", "indexing their words in bare SQLite", 4, remembered),
    Measure("read", f"reading a bibliography of {ENTRIES:,} entries", "bibtexparser's splitting", 3,
            lambda bench: of_pairs([(one.reading, one.parser) for one in bench.imports(ENTRIES)])),
    Measure("shelve", "saving these entries to the shelf", "saving bare papers", 2,
            lambda bench: of_pairs([(one.shelving, one.saving) for one in bench.imports(ENTRIES)])),
    Measure("shelve-again", "importing these entries again", "the first time", 1,
            lambda bench: of_pairs([(one.again, one.shelving) for one in bench.imports(ENTRIES)])),
    Measure("export", f"writing {ENTRIES:,} entries of BibTeX", "bibtexparser, with fewer fields", 2, exported),
    Measure("turn", f"a turn of a conversation over {PAPERS:,} papers (median)", "0.3 s", 1,
            lambda bench: talked(bench, statistics.median)),
    Measure("turn-slowest", "the slowest of 20 turns", "0.3 s", 1, lambda bench: talked(bench, max)),
    Measure("recommend", f"`spar recommend` over {PAPERS:,} papers", "reading their words from the library", 5,
            lambda bench: recommended(bench, lambda used: used.processor, "s")),
    Measure("recommend-memory", f"`spar recommend` over {PAPERS:,} papers", "reading their words from the library", 2,
            lambda bench: recommended(bench, lambda used: used.megabytes, "MB"), "memory"),
)  # fmt: skip
