"""The tokens by which papers are compared, stored so that each is computed once, as bytes that only their producer
reads.

A paper whose record or links change loses them; they are computed again at the next comparison. `reader` is the version
of their producer: tokens of other versions are ignored. Vectors of other texts are stored per model and text.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from cache.paper_json import STORED, from_columns
from cache.readable_rows import readable
from cache.store import PaperId, Store
from connectors.batches import in_batches
from connectors.identifiers import Identifier
from connectors.paper import Paper

BATCH = 500
"""Number of papers read or written per transaction."""


class PaperWithoutTokens(NamedTuple):
    """A paper without tokens, and the works that it is known to cite."""

    number: PaperId
    paper: Paper
    cited: tuple[Identifier, ...]


def unread(store: Store, with_tokens: Collection[PaperId]) -> Iterator[list[PaperWithoutTokens]]:
    """Yield the papers not in `with_tokens`, in batches by number."""
    numbers = {number for (number,) in store.rows("SELECT id FROM papers")}
    missing = sorted(numbers.difference(with_tokens))
    for batch in in_batches(missing, BATCH):
        yield _unread(store, batch)


def keep_tokens(store: Store, reader: int, tokens: Iterable[tuple[int, bytes]]) -> None:
    """Store the tokens that `reader` computed, by paper number; skip papers that no longer exist."""
    with store.writing() as db:
        db.executemany(
            "INSERT OR REPLACE INTO paper_tokens (paper, reader, tokens) SELECT id, ?2, ?3 FROM papers WHERE id = ?1",
            [(number, reader, blob) for number, blob in tokens],
        )


def kept_tokens(store: Store, reader: int) -> tuple[list[PaperId], list[bytes]]:
    """Return the numbers of all papers with tokens of `reader`, and those tokens, ordered by number."""
    rows: Sequence[tuple[PaperId, bytes]] = store.rows(
        "SELECT paper, tokens FROM paper_tokens WHERE reader = ? ORDER BY paper", (reader,)
    )
    return [number for number, _ in rows], [tokens for _, tokens in rows]


def _unread(store: Store, numbers: Sequence[PaperId]) -> list[PaperWithoutTokens]:
    links = "SELECT scheme, value FROM citation_links WHERE citing = ?"
    with store.reading() as db:
        rows = [db.execute(f"SELECT p.id, {STORED} FROM papers p WHERE id = ?", (number,)).fetchone()
                for number in numbers]  # fmt: skip
        papers = readable("papers", filter(None, rows), lambda row: (row[0], from_columns(*row[1:])))
        return [PaperWithoutTokens(number, paper, tuple(Identifier(*name) for name in db.execute(links, (number,))))
                for number, paper in papers]  # fmt: skip


def kept_vectors(store: Store, space: str, texts: Sequence[str]) -> dict[str, bytes]:
    """Return the stored vectors of those of `texts` that have one in this space."""
    sql = "SELECT vector FROM text_vectors WHERE space = ? AND text = ?"
    with store.reading() as db:
        rows = ((text, db.execute(sql, (space, _digest(text))).fetchone()) for text in texts)
        return {text: row[0] for text, row in rows if row}


def keep_vectors(store: Store, space: str, vectors: Mapping[str, bytes]) -> None:
    """Store the vectors of texts."""
    with store.writing() as db:
        db.executemany(
            "INSERT OR REPLACE INTO text_vectors (space, text, vector) VALUES (?, ?, ?)",
            [(space, _digest(text), vector) for text, vector in vectors.items()],
        )


def _digest(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
