"""Entries of people's own bibliographies, exactly as in the file: an import loses nothing.

A paper on the shelf can have several, from entries for one work; each is exported as it was. An entry is identified by
its whole contents, so importing a file again finds its papers again.

An entry can name any file on the machine. spar opens without asking only the files that the person chose.
"""

import json
import re
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any, Literal, NamedTuple

from cache.readable_rows import readable, values_in
from cache.store import PaperId, Store

FileFormat = Literal["bibtex", "ris", "csl-json", "pubmed"]
RawFields = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Original:
    """An entry of a file: type, key, and fields in their order and spelling.

    `key` is the file's own, "" for none. A value is the text between the delimiters of its format: LaTeX with
    abbreviations expanded, the text after a RIS tag, the JSON of a CSL member. `inherited` are the fields that a BibTeX
    entry gets from entries it refers to, also in place of an own field `{xdata=…}`; `beside` are the other parts of the
    file that it depends on, as pairs of kind and text (`bibliography.reading.beside`), which do not identify the entry.
    """

    format: FileFormat
    type: str
    key: str
    fields: RawFields
    inherited: RawFields = ()
    beside: RawFields = ()

    @property
    def whole(self) -> RawFields:
        """The fields with the inherited ones: those in place of a reference stand where it does, others at the end."""
        if not self.inherited:
            return self.fields
        inherited = dict(self.inherited)
        own = tuple((name, inherited.pop(name.lower(), value)) for name, value in self.fields)
        return (*own, *inherited.items())

    def value(self, name: str) -> str:
        """Return the first value of a field, ignoring the case of its name; "" without one."""
        key = name.lower()
        return next((value for field, value in self.whole if field.lower() == key), "")


class KeptOriginal(NamedTuple):
    """An original with its number, and its key in exports; "" until it has one."""

    number: int
    key: str
    original: Original


def keep(store: Store, paper: int, original: Original, key: str) -> None:
    """Store an original of the paper, to be exported under `key`."""
    store.write(
        "INSERT INTO originals (paper, key, digest, entry) VALUES (?, ?, ?, ?)", (paper, key, *_written(original))
    )


def replace(store: Store, number: int, original: Original) -> None:
    """Replace the stored original `number` by the file's current entry."""
    store.write("UPDATE originals SET digest = ?, entry = ? WHERE id = ?", (*_written(original), number))


def refresh(store: Store, original: Original) -> None:
    """Update the `beside` of the stored original with the same contents."""
    digest, entry = _written(original)
    store.write("UPDATE originals SET entry = ?1 WHERE digest = ?2 AND entry != ?1", (entry, digest))


def name(store: Store, number: int, key: str) -> None:
    """Export the kept original `number` under `key` from now on."""
    store.write("UPDATE originals SET key = ? WHERE id = ?", (key, number))


def move(store: Store, number: int, paper: int) -> None:
    """Assign the stored original `number` to another paper."""
    store.write("UPDATE originals SET paper = ? WHERE id = ?", (paper, number))


def paper_of(store: Store, original: Original) -> PaperId | None:
    """Return the number of the paper with exactly this original."""
    row = store.row("SELECT paper FROM originals WHERE digest = ? LIMIT 1", (_written(original)[0],))
    return PaperId(row[0]) if row else None


_CALLED = "WHERE key = ?1 AND key != '' ORDER BY key = ?1 COLLATE BINARY DESC LIMIT 1"
"""The original exported under a key, before one whose key differs in case."""


def called(store: Store, key: str) -> tuple[PaperId, KeptOriginal] | None:
    """Return the original exported under `key`, with its paper's number."""
    row = store.row(f"SELECT paper, id, key, entry FROM originals {_CALLED}", (key,))
    return (PaperId(row[0]), _kept(row[1:])) if row else None


def sets(store: Store) -> dict[str, list[PaperId]]:
    """Return the papers with an entry in each BibLaTeX `@set`, by its key, in the order of import."""
    rows = store.rows("""SELECT paper, id, key, entry FROM originals WHERE entry LIKE '%["set",%' ORDER BY id""")
    papers = dict[str, dict[PaperId, None]]()
    for paper, kept in readable("originals", rows, lambda row: (PaperId(row[0]), _kept(row[1:]))):
        for key in (match[1] for kind, text in kept.original.beside if kind == "set" and (match := _SET.match(text))):
            papers.setdefault(key, {})[paper] = None
    return {key: list(members) for key, members in papers.items()}


_SET = re.compile(r"@\w+\{([^,\s]*),")


def kept_before(store: Store, original: Original, key: str) -> tuple[PaperId, KeptOriginal | None] | None:
    """Return the paper with exactly this original, and None; else the paper of the original with the key `key`, and
    that original. One query does both, because each entry of a file needs them."""
    sql = (
        "SELECT paper, NULL, NULL, NULL FROM originals WHERE digest = ?1"
        f" UNION ALL SELECT * FROM (SELECT paper, id, key, entry FROM originals {_CALLED.replace('?1', '?2')}) LIMIT 1"
    )
    row = store.row(sql, (_written(original)[0], key))
    return (PaperId(row[0]), None if row[1] is None else _kept(row[1:])) if row else None


def in_use(store: Store, entries: Iterable[tuple[Original, str]]) -> set[bytes | str]:
    """Return the marks (`marks_of`) of originals with their keys that stored ones have too."""
    marks = [marks_of(*entry) for entry in entries]
    with store.reading() as db:
        digests = values_in(db, "SELECT digest FROM originals WHERE digest IN", [digest for digest, _ in marks])
        keys = values_in(db, "SELECT key FROM originals WHERE key IN", [key for _, key in marks if key])
        return digests | {str(key).lower() for key in keys}


def marks_of(original: Original, key: str) -> tuple[bytes, str]:
    """Return the digest of an original, and its key in lower case; `kept_before` finds no original without one."""
    return _written(original)[0], key.lower()


def every(store: Store) -> list[tuple[PaperId, KeptOriginal]]:
    """Return all originals with their papers' numbers."""
    rows = store.rows("SELECT paper, id, key, entry FROM originals ORDER BY id")
    return readable("originals", rows, lambda row: (PaperId(row[0]), _kept(row[1:])))


def of_papers(store: Store, papers: Collection[int]) -> dict[int, list[KeptOriginal]]:
    """Return the originals of the papers that have any, in the order of import."""
    sql = "SELECT paper, id, key, entry FROM originals WHERE paper IN (SELECT value FROM json_each(?)) ORDER BY id"
    rows = store.rows(sql, (json.dumps([*papers]),))
    by_paper: dict[int, list[KeptOriginal]] = {}
    for paper, entry in readable("originals", rows, lambda row: (row[0], _kept(row[1:]))):
        by_paper.setdefault(paper, []).append(entry)
    return by_paper


def first_of(store: Store, paper: int, most: int) -> list[KeptOriginal]:
    """Return the first `most` originals of a paper."""
    sql = "SELECT paper, id, key, entry FROM originals WHERE paper = ? ORDER BY id LIMIT ?"
    return readable("originals", store.rows(sql, (paper, most)), lambda row: _kept(row[1:]))


def _kept(row: Sequence[Any]) -> KeptOriginal:
    number, key, entry = row
    return KeptOriginal(number, key, _from_json(entry))


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=512)  # the entries of a step are looked up before they are stored
def _written(original: Original) -> tuple[bytes, str]:
    """Return the digest that identifies the entry, in 16 bytes, and the entry as JSON."""
    parts = (original.format, original.type, original.key, original.fields, original.inherited)
    text = _ENCODER.encode(parts)
    digest = sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]
    return digest, _ENCODER.encode((*parts, original.beside)) if original.beside else text


def _from_json(text: str) -> Original:
    file_format, kind, key, *fields = json.loads(text)
    return Original(file_format, kind, key, *(tuple((name, value) for name, value in part) for part in fields))


def keep_imported(db: sqlite3.Connection, notes: Iterable[tuple[int, str]]) -> None:
    """Record that these notes of papers came with a bibliography, within the caller's transaction."""
    sql = (
        "INSERT INTO imported_notes (paper, text) SELECT ?1, ?2"
        " WHERE NOT EXISTS (SELECT 1 FROM imported_notes WHERE paper = ?1 AND text = ?2)"
    )
    db.executemany(sql, notes)


def imported_lines(store: Store, paper: PaperId) -> frozenset[str]:
    """Return the lines that bibliographies added to the paper's note, stripped. Raises `CacheError`."""
    texts = store.rows("SELECT text FROM imported_notes WHERE paper = ?", (paper,))
    return frozenset(line.strip() for (text,) in texts for line in text.splitlines() if line.strip())


def choose(db: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Record that the person chose these files, within the caller's transaction."""
    db.executemany("INSERT OR IGNORE INTO chosen_files (path) VALUES (?)", [(path,) for path in paths])


def chosen_among(store: Store, paths: Sequence[str]) -> frozenset[str]:
    """Return the files that the person chose. Raises `CacheError`."""
    sql = "SELECT 1 FROM chosen_files WHERE path = ?"
    with store.reading() as db:
        return frozenset(path for path in paths if db.execute(sql, (path,)).fetchone())
