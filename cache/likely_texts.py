"""Texts of the library that may hold a quote, by its rarest words: titles with abstracts, and pages of full texts."""

import re
import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from cache.conditions import sql
from cache.conditions.content import quoted
from cache.paper_json import STORED, from_columns
from cache.readable_rows import readable
from cache.store import PaperId, Store
from connectors.paper import Paper
from connectors.records.letters import folded

RAREST = 10
"""Words of a quote that are looked up."""
COUNTED = 20_000
"""Number up to which the texts with a word are counted."""
MOST = 6
"""Maximum number of texts of each kind to return."""
_WORD = re.compile(r"[^\W_]+")


class LikelyText(NamedTuple):
    """The abstract of a paper, or a `page` of its PDF with the pages before and after it; "" if there are none."""

    number: PaperId
    paper: Paper
    text: str
    page: int | None = None
    before: str = ""
    behind: str = ""


def likely_texts(store: Store, quote: str) -> list[LikelyText]:
    """Return the texts with most of the rarest words of `quote`, most likely first. Raises `CacheError`. Words that
    no text has, such as those broken at the end of a line, are ignored."""
    words = list(dict.fromkeys(_WORD.findall(folded(quote))))
    with store.reading() as db:
        return [*_abstracts(db, words), *_pages(db, words)]


def number_of_texts(store: Store) -> int:
    """Return the number of abstracts and pages to search for quotes. Raises `CacheError`."""
    [number] = store.row("SELECT (SELECT count(*) FROM papers) + (SELECT count(*) FROM page_texts)")
    return int(number)


def _abstracts(db: sqlite3.Connection, words: Sequence[str]) -> list[LikelyText]:
    expression = _any_of(db, "papers_fts", words)
    if not expression:
        return []
    rows = db.execute(
        f"SELECT p.id, {STORED} FROM papers_fts f JOIN papers p ON p.id = f.rowid WHERE papers_fts MATCH ?"
        " ORDER BY rank LIMIT ?",
        (expression, MOST),
    )
    return readable("papers", rows, lambda row: _abstract(PaperId(row[0]), from_columns(*row[1:])))


def _abstract(number: PaperId, paper: Paper) -> LikelyText:
    return LikelyText(number, paper, paper.abstract)


def _pages(db: sqlite3.Connection, words: Sequence[str]) -> list[LikelyText]:
    expression = _any_of(db, "page_texts_fts", words)
    if not expression:
        return []
    beside = "(SELECT text FROM page_texts n WHERE n.full_text = g.full_text AND n.page = g.page {} 1)"
    rows = db.execute(
        f"SELECT p.id, {STORED}, g.text, g.page, coalesce({beside.format('-')}, ''), coalesce({beside.format('+')}, '')"
        f" {sql.PAGES} JOIN papers p ON p.id = t.paper WHERE page_texts_fts MATCH ? ORDER BY f.rank LIMIT ?",
        (expression, MOST),
    )
    return readable("papers", rows, lambda row: LikelyText(PaperId(row[0]), from_columns(*row[1:4]), *row[4:]))


def _any_of(db: sqlite3.Connection, table: str, words: Sequence[str]) -> str:
    """Return the FTS5 expression for any of the rarest of `words`; "" if no text has one of them."""
    count = f"SELECT count(*) FROM (SELECT 1 FROM {table} WHERE {table} MATCH ? LIMIT {COUNTED})"
    counted = sorted((db.execute(count, (quoted(word),)).fetchone()[0], word) for word in words)
    return " OR ".join(quoted(word) for number, word in [pair for pair in counted if pair[0]][:RAREST] if number)
