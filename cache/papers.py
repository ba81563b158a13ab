"""Papers in the library: each work once, merged from all that was ever told about it.

The rows are numbered; a number belongs to one work for good and is not used again. Where a new record shows that two
works are one, the older number stays, and everything that pointed to the younger points to it.
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
from cache.readable_rows import readable, readable_object
from cache.store import PaperId, Store
from cache.timestamps import stamp, utc_now
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.records.matching import SIMILAR_TITLE, first_author, same_work, similar_keys, title_key
from connectors.records.merging import merge


def join_on_shelf(db: sqlite3.Connection, gone: int, kept: int) -> None:
    """Give `kept` what the shelf has of `gone`, if both are saved.

    Note and files of `gone` follow the other's; the earlier dates hold; what else both have is the kept paper's.
    """
    sql = (
        "SELECT CAST(saved AS TEXT), CAST(read AS TEXT), rating, CAST(note AS TEXT), CAST(pdf AS TEXT),"
        " CAST(details AS TEXT) FROM shelf WHERE paper = ?"
    )
    mine, other = (db.execute(sql, (number,)).fetchone() for number in (kept, gone))
    if mine is None or other is None:
        return  # the row of `gone`, if any, is handed over like every row that refers to it
    read = min(filter(None, (mine[1], other[1])), default=None)
    details = json.dumps(readable_object(other[5]) | readable_object(mine[5]), ensure_ascii=False)
    files = (
        "\n".join(dict.fromkeys(path for lines in (mine[4], other[4]) if lines for path in lines.split("\n"))) or None
    )
    chosen = (min(mine[0], other[0]), read, mine[2] or other[2], _both(mine[3], other[3]), files, details)
    db.execute(
        "UPDATE shelf SET saved = ?, read = ?, rating = ?, note = ?, pdf = ?, details = ? WHERE paper = ?",
        (*chosen, kept),
    )


def _both(first: str, second: str) -> str:
    if not second or second in first:
        return first
    return second if first in second else f"{first}\n\n{second}"


BATCH = 200
"""Papers per transaction: a second writer gets its turn after some tenths of a second."""

_ENCODER = json.JSONEncoder(ensure_ascii=False)
_LENGTH_PLAY = 1 + 2 * (100 - SIMILAR_TITLE) / SIMILAR_TITLE
"""How many times longer than the other a title can be at most, to be similar enough."""


def remember(store: Store, papers: Iterable[Paper], now: datetime | None = None) -> list[PaperId]:
    """Keep `papers`, each merged into the work that the library has already; their numbers, in the same order.

    Saved in transactions of `BATCH` papers, or within the caller's. Raises `CacheError`.
    """
    seen = stamp(now or utc_now())
    records = iter(papers)
    numbers: list[PaperId] = []
    joined: dict[PaperId, PaperId] = {}
    while batch := list(islice(records, BATCH)):
        with store.writing() as db:
            numbers += [_remember(db, paper, seen, joined) for paper in batch]
    return [_last(number, joined) for number in numbers]


def any_known(store: Store) -> bool:
    """Whether a paper was ever found or imported."""
    with store.reading() as db:
        return db.execute("SELECT 1 FROM papers LIMIT 1").fetchone() is not None


def find(store: Store, names: Sequence[Identifier]) -> Paper | None:
    """The paper that bears one of `names`, the first that is known; None if the library knows none of them."""
    with store.reading() as db:
        for number in _bearers(db, names):
            return _paper(db, number)
    return None


def by_ids(store: Store, numbers: Sequence[int]) -> list[Paper]:
    """The papers of these numbers, in their order; a number that is not used is left out."""
    with store.reading() as db:
        return [paper for number in numbers if (paper := _paper(db, number))]


def numbered(store: Store, numbers: Iterable[int]) -> dict[int, Paper]:
    """The papers of these numbers, in their order; a number that is not used, or whose row is damaged, is left out."""
    with store.reading() as db:
        return {number: paper for number in numbers if (paper := _paper(db, number))}


def by_id(store: Store, number: int) -> Paper:
    """Return the paper of a number that is in use. Raises `UnreadableRow` if a cell of its row is damaged."""
    for paper in by_ids(store, [number]):
        return paper
    raise UnreadableRow("papers", str(number))


def number_of(store: Store, paper: Paper) -> PaperId | None:
    """The number of the work that `paper` is a record of, if the library knows it."""
    with store.reading() as db:
        return next(iter(_same_works(db, paper, _digest(paper))), None)


def numbers_of(store: Store, papers: Sequence[Paper]) -> list[PaperId | None]:
    """What `number_of` says of each of `papers`. One that shares neither its record nor a name nor nearly a title and
    the first author with the library is not in it, and that is soon known of many."""
    authors, digests = list(map(first_author, papers)), list(map(_digest, papers))
    with store.reading() as db:
        records = _found(db, "SELECT record FROM tellings WHERE record IN", digests)
        there = _found(db, "SELECT first_author FROM papers WHERE first_author IN", authors)
        merged = _found(db, "SELECT first_author FROM merges WHERE first_author IN", authors)
        return [
            next(iter(_same_works(db, paper, digest)), None)
            if digest in records
            or _bearers(db, paper.identifiers)
            or author in merged
            or (author in there and _alike(db, paper))
            else None
            for paper, author, digest in zip(papers, authors, digests, strict=True)
        ]


def bearers(store: Store, names: Sequence[Identifier]) -> list[PaperId]:
    """The works that bear one of `names`."""
    with store.reading() as db:
        return _bearers(db, names)


def last_number(store: Store) -> int:
    """The largest number of a work; 0 if there is none."""
    with store.reading() as db:
        return int(db.execute("SELECT coalesce(max(id), 0) FROM papers").fetchone()[0])


class Titled(NamedTuple):
    """What tells a work by its words: its first author (`family_key`), its `title_key`, and whether an entry of a
    bibliography is kept of it."""

    number: PaperId
    first_author: str
    key: str
    listed: bool


def titled(store: Store, *, first_author: str = "", after: int = 0) -> list[Titled]:
    """The works by `first_author`, or all that have a number above `after`."""
    columns = "id, first_author, CAST(title_key AS TEXT), EXISTS (SELECT 1 FROM originals WHERE paper = papers.id)"
    condition, value = ("first_author = ?", first_author) if first_author else ("id > ?", after)
    with store.reading() as db:
        rows = db.execute(f"SELECT {columns} FROM papers WHERE {condition} ORDER BY id", (value,)).fetchall()
    return [Titled(PaperId(number), name, key, bool(listed)) for number, name, key, listed in rows]


def remember_as(store: Store, paper: Paper, number: PaperId | None, now: datetime | None = None) -> PaperId:
    """Keep `paper` as a record of work `number`, or as a work of its own (None), as the caller has decided."""
    seen = stamp(now or utc_now())
    with store.writing() as db:
        stored = _paper(db, number) if number is not None else None
        if number is not None and stored is not None:
            _become(db, number, stored, merge(stored, paper), seen)
        else:
            number = _insert(db, paper, seen)
        db.execute("INSERT OR IGNORE INTO tellings (record, paper) VALUES (?, ?)", (_digest(paper), number))
        return number


def correct(store: Store, number: PaperId, paper: Paper, now: datetime | None = None) -> None:
    """Let `paper` be all that is known of work `number`, whatever was told of it before."""
    with store.writing() as db:
        db.execute("DELETE FROM identifiers WHERE paper = ?", (number,))
        _update(db, number, paper, stamp(now or utc_now()))
        _add_names(db, number, paper)


def first_seen_after(store: Store, moment: datetime) -> set[PaperId]:
    """The papers that came into the library after `moment`."""
    with store.reading() as db:
        return {
            PaperId(paper) for (paper,) in db.execute("SELECT id FROM papers WHERE first_seen > ?", (stamp(moment),))
        }


def link(store: Store, citing: Sequence[Paper], cited: Sequence[Paper]) -> None:
    """Keep that each of `citing` cites each of `cited`; new papers are remembered. A nameless paper cannot be cited."""
    with store.writing() as db:
        numbers = remember(store, [*citing, *cited])
        papers = [paper for number in numbers[len(citing) :] if (paper := _paper(db, number))]
        names = [paper.identifiers[0] for paper in papers if paper.identifiers]
        for number in numbers[: len(citing)]:
            _add_links(db, number, names)


def cited_names(store: Store, number: int) -> tuple[Identifier, ...]:
    """The names of the works that paper `number` is known to cite, by its record or by a list of links."""
    with store.reading() as db:
        rows = db.execute("SELECT scheme, value FROM citation_links WHERE citing = ?", (number,)).fetchall()
    return tuple(Identifier(*name) for name in rows)


def references_of(store: Store, number: int) -> list[Paper]:
    """The papers that paper `number` cites and the library knows."""
    return _linked(
        store,
        "SELECT DISTINCT i.paper FROM citation_links l JOIN identifiers i USING (scheme, value)"
        " WHERE l.citing = ?1 AND i.paper != ?1 ORDER BY i.paper",
        number,
    )


def links_among(store: Store, numbers: Iterable[int]) -> list[tuple[PaperId, PaperId]]:
    """Which of the papers of these numbers cites which: pairs of the citing and the cited one, in order."""
    wanted = frozenset(numbers)
    sql = (
        "SELECT DISTINCT l.citing, i.paper FROM citation_links l JOIN identifiers i USING (scheme, value)"
        " WHERE i.paper != l.citing ORDER BY 1, 2"
    )
    with store.reading() as db:
        return [(citing, cited) for citing, cited in db.execute(sql) if citing in wanted and cited in wanted]


def citing(store: Store, number: int) -> list[Paper]:
    """The papers in the library that cite paper `number`, the last found first."""
    return _linked(
        store,
        "SELECT DISTINCT l.citing FROM identifiers i JOIN citation_links l USING (scheme, value)"
        " WHERE i.paper = ?1 AND l.citing != ?1 ORDER BY l.citing DESC",
        number,
    )


def _linked(store: Store, sql: str, number: int) -> list[Paper]:
    with store.reading() as db:
        return [paper for (other,) in db.execute(sql, (number,)).fetchall() if (paper := _paper(db, other))]


def _remember(db: sqlite3.Connection, paper: Paper, seen: str, joined: dict[PaperId, PaperId]) -> PaperId:
    """The number of the work; `joined` learns of works that `paper` has shown to be one."""
    digest = _digest(paper)
    works = _same_works(db, paper, digest)
    number = _grow(db, works, paper, seen, joined) if works else _insert(db, paper, seen)
    db.execute("INSERT OR IGNORE INTO tellings (record, paper) VALUES (?, ?)", (digest, number))
    return number


def _grow(
    db: sqlite3.Connection, works: dict[PaperId, Paper], paper: Paper, seen: str, joined: dict[PaperId, PaperId]
) -> PaperId:
    """The oldest of the `works` works, with what `paper` tells of it and with the others that are the same work."""
    (number, stored), *others = works.items()
    merged = merge(stored, paper)
    for other, duplicate in others:
        if not same_work(merged, duplicate) or _are_entries(db, number, other):
            continue  # their names say that they are two works, of which `paper`, which has none, can be either
        merged = merge(merged, duplicate)
        repoint(db, other, number)
        joined[other] = number
    _become(db, number, stored, merged, seen)
    return number


def venues(store: Store) -> list[str]:
    """Every name of a venue that a paper in the library has."""
    with store.reading() as db:
        return [venue for (venue,) in db.execute("SELECT DISTINCT CAST(venue AS TEXT) FROM papers WHERE venue != ''")]


def _are_entries(db: sqlite3.Connection, first: PaperId, second: PaperId) -> bool:
    """Whether both works are entries of a person's bibliographies: only an import, or the person, makes them one."""
    sql = "SELECT count(DISTINCT paper) FROM originals WHERE paper IN (?, ?)"
    return bool(db.execute(sql, (first, second)).fetchone()[0] == 2)


def _become(db: sqlite3.Connection, number: PaperId, stored: Paper, merged: Paper, seen: str) -> None:
    if merged == stored:
        db.execute("UPDATE papers SET last_seen = max(last_seen, ?) WHERE id = ?", (seen, number))
    else:
        _update(db, number, merged, seen)
        _add_names(db, number, merged)


def _same_works(db: sqlite3.Connection, paper: Paper, digest: bytes) -> dict[PaperId, Paper]:
    """The works in the library that `paper` is a record of, the oldest first.

    A record that was told before is of the work that it became then: works grow by what is told of them, and years and
    titles that are close enough to each other can lead far from the first.
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
    """The work that the person made out of one that `paper` is a record of (`cache.merges`)."""
    sql = "SELECT paper, record FROM merges WHERE first_author = ? ORDER BY paper"
    for number, record in db.execute(sql, (first_author(paper),)).fetchall():
        if _same(_merged(record), paper) and (stored := _paper(db, number)):
            return {number: stored}
    return {}


def _twins(db: sqlite3.Connection, paper: Paper) -> dict[PaperId, Paper]:
    """The works of this very title and year by this first author if there are several, as volumes of a book are."""
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
    # Without identifiers a record has no other name than its words: asking for it again finds it again.
    return not (stored.identifiers or paper.identifiers) and _words_of(stored) == _words_of(paper)


def _digest(paper: Paper) -> bytes:
    """What `paper` is recognised by, in 16 bytes."""
    return sha256(repr((paper.identifiers, *_words_of(paper))).encode()).digest()[:16]


def _words_of(paper: Paper) -> tuple[str, int | None, str, str]:
    """Title, year, and the first author's family name and initial."""
    given = paper.authors[0].given[:1].casefold() if paper.authors else ""
    return title_key(paper.title) or paper.title, paper.year, first_author(paper), given


def _found(db: sqlite3.Connection, sql: str, values: Iterable[str | bytes]) -> set[str | bytes]:
    """Which of `values` a query that ends with IN finds."""
    distinct = list(dict.fromkeys(values))
    rows: set[str | bytes] = set()
    for start in range(0, len(distinct), BATCH):
        some = distinct[start : start + BATCH]
        rows |= {row[0] for row in db.execute(f"{sql} ({', '.join('?' * len(some))}) GROUP BY 1", some)}
    return rows


def _bearers(db: sqlite3.Connection, names: Sequence[Identifier]) -> list[PaperId]:
    sql = "SELECT paper FROM identifiers WHERE scheme = ? AND value = ?"
    return [row[0] for name in names for row in db.execute(sql, name)]


def _alike(db: sqlite3.Connection, paper: Paper) -> list[PaperId]:
    """Papers of the same first author with titles close enough to be one: all that `same_work` may say yes to."""
    key = title_key(paper.title)
    rows = db.execute(
        "SELECT id, CAST(title_key AS TEXT) FROM papers WHERE first_author = ? AND length(title_key) BETWEEN ? AND ?"
        " AND (year IS NULL OR ? IS NULL OR abs(year - ?) <= 1)",
        (first_author(paper), int(len(key) / _LENGTH_PLAY), int(len(key) * _LENGTH_PLAY) + 1, paper.year, paper.year),
    )
    return [number for number, other in rows if similar_keys(key, other)]


def _insert(db: sqlite3.Connection, paper: Paper, seen: str) -> PaperId:
    cursor = db.execute(
        "INSERT INTO papers (date, year, first_author, title_key, title, venue, authors, abstract, record,"
        " last_seen, first_seen) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*_columns(paper), seen, seen),
    )
    number = PaperId(cursor.lastrowid or 0)
    _add_names(db, number, paper)
    return number


def _update(db: sqlite3.Connection, number: PaperId, paper: Paper, seen: str) -> None:
    db.execute(
        "UPDATE papers SET date = ?, year = ?, first_author = ?, title_key = ?, title = ?, venue = ?, authors = ?,"
        " abstract = ?, record = ?, last_seen = max(last_seen, ?) WHERE id = ?",
        (*_columns(paper), seen, number),
    )


def _columns(paper: Paper) -> tuple[str | int | None, ...]:
    authors = _ENCODER.encode([person.name for person in paper.authors])
    # The column `abstract` is what is searched; `cache.paper_json` says when it is what is shown and quoted as one.
    words = (paper.title, paper.venue, authors, paper.about)
    return (paper.date, paper.year, first_author(paper), title_key(paper.title), *words, to_record(paper))


def _add_names(db: sqlite3.Connection, number: PaperId, paper: Paper) -> None:
    # A name that another work bears stays there: `same_work` has found that one of the two bears it wrongly.
    for name in paper.identifiers:
        db.execute("INSERT OR IGNORE INTO identifiers (scheme, value, paper) VALUES (?, ?, ?)", (*name, number))
    if paper.references:
        _add_links(db, number, paper.references)


def _add_links(db: sqlite3.Connection, number: PaperId, names: Iterable[Identifier]) -> None:
    db.executemany(
        "INSERT OR IGNORE INTO citation_links (citing, scheme, value) VALUES (?, ?, ?)",
        [(number, *name) for name in names],
    )


def repoint(db: sqlite3.Connection, gone: PaperId, kept: PaperId) -> None:
    """Everything that refers to paper `gone`, in whatever table, refers to `kept`; then `gone` is deleted."""
    join_on_shelf(db, gone, kept)
    db.execute("DELETE FROM paper_tokens WHERE paper IN (?, ?)", (gone, kept))  # true of neither any more
    for table, column in referring(db):
        db.execute(f'UPDATE OR IGNORE "{table}" SET "{column}" = ? WHERE "{column}" = ?', (kept, gone))
    db.execute("DELETE FROM papers WHERE id = ?", (gone,))


def _last(number: PaperId, joined: dict[PaperId, PaperId]) -> PaperId:
    while number in joined:
        number = joined[number]
    return number


_read = lru_cache(maxsize=1_000)(from_columns)
"""Papers by the columns of their rows: those of a history are read again and again."""
_merged = lru_cache(maxsize=100)(from_json)


def _paper(db: sqlite3.Connection, number: int) -> Paper | None:
    rows = db.execute(f"SELECT p.id, {STORED} FROM papers p WHERE p.id = ?", (number,))
    return next(iter(readable("papers", rows, lambda row: _read(*row[1:]))), None)
