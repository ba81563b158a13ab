"""A library with something in every table, and words that no query may ever bring out of it."""

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cache import citation_keys, papers, reading_history, runs, shelf
from cache.runs import StoredRank
from cache.sql.facts import complete
from cache.store import Store
from connectors.identifiers import Identifier
from connectors.paper import Author, Paper, Provenance
from tests.library import copied

CANARY = "sk-CANARY-0000-DO-NOT-LEAK"
NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)


def made(number: int) -> Paper:
    """Paper `number` of twenty: years 2005 to 2024, cited 10 times its number, every fourth free to read."""
    about = ("graph networks", "query rewriting", "vitamin D", "retrieval of papers")[number % 4]
    return Paper(
        f"Study {number} of {about}",
        f"We look at {about} in {number} ways.",
        (Author(f"Family{number % 5}", "Ada"), Author("Hopper", "Grace")),
        f"{2004 + number}-03",
        "Nature" if number % 2 else "arXiv",
        "article" if number % 2 else "preprint",
        (Identifier("doi", f"10.1000/{number}"), Identifier("pmid", str(number))),
        citation_count=10 * number if number != 20 else None,
        references=(Identifier("doi", "10.1000/1"), Identifier("pmid", "1")) if 2 <= number <= 5 else (),
        pdf="https://example.org/a.pdf" if number % 4 == 0 else None,
        retracted=number == 7,
        language="en",
        keywords=("graphs", "nets") if number % 4 == 0 else (),
        provenance=(Provenance("title", CANARY),),
    )


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Store]:
    """Papers 1 to 20; 1 to 6 on the shelf, 1 and 2 read, 3 liked and noted, 1 to 4 tagged; one search that shows 3."""
    with Store.open(copied(tmp_path / "library.db", fill)) as store:
        yield store


def fill(store: Store) -> None:
    numbers = papers.remember(store, map(made, range(1, 21)), NOW)
    assert numbers == list(range(1, 21))
    shelf.put(store, range(1, 7), (), NOW)
    for number in (1, 2):
        shelf.mark_read(store, number, True, NOW)
    shelf.rate(store, 3, 1, NOW)
    shelf.set_note(store, 3, "Ask about\nthe third figure.")
    for number, tag in ((1, "rag"), (2, "rag"), (3, "RAG"), (4, "later")):
        shelf.tag(store, number, [tag])
    citation_keys.keep(store, 3, "family2007")
    reading_history.note_interaction(store, 9, "opened", now=NOW)
    run = runs.start(store, "search", "graph networks since 2010", {"key": CANARY}, NOW)
    runs.append(store, run, "searcher", "found", {"secret": CANARY}, now=NOW)
    shown = [StoredRank(made(number), {"reason": CANARY}) for number in (8, 4, 12)]
    runs.finish(store, run, "finished", {"shown": 3, "key": CANARY}, shown, NOW)
    unasked = runs.start(store, "recommendation", CANARY, {"unasked": True}, NOW)
    runs.finish(store, unasked, "finished", {"shown": 1}, [StoredRank(replace(made(5)), {})], NOW)
    with store.writing() as db:
        db.execute("INSERT INTO answers VALUES (?1, ?1, ?1, ?1, ?1, ?1)", (CANARY,))
        db.execute("INSERT INTO model_replies VALUES (?1, ?1, ?1, ?1, ?1, ?1)", (CANARY,))
        db.execute("INSERT INTO watches VALUES (?1, ?1, ?1, ?1, ?1)", (CANARY,))
        db.execute("INSERT INTO profile (facet, text, made) VALUES ('like', ?1, ?1)", (CANARY,))
        db.execute("INSERT INTO originals (paper, key, digest, entry) VALUES (1, ?1, x'00', ?1)", (CANARY,))
        db.execute("INSERT INTO text_vectors VALUES (?1, x'00', x'00')", (CANARY,))
    complete(store)


def contents(path: Path) -> str:
    """A digest of all that the library holds."""
    with closing(sqlite3.connect(path)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        rows = [db.execute(f'SELECT * FROM "{table}"').fetchall() for table in tables]
        schema = db.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
    return hashlib.sha256(repr((tables, rows, schema)).encode()).hexdigest()
