"""Filters as SQL over the papers `p` of the library and their shelf entries `s`. They select the same papers as
`cache.conditions.filters`. Text from a person or a model is always bound, never SQL."""

import json
import re
import sqlite3
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from cache.conditions.content import has_keyword, quoted
from cache.conditions.filters import TEXT, Filter, FilterTerm
from cache.conditions.names import folded, is_by, parts_of_name
from cache.conditions.table import RETRACTED, TAGS, is_tag, text_of
from cache.conditions.values import Clause, Words
from cache.conditions.venue_names import is_at
from cache.errors import CacheError
from cache.sql import facts
from cache.store import Store


class FilterClause(NamedTuple):
    """An SQL condition and its named values."""

    sql: str
    values: dict[str, str | int]


def prepare(store: Store, filters: Filter) -> None:
    """Complete the index of keywords if `filters` needs it; the library builds it on first use."""
    if any(term.condition == "about" for term in filters.each):
        with suppress(CacheError):  # search a read-only library with the keywords that it has
            facts.complete(store)


def clause(filters: Filter, db: sqlite3.Connection, indexed: bool = False) -> FilterClause:
    """Return `filters` as a condition for a query on `db`, and register the SQL functions that it calls.

    With `indexed`, plain words match through the full-text index with any ending, and words and phrases search the
    title, abstract, authors and venue. `in:fulltext` searches full texts for both: words with any ending, phrases word
    by word.
    """
    for name, arity, function in (("has_text", 8, _has_text), ("is_by", 2, _is_by), ("is_at", 2, is_at),
                                  ("is_tag", 2, is_tag), ("has_keyword", 2, has_keyword),
                                  ("has_phrase", 2, _has_phrase)):  # fmt: skip
        db.create_function(name, arity, function, deterministic=True)
    conditions, values = ["TRUE"], dict[str, str | int]()
    for index, term in enumerate(filters.terms):
        sql, bound = _clause(term, indexed, filters.in_full_texts)
        names = {f"filter{index}_{nth}": value for nth, value in enumerate(bound)}
        conditions.append(sql.format(*(f":{name}" for name in names)))
        values |= names
    return FilterClause(" AND ".join(conditions), values)


def _clause(term: FilterTerm, indexed: bool, in_full_texts: bool) -> Clause:
    if term.condition != TEXT:
        return term.clause
    words = (words for words in term.values if isinstance(words, Words))
    return term.of_any([_of_words(each, indexed, in_full_texts) for each in words])


def _of_words(words: Words, indexed: bool, in_full_texts: bool) -> Clause:
    if in_full_texts:
        match = on_pages(words)
        return Clause(f"p.id IN (SELECT t.paper {PAGES} WHERE {match.sql})", match.values) if match else Clause("0")
    if indexed and not words.exact and has_word(words.text):
        return Clause("p.id IN (SELECT rowid FROM papers_fts WHERE papers_fts MATCH {})", [quoted(words.text)])
    more = "NULL, NULL, 0, p.abstract" if indexed else f"p.year, {TAGS}, {RETRACTED}, ''"
    return Clause(f"has_text(p.title, p.authors, p.venue, {more}, {{}})", [folded(words.text)])


PAGES = "FROM page_texts_fts f JOIN page_texts g ON g.id = f.rowid JOIN full_texts t ON t.id = g.full_text"
"""FROM clause: the pages `g` of the full texts `t`, with their index `f`."""


def on_pages(words: Words) -> Clause | None:
    """Return the condition that a page contains `words`; None if there is nothing to search for."""
    if not has_word(words.text):
        return None
    phrase = " AND has_phrase(g.text, {})" if words.exact else ""
    return Clause(f"page_texts_fts MATCH {{}}{phrase}", [quoted(words.text), *([words.text] if words.exact else [])])


def has_word(text: str) -> bool:
    """Whether the full-text index can match `text`: it has a letter or a digit."""
    return any(map(str.isalnum, text))


def _has_text(title: str, authors: str, venue: str, year: int | None, tags: str | None, retracted: int, about: str,
              word: str) -> bool:  # fmt: skip
    return word in _text(title, authors, venue, year, tags, retracted, about)


@lru_cache(maxsize=2)  # SQLite checks one paper against each word
def _text(title: str, authors: str, venue: str, year: int | None, tags: str | None, retracted: int, about: str) -> str:
    return text_of(title, json.loads(authors), venue, year, (tags or "").split("\n"), bool(retracted), about)


def _is_by(authors: str, name: str) -> bool:
    names = _folded(authors)
    parts = parts_of_name(name) if names.isascii() else ()
    for part in parts or ("",):
        if part in names:
            return is_by(json.loads(authors), name)
    return False


_folded = lru_cache(maxsize=20_000)(folded)


def _has_phrase(text: str, phrase: str) -> bool:
    return f" {plain_words(phrase)} " in f" {plain_words(text)} "


def plain_words(text: str) -> str:
    """Return the words of `text`, folded and separated by single spaces."""
    return " ".join(_WORD.findall(folded(text)))


_WORD = re.compile(r"[^\W_]+")
