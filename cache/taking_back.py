"""Undo the changes in the journal: rows are restored exactly, as if never changed.

Undo works paper by paper, and only for rows that are still as the change left them: later changes by others stay. Later
data from sources also stay, and prevent nothing.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cache import papers
from cache.journal import JournalTable, Recording, RowChange, current_row, forget_part, last_step, row_digest, tables
from cache.paper_json import from_mapping, whole
from cache.paper_rows import Row, insert, rows_where
from cache.store import PaperId, Store
from connectors.paper import Paper
from connectors.records.corrections import corrected_fields

_TOLD = frozenset({"papers", "identifiers", "citation_links", "tellings", "run_papers", "watch_papers", "acts"})
"""Tables whose rows are not only the person's; of an opinion among the interactions, the last one counts."""
OPINIONS = ("liked", "disliked", "unrated", "dismissed")
_UNORDERED = frozenset({"identifiers", "references", "keywords", "indexed", "provenance"})
"""Parts of a record that are sets: the entries that a change added are removed, others stay."""


class StepBack(NamedTuple):
    """The rows that the last step wrote, by paper; the library's papers before or after the undo; and the papers for
    which it was undone."""

    rows: Mapping[PaperId, Sequence[RowChange]]
    papers: Mapping[PaperId, Paper]
    back: frozenset[PaperId]


def take_back_last(store: Store, *, only_look: bool = False) -> StepBack | None:
    """Undo the last step of any process, or `only_look` at it; return None if none is stored. Raises `CacheError`."""
    with store.writing() as db:
        parts = last_step(db)
        if not parts:
            return None
        rows = dict[PaperId, list[RowChange]]()
        for part in reversed(parts):
            for row in part.rows:
                rows.setdefault(PaperId(row.paper), []).append(row)
        journal_tables = _papers_in_library(store, rows)
        if only_look:
            return StepBack(rows, journal_tables, frozenset())
        unchanged = {paper for part in parts for paper in part.papers - take_back(store, part)}
        return StepBack(rows, journal_tables | _papers_in_library(store, rows), frozenset(rows) - unchanged)


def _papers_in_library(store: Store, numbers: Iterable[PaperId]) -> dict[PaperId, Paper]:
    return {number: paper for number in numbers for paper in papers.by_ids(store, [number])}


def take_back(store: Store, recording: Recording) -> frozenset[PaperId]:
    """Undo a change in one transaction; return the papers for which it was possible. Papers that the change merged
    are undone together. A change can be undone once."""
    back, about = set[int](), dict[int, list[RowChange]]()
    for row in recording.rows:
        about.setdefault(row.paper, []).append(row)
    with store.writing() as db:
        journal_tables = tables(db)
        forget_part(db, recording.name)
        for group in _groups(recording):
            rows = [row for paper in sorted(group) for row in about.get(paper, ())]
            if not all(_is_as_left(db, journal_tables[row.table], row) for row in rows):
                continue
            if any(_holds_more(db, journal_tables, row, rows) for row in rows):
                continue
            db.execute("SAVEPOINT taking_back")
            try:
                _put_back(store, db, journal_tables, rows)
                back |= group
            except sqlite3.IntegrityError:  # another row now has the name or number
                db.execute("ROLLBACK TO taking_back")
            db.execute("RELEASE taking_back")
    return frozenset(map(PaperId, back))


def _groups(recording: Recording) -> Iterator[frozenset[int]]:
    """Yield the papers of the change, those that it merged together."""
    groups = {paper: frozenset({paper}) for paper in recording.papers}
    for pair in recording.joins:
        union = frozenset.union(*(groups.get(paper, frozenset({paper})) for paper in pair))
        groups |= dict.fromkeys(union, union)
    return iter(dict.fromkeys(groups.values()))


def _is_as_left(db: sqlite3.Connection, table: JournalTable, row: RowChange) -> bool:
    """Whether what the change wrote has not been changed since."""
    now = current_row(db, table, row.key)
    if table.name == "papers":
        return (now is None) == (row.after is None) and (now is None or _keeps_word(row, now))
    if table.name == "acts" and row.before is None:
        return _is_last_opinion(db, row, now)
    if table.name in _TOLD:
        return True
    return _same(row, now)


def _same(row: RowChange, now: Row | None) -> bool:
    """Whether the row still has what the change wrote. A run forgotten since is no longer named."""
    if isinstance(row.after, str):
        return now is not None and row_digest(now) == row.after
    if row.after is None or now is None:
        return row.after is now
    return all(now[name] == value or (name == "run" and now[name] is None) for name, value in row.after.items())


def _keeps_word(row: RowChange, now: Row) -> bool:
    """Whether the person has not since corrected any field that the change wrote."""
    if not isinstance(row.after, dict):
        return True
    record_after, record = json.loads(row.after["record"]), whole(now)
    fields_changed = {name for name in record_after | record if record_after.get(name) != record.get(name)}
    return not fields_changed & {*corrected_fields(from_mapping(record))}


def _is_last_opinion(db: sqlite3.Connection, row: RowChange, now: Row | None) -> bool:
    """Whether an interaction is not an opinion, or is the last opinion on its paper."""
    marks = ", ".join("?" * len(OPINIONS))
    last = db.execute(
        f"SELECT max(id) FROM acts WHERE paper = ? AND act IN ({marks})", (row.paper, *OPINIONS)
    ).fetchone()[0]
    if now is None or not _same(row, now):
        return last is None or last < row.key[0]
    return now["act"] not in OPINIONS or last == row.key[0]


def _holds_more(
    db: sqlite3.Connection, journal_tables: Mapping[str, JournalTable], row: RowChange, rows: Sequence[RowChange]
) -> bool:
    """Whether a shelf entry to be removed has data that others added, which would be lost with it."""
    if row.table != "shelf" or row.before is not None:
        return False
    own = {other.key for other in rows if other.table == "tags"}
    tags = rows_where(db, "tags", "paper = ?", [row.paper])
    return any(tuple(tag[column] for column in journal_tables["tags"].key) not in own for tag in tags)


def _put_back(
    store: Store, db: sqlite3.Connection, journal_tables: Mapping[str, JournalTable], rows: Sequence[RowChange]
) -> None:
    """Restore the earlier rows: first the papers that others refer to; rows in the way are removed before."""
    records = [row for row in rows if row.table == "papers"]
    others = [row for row in rows if row.table != "papers"]
    for row in records:
        if row.before is not None and row.after is None:
            insert(db, "papers", row.before, "ABORT")
    for row in others:
        if row.before is None and (
            row.table not in _TOLD or _same(row, current_row(db, journal_tables[row.table], row.key))
        ):
            db.execute(f'DELETE FROM "{row.table}" WHERE {journal_tables[row.table].where_key}', row.key)
    for row in others:
        if isinstance(row.after, dict) and row.before:
            if row.table in _TOLD and not _same(row, current_row(db, journal_tables[row.table], row.key)):
                continue
            assignments = ", ".join(f'"{name}" = ?{at}' for at, name in enumerate(row.before, start=len(row.key) + 1))
            where = journal_tables[row.table].where_key
            db.execute(f'UPDATE "{row.table}" SET {assignments} WHERE {where}', (*row.key, *row.before.values()))
        elif row.before is not None:
            insert(db, row.table, row.before, "IGNORE" if row.table in _TOLD else "ABORT")
    for row in records:
        if isinstance(row.after, dict) and row.before:
            was, record_after = (json.loads(version["record"]) for version in (row.before, row.after))
            record = _record(was, record_after, _record_now(db, row.paper))
            papers.correct(store, PaperId(row.paper), from_mapping(record))
        elif row.before is None and not _is_referred_to(db, journal_tables, row.paper):
            db.execute("DELETE FROM papers WHERE id = ?", (row.paper,))


def _record_now(db: sqlite3.Connection, paper: int) -> dict[str, Any]:
    [row] = rows_where(db, "papers", "id = ?", [paper])
    return whole(row)


def _record(was: Mapping[str, Any], record_after: Mapping[str, Any], record: dict[str, Any]) -> dict[str, Any]:
    """Return the current `record` without the change from `was` to `record_after`; later changes stay."""
    for name in [*was, *record_after]:
        if was.get(name) == record_after.get(name):
            continue
        if name in _UNORDERED:
            new_entries = [entry for entry in record_after.get(name, []) if entry not in was.get(name, [])]
            others = [
                entry for entry in record.get(name, []) if entry not in new_entries and entry not in was.get(name, [])
            ]
            restored = [
                entry
                for entry in was.get(name, [])
                if entry not in record_after.get(name, []) or entry in record.get(name, [])
            ]
            record[name] = restored + others
        elif record.get(name) == record_after.get(name):
            record[name] = was.get(name)
        if not record.get(name):
            record.pop(name, None)
    return record


def _is_referred_to(db: sqlite3.Connection, journal_tables: Mapping[str, JournalTable], paper: int) -> bool:
    """Whether a run, a watch or the person's data refer to the paper."""
    holders = journal_tables.keys() - {"papers", "identifiers", "citation_links", "tellings"}
    return any(
        db.execute(f'SELECT 1 FROM "{name}" WHERE "{journal_tables[name].paper}" = ? LIMIT 1', (paper,)).fetchone()
        for name in holders
    )
