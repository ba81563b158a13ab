"""The shelf: the person's saved papers, with tags, a note, a rating, the date of reading, and file paths. Changes
here are also stored in the reading history (`cache.reading_history`)."""

import json
import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any, Literal, NamedTuple

from cache import citation_keys, papers
from cache.conditions import sql
from cache.conditions.filters import Filter, ShelvedPaper, states_of
from cache.conditions.names import folded
from cache.conditions.orders import Sortable, short_names
from cache.conditions.table import (
    ABSTRACT,
    CITED,
    ET_AL,
    OPEN,
    RETRACTED,
    STYLED_TITLE,
    TYPE,
    CheckedPaper,
    is_tag,
    text_of,
)
from cache.errors import NotOnShelf as NotOnShelf
from cache.originals import choose, keep_imported
from cache.paper_json import STORED, from_columns
from cache.readable_rows import json_lists, json_object, readable, readable_object
from cache.reading_history import Feedback as Feedback
from cache.reading_history import add_interactions, note_feedback
from cache.shelf_texts import DETAIL_CAP, DETAILS, NOTE_CAP, TAG_CAP, plain_note
from cache.store import PaperId, Store
from cache.timestamps import parsed, stamp, utc_now
from connectors.isbn import isbns
from connectors.paper import Paper
from connectors.records.clean import clean_text

NO_FILTER = Filter()


@dataclass(frozen=True, slots=True)
class Shelved:
    """A saved paper with everything the person has added.

    `files` are paths, the preferred one first; `key` is the citation key.

    `details` are the bibliography's data on the printed form, by the names in `DETAILS`; they override the paper's own
    imprint, which comes from sources.
    """

    number: int
    paper: Paper
    saved: datetime
    read: datetime | None
    rating: Feedback
    tags: tuple[str, ...]
    note: str
    files: tuple[str, ...]
    key: str | None
    details: Mapping[str, str] = field(default_factory=dict)


class ImportedData(NamedTuple):
    """The data of a bibliography entry that is not in the paper's record, in the parts of `Shelved`. `chosen` are those
    of its files that spar may open without asking."""

    tags: Sequence[str]
    note: str
    files: Sequence[str]
    details: Mapping[str, str]
    chosen: Sequence[str] = ()


class ShelfRow(NamedTuple):
    """A saved paper for lists, read without its record, so that 100,000 take about a second."""

    number: int
    title: str
    authors: tuple[str, ...]
    year: int | None
    venue: str
    saved: str
    read: bool
    rating: Feedback
    tags: tuple[str, ...]
    noted: bool
    retracted: bool = False
    et_al: bool = False
    free: bool = False
    citations: int | None = None
    first_seen: str = ""
    """When the library first had the paper."""
    date: str = ""
    type: str = "other"
    abstract: bool = False
    read_on: str = ""
    key: str = ""
    styled_title: str = ""
    filed: bool = False
    """Whether the paper has a file."""

    @property
    def subject(self) -> CheckedPaper:
        """The data that filters check."""
        text = text_of(self.title, self.authors, self.venue, self.year, self.tags, self.retracted)
        states = states_of(saved=True, read=self.read, rating=self.rating, noted=self.noted, filed=self.filed,
                           free=self.free, retracted=self.retracted, abstract=self.abstract)  # fmt: skip
        return CheckedPaper(text, self.date, self.citations, self.venue, self.authors, self.et_al, self.type, self.tags,
                       self.saved[:10], states)  # fmt: skip

    @property
    def sortable(self) -> Sortable:
        """The sort keys."""
        names = folded(short_names(self.authors, self.et_al))
        return Sortable(folded(self.title), names or None, self.date or None, self.citations, self.rating,
                        (self.saved, self.number), self.first_seen, folded(self.venue) or None, self.read_on or None,
                        folded(self.key) or None, tuple(map(folded, self.tags)) or None,
                        self.filed + self.free)  # fmt: skip


def save(
    store: Store, papers_found: Iterable[Paper], tags: Sequence[str] = (), now: datetime | None = None
) -> list[PaperId]:
    """Save papers, adding them to the library; return their numbers, in order. Saving again adds the tags. Commits
    every some hundred papers, or within the caller's transaction. Raises `CacheError`."""
    when = now or utc_now()
    records, saved = iter(papers_found), list[tuple[PaperId, Paper]]()
    while batch := list(islice(records, papers.BATCH)):
        with store.writing():
            numbers = papers.remember(store, batch, when)
            put(store, numbers, tags, when)
        saved += zip(numbers, batch, strict=True)
    # A later batch may have merged two works of earlier ones.
    with store.reading() as db:
        return [
            number if _is_there(db, number) else papers.number_of(store, paper) or number for number, paper in saved
        ]


def put(store: Store, numbers: Iterable[int], tags: Sequence[str] = (), now: datetime | None = None) -> None:
    """Save papers of the library. Raises `CacheError`."""
    words = ImportedData(tags, "", (), {})
    put_imported(store, [(number, words) for number in dict.fromkeys(numbers)], now)


def put_imported(store: Store, entries: Iterable[tuple[int, ImportedData]], now: datetime | None = None) -> None:
    """Like `put`, adding to each paper the data of its bibliography entry: nothing is lost and nothing duplicated."""
    existing, words, tags = dict[int, _Words](), dict[int, _Words](), list[tuple[int, str]]()
    notes, openable = list[tuple[int, str]](), list[str]()
    with store.writing() as db:
        for number, entry in entries:
            notes += [(number, plain_note(entry.note))] if entry.note else []
            openable += entry.chosen
            if number not in words and (row := db.execute(_WORDS_OF, (number,)).fetchone()):
                existing[number] = words[number] = row
            words[number] = _beside(words.get(number, _NO_WORDS), entry)
            tags += [(number, tag) for tag in _cleaned(entry.tags)]
        _put(
            db,
            {number: entry_words for number, entry_words in words.items() if number not in existing},
            now or utc_now(),
        )
        db.executemany(
            "UPDATE shelf SET note = ?, pdf = ?, details = ? WHERE paper = ?",
            [(*words[number], number) for number, before in existing.items() if words[number] != before],
        )
        _add_tags(db, tags)
        keep_imported(db, notes)
        choose(db, openable)


def unsave(store: Store, numbers: Sequence[int], now: datetime | None = None) -> int:
    """Remove saved papers, with their tags and notes; return how many were saved. They keep their citation keys and
    imported entries, which are there again when the papers are saved again."""
    with store.writing() as db:
        saved = [number for number in dict.fromkeys(numbers) if _is_there(db, number)]
        for number in saved:
            db.execute("DELETE FROM shelf WHERE paper = ?", (number,))
            db.execute("DELETE FROM tags WHERE paper = ?", (number,))
        add_interactions(db, saved, "unsaved", now or utc_now())
    return len(saved)


def shelved(store: Store, number: int) -> Shelved | None:
    """Return the saved paper of this number; None if it is not on the shelf."""
    return next(iter(_whole(store, "s.paper = :number", {"number": number})), None)


def entries(store: Store, numbers: Sequence[int]) -> list[Shelved]:
    """Return the saved papers of these numbers, in order."""
    condition = "s.paper IN (SELECT value FROM json_each(:numbers))"
    by_number = {entry.number: entry for entry in _whole(store, condition, {"numbers": json.dumps([*numbers])})}
    return [by_number[number] for number in numbers if number in by_number]


def kept(store: Store) -> dict[PaperId, ShelvedPaper]:
    """Return the data of each saved paper that filters use."""
    with store.reading() as db:
        tagged = _tags(db)
        rows = db.execute(
            "SELECT paper, read IS NOT NULL, saved, rating, note != '', pdf IS NOT NULL FROM shelf"
        ).fetchall()
    return {
        number: ShelvedPaper(bool(read), tagged.get(number, ()), saved, rating, bool(has_note), bool(filed))
        for number, read, saved, rating, has_note, filed in rows
    }


def shelf(store: Store, *, tag: str | None = None, unread: bool = False) -> list[Shelved]:
    """Return the saved papers, last saved first: all, those with a tag, or the unread ones."""
    return _whole(store, _CHOSEN, {"tag": tag, "unread": unread})


def rows(store: Store, *, tag: str | None = None, unread: bool = False, filters: Filter = NO_FILTER) -> list[ShelfRow]:
    """Like `shelf`, with only the data for lists, and only papers that match `filters`."""
    sql.prepare(store, filters)
    with store.reading() as db:
        tagged, filtered = _tags(db), sql.clause(filters, db)
        cursor = db.execute(
            "SELECT s.paper, CAST(p.title AS TEXT), p.authors, p.year, CAST(p.venue AS TEXT), CAST(s.saved AS TEXT),"
            " CAST(s.read AS TEXT), s.rating, s.note != '', s.pdf IS NOT NULL,"
            f" {RETRACTED}, {ET_AL}, {OPEN}, {CITED}, CAST(p.first_seen AS TEXT), CAST(p.date AS TEXT), {TYPE},"
            f" {ABSTRACT}, {STYLED_TITLE}"
            f" FROM shelf s JOIN papers p ON p.id = s.paper WHERE {_CHOSEN} AND {filtered.sql} {_NEWEST_FIRST}",
            {"tag": tag, "unread": unread, **filtered.values},
        ).fetchall()
        keys = citation_keys.own_keys(db)
    try:  # parsing all lists together is twice as fast as one by one
        authors = json_lists([row[2] for row in cursor])
    except (ValueError, TypeError):
        pairs = readable("papers", cursor, lambda row: (row, json_lists([row[2]])))
        cursor, authors = [row for row, _ in pairs], [names for _, [names] in pairs]
    return [
        ShelfRow(number, title, tuple(names), year, venue, saved, bool(read), rating, tagged.get(number, ()),
                 bool(note), bool(retracted), bool(more), bool(free), citations, first_seen, date or "",
                 kind.partition('"')[0], bool(abstract), read or "", keys.get(number, ""), styled or "", bool(filed))
        for (number, title, _, year, venue, saved, read, rating, note, filed, retracted, more, free, citations,
             first_seen, date, kind, abstract, styled), names
        in zip(cursor, authors, strict=True)
    ]  # fmt: skip


def acts_of_shelf(store: Store) -> list[tuple[PaperId, str, datetime]]:
    """Return the interactions that the shelf itself proves, even if the reading history was forgotten: saved, noted,
    liked or disliked, read. Those without a date of their own get the date of saving."""
    rows = store.rows("SELECT paper, saved, read, rating, note != '' FROM shelf")

    def acts_of(row: Sequence[Any]) -> list[tuple[PaperId, str, datetime]]:
        number, saved, read, rating, has_note = row
        at = parsed(saved)
        moments = {"saved": at, "noted": has_note and at, "liked": rating > 0 and at, "disliked": rating < 0 and at}
        interactions_dated = [(number, act, when) for act, when in moments.items() if when]
        return [*interactions_dated, (number, "read", parsed(read))] if read else interactions_dated

    return [act for group in readable("shelf", rows, acts_of) for act in group]


def tags_of(store: Store, numbers: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """Return the tags of papers; () for one that is not saved."""
    with store.reading() as db:
        tagged = _tags(db, numbers)
        return {number: tagged.get(number, ()) for number in numbers}


def read_among(store: Store, numbers: Sequence[int]) -> frozenset[PaperId]:
    """Return the papers of `numbers` that are saved and read."""
    read = frozenset(number for (number,) in store.rows("SELECT paper FROM shelf WHERE read IS NOT NULL"))
    return read.intersection(numbers)


def numbers_on_shelf(store: Store) -> frozenset[PaperId]:
    """Return the numbers of all saved papers."""
    return frozenset(number for (number,) in store.rows("SELECT paper FROM shelf"))


def tag(store: Store, number: int, tags: Sequence[str]) -> None:
    """Add tags to a saved paper; tags ignore case. Raises `NotOnShelf`."""
    with _changing(store, number) as db:
        _add_tags(db, [(number, tag) for tag in _cleaned(tags)])


def untag(store: Store, number: int, tags: Sequence[str]) -> None:
    """Remove tags from a saved paper. Raises `NotOnShelf`."""
    with _changing(store, number) as db:
        db.executemany("DELETE FROM tags WHERE paper = ? AND tag = ?", [(number, tag) for tag in _cleaned(tags)])


def tags(store: Store) -> list[tuple[str, int]]:
    """Return all tags in alphabetical order, each with its number of saved papers."""
    return store.rows("SELECT min(tag), count(*) FROM tags GROUP BY tag ORDER BY tag")


def set_note(store: Store, number: int, text: str) -> None:
    """Replace the note on a saved paper; an empty text erases it. Raises `NotOnShelf`."""
    _set(store, number, "note", plain_note(text))


def edited_note(now: str, before: str, text: str) -> str:
    """Return the new note for `text`, which the person made of the note `before`: below the note of `now` if that was
    changed meanwhile."""
    return f"{now}\n\n{text}" if now not in ("", plain_note(before), plain_note(text)) else text


def mark_read(store: Store, number: int, read: bool, now: datetime | None = None) -> None:
    """Mark a saved paper as read or not read; the first date of reading is kept. Raises `NotOnShelf`."""
    when = now or utc_now()
    with _changing(store, number) as db:
        if not read:
            db.execute("UPDATE shelf SET read = NULL WHERE paper = ?", (number,))
        elif db.execute("UPDATE shelf SET read = ? WHERE paper = ? AND read IS NULL", (stamp(when), number)).rowcount:
            add_interactions(db, [number], "read", when)


def rate(store: Store, number: int, rating: Feedback, now: datetime | None = None, run: str | None = None) -> None:
    """Rate a saved paper as liked (1), disliked (-1) or neither (0), in `run`. Raises `NotOnShelf`."""
    with _changing(store, number) as db:
        db.execute("UPDATE shelf SET rating = ? WHERE paper = ?", (rating, number))
        note_feedback(store, number, rating, run, now)


def set_files(store: Store, number: int, paths: Sequence[str], others: Sequence[str] = ()) -> None:
    """Replace the files of a saved paper, without duplicates. Raises `NotOnShelf`.

    The person chose `paths`; `others` were already known and keep their status. Paths with control characters are
    ignored.
    """
    with store.writing() as db:
        _set(store, number, "pdf", _lines([*paths, *others]))
        choose(db, paths)


def books_with(store: Store, isbn: str) -> list[Shelved]:
    """Return the saved books with this 13-digit ISBN, in either form."""
    saved_papers = _whole(store, "s.details LIKE :told", {"told": '%"isbn"%'})
    return [
        saved_paper
        for saved_paper in saved_papers
        if saved_paper.paper.type == "book" and isbn in isbns(str(saved_paper.details.get("isbn", "")))
    ]


_Words = tuple[str, str | None, str]
"""The person's and bibliographies' data on a saved paper: the columns `note`, `pdf` and `details`."""
_NOTHING = "{}"
_NO_WORDS: _Words = ("", None, _NOTHING)
_WORDS_OF = "SELECT CAST(note AS TEXT), CAST(pdf AS TEXT), CAST(details AS TEXT) FROM shelf WHERE paper = ?"


def _beside(existing: _Words, entry: ImportedData) -> _Words:
    note, files, details = existing
    if entry.note and entry.note not in note:
        note = "\n\n".join(filter(None, (note, plain_note(entry.note))))[:NOTE_CAP].rstrip()
    if more := _lines(entry.files):
        files = "\n".join(dict.fromkeys(f"{files}\n{more}".split("\n"))) if files else more
    return note, files, _more_details(details, entry.details) if entry.details else details


def _lines(paths: Iterable[str]) -> str | None:
    """Return the paths as the column has them, one per line; usable paths contain no line break."""
    usable = [
        path for path in paths if path and not any(unicodedata.category(letter) in ("Cc", "Cs") for letter in path)
    ]
    return "\n".join(dict.fromkeys(usable)) or None


def _more_details(existing: str, details: Mapping[str, str]) -> str:
    fresh = {name: text for name in DETAILS if name in details and (text := clean_text(details[name], DETAIL_CAP))}
    return _ENCODER.encode(readable_object(existing) | fresh if existing != _NOTHING else fresh)


_ENCODER = json.JSONEncoder(ensure_ascii=False)
_CHOSEN = (
    "(:tag IS NULL OR EXISTS (SELECT 1 FROM tags t WHERE t.paper = s.paper AND is_tag(t.tag, :tag)))"
    " AND (NOT :unread OR s.read IS NULL)"
)
_NEWEST_FIRST = "ORDER BY s.saved DESC, s.paper DESC"


def _whole(store: Store, where: str, values: dict[str, int | str | bool | None]) -> list[Shelved]:
    with store.reading() as db:
        db.create_function("is_tag", 2, is_tag, deterministic=True)
        rows = db.execute(
            f"SELECT s.paper, {STORED}, s.saved, s.read, s.rating, s.note, s.pdf, s.details"
            f" FROM shelf s JOIN papers p ON p.id = s.paper WHERE {where} {_NEWEST_FIRST}",
            values,
        ).fetchall()
        tagged = _tags(db, [row[0] for row in rows])
    keys = citation_keys.keys_of(store, [row[0] for row in rows])

    def entry_of(row: Sequence[Any]) -> Shelved:
        number, title, abstract, record, saved, read, rating, note, files, details = row
        paths = tuple(files.split("\n")) if files else ()
        paper = from_columns(title, abstract, record)
        return Shelved(number, paper, parsed(saved), parsed(read) if read else None, rating,
                       tagged.get(number, ()), note, paths, keys.get(number), json_object(details))  # fmt: skip

    return readable("shelf", rows, entry_of)


def _tags(db: sqlite3.Connection, numbers: Sequence[int] | None = None) -> dict[int, tuple[str, ...]]:
    """Return the tags of these papers; of all if `numbers` is None."""
    by_paper: dict[int, tuple[str, ...]] = {}
    condition = "" if numbers is None else "WHERE paper IN (SELECT value FROM json_each(?))"
    rows = db.execute(f"SELECT paper, tag FROM tags {condition}", () if numbers is None else (json.dumps([*numbers]),))
    for paper, tag in readable("tags", rows, tuple):
        by_paper[paper] = (*by_paper.get(paper, ()), tag)
    return by_paper


@contextmanager
def _changing(store: Store, number: int) -> Iterator[sqlite3.Connection]:
    """A transaction on a saved paper. Raises `NotOnShelf`."""
    with store.writing() as db:
        if not _is_there(db, number):
            raise NotOnShelf(next((paper.id for paper in papers.by_ids(store, [number])), number))
        yield db


def _set(store: Store, number: int, column: Literal["note", "pdf"], value: str | None) -> None:
    with _changing(store, number) as db:
        db.execute(f"UPDATE shelf SET {column} = ? WHERE paper = ?", (value, number))


def _is_there(db: sqlite3.Connection, number: int) -> bool:
    return db.execute("SELECT 1 FROM shelf WHERE paper = ?", (number,)).fetchone() is not None


def _put(db: sqlite3.Connection, papers: Mapping[int, _Words], now: datetime) -> None:
    """Save papers that are not saved yet, with their data."""
    db.executemany(
        "INSERT INTO shelf (paper, saved, note, pdf, details) VALUES (?, ?, ?, ?, ?)",
        [(number, stamp(now), *words) for number, words in papers.items()],
    )
    add_interactions(db, papers, "saved", now)


def _add_tags(db: sqlite3.Connection, tags: Iterable[tuple[int, str]]) -> None:
    db.executemany("INSERT OR IGNORE INTO tags (paper, tag) VALUES (?, ?)", tags)


def _cleaned(tags: Sequence[str]) -> list[str]:
    return [text for tag in tags if (text := clean_text(tag, TAG_CAP))]
