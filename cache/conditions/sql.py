"""A filter as SQL over the papers `p` of the library and their entries `s` on the shelf; it chooses the papers that
`cache.conditions.subjects` does. Nothing that a person or a model writes is ever SQL: all of it is bound."""

import json
import re
import sqlite3
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from cache.conditions.content import Clause, has_keyword, quoted
from cache.conditions.filters import TEXT, Filter, FilterTerm
from cache.conditions.names import folded, is_by, parts_of_name
from cache.conditions.table import RETRACTED, TAGS, is_tag, text_of
from cache.conditions.values import Words
from cache.conditions.venue_names import is_at
from cache.errors import CacheError
from cache.sql import facts
from cache.store import Store


class FilterClause(NamedTuple):
    """A condition, and what its names stand for."""

    sql: str
    values: dict[str, str | int]


def prepare(store: Store, wanted: Filter) -> None:
    """Make what `wanted` looks at: the keywords of papers are kept apart, and are made when they are first needed."""
    if wanted.of("about"):
        with suppress(CacheError):  # a library that cannot be written now is looked through as it is
            facts.complete(store)


def clause(wanted: Filter, db: sqlite3.Connection, indexed: bool = False) -> FilterClause:
    """`wanted` as a condition for a query on `db`, which is given the functions that it calls.

    With `indexed`, plain words are found as the full-text index finds them, whatever their endings, and words and
    phrases are looked for in title, content, authors and venue. `in:fulltext` looks for both in full texts: words
    whatever their endings, phrases word by word."""
    for name, arity, function in (("has_text", 8, _has_text), ("is_by", 2, _is_by), ("is_at", 2, is_at),
                                  ("is_tag", 2, is_tag), ("has_keyword", 2, has_keyword),
                                  ("has_phrase", 2, _has_phrase)):  # fmt: skip
        db.create_function(name, arity, function, deterministic=True)
    conditions, values = ["TRUE"], dict[str, str | int]()
    for place, term in enumerate(wanted.terms):
        alternatives = []
        for number, (sql, bound) in enumerate(_clauses(term, indexed, wanted.in_full_texts)):
            names = {f"filter{place}_{number}_{nth}": value for nth, value in enumerate(bound)}
            alternatives.append(f"coalesce({sql.format(*(f':{name}' for name in names))}, 0)")
            values |= names
        conditions.append(f"{'NOT ' * term.negated}({' OR '.join(alternatives)})")
    return FilterClause(" AND ".join(conditions), values)


def _clauses(term: FilterTerm, indexed: bool, in_full_texts: bool) -> list[Clause]:
    if term.condition == TEXT:
        return [_of_words(words, indexed, in_full_texts) for words in term.values if isinstance(words, Words)]
    return [term.row.sql(value) for value in term.values or ("",)]


def _of_words(words: Words, indexed: bool, in_full_texts: bool) -> Clause:
    if in_full_texts:
        match = on_pages(words)
        return Clause(f"p.id IN (SELECT t.paper {PAGES} WHERE {match.sql})", match.values) if match else Clause("0")
    if indexed and not words.exact and has_word(words.text):
        return Clause("p.id IN (SELECT rowid FROM papers_fts WHERE papers_fts MATCH {})", [quoted(words.text)])
    more = "NULL, NULL, 0, p.abstract" if indexed else f"p.year, {TAGS}, {RETRACTED}, ''"
    return Clause(f"has_text(p.title, p.authors, p.venue, {more}, {{}})", [folded(words.text)])


PAGES = "FROM page_texts_fts f JOIN page_texts g ON g.id = f.rowid JOIN full_texts t ON t.id = g.full_text"
"""The pages of full texts, each with its text."""


def on_pages(words: Words) -> Clause | None:
    """On which pages words stand; None if they are nothing that can be looked for."""
    if not has_word(words.text):
        return None
    phrase = " AND has_phrase(g.text, {})" if words.exact else ""
    return Clause(f"page_texts_fts MATCH {{}}{phrase}", [quoted(words.text), *([words.text] if words.exact else [])])


def has_word(text: str) -> bool:
    """Whether the full-text index can find `text`."""
    return any(map(str.isalnum, text))


def _has_text(title: str, authors: str, venue: str, year: int | None, tags: str | None, retracted: int, about: str,
              word: str) -> bool:  # fmt: skip
    return word in _text(title, authors, venue, year, tags, retracted, about)


@lru_cache(maxsize=2)  # one paper is asked for each word
def _text(title: str, authors: str, venue: str, year: int | None, tags: str | None, retracted: int, about: str) -> str:
    return text_of(title, json.loads(authors), venue, year, (tags or "").split("\n"), bool(retracted), about)


def _is_by(authors: str, name: str) -> bool:
    names = folded(authors)
    return any(part in names for part in parts_of_name(name) or ("",)) and is_by(json.loads(authors), name)


def _has_phrase(text: str, phrase: str) -> bool:
    return f" {plain_words(phrase)} " in f" {plain_words(text)} "


def plain_words(text: str) -> str:
    """The words of `text`, folded, without the signs between them."""
    return " ".join(_WORD.findall(folded(text)))


_WORD = re.compile(r"[^\W_]+")
