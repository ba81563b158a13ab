"""What keeps a corpus quick: its indexes, made where they are missing, those of its tables side by side."""

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from cache.corpus.place import WORKS
from cache.corpus.table import ABSTRACTS, LINKS, VECTORS, Database, named_errors

_SUPERSEDED = timedelta(minutes=10)
"""For how long a superseded version is kept for those who read it still; no question takes as long."""
_INDEXED_FROM = 50_000
"""Vectors from which on they have an index, rounded to a byte a number; fewer are compared one by one."""


async def make_searchable(location: str) -> None:
    """Index what is not indexed of the corpus at `location`. Where there is an index, new rows are taken into it, which
    joins small pieces and removes what no version needs any more. Raises `CorpusError`."""
    from lancedb.index import FTS, BTree, IvfSq

    wanted: dict[str, dict[str, Any]] = {
        WORKS: {"text": FTS(with_position=False), "key": BTree()},
        LINKS: {"named": BTree()},
        ABSTRACTS: {"key": BTree()},
        VECTORS: {"key": BTree(), "vector": IvfSq(distance_type="cosine")},
    }
    tables = await Database(location).open_asynchronously()
    with named_errors(location):
        # An index is sorted and written by one thread for long: what one leaves of the processors another takes.
        await asyncio.gather(*(_index(table, wanted[name]) for name, table in tables.items() if name in wanted))


async def compact(location: str) -> None:
    """Join small pieces, index what is not indexed, and remove what no version needs any more. Raises `CorpusError`."""
    await make_searchable(location)
    tables = await Database(location).open_asynchronously()
    with named_errors(location):
        for table in tables.values():
            await table.optimize(cleanup_older_than=_SUPERSEDED)


async def _index(table: Any, wanted: Mapping[str, Any]) -> None:
    """Give `table` the indexes that are `wanted`, by column, and take into those it has what they have not."""
    rows = await table.count_rows()
    indexed = {column for index in await table.list_indices() for column in index.columns}
    for column, config in wanted.items():
        if not rows or (column == "vector" and rows < _INDEXED_FROM):
            continue
        if column not in indexed:
            await table.create_index(column, config=config)
        elif (await table.index_stats(f"{column}_idx")).num_unindexed_rows:
            await table.optimize(cleanup_older_than=_SUPERSEDED)
