"""Search the library in bounded time: BM25 over title, abstract, authors and venue, or over pages of full texts.

A question is a handful of words. FTS5 ranks every paper with any of them, at a microsecond or two each, and common
words are in half of the library. So the rarest words, with up to `POSTINGS` papers together, select the papers, and all
words rank them: `(rare OR rarer) AND (rare OR rarer OR common …)`. Measured on 355 questions over 24,780 papers, with 3
% of the papers ranked: as good as the plain OR among the first 10 (recall .17), nine tenths of it among the first 100
(.37 of .42), in a sixth of the time.

Every word is quoted, so no input is ever FTS5 syntax.
"""

import re
import sqlite3
from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from cache.conditions import orders, sql
from cache.conditions.content import quoted
from cache.conditions.filters import Filter, FilterTerm, filter_by
from cache.paper_json import STORED, from_columns
from cache.readable_rows import readable
from cache.store import PaperId, Store
from connectors.paper import Paper
from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS
from connectors.records.letters import folded

POSTINGS = 3_000
"""Maximum number of papers to rank."""
WORDS = 12
"""Maximum number of words of a question to use, the rarest."""
WORDS_READ = 40
"""Maximum number of words of a text to read; an abstract states its subject within them."""
WEIGHTS = "4, 1, 2, 1"
"""BM25 weights of title, abstract, authors, venue."""

_WORD = re.compile(r"[^\W_]+")


def search(
    store: Store,
    text: str,
    since: date | None = None,
    until: date | None = None,
    limit: int = 25,
    before_run: str | None = None,
) -> list[Paper]:
    """Return papers that match the words of `text`, most relevant first; bounds are inclusive and exclude undated
    papers.

    A date known only to the year or month is within the bounds if it can be. With `before_run`, return only papers that
    the library had when that run began. Raises `CacheError`.
    """
    with store.reading() as db:
        expression, oldest = _expression(db, words_of(text), limit)
        if not expression:
            return []
        bounds = filter_by(since=since and since.isoformat(), until=until and until.isoformat())
        condition, values = sql.clause(bounds, db)
        rows = db.execute(
            f"SELECT p.id, {STORED} FROM papers_fts f JOIN papers p ON p.id = f.rowid"
            f" WHERE papers_fts MATCH :expression AND f.rowid > :oldest AND rank MATCH 'bm25({WEIGHTS})'"
            f" AND {condition} AND (:run IS NULL OR p.first_seen < (SELECT started FROM runs WHERE id = :run))"
            " ORDER BY rank LIMIT :limit",
            {**values, "expression": expression, "oldest": oldest, "limit": limit, "run": before_run},
        )
        return readable("papers", rows, lambda row: from_columns(*row[1:]))


def chosen(
    store: Store, filters: Filter, order: str | None = None, limit: int = 25, reverse: bool = False
) -> list[Paper]:
    """Return the papers that match `filters`, in `order`; None ranks by its plain words or, without any, by newest in
    the library. Each word must occur, with any ending. Raises `CacheError`.

    In full texts, words may occur on any page of a paper, and the best page ranks the paper.
    """
    rows = _chosen_rows(store, filters, f"p.id, {STORED}", orders.named(order or "relevance", reverse), limit)
    return readable("papers", rows, lambda row: from_columns(*row[1:]))


def chosen_numbers(store: Store, filters: Filter) -> list[PaperId]:
    """Return the numbers of all papers that `chosen` can return, most relevant first. Raises `CacheError`."""
    rows = _chosen_rows(store, filters, "p.id", orders.named("relevance"), -1)
    return [PaperId(number) for (number,) in rows]


def _chosen_rows(
    store: Store, filters: Filter, columns: str, by: orders.NamedOrder, limit: int
) -> list[tuple[Any, ...]]:
    """Select `columns` of the papers that match `filters`; a negative `limit` selects all."""
    if filters.in_full_texts:
        return _rows_by_pages(store, filters, columns, by, limit)
    words = [text for term in filters.terms if (text := _looked_up(term))]
    sql.prepare(store, filters)
    with store.reading() as db:
        others = Filter(tuple(term for term in filters.terms if not _looked_up(term)))
        condition, values = sql.clause(others, db, indexed=True)
        matching = "FROM papers p"
        if words:
            matching = "FROM papers_fts f JOIN papers p ON p.id = f.rowid"
            condition = f"papers_fts MATCH :words AND rank MATCH 'bm25({WEIGHTS})' AND {condition}"
        rows = db.execute(
            f"SELECT {columns} {matching} LEFT JOIN shelf s ON s.paper = p.id WHERE {condition}"
            f" ORDER BY {_order(by, bool(words))} LIMIT :limit",
            {**values, "words": " AND ".join(words), "limit": limit},
        )
        return rows.fetchall()


def _order(by: orders.NamedOrder, near: bool) -> str:
    """Return the SQL of an order, with the newest in the library first among equals. Relevance is the index's `rank`
    if `near`, that is, if there are words to rank by."""
    if by.order.needs == "words":
        direction = "DESC" if by.reverse else "ASC"
        return f"rank {direction}" if near else f"p.first_seen {_TURNED[direction]}, p.id {_TURNED[direction]}"
    return f"{by.sql}, p.id DESC"


_TURNED = {"ASC": "DESC", "DESC": "ASC"}


def _rows_by_pages(
    store: Store, filters: Filter, columns: str, by: orders.NamedOrder, limit: int
) -> list[tuple[Any, ...]]:
    words, near = " OR ".join(_asked_of_pages(filters)), ""
    if words and by.order.needs == "words":
        pages = f"SELECT t.paper, min(f.rank) AS rank {sql.PAGES} WHERE page_texts_fts MATCH :words GROUP BY t.paper"
        near = f"JOIN ({pages}) n ON n.paper = p.id"
    sql.prepare(store, filters)
    with store.reading() as db:
        condition, values = sql.clause(filters, db, indexed=True)
        rows = db.execute(
            f"SELECT {columns} FROM papers p LEFT JOIN shelf s ON s.paper = p.id {near} WHERE {condition}"
            f" ORDER BY {_order(by, bool(near))} LIMIT :limit",
            {**values, "words": words, "limit": limit},
        )
        return rows.fetchall()


def _asked_of_pages(filters: Filter) -> list[str]:
    """Return the words and phrases to find in full texts, in FTS5 syntax."""
    return [quoted(words.text) for words in filters.words if sql.has_word(words.text)]


def looks_up_words(filters: Filter) -> bool:
    """Whether there are words to rank papers by."""
    return bool(_asked_of_pages(filters)) if filters.in_full_texts else any(map(_looked_up, filters.terms))


def _looked_up(term: FilterTerm) -> str:
    """Return the plain word of `term` in FTS5 syntax; "" if the index cannot find it."""
    words = term.words
    return quoted(words.text) if words and not term.negated and not words.exact and sql.has_word(words.text) else ""


def words_of(text: str) -> list[str]:
    """Return the distinct content words of `text`, in order; all its words if there are no content words."""
    words = list(dict.fromkeys(_WORD.findall(text[:20_000].casefold())))
    content = [word for word in words if word not in STOP_WORDS and word not in QUESTION_WORDS]
    return (content or words)[:WORDS_READ]


def _expression(db: sqlite3.Connection, words: Sequence[str], limit: int) -> tuple[str, int]:
    """Return the FTS5 expression for `words`, "" if the library has none of them, and the number of the last paper
    that it leaves out."""
    frequencies = sorted((count, word) for word in words if (count := _count(db, quoted(word))))
    frequencies = frequencies[:WORDS]
    quoted_words = [quoted(word) for _, word in frequencies]
    rare: list[str] = []
    capacity = POSTINGS
    for count, word in frequencies:
        capacity -= count
        if capacity < 0:
            break
        rare.append(quoted(word))
    if not rare:
        together = _narrowed(db, quoted_words, limit)
        return together, _oldest_ranked(db, together) if together else 0
    choosing, ranking = " OR ".join(rare), " OR ".join(quoted_words)
    return (choosing if len(rare) == len(quoted_words) else f"({choosing}) AND ({ranking})"), 0


def _narrowed(db: sqlite3.Connection, words: Sequence[str], limit: int) -> str:
    """For common words only: return the conjunction of as many of them as match enough papers, in the title if
    possible."""
    for size in range(len(words), 0, -1):
        together = " AND ".join(words[:size])
        for expression in (f"{{title}} : ({together})", together):
            if _count(db, expression, limit) == limit:
                return expression
    return " OR ".join(words[:1])


def _oldest_ranked(db: sqlite3.Connection, expression: str) -> int:
    """Return the paper number after which papers are ranked: if too many match, only the newest are."""
    sql = "SELECT rowid FROM papers_fts WHERE papers_fts MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?"
    row = db.execute(sql, (expression, POSTINGS)).fetchone()
    return int(row[0]) if row else 0


def _count(db: sqlite3.Connection, expression: str, most: int = POSTINGS + 1) -> int:
    """Count the matching papers, up to `most`."""
    sql = "SELECT count(*) FROM (SELECT 1 FROM papers_fts WHERE papers_fts MATCH ? LIMIT ?)"
    count: int = db.execute(sql, (expression, most)).fetchone()[0]
    return count


RAREST = 10
"""Words of a quote that are looked up."""
COUNTED = 20_000
"""Number up to which the texts with a word are counted."""
MOST = 6
"""Maximum number of texts of each kind to return."""


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
    frequencies = sorted((db.execute(count, (quoted(word),)).fetchone()[0], word) for word in words)
    return " OR ".join(quoted(word) for number, word in [pair for pair in frequencies if pair[0]][:RAREST] if number)
