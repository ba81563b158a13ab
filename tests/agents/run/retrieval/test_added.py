"""A watch asks a source that can tell for what it added lately: an old paper that comes late is seen."""

import asyncio
from datetime import date
from pathlib import Path
from urllib.parse import unquote_plus

import pytest

from connectors.http.pool import ConnectionPool
from connectors.opening import open_sources
from connectors.source import Query
from connectors.spec import Access
from tests.services import Services

SINCE = date(2026, 9, 1)


def found(services: Services, source: str, query: Query, folder: Path) -> int:
    async def run() -> int:
        async with ConnectionPool() as connections:
            sources = open_sources((source,), Access(urls={source: services.url(source)}), connections, folder)
            return len((await sources[source].search(query)).papers)

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("source", "sent"),
    [
        ("pubmed", '2026/09/01"[edat]'),
        ("europepmc", "FIRST_IDATE:[2026-09-01"),
        ("crossref", "from-created-date:2026-09-01"),
    ],
)
def test_the_day_of_addition_is_asked_for_and_not_that_of_publication(source: str, sent: str, tmp_path: Path) -> None:
    with Services() as services:
        every = found(services, source, Query("vaccine"), tmp_path)
        added = found(services, source, Query("vaccine", added=SINCE), tmp_path)
        asked = [unquote_plus(f"{request.target} {request.body.decode()}") for request in services.log]
    assert any(sent in request for request in asked)
    assert 0 <= added <= every
    assert every
