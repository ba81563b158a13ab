"""A filter as SQL over the papers `p` of the library and their entries `s` on the shelf; it chooses the papers that
`cache.filters.subjects` does. Nothing that a person writes is ever SQL: all of it is bound."""

import json
import re
import sqlite3
from functools import lru_cache
from typing import NamedTuple

from cache.filters.subjects import folded, text_of
from cache.filters.terms import OF_A_SEARCH, Filter, In, Is, Named, Span, State, Test, Words

# Only a key of the record stands so in it: to look for its letters is to read none of the JSON.
CITED = (
    "CASE instr(p.record, '\"citation_count\":') WHEN 0 THEN NULL ELSE"
    " CAST(substr(p.record, instr(p.record, '\"citation_count\":') + 17, 20) AS INTEGER) END"
)
RETRACTED = "instr(p.record, '\"retracted\":true') > 0"
OPEN = 'instr(p.record, \'"pdf":"\') > 0'
_TAGS = "(SELECT group_concat(t.tag, char(10)) FROM tags t WHERE t.paper = p.id)"
_STATES: dict[State, str] = {
    **dict.fromkeys(OF_A_SEARCH, "0"),
    "open": OPEN,
    "retracted": RETRACTED,
    "saved": "s.paper IS NOT NULL",
    "read": "s.read IS NOT NULL",
    "unread": "s.paper IS NOT NULL AND s.read IS NULL",
}


class Clause(NamedTuple):
    """A condition, and what its names stand for."""

    sql: str
    values: dict[str, str | int]


def clause(wanted: Filter, db: sqlite3.Connection, indexed: bool = False) -> Clause:
    """`wanted` as a condition for a query on `db`, which is given the functions that it calls.

    With `indexed`, plain words are found as the full-text index finds them, whatever their endings, and words and
    phrases are looked for in title, content, authors and venue. `In` looks for both in full texts: words whatever their
    endings, phrases word by word."""
    for name, arity, function in (("has_text", 8, _has_text), ("has_name", 2, _has_name), ("is_part", 2, _is_part),
                                  ("begins", 2, _begins), ("has_phrase", 2, _has_phrase)):  # fmt: skip
        db.create_function(name, arity, function, deterministic=True)
    conditions, values = ["TRUE"], dict[str, str | int]()
    for place, term in enumerate(wanted.terms):
        sql, bound = _condition(term.test, indexed, wanted.in_full_texts)
        names = {f"filter{place}_{number}": value for number, value in enumerate(bound)}
        told = f"coalesce({sql.format(*(f':{name}' for name in names))}, 0)"
        conditions.append(f"NOT {told}" if term.negated else told)
        values |= names
    return Clause(" AND ".join(conditions), values)


def _condition(test: Test, indexed: bool, in_full_texts: bool) -> tuple[str, list[str | int]]:
    """The condition with `{}` for each of the values."""
    match test:
        case Words() if in_full_texts:
            match = on_pages(test)
            return (f"p.id IN (SELECT t.paper {PAGES} WHERE {match.sql})", match.values) if match else ("0", [])
        case Words(text, exact):
            if indexed and not exact and has_word(text):
                return "p.id IN (SELECT rowid FROM papers_fts WHERE papers_fts MATCH {})", [quoted(text)]
            more = "NULL, NULL, 0, p.abstract" if indexed else f"p.year, {_TAGS}, {RETRACTED}, ''"
            return f"has_text(p.title, p.authors, p.venue, {more}, {{}})", [folded(text)]
        case Span(field, least, most):
            number = "p.year" if field == "year" else CITED
            bounds = [(sign, bound) for sign, bound in ((">=", least), ("<=", most)) if bound is not None]
            told = " AND ".join(f"({number}) {sign} {{}}" for sign, _ in bounds)
            return f"({told})", [bound for _, bound in bounds]
        case Named("venue", text):
            return "is_part(p.venue, {})", [folded(text)]
        case Named("author", text):
            return "has_name(p.authors, {})", [folded(text)]
        case Named(_, text):
            return "EXISTS (SELECT 1 FROM tags t WHERE t.paper = p.id AND begins(t.tag, {}))", [folded(text)]
        case Is(state):
            return f"({_STATES[state]})", []
        case In():
            return "p.id IN (SELECT t.paper FROM full_texts t WHERE t.told > 0)", []


PAGES = "FROM page_texts_fts f JOIN page_texts g ON g.id = f.rowid JOIN full_texts t ON t.id = g.full_text"
"""The pages of full texts, each with its text."""


class OnPages(NamedTuple):
    """A condition for `PAGES`, with `{}` for each of the values."""

    sql: str
    values: list[str | int]


def on_pages(words: Words) -> OnPages | None:
    """On which pages words stand; None if they are nothing that can be looked for."""
    if not has_word(words.text):
        return None
    phrase = " AND has_phrase(g.text, {})" if words.exact else ""
    return OnPages(f"page_texts_fts MATCH {{}}{phrase}", [quoted(words.text), *([words.text] if words.exact else [])])


def has_word(text: str) -> bool:
    """Whether the full-text index can find `text`."""
    return any(map(str.isalnum, text))


def quoted(text: str) -> str:
    """`text` for the full-text index: its words one behind the other, and nothing of it syntax."""
    return '"' + text.replace('"', '""').replace("\0", " ") + '"'


def _has_text(title: str, authors: str, venue: str, year: int | None, tags: str | None, retracted: int, about: str,
              word: str) -> bool:  # fmt: skip
    return word in _text(title, authors, venue, year, tags, retracted, about)


@lru_cache(maxsize=2)  # one paper is asked for each word
def _text(title: str, authors: str, venue: str, year: int | None, tags: str | None, retracted: int, about: str) -> str:
    return text_of(title, json.loads(authors), venue, year, (tags or "").split("\n"), bool(retracted), about)


def _has_name(authors: str, name: str) -> bool:
    return any(name in folded(author) for author in json.loads(authors))


def _is_part(text: str, part: str) -> bool:
    return part in folded(text)


def _has_phrase(text: str, phrase: str) -> bool:
    return f" {plain_words(phrase)} " in f" {plain_words(text)} "


def plain_words(text: str) -> str:
    """The words of `text`, folded, without the signs between them."""
    return " ".join(_WORD.findall(folded(text)))


_WORD = re.compile(r"[^\W_]+")


def _begins(text: str, beginning: str) -> bool:
    return folded(text).startswith(beginning)
