"""Hard conditions on the papers of the library: each holds or it does not (InteRecAgent §3.1, hard conditions).

All of them are bound as values: nothing that a person or a model writes is ever SQL or FTS5 syntax.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from cache.store import PaperId, Store

NEAR = 8
"""Words that may stand between those of a phrase: "rewriting of the user's query" is about query rewriting."""

Order = Literal["citations", "newest", "oldest", "title"]
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What papers must be like; what is None or empty is no condition.

    `words` are phrases that must all stand in the title or in what is known of the content, their words near each other
    in any order, whatever their endings; of `any_words` one must, none of `without` may. `authors` must all have
    written it, by their family names; `venues`, `types` and `tags` are alternatives, the last on the shelf. Dates are
    inclusive, as precise as they are given. `open_access` means that a PDF is known that is free to read.
    """

    words: tuple[str, ...] = ()
    any_words: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    title_words: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    venues: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    min_citations: int | None = None
    max_citations: int | None = None
    types: tuple[str, ...] = ()
    open_access: bool | None = None
    retracted: bool | None = None
    has_abstract: bool | None = None
    saved: bool | None = None
    read: bool | None = None
    noted: bool | None = None
    rating: int | None = None
    tags: tuple[str, ...] = ()


def matching(store: Store, conditions: Conditions, among: Sequence[PaperId] | None = None) -> list[PaperId]:
    """The papers that meet all `conditions`: those of `among` in their order, else of the whole library the most
    relevant to the words first, or the last found where there are none. Raises `CacheError`."""
    clauses, values = _clauses(conditions)
    sought = _sought((*conditions.words, *conditions.title_words, *conditions.any_words))
    sql = f"SELECT p.id FROM papers p LEFT JOIN shelf s ON s.paper = p.id WHERE {' AND '.join(clauses) or 'TRUE'}"
    with store.reading() as db:
        found = [number for (number,) in db.execute(f"{sql} ORDER BY p.id DESC", values)]
        if among is not None:
            there = set(found)
            return [number for number in among if number in there]
        if not sought:
            return found
        ranked = "SELECT rowid FROM papers_fts WHERE papers_fts MATCH ? AND rank MATCH 'bm25(4, 1, 2, 1)' ORDER BY rank"
        place = {number: place for place, (number,) in enumerate(db.execute(ranked, (sought,)))}
    return sorted(found, key=lambda number: place.get(number, len(place)))


_ORDERS = {
    "citations": "coalesce(json_extract(p.record, '$.citation_count'), -1) DESC, p.id",
    "newest": "coalesce(p.date, '') DESC, p.id",
    "oldest": "coalesce(p.date, '9999'), p.id",
    "title": "p.title COLLATE NOCASE, p.id",
}


def ordered(store: Store, numbers: Sequence[PaperId], by: Order) -> list[PaperId]:
    """The papers of these numbers in another order, those of which nothing is known for it at the end; one that the
    library does not have any more is left out. Raises `CacheError`."""
    there = set(numbers)
    with store.reading() as db:
        found = db.execute(f"SELECT p.id FROM papers p ORDER BY {_ORDERS[by]}")
        return [number for (number,) in found if number in there]


def uncounted(store: Store, numbers: Sequence[PaperId]) -> int:
    """Of how many of these papers it is not known how often they were cited. Raises `CacheError`."""
    there = set(numbers)
    with store.reading() as db:
        found = db.execute("SELECT id FROM papers WHERE json_extract(record, '$.citation_count') IS NULL")
        return sum(number in there for (number,) in found)


def _clauses(wanted: Conditions) -> tuple[list[str], dict[str, Any]]:
    """What SQL has to hold, and the values that it names."""
    clauses: list[str] = []
    values: dict[str, Any] = {}

    def hold(clause: str, value: object) -> None:
        name = f"v{len(values)}"
        values[name] = value
        clauses.append(clause.replace("?", f":{name}"))

    content = "p.id IN (SELECT rowid FROM papers_fts WHERE papers_fts MATCH ?)"
    for phrase in filter(_words, wanted.words):
        hold(content, f"{{title abstract}} : {_near(phrase)}")
    for phrase in filter(_words, wanted.title_words):
        hold(content, f"{{title}} : {_near(phrase)}")
    if some := [_near(phrase) for phrase in wanted.any_words if _words(phrase)]:
        hold(content, f"{{title abstract}} : ({' OR '.join(some)})")
    if none := [_near(phrase) for phrase in wanted.without if _words(phrase)]:
        hold(f"NOT {content}", f"{{title abstract}} : ({' OR '.join(none)})")
    for name in filter(_words, wanted.authors):
        hold(content, f"{{authors}} : {_phrase(name)}")
    if names := [_phrase(name) for name in wanted.venues if _words(name)]:
        hold(content, f"{{venue}} : ({' OR '.join(names)})")
    if wanted.since is not None:
        hold("p.date >= substr(?, 1, length(p.date))", wanted.since)
    if wanted.until is not None:
        hold("substr(p.date, 1, length(?)) <= ?", wanted.until)
    cited = "coalesce(json_extract(p.record, '$.citation_count'), -1)"
    if wanted.min_citations is not None:
        hold(f"{cited} >= ?", wanted.min_citations)
    if wanted.max_citations is not None:
        hold(f"{cited} BETWEEN 0 AND ?", wanted.max_citations)
    if wanted.types:
        kinds = " OR ".join("coalesce(json_extract(p.record, '$.type'), 'other') = ?" for _ in wanted.types)
        for number, kind in enumerate(wanted.types):
            values[f"t{number}"] = kind
            kinds = kinds.replace("= ?", f"= :t{number}", 1)
        clauses.append(f"({kinds})")
    if wanted.rating is not None:
        hold("s.rating = ?", wanted.rating)
    if wanted.tags:
        places = ", ".join(f":g{number}" for number, _ in enumerate(wanted.tags))
        values |= {f"g{number}": tag for number, tag in enumerate(wanted.tags)}
        clauses.append(f"s.paper IS NOT NULL AND p.id IN (SELECT paper FROM tags WHERE tag IN ({places}))")
    clauses += [
        clause if asked else f"NOT ({clause})"
        for asked, clause in (
            (wanted.open_access, "json_extract(p.record, '$.pdf') IS NOT NULL"),
            (wanted.retracted, "coalesce(json_extract(p.record, '$.retracted'), 0)"),
            (wanted.has_abstract, "json_extract(p.record, '$.abstract') IS NOT NULL"),
            (wanted.saved, "s.paper IS NOT NULL"),
            (wanted.noted, "coalesce(s.note, '') != ''"),
        )
        if asked is not None
    ]
    if wanted.read is not None:  # of a paper that is not saved nobody has said whether it was read
        clauses.append(f"s.paper IS NOT NULL AND s.read IS {'NOT NULL' if wanted.read else 'NULL'}")
    return clauses, values


def _words(text: str) -> list[str]:
    return _WORD.findall(text[:300])[:12]


def _quoted(word: str) -> str:
    return f'"{word}"'


def _near(phrase: str) -> str:
    """The words of `phrase`, near each other in any order."""
    words = [_quoted(word) for word in _words(phrase)]
    return words[0] if len(words) == 1 else f"NEAR({' '.join(words)}, {NEAR})"


def _phrase(name: str) -> str:
    """The words of a name, one behind the other."""
    return " + ".join(map(_quoted, _words(name)))


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
    return any([word.casefold() for word in _words(venue)][: len(wanted)] == wanted for venue in venues)
