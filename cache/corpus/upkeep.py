"""Maintain the indexes of a corpus, creating missing ones; its tables are indexed in parallel."""

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from cache.corpus.place import WORKS
from cache.corpus.table import ABSTRACTS, LINKS, VECTORS, Database, named_errors

_SUPERSEDED = timedelta(minutes=10)
"""How long a superseded version is kept for its readers; no query takes as long."""
_INDEXED_FROM = 50_000
"""Number of vectors from which they get an index, rounded to a byte per number; fewer are compared one by one."""


async def make_searchable(location: str) -> None:
    """Index the unindexed rows of the corpus at `location`. Updating an index also joins small fragments and removes
    superseded versions. Raises `CorpusError`."""
    from lancedb.index import FTS, BTree, IvfSq

    indexes: dict[str, dict[str, Any]] = {
        WORKS: {"text": FTS(with_position=False), "key": BTree()},
        LINKS: {"named": BTree()},
        ABSTRACTS: {"key": BTree()},
        VECTORS: {"key": BTree(), "vector": IvfSq(distance_type="cosine")},
    }
    tables = await Database(location).open_asynchronously()
    with named_errors(location):
        # One thread sorts and writes an index for long, so other tables can use the remaining processors.
        await asyncio.gather(*(_index(table, indexes[name]) for name, table in tables.items() if name in indexes))


async def compact(location: str) -> None:
    """Join small fragments, index unindexed rows, and remove superseded versions. Raises `CorpusError`."""
    await make_searchable(location)
    tables = await Database(location).open_asynchronously()
    with named_errors(location):
        for table in tables.values():
            await table.optimize(cleanup_older_than=_SUPERSEDED)


async def _index(table: Any, indexes: Mapping[str, Any]) -> None:
    """Create the `indexes` indexes of `table`, by column, and update those that exist."""
    rows = await table.count_rows()
    indexed = {column for index in await table.list_indices() for column in index.columns}
    for column, config in indexes.items():
        if not rows or (column == "vector" and rows < _INDEXED_FROM):
            continue
        if column not in indexed:
            await table.create_index(column, config=config)
        elif (await table.index_stats(f"{column}_idx")).num_unindexed_rows:
            await table.optimize(cleanup_older_than=_SUPERSEDED)
