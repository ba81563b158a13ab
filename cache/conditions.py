"""Hard conditions on the papers of the library: each holds or it does not (InteRecAgent §3.1, hard conditions).

All of them are bound as values: nothing that a person or a model writes is ever SQL or FTS5 syntax.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import Any, Literal

from cache.errors import CacheError
from cache.sql import facts
from cache.store import PaperId, Store

NEAR = 8
"""Words that may stand between those of a phrase: "rewriting of the user's query" is about query rewriting."""

Order = Literal["citations", "fewest_citations", "newest", "oldest", "title", "last_saved", "first_saved"]
_WORD = re.compile(r"[^\W_]+")
_ENDING = re.compile(r"(?:(?<=[^s])s|es|ed|ing|e|y|ies|al|ally)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What papers must be like; what is None or empty is no condition.

    `words` are phrases that must all stand in the title, in what is known of the content or in a keyword, their words
    near each other in any order, whatever their endings; of `any_words` one must, none of `without` may. `authors` must
    all have written it, of `any_authors` one, by their family names; `venues`, `types` and `tags` are alternatives, the
    last on the shelf. Dates are inclusive, as precise as they are given. What begins with `without` must not be so: no
    author, venue, type, tag or year of those; a paper of which it is not known has no such, but one without a date
    meets no condition on it. `open_access` means that a PDF is known that is free to read. `saved_since` and
    `saved_until` are days on which papers were put on the shelf. A paper whose authors are not all known meets no
    `max_authors`.
    """

    words: tuple[str, ...] = ()
    any_words: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    title_words: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    any_authors: tuple[str, ...] = ()
    venues: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    min_citations: int | None = None
    max_citations: int | None = None
    min_authors: int | None = None
    max_authors: int | None = None
    types: tuple[str, ...] = ()
    open_access: bool | None = None
    retracted: bool | None = None
    has_abstract: bool | None = None
    saved: bool | None = None
    read: bool | None = None
    noted: bool | None = None
    saved_since: str | None = None
    saved_until: str | None = None
    rating: int | None = None
    without_rating: int | None = None
    tags: tuple[str, ...] = ()
    without_authors: tuple[str, ...] = ()
    without_venues: tuple[str, ...] = ()
    without_types: tuple[str, ...] = ()
    without_tags: tuple[str, ...] = ()
    without_years: tuple[str, ...] = ()


def matching(store: Store, conditions: Conditions, among: Sequence[PaperId] | None = None) -> list[PaperId]:
    """The papers that meet all `conditions`: those of `among` in their order, else of the whole library the most
    relevant to the words first, or the last found where there are none. Raises `CacheError`."""
    clauses, values = _clauses(conditions)
    sought = _sought((*conditions.words, *conditions.title_words, *conditions.any_words))
    if conditions.words or conditions.any_words or conditions.without:
        with suppress(CacheError):  # a library that cannot be written now is looked up as it is
            facts.complete(store)
    sql = f"SELECT p.id FROM papers p LEFT JOIN shelf s ON s.paper = p.id WHERE {' AND '.join(clauses) or 'TRUE'}"
    with store.reading() as db:
        db.create_function("is_by", 2, is_by, deterministic=True)
        db.create_function("is_at", 2, is_at, deterministic=True)
        db.create_function("has_keyword", 2, has_keyword, deterministic=True)
        found = [number for (number,) in db.execute(f"{sql} ORDER BY p.id DESC", values)]
        if among is not None:
            there = set(found)
            return [number for number in among if number in there]
        if not sought:
            return found
        ranked = "SELECT rowid FROM papers_fts WHERE papers_fts MATCH ? AND rank MATCH 'bm25(4, 1, 2, 1)' ORDER BY rank"
        place = {number: place for place, (number,) in enumerate(db.execute(ranked, (sought,)))}
    return sorted(found, key=lambda number: place.get(number, len(place)))


def perhaps_outside(store: Store, conditions: Conditions, found: Sequence[PaperId]) -> int:
    """How many of the papers that meet `conditions` may have appeared before or after the time they ask for: what is
    known of their dates is a year or a month that goes beyond it."""
    if max(map(len, (conditions.since or "", conditions.until or ""))) <= len("2020"):
        return 0  # every known date has a year
    since, until = _first_day(conditions.since or "0000"), _last_day(conditions.until or "9999")
    with store.reading() as db:
        coarse = dict(db.execute("SELECT id, date FROM papers WHERE length(date) < 10"))
    dates = (date for number in found if (date := coarse.get(number)))
    return sum(_first_day(date) < since or _last_day(date) > until for date in dates)


def _first_day(date: str) -> str:
    return f"{date}-01-01"[:10]  # of a month only its first "-01" is within


def _last_day(date: str) -> str:
    return f"{date}{'-12-31'[len(date) - 4 :]}"


_ORDERS = {
    "citations": "coalesce(json_extract(p.record, '$.citation_count'), -1) DESC, p.id",
    "fewest_citations": "json_extract(p.record, '$.citation_count') IS NULL,"
    " json_extract(p.record, '$.citation_count'), p.id",
    "newest": "coalesce(p.date, '') DESC, p.id",
    "oldest": "coalesce(p.date, '9999'), p.id",
    "title": "p.title COLLATE NOCASE, p.id",
    "last_saved": "coalesce(s.saved, '') DESC, p.id",
    "first_saved": "s.saved IS NULL, s.saved, p.id",
}


def ordered(store: Store, numbers: Sequence[PaperId], by: Order) -> list[PaperId]:
    """The papers of these numbers in another order, those of which nothing is known for it at the end; one that the
    library does not have any more is left out. Raises `CacheError`."""
    there = set(numbers)
    with store.reading() as db:
        found = db.execute(f"SELECT p.id FROM papers p LEFT JOIN shelf s ON s.paper = p.id ORDER BY {_ORDERS[by]}")
        return [number for (number,) in found if number in there]


def uncounted(store: Store, numbers: Sequence[PaperId]) -> int:
    """Of how many of these papers it is not known how often they were cited. Raises `CacheError`."""
    there = set(numbers)
    with store.reading() as db:
        found = db.execute("SELECT id FROM papers WHERE json_extract(record, '$.citation_count') IS NULL")
        return sum(number in there for (number,) in found)


def _words(text: str) -> list[str]:
    return _WORD.findall(text[:300])[:12]


def _quoted(word: str) -> str:
    return f'"{word}"'


def _near(phrase: str) -> str:
    """The words of `phrase`, near each other in any order, in either number."""
    forms = [[_quoted(word) for word in words] for words in in_either_number(_words(phrase))]
    told = [words[0] if len(words) == 1 else f"NEAR({' '.join(words)}, {NEAR})" for words in forms]
    return told[0] if len(told) == 1 else f"({' OR '.join(told)})"


def in_either_number(words: Sequence[str]) -> list[list[str]]:
    """Words, and the same with those of Greek in the other number, which their stems do not join: "analyses" and
    "analysis"."""
    others = [_GREEK.sub(lambda found: found[1] + _OTHER_NUMBER[found[2].lower()], word) for word in words]
    return [list(words)] if others == list(words) else [list(words), others]


_GREEK = re.compile(r"(naly|othe|nthe|agno|ogno)(sis|ses)$", re.IGNORECASE)
"""Analysis, hypothesis, synthesis, diagnosis, prognosis; "bases" and "oases" are other words as well."""
_OTHER_NUMBER = {"sis": "ses", "ses": "sis"}


def _phrase(name: str) -> str:
    """The words of a name, one behind the other."""
    return " + ".join(map(_quoted, _words(name)))


_CONTENT = "p.id IN (SELECT rowid FROM papers_fts WHERE papers_fts MATCH ?)"
_BY = f"{_CONTENT} AND is_by(p.authors, ?)"
_AT = f"{_CONTENT} AND is_at(p.venue, ?)"
"""The full-text index finds by the stems of words: "Nature" is in "Natural Language" too. So names are looked at."""
_WITH_KEYWORD = "p.id IN (SELECT paper FROM paper_facts WHERE {})"
_KEYED = "((keywords LIKE ? OR keywords GLOB '*[^ -~]*') AND has_keyword(keywords, ?))"
"""Accents are taken away in Python alone."""
_CITED = "coalesce(json_extract(p.record, '$.citation_count'), -1)"
_MORE_AUTHORS = "coalesce(json_extract(p.record, '$.et_al'), 0)"
_TYPE = "coalesce(json_extract(p.record, '$.type'), 'other')"
_TAGGED = "p.id IN (SELECT paper FROM tags WHERE tag IN (?))"
_SAVED = "s.paper IS NOT NULL"

Clause = tuple[str, Sequence[str | int]]
"""SQL, and the values that stand for its `?`: each for one, but a list within `IN (?)` for all."""


def _each(column: str, form: Callable[[str], str]) -> Callable[[Sequence[str]], list[Clause]]:
    """All of the phrases must stand in `column`."""
    return lambda phrases: [(_CONTENT, [f"{{{column}}} : {form(one)}"]) for one in phrases if _words(one)]


def _any(column: str, form: Callable[[str], str]) -> Callable[[Sequence[str]], list[Clause]]:
    """One of the phrases must stand in `column`."""

    def clauses(phrases: Sequence[str]) -> list[Clause]:
        told = " OR ".join(form(one) for one in phrases if _words(one))
        return [(_CONTENT, [f"{{{column}}} : ({told})"])] if told else []

    return clauses


def _named(column: str, name: str) -> list[str | int]:
    return [f"{{{column}}} : {_phrase(name)}", name]


def _by(name: str) -> list[str | int]:
    """Found by the last word, the family name: a first name may be short for that of the record, or an initial."""
    return [f"{{authors}} : {_phrase(_words(name)[-1])}", name]


def _by_one(names: Sequence[str]) -> Clause:
    """One of the authors."""
    told = [name for name in names if _words(name)]
    return f"({' OR '.join([_BY] * len(told))})", [value for name in told for value in _by(name)]


def _at(names: Sequence[str]) -> Clause:
    """One of the venues."""
    told = [name for name in names if _words(name)]
    return f"({' OR '.join([_AT] * len(told))})", [value for name in told for value in _named("venue", name)]


def is_by(authors: str, name: str) -> bool:
    """Whether one of `authors`, full names as JSON, is called `name`: by the family name, which stands last, whole."""
    wanted = _folded(name)
    return any(_is_called(_folded(author), wanted) for author in json.loads(authors or "[]"))


def _is_called(author: list[str], wanted: list[str]) -> bool:
    if author[-len(wanted) :] == wanted:
        return True
    return len(wanted) > 1 and author[-1:] == wanted[-1:] and author[0].startswith(wanted[0])


def is_at(venue: str, name: str) -> bool:
    """Whether the words of `name` stand in `venue`, one behind the other. A single word that is no abbreviation has to
    be all of it: *Nature Methods* is not *Nature*. A workshop at a conference is not that conference. An article before
    the name is none of its words."""
    wanted, bare = _folded(name), _IN_BRACKETS.sub(" ", venue or "")
    wanted = wanted[wanted[:1] == ["the"] and len(wanted) > 1 :]
    if len(wanted) == 1 and not _is_abbreviated(bare, wanted[0]):
        return [word for word in _folded(bare) if word not in _BESIDE and not word.isdigit()] == wanted
    called = _folded(venue or "")
    if "workshop" in called[:1] and "workshop" not in wanted and "at" in called:
        called = called[: called.index("at")]
    return f" {' '.join(wanted)} " in f" {' '.join(called)} "


_IN_BRACKETS = re.compile(r"\([^()]*\)")
_BESIDE = frozenset({"the", "proceedings", "of"})
"""Words beside the name of a venue: "The Lancet"."""


def _is_abbreviated(venue: str, word: str) -> bool:
    """Whether `venue` writes `word` with a capital behind its first letter: NeurIPS, ACL, arXiv."""
    return any(_folded(one) == [word] and any(map(str.isupper, one[1:])) for one in _words(venue))


def has_keyword(keywords: str, phrase: str) -> bool:
    """Whether one of `keywords`, which `; ` stands between, has all words of `phrase`, whatever their endings."""
    wanted = set(map(_stem, _folded(phrase)))
    return any(wanted <= set(map(_stem, _folded(keyword))) for keyword in keywords.split("; "))


def _stem(word: str) -> str:
    """The word without the commonest endings."""
    found = _ENDING.sub("", word)
    return found if len(found) > 2 else word


def _folded(text: str) -> list[str]:
    """The words in small letters without accents."""
    bare = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))
    return _WORD.findall(bare.casefold())


def _in(expression: str) -> Callable[[Sequence[str]], list[Clause]]:
    return lambda values: [(expression, values)]


def _not(of: Callable[[Sequence[str]], list[Clause]]) -> Callable[[Sequence[str]], list[Clause]]:
    return lambda values: [(f"NOT {sql}", told) for sql, told in of(values)]


def _value(sql: str) -> Callable[[str | int], list[Clause]]:
    return lambda value: [(sql, [value])]


def _flag(sql: str) -> Callable[[bool], list[Clause]]:
    return lambda asked: [(sql if asked else f"NOT ({sql})", [])]


def _about(phrases: Sequence[str]) -> list[Clause]:
    """One of the phrases must stand in the title, in the content, or in a keyword."""
    told = [one for one in phrases if _words(one)]
    keyed = " OR ".join([_KEYED] * len(told))
    looked_up = [value for one in told for value in (f"%{_stem(max(_folded(one), key=len))}%", one)]
    [(sql, values)] = _any("title abstract", _near)(told) or [("", [])]
    return [(f"({sql} OR {_WITH_KEYWORD.format(keyed)})", [*values, *looked_up])] if told else []


_CLAUSES: Mapping[str, Callable[[Any], list[Clause]]] = {
    "words": lambda phrases: [clause for one in phrases for clause in _about([one])],
    "title_words": _each("title", _near),
    "any_words": _about,
    "without": _not(_about),
    "authors": lambda names: [(_BY, _by(name)) for name in names if _words(name)],
    "any_authors": lambda names: [_by_one(names)] if any(map(_words, names)) else [],
    "without_authors": lambda names: [(f"NOT ({_BY})", _by(name)) for name in names if _words(name)],
    "venues": lambda names: [_at(names)] if any(map(_words, names)) else [],
    "without_venues": lambda names: [(f"NOT ({_AT})", _named("venue", name)) for name in names if _words(name)],
    "since": _value("p.date >= substr(?, 1, length(p.date))"),
    "until": lambda day: [(f"substr(p.date, 1, {len(day)}) <= ?", [day])],
    "without_years": _in("substr(p.date, 1, 4) NOT IN (?)"),
    "min_citations": _value(f"{_CITED} >= ?"),
    "max_citations": _value(f"{_CITED} BETWEEN 0 AND ?"),
    "min_authors": _value("json_array_length(p.authors) >= ?"),
    "max_authors": _value(f"json_array_length(p.authors) BETWEEN 1 AND ? AND NOT {_MORE_AUTHORS}"),
    "types": _in(f"{_TYPE} IN (?)"),
    "without_types": _in(f"{_TYPE} NOT IN (?)"),
    "open_access": _flag("json_extract(p.record, '$.pdf') IS NOT NULL"),
    "retracted": _flag("coalesce(json_extract(p.record, '$.retracted'), 0)"),
    "has_abstract": _flag("json_extract(p.record, '$.abstract') IS NOT NULL"),
    "saved": _flag(_SAVED),
    "saved_since": _value("substr(s.saved, 1, 10) >= ?"),
    "saved_until": lambda day: [(f"substr(s.saved, 1, {len(day)}) <= ?", [day])],
    "noted": _flag("coalesce(s.note, '') != ''"),
    # Of a paper that is not saved nobody has said whether it was read.
    "read": lambda read: [(f"{_SAVED} AND s.read IS {'NOT NULL' if read else 'NULL'}", [])],
    "rating": _value("s.rating = ?"),
    "without_rating": _value("coalesce(s.rating, 0) != ?"),
    "tags": _in(f"{_SAVED} AND {_TAGGED}"),
    "without_tags": _in(f"NOT {_TAGGED}"),
}
"""Each condition as SQL over the papers `p` and their shelf entries `s`."""


def _clauses(wanted: Conditions) -> tuple[list[str], list[str | int]]:
    """What SQL has to hold, and the values that it names, in their order."""
    clauses: list[str] = []
    values: list[str | int] = []
    for field in fields(wanted):
        told = getattr(wanted, field.name)
        if told is None or told == ():
            continue
        for sql, bound in _CLAUSES[field.name](told):
            clauses.append(sql.replace("(?)", f"({', '.join('?' * len(bound))})") if "IN (?)" in sql else sql)
            values += bound
    return clauses, values


def _sought(phrases: Sequence[str]) -> str:
    """The FTS5 expression that papers are ordered by, empty if there are no words."""
    return " OR ".join(dict.fromkeys(_quoted(word) for phrase in phrases for word in _words(phrase)))


def is_venue(store: Store, name: str) -> bool:
    """Whether a paper of the library appeared at a venue that is called just `name`, or whose name begins with it.
    Raises `CacheError`."""
    words = _words(name)
    if not words:
        return False
    sql = "SELECT p.venue FROM papers_fts f JOIN papers p ON p.id = f.rowid WHERE papers_fts MATCH ? LIMIT 200"
    with store.reading() as db:
        venues = {venue for (venue,) in db.execute(sql, (f"{{venue}} : {_phrase(name)}",))}
    wanted = [word.casefold() for word in words]
    called = [[word.casefold() for word in _words(venue)] for venue in venues]
    return any(wanted in (one[: len(wanted)], one[1 : len(wanted) + 1] if one[:1] == ["the"] else []) for one in called)
