"""Vectors of a corpus' works: the meaning of titles and abstracts, by one model for the whole corpus.

They have a table of their own, created with the first of them, which names the model: only vectors of one space are
comparable, so those of another model are neither added nor compared. Each has a digest of its text, which shows if the
work's text has changed. Each commit is kept, so that a killed build goes on with what is missing.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, Protocol

from cache.corpus.place import WORKS
from cache.corpus.table import VECTORS, Database, NoVectors, OtherVectors, model_of, named_errors, vectors_schema
from cache.corpus.upkeep import make_searchable

LETTERS = 1_200
"""Maximum length of title and abstract, in characters; such models read no more."""
_READ_AT_ONCE = 1_000
_COMMITTED = 512
"""Vectors per commit; losing some costs time or money."""


class CorpusVectorizer(Protocol):
    """Converts texts to unit vectors."""

    @property
    def label(self) -> str:
        """The encoder's name, for the person."""

    @property
    def space(self) -> str:
        """The name of its vector space: only vectors of one space are comparable. Raises `NoVectors`."""

    async def vectors(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return the vectors of `texts`, in order. Raises `NoVectors`."""


class _WorkText(NamedTuple):
    key: int
    digest: int
    text: str


async def add_vectors(location: str, encoder: CorpusVectorizer, progress: Callable[[int], None]) -> int:
    """Make the missing and outdated vectors of the corpus at `location`; return how many.

    `progress` is called after each commit with the number made. The caller holds the lock. Raises `OtherVectors` if the
    corpus has vectors of another model, and any `CorpusError`; earlier commits are kept.
    """
    database = Database(location)
    tables = database.open()
    table, count = tables.get(VECTORS), 0
    if table is not None:
        _check(location, table, encoder)
    rows_held = list[_WorkText]()
    for missing in _missing(location, tables):
        rows_held.append(missing)
        if len(rows_held) >= _COMMITTED:
            table = await _commit(database, table, encoder, rows_held)
            count += len(rows_held)
            rows_held = []
            progress(count)
    if rows_held:
        await _commit(database, table, encoder, rows_held)
    await make_searchable(location)
    return count + len(rows_held)


def count_missing(location: str, encoder: CorpusVectorizer) -> int:
    """Return the number of vectors that `add_vectors` would compute. Raises as it does."""
    tables = Database(location).open()
    if VECTORS in tables:
        _check(location, tables[VECTORS], encoder)
    return sum(1 for _ in _missing(location, tables))


def embedded_text(text: str) -> str:
    """Return the text for the vector of a work; `text` is its title on one line, followed by its abstract."""
    title, _, abstract = text.partition("\n")
    return f"{title}. {abstract}"[:LETTERS]


def _check(location: str, table: Any, encoder: CorpusVectorizer) -> None:
    model = model_of(table)
    if model.space != encoder.space:
        raise OtherVectors(location, model.label, encoder.label)


def _missing(location: str, tables: Mapping[str, Any]) -> Iterator[_WorkText]:
    """Yield the works without a vector or with one of another text; holds sixteen bytes per existing vector."""
    import numpy as np

    with named_errors(location):
        vectors = tables[VECTORS].search().select(["key", "digest"]).to_arrow() if VECTORS in tables else None
        works = tables[WORKS].search().select(["key", "text"]).to_batches(_READ_AT_ONCE)
    keys = digests = np.empty(0, np.int64)
    if vectors is not None:
        order = np.argsort(vectors["key"].to_numpy())
        keys, digests = vectors["key"].to_numpy()[order], vectors["digest"].to_numpy()[order]
    while True:
        with named_errors(location):
            if (batch := next(works, None)) is None:
                return
        texts = list(map(embedded_text, batch["text"].to_pylist()))
        batch_keys = batch["key"].to_numpy()
        positions = np.searchsorted(keys, batch_keys)
        for key, text, at in zip(batch_keys.tolist(), texts, positions.tolist(), strict=True):
            digest = int.from_bytes(
                blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big", signed=True
            )
            if at >= len(keys) or (int(keys[at]), int(digests[at])) != (key, digest):
                yield _WorkText(key, digest, text)


async def _commit(database: Database, table: Any, encoder: CorpusVectorizer, rows_held: Sequence[_WorkText]) -> Any:
    """Write the vectors of `rows_held`; return the table, creating it if needed."""
    import numpy as np
    import pyarrow

    vectors = np.asarray(await encoder.vectors([entry.text for entry in rows_held]), dtype=np.float16)
    with named_errors(database.location):
        if table is None:
            table = database.create_vectors(vectors.shape[1], encoder.space, encoder.label)
        schema = table.schema
        if schema != vectors_schema(vectors.shape[1], encoder.space, encoder.label):
            raise NoVectors(
                f"{encoder.label[:1].upper()}{encoder.label[1:]} made vectors of another length than before."
            )
        column = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(vectors.ravel()), vectors.shape[1])
        rows = [[entry.key for entry in rows_held], [entry.digest for entry in rows_held], column]
        merging = table.merge_insert("key").when_matched_update_all().when_not_matched_insert_all()
        merging.execute(pyarrow.table(rows, schema=schema))
    return table
