"""Vectors of texts, each computed once and stored by its text, whichever paper it belongs to."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

from cache.store import Store


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
