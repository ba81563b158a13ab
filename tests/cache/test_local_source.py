"""The library answers like any other source, from what was found before."""

import asyncio

import pytest

from cache import papers
from cache.local_source import Library
from cache.store import Store
from connectors.errors import NotFound, SourceUnavailable
from connectors.source import Query, Source
from tests.cache.conftest import make_paper, name

OLD = make_paper("Feeding habits of blue whales", "10.1000/old", year=1990)
NEW = make_paper("Blue whales and krill", "pmid:2", year=2020, cites="10.1000/old")
OTHER = make_paper("Tax law", "pmid:3", author="Grotius")


@pytest.fixture
def library(store: Store) -> Source:
    papers.remember(store, [OLD, NEW, OTHER])
    return Library(store)


def test_it_is_searched_by_words(library: Source) -> None:
    answer = asyncio.run(library.search(Query("What do blue whales feed on?", limit=1)))
    assert answer.papers == (OLD,)
    assert answer.sent == ("blue whales feed",)


def test_it_looks_papers_up_by_any_name_and_leaves_out_what_it_does_not_know(library: Source) -> None:
    answer = asyncio.run(library.lookup([name("pmid:2"), name("10.1000/old"), name("pmid:2"), name("pmid:99")]))
    assert answer.papers == (NEW, OLD)


def test_it_follows_references_both_ways(library: Source) -> None:
    assert asyncio.run(library.references(NEW, 10)).papers == (OLD,)
    assert asyncio.run(library.citations(OLD, 10)).papers == (NEW,)


def test_it_never_says_that_there_are_none_where_nobody_has_told_it(library: Source) -> None:
    with pytest.raises(NotFound, match="knows no references"):
        asyncio.run(library.references(OTHER, 10))
    with pytest.raises(NotFound, match="does not have this paper"):
        asyncio.run(library.citations(make_paper("Unheard of", "pmid:44", author="Nobody"), 10))


def test_similar_papers_share_words_and_leave_the_paper_itself_out(library: Source) -> None:
    assert asyncio.run(library.similar(NEW, 5)).papers == (OLD,)


def test_a_library_that_fails_is_a_source_that_is_down(library: Source, store: Store) -> None:
    store.path.unlink()
    with pytest.raises(SourceUnavailable, match="moved, deleted or replaced"):
        asyncio.run(library.search(Query("whales")))
