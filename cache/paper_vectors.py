"""Vectors of papers, kept so that each is made once. A paper whose title or abstract changes loses them."""

from collections.abc import Mapping, Sequence

from cache.store import PaperId, Store


def kept_vectors(store: Store, space: str, papers: Sequence[int]) -> dict[PaperId, bytes]:
    """The vectors of those of `papers` that have one in this space, as they were kept."""
    with store.reading() as db:
        rows = ((paper, db.execute("SELECT vector FROM paper_vectors WHERE paper = ? AND space = ?", (paper, space)))
                for paper in papers)  # fmt: skip
        return {PaperId(paper): row[0] for paper, found in rows if (row := found.fetchone())}


def keep_vectors(store: Store, space: str, vectors: Mapping[PaperId, bytes]) -> None:
    """Keep vectors; a paper that is gone is passed over."""
    with store.writing() as db:
        db.executemany(
            "INSERT OR REPLACE INTO paper_vectors (paper, space, vector) SELECT id, ?2, ?3 FROM papers WHERE id = ?1",
            [(paper, space, vector) for paper, vector in vectors.items()],
        )
