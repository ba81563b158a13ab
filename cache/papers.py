"""Papers in the library: each work once, merged from all its records.

A number belongs to one work forever and is not reused. If a new record shows that two works are one, the older number
stays, and all references to the younger are moved to it.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

from cache.errors import UnreadableRow
from cache.paper_json import STORED, from_columns, from_json, to_record
from cache.paper_rows import referring
from cache.readable_rows import readable, readable_object, values_in
from cache.store import PaperId, Store
from cache.timestamps import stamp, utc_now
from connectors.identifiers import Identifier, Scheme, closed
from connectors.paper import Paper
from connectors.records.matching import SIMILAR_TITLE, first_author, same_work, similar_keys, title_key
from connectors.records.merging import merge


def join_on_shelf(db: sqlite3.Connection, duplicate: int, survivor: int) -> None:
    """Merge the shelf entry of `duplicate` into that of `survivor`, if both are saved. The note and files of
    `duplicate` are appended; the earlier dates win; for everything else the kept paper's value wins."""
    sql = (
        "SELECT CAST(saved AS TEXT), CAST(read AS TEXT), rating, CAST(note AS TEXT), CAST(pdf AS TEXT),"
        " CAST(details AS TEXT) FROM shelf WHERE paper = ?"
    )
    mine, other = (db.execute(sql, (number,)).fetchone() for number in (survivor, duplicate))
    if mine is None or other is None:
        return  # the row of `gone`, if any, is repointed like every row that refers to it
    read = min(filter(None, (mine[1], other[1])), default=None)
    details = json.dumps(readable_object(other[5]) | readable_object(mine[5]), ensure_ascii=False)
    files = (
        "\n".join(dict.fromkeys(path for lines in (mine[4], other[4]) if lines for path in lines.split("\n"))) or None
    )
    columns = (min(mine[0], other[0]), read, mine[2] or other[2], _both(mine[3], other[3]), files, details)
    db.execute(
        "UPDATE shelf SET saved = ?, read = ?, rating = ?, note = ?, pdf = ?, details = ? WHERE paper = ?",
        (*columns, survivor),
    )


def _both(first: str, second: str) -> str:
    if not second or second in first:
        return first
    return second if first in second else f"{first}\n\n{second}"


BATCH = 200
"""Papers per transaction, so that a second writer waits only some tenths of a second."""

_ENCODER = json.JSONEncoder(ensure_ascii=False)
_LENGTH_PLAY = 1 + 2 * (100 - SIMILAR_TITLE) / SIMILAR_TITLE
"""Maximum ratio of the lengths of two titles that are similar enough."""


def remember(store: Store, papers: Iterable[Paper], now: datetime | None = None) -> list[PaperId]:
    """Store `papers`, merging each into its work in the library; return their numbers, in the same order. Commits
    every `BATCH` papers, or within the caller's transaction. Raises `CacheError`."""
    timestamp = stamp(now or utc_now())
    records = iter(papers)
    numbers: list[PaperId] = []
    merged_into: dict[PaperId, PaperId] = {}
    while batch := list(islice(records, BATCH)):
        with store.writing() as db:
            numbers += [_remember(db, paper, timestamp, merged_into) for paper in batch]
    return [_last(number, merged_into) for number in numbers]


def any_known(store: Store) -> bool:
    """Whether the library has any paper."""
    return store.row("SELECT 1 FROM papers LIMIT 1") is not None


def find(store: Store, names: Sequence[Identifier]) -> Paper | None:
    """Return the paper with the first of `names` that the library has; None if it has none of them. A DOI of arXiv also
    stands for the arXiv id."""
    with store.reading() as db:
        for number in _bearers(db, [*names, *closed(names)]):
            return _paper(db, number)
    return None


def by_ids(store: Store, numbers: Sequence[int]) -> list[Paper]:
    """Return the papers of these numbers, in order, skipping unused numbers."""
    with store.reading() as db:
        return [paper for number in numbers if (paper := _paper(db, number))]


def numbered(store: Store, numbers: Iterable[int]) -> dict[int, Paper]:
    """Return the papers of these numbers, in order, skipping unused numbers and damaged rows."""
    with store.reading() as db:
        return {number: paper for number in numbers if (paper := _paper(db, number))}


def by_id(store: Store, number: int) -> Paper:
    """Return the paper of a number that is in use. Raises `UnreadableRow` if a cell of its row is damaged."""
    for paper in by_ids(store, [number]):
        return paper
    raise UnreadableRow("papers", str(number))


def number_of(store: Store, paper: Paper) -> PaperId | None:
    """Return the number of the work of which `paper` is a record, if the library has it."""
    with store.reading() as db:
        return next(iter(_same_works(db, paper, _digest(paper))), None)


def numbers_of(store: Store, papers: Sequence[Paper]) -> list[PaperId | None]:
    """Return `number_of` each of `papers`. For speed, papers that share no record, identifier or first author with
    the library are skipped."""
    authors, digests = list(map(first_author, papers)), list(map(_digest, papers))
    with store.reading() as db:
        records = values_in(db, "SELECT record FROM tellings WHERE record IN", digests)
        known_authors = values_in(db, "SELECT first_author FROM papers WHERE first_author IN", authors)
        merged = values_in(db, "SELECT first_author FROM merges WHERE first_author IN", authors)
        return [
            next(iter(_same_works(db, paper, digest)), None)
            if digest in records
            or _bearers(db, paper.identifiers)
            or author in merged
            or (author in known_authors and _alike(db, paper))
            else None
            for paper, author, digest in zip(papers, authors, digests, strict=True)
        ]


def bearers(store: Store, names: Sequence[Identifier]) -> list[PaperId]:
    """Return the works with one of the identifiers `names`."""
    with store.reading() as db:
        return _bearers(db, names)


def in_use(store: Store, names: Iterable[Identifier]) -> set[Identifier]:
    """Return the identifiers among `names` that works have."""
    by_scheme: dict[Scheme, list[str]] = {}
    for name in names:
        by_scheme.setdefault(name.scheme, []).append(name.value)
    with store.reading() as db:
        return {
            Identifier(scheme, str(value))
            for scheme, values in by_scheme.items()
            for value in values_in(db, f"SELECT value FROM identifiers WHERE scheme = '{scheme}' AND value IN", values)
        }


def last_number(store: Store) -> int:
    """Return the largest number of a work; 0 if there is none."""
    return int(store.row("SELECT coalesce(max(id), 0) FROM papers")[0])


class TitledWork(NamedTuple):
    """The words that identify a work: its first author (`family_key`) and `title_key`, and whether it has a
    bibliography entry."""

    number: PaperId
    first_author: str
    key: str
    listed: bool


def titled(store: Store, *, first_author: str = "", after: int = 0) -> list[TitledWork]:
    """Return the works by `first_author`, or all with a number above `after`."""
    columns = "id, first_author, CAST(title_key AS TEXT), EXISTS (SELECT 1 FROM originals WHERE paper = papers.id)"
    condition, value = ("first_author = ?", first_author) if first_author else ("id > ?", after)
    rows = store.rows(f"SELECT {columns} FROM papers WHERE {condition} ORDER BY id", (value,))
    return [TitledWork(PaperId(number), name, key, bool(has_entry)) for number, name, key, has_entry in rows]


def remember_as(store: Store, paper: Paper, number: PaperId | None, now: datetime | None = None) -> PaperId:
    """Store `paper` as a record of work `number`, or as a new work (None), as the caller has decided."""
    timestamp = stamp(now or utc_now())
    with store.writing() as db:
        stored = _paper(db, number) if number is not None else None
        if number is not None and stored is not None:
            _become(db, number, stored, merge(stored, paper), timestamp)
        else:
            number = _insert(db, paper, timestamp)
        db.execute("INSERT OR IGNORE INTO tellings (record, paper) VALUES (?, ?)", (_digest(paper), number))
        return number


def correct(store: Store, number: PaperId, paper: Paper, now: datetime | None = None) -> None:
    """Replace all data of work `number` by `paper`."""
    with store.writing() as db:
        db.execute("DELETE FROM identifiers WHERE paper = ?", (number,))
        _update(db, number, paper, stamp(now or utc_now()))
        _add_names(db, number, paper)


def first_seen_after(store: Store, moment: datetime) -> set[PaperId]:
    """Return the papers added to the library after `moment`."""
    return {PaperId(paper) for (paper,) in store.rows("SELECT id FROM papers WHERE first_seen > ?", (stamp(moment),))}


def link(store: Store, citing: Sequence[Paper], cited: Sequence[Paper]) -> None:
    """Store that each of `citing` cites each of `cited`, adding new papers. A paper without identifiers cannot be
    cited."""
    with store.writing() as db:
        numbers = remember(store, [*citing, *cited])
        papers = [paper for number in numbers[len(citing) :] if (paper := _paper(db, number))]
        names = [paper.identifiers[0] for paper in papers if paper.identifiers]
        for number in numbers[: len(citing)]:
            _add_links(db, number, names)


def cited_names(store: Store, number: int) -> tuple[Identifier, ...]:
    """Return the identifiers of the works that paper `number` cites, by its record or by a list of links."""
    rows = store.rows("SELECT scheme, value FROM citation_links WHERE citing = ?", (number,))
    return tuple(Identifier(*name) for name in rows)


def references_of(store: Store, number: int) -> list[Paper]:
    """Return the library's papers that paper `number` cites."""
    return _linked(
        store,
        "SELECT DISTINCT i.paper FROM citation_links l JOIN identifiers i USING (scheme, value)"
        " WHERE l.citing = ?1 AND i.paper != ?1 ORDER BY i.paper",
        number,
    )


def links_among(store: Store, numbers: Iterable[int]) -> list[tuple[PaperId, PaperId]]:
    """Return the citations among the papers of these numbers: pairs of the citing and the cited paper, in order."""
    papers = frozenset(numbers)
    sql = (
        "SELECT DISTINCT l.citing, i.paper FROM citation_links l JOIN identifiers i USING (scheme, value)"
        " WHERE i.paper != l.citing ORDER BY 1, 2"
    )
    return [(citing, cited) for citing, cited in store.rows(sql) if citing in papers and cited in papers]


def citing(store: Store, number: int) -> list[Paper]:
    """Return the library's papers that cite paper `number`, newest first."""
    return _linked(
        store,
        "SELECT DISTINCT l.citing FROM identifiers i JOIN citation_links l USING (scheme, value)"
        " WHERE i.paper = ?1 AND l.citing != ?1 ORDER BY l.citing DESC",
        number,
    )


def _linked(store: Store, sql: str, number: int) -> list[Paper]:
    with store.reading() as db:
        return [paper for (other,) in db.execute(sql, (number,)).fetchall() if (paper := _paper(db, other))]


def _remember(db: sqlite3.Connection, paper: Paper, timestamp: str, merged_into: dict[PaperId, PaperId]) -> PaperId:
    """Return the number of the work; add to `merged_into` the works that `paper` shows to be one."""
    digest = _digest(paper)
    works = _same_works(db, paper, digest)
    number = _grow(db, works, paper, timestamp, merged_into) if works else _insert(db, paper, timestamp)
    db.execute("INSERT OR IGNORE INTO tellings (record, paper) VALUES (?, ?)", (digest, number))
    return number


def _grow(
    db: sqlite3.Connection,
    works: dict[PaperId, Paper],
    paper: Paper,
    timestamp: str,
    merged_into: dict[PaperId, PaperId],
) -> PaperId:
    """Merge `paper` into the oldest of `works`, together with the others that are the same work; return its number."""
    (number, stored), *others = works.items()
    merged = merge(stored, paper)
    for other, duplicate in others:
        if not same_work(merged, duplicate) or _are_entries(db, number, other):
            continue  # their identifiers differ, so `paper`, which has none, can be either
        merged = merge(merged, duplicate)
        repoint(db, other, number)
        merged_into[other] = number
    _become(db, number, stored, merged, timestamp)
    return number


def venues(store: Store) -> list[str]:
    """Return every venue name in the library."""
    return [venue for (venue,) in store.rows("SELECT DISTINCT CAST(venue AS TEXT) FROM papers WHERE venue != ''")]


def _are_entries(db: sqlite3.Connection, first: PaperId, second: PaperId) -> bool:
    """Whether both works are entries of a person's bibliographies: only an import or the person may merge them."""
    sql = "SELECT count(DISTINCT paper) FROM originals WHERE paper IN (?, ?)"
    return bool(db.execute(sql, (first, second)).fetchone()[0] == 2)


def _become(db: sqlite3.Connection, number: PaperId, stored: Paper, merged: Paper, timestamp: str) -> None:
    if merged == stored:
        db.execute("UPDATE papers SET last_seen = max(last_seen, ?) WHERE id = ?", (timestamp, number))
    else:
        _update(db, number, merged, timestamp)
        _add_names(db, number, merged)


def _same_works(db: sqlite3.Connection, paper: Paper, digest: bytes) -> dict[PaperId, Paper]:
    """Return the works in the library of which `paper` is a record, oldest first.

    A record seen before belongs to the work it joined then: works grow by their records, and similar years and titles
    can lead far from the first.
    """
    twins = _twins(db, paper)
    if exact := next((number for number, stored in twins.items() if stored == paper), None):
        return {exact: paper}
    for (number,) in db.execute("SELECT paper FROM tellings WHERE record = ?", (digest,)).fetchall():
        return {number: stored} if (stored := _paper(db, number)) else {}
    works = {
        number: stored for number in _candidates(db, paper) if (stored := _paper(db, number)) and _same(stored, paper)
    }
    return works or _merged_by_person(db, paper)


def _merged_by_person(db: sqlite3.Connection, paper: Paper) -> dict[PaperId, Paper]:
    """Return the work into which the person merged a work of which `paper` is a record (`cache.merges`)."""
    sql = "SELECT paper, record FROM merges WHERE first_author = ? ORDER BY paper"
    for number, record in db.execute(sql, (first_author(paper),)).fetchall():
        if _same(_merged(record), paper) and (stored := _paper(db, number)):
            return {number: stored}
    return {}


def _twins(db: sqlite3.Connection, paper: Paper) -> dict[PaperId, Paper]:
    """Return the works with exactly this title, year and first author if there are several, such as the volumes of a
    book."""
    rows = db.execute(
        "SELECT id FROM papers WHERE first_author = ? AND length(title_key) = length(?2) AND title_key = ?2"
        " AND year IS ?3",
        (first_author(paper), title_key(paper.title), paper.year),
    ).fetchall()
    return {number: stored for (number,) in rows if len(rows) > 1 and (stored := _paper(db, number))}


def _candidates(db: sqlite3.Connection, paper: Paper) -> list[PaperId]:
    return sorted({*_bearers(db, paper.identifiers), *_alike(db, paper)})


def _same(stored: Paper, paper: Paper) -> bool:
    if same_work(stored, paper):
        return True
    # A record without identifiers is identified by its words, so that it is found again.
    return not (stored.identifiers or paper.identifiers) and _words_of(stored) == _words_of(paper)


def _digest(paper: Paper) -> bytes:
    """Return the digest that identifies `paper`, in 16 bytes."""
    return sha256(repr((paper.identifiers, *_words_of(paper))).encode()).digest()[:16]


def _words_of(paper: Paper) -> tuple[str, int | None, str, str]:
    """Return the title, year, and the first author's family name and initial."""
    initial = paper.authors[0].given[:1].casefold() if paper.authors else ""
    return title_key(paper.title) or paper.title, paper.year, first_author(paper), initial


def _bearers(db: sqlite3.Connection, names: Sequence[Identifier]) -> list[PaperId]:
    sql = "SELECT paper FROM identifiers WHERE scheme = ? AND value = ?"
    return [row[0] for name in names for row in db.execute(sql, name)]


def _alike(db: sqlite3.Connection, paper: Paper) -> list[PaperId]:
    """Return the papers of the same first author with similar titles: all candidates for `same_work`."""
    key = title_key(paper.title)
    rows = db.execute(
        "SELECT id, CAST(title_key AS TEXT) FROM papers WHERE first_author = ? AND length(title_key) BETWEEN ? AND ?"
        " AND (year IS NULL OR ? IS NULL OR abs(year - ?) <= 1)",
        (first_author(paper), int(len(key) / _LENGTH_PLAY), int(len(key) * _LENGTH_PLAY) + 1, paper.year, paper.year),
    )
    return [number for number, other in rows if similar_keys(key, other)]


def _insert(db: sqlite3.Connection, paper: Paper, timestamp: str) -> PaperId:
    cursor = db.execute(
        "INSERT INTO papers (date, year, first_author, title_key, title, venue, authors, abstract, record,"
        " last_seen, first_seen) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*_columns(paper), timestamp, timestamp),
    )
    number = PaperId(cursor.lastrowid or 0)
    _add_names(db, number, paper)
    return number


def _update(db: sqlite3.Connection, number: PaperId, paper: Paper, timestamp: str) -> None:
    db.execute(
        "UPDATE papers SET date = ?, year = ?, first_author = ?, title_key = ?, title = ?, venue = ?, authors = ?,"
        " abstract = ?, record = ?, last_seen = max(last_seen, ?) WHERE id = ?",
        (*_columns(paper), timestamp, number),
    )


def _columns(paper: Paper) -> tuple[str | int | None, ...]:
    authors = _ENCODER.encode([person.name for person in paper.authors])
    # The column `abstract` is the searched text; `cache.paper_json` defines when it is also the quoted abstract.
    words = (paper.title, paper.venue, authors, paper.about)
    return (paper.date, paper.year, first_author(paper), title_key(paper.title), *words, to_record(paper))


def _add_names(db: sqlite3.Connection, number: PaperId, paper: Paper) -> None:
    # An identifier of another work stays there: `same_work` has found that one of the two has it wrongly.
    for name in paper.identifiers:
        db.execute("INSERT OR IGNORE INTO identifiers (scheme, value, paper) VALUES (?, ?, ?)", (*name, number))
    if paper.references:
        _add_links(db, number, paper.references)


def _add_links(db: sqlite3.Connection, number: PaperId, names: Iterable[Identifier]) -> None:
    db.executemany(
        "INSERT OR IGNORE INTO citation_links (citing, scheme, value) VALUES (?, ?, ?)",
        [(number, *name) for name in names],
    )


def repoint(db: sqlite3.Connection, duplicate: PaperId, survivor: PaperId) -> None:
    """Move everything that refers to paper `duplicate`, in any table, to `survivor`; then delete `duplicate`."""
    join_on_shelf(db, duplicate, survivor)
    db.execute("DELETE FROM paper_tokens WHERE paper IN (?, ?)", (duplicate, survivor))  # valid for neither any more
    for table, column in referring(db):
        db.execute(f'UPDATE OR IGNORE "{table}" SET "{column}" = ? WHERE "{column}" = ?', (survivor, duplicate))
    db.execute("DELETE FROM papers WHERE id = ?", (duplicate,))


def _last(number: PaperId, merged_into: dict[PaperId, PaperId]) -> PaperId:
    while number in merged_into:
        number = merged_into[number]
    return number


_read = lru_cache(maxsize=1_000)(from_columns)
"""Papers by the columns of their rows, cached because those of a history are read repeatedly."""
_merged = lru_cache(maxsize=100)(from_json)


def _paper(db: sqlite3.Connection, number: int) -> Paper | None:
    rows = db.execute(f"SELECT p.id, {STORED} FROM papers p WHERE p.id = ?", (number,))
    return next(iter(readable("papers", rows, lambda row: _read(*row[1:]))), None)
