"""Merge two papers that the person declares to be one, and store both, so that they can be separated again.

The person's decision overrides all rules: later records of the paper that disappeared become records of the one that
remained, however little they share.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from cache import citation_keys, papers
from cache.paper_json import from_json, from_mapping, to_json, whole
from cache.paper_rows import DERIVED, Row, insert, referring, rows_from_json, rows_to_json, rows_where
from cache.reading_history import last_feedback
from cache.store import PaperId, Store
from cache.timestamps import stamp, utc_now
from connectors.paper import Paper
from connectors.records.corrections import corrected, corrected_fields
from connectors.records.matching import first_author
from connectors.records.merging import merge as one_record

_NUMBERS_COME_AGAIN = frozenset({"acts"})
"""Tables whose rows may be deleted, so that their rowids can be reused."""

_Rows = Mapping[str, list[Row]]


class _Reference(NamedTuple):
    """A column that refers to papers, and the other columns of its table's key."""

    table: str
    column: str
    key: tuple[str, ...]


def merge(store: Store, survivor: PaperId, duplicate: PaperId, now: datetime | None = None) -> Paper:
    """Merge paper `duplicate` into `survivor`, which gets the data and the person's opinions of both.

    `survivor` keeps its own citation key, if it has one. Raises `ValueError` if the two are the same or one does not
    exist, and `CacheError`.
    """
    when = now or utc_now()
    with store.writing() as db:
        pair = papers.by_ids(store, [survivor, duplicate])
        if survivor == duplicate or len(pair) != 2:
            raise ValueError(f"{survivor} and {duplicate} are not two papers")
        before = {str(number): _snapshot(db, number) for number in (survivor, duplicate)}
        own_key = citation_keys.keys_of(store, [survivor]).get(survivor)
        papers.repoint(db, duplicate, survivor)
        papers.correct(store, survivor, one_record(*pair), when)
        if own_key:
            citation_keys.choose(store, survivor, own_key)
        if rating := last_feedback(store, survivor):
            db.execute("UPDATE shelf SET rating = ? WHERE paper = ?", (rating, survivor))
        merged = papers.by_id(store, survivor)
        after = _snapshot(db, survivor)["shelf"]
        db.execute(
            "INSERT INTO merges (paper, kept, gone, first_author, record, made, before, after)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (survivor, survivor, duplicate, first_author(pair[1]), to_json(pair[1]), stamp(when),
             rows_to_json(before), rows_to_json({"shelf": after, "record": to_json(merged)})),
        )  # fmt: skip
        return merged


def is_merged(store: Store, paper: PaperId) -> bool:
    """Whether the person merged two papers into this one."""
    return store.row("SELECT 1 FROM merges WHERE paper = ?", (paper,)) is not None


def take_apart(store: Store, paper: PaperId, now: datetime | None = None) -> PaperId | None:
    """Undo the last `merge` into the paper: both are as before, and later changes stay with the paper.

    Return the number of the restored paper; None if the person merged nothing into the paper. Raises `CacheError`.
    """
    with store.writing() as db:
        sql = "SELECT id, kept, gone, before, after FROM merges WHERE paper = ? ORDER BY id DESC LIMIT 1"
        row = db.execute(sql, (paper,)).fetchone()
        if row is None:
            return None
        merge_id, survivor, duplicate, before, after = (
            row[0],
            row[1],
            PaperId(row[2]),
            rows_from_json(row[3]),
            rows_from_json(row[4]),
        )
        own, other = before[str(survivor)], before[str(duplicate)]
        insert(db, "papers", other["papers"][0])
        for reference in _references(db):
            for was in other.get(reference.table, []):
                _give_back(db, reference, was, own.get(reference.table, []), paper)
        _shelve_again(db, paper, own["shelf"], other["shelf"], after["shelf"])
        _restore_record(store, paper, own, other, from_json(after["record"]), paper == survivor, now)
        db.execute("DELETE FROM merges WHERE id = ?", (merge_id,))
        return duplicate


def _restore_record(
    store: Store, paper: PaperId, own: _Rows, other: _Rows, merged: Paper, alone: bool, now: datetime | None
) -> None:
    """Restore the record, keeping the person's later corrections. If another work was merged into the paper
    meanwhile (not `alone`), only remove the identifiers of the restored paper, because no more can be separated."""
    record = papers.by_id(store, paper)
    before, duplicate = (from_mapping(whole(rows["papers"][0])) for rows in (own, other))
    if alone:
        fields = {
            name: (record.identifier("doi") or "") if name == "doi" else getattr(record, name)
            for name in corrected_fields(record)
            if name not in corrected_fields(merged)
        }
        papers.correct(store, paper, corrected(before, fields) if fields else before, now)
        if fields and not own["corrections"]:
            store.write("INSERT OR REPLACE INTO corrections (paper, before) VALUES (?, ?)", (paper, to_json(before)))
    else:
        names = tuple(
            identifier
            for identifier in record.identifiers
            if identifier in before.identifiers or identifier not in duplicate.identifiers
        )
        papers.correct(store, paper, replace(record, identifiers=names), now)


def _give_back(db: sqlite3.Connection, reference: _Reference, was: Row, own: list[Row], paper: PaperId) -> None:
    """Return a row of the restored paper to it."""
    table, column, key = reference
    if any(all(_alike(row[name], was[name]) for name in key) for row in own):
        # Both papers had such a row. The restored paper gets it again unless the person has removed it since.
        same, values = _same(key, was)
        match = db.execute(f'SELECT 1 FROM "{table}" WHERE "{column}" = ?{same}', (paper, *values)).fetchone()
        if match or not key:
            insert(db, table, was)
        return
    same, values = _same([name for name in was if name != column] if table in _NUMBERS_COME_AGAIN else key, was)
    db.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE "{column}" = ?{same}', (was[column], paper, *values))


def _alike(first: object, second: object) -> bool:
    """Whether values are equal in a key; tags and citation keys ignore case."""
    if isinstance(first, str) and isinstance(second, str):
        return first.casefold() == second.casefold()
    return first == second


def _same(names: Iterable[str], row: Row) -> tuple[str, list[Any]]:
    """Return the SQL condition that the columns equal those of `row`, and its values."""
    columns = list(names)
    return "".join(f' AND "{name}" IS ?' for name in columns), [row[name] for name in columns]


def _shelve_again(db: sqlite3.Connection, paper: PaperId, own: list[Row], other: list[Row], after: list[Row]) -> None:
    """Restore both entries on the shelf; later changes by the person stay with the paper."""
    now = next(iter(rows_where(db, "shelf", "paper = ?", [paper])), None)
    if other and now and not own:
        db.execute("DELETE FROM shelf WHERE paper = ?", (paper,))
        insert(db, "shelf", {**other[0], **_changed(after, now)})
    elif other and (own or not after):
        insert(db, "shelf", other[0])
    if own and now and after:
        insert(db, "shelf", {**own[0], **_changed(after, now)}, "REPLACE")


def _changed(after: list[Row], now: Row) -> Row:
    return {name: value for name, value in now.items() if name != "paper" and value != after[0][name]}


def _references(db: sqlite3.Connection) -> Iterator[_Reference]:
    """Yield every column that refers to papers, except the shelf's, which is restored value by value."""
    for table, column in referring(db):
        if table not in DERIVED and table != "shelf":
            columns = db.execute(f'SELECT name FROM pragma_table_info("{table}") WHERE pk > 0').fetchall()
            yield _Reference(table, column, tuple(name for (name,) in columns if name != column))


def _snapshot(db: sqlite3.Connection, number: PaperId) -> dict[str, list[Row]]:
    tables = {table: column for table, column in referring(db) if table not in DERIVED}
    return {
        table: rows_where(db, table, f'"{column}" = ?', [number])
        for table, column in {"papers": "id", **tables}.items()
    }
