"""A source is asked once for what it has answered well, and again for everything else."""

import asyncio
import inspect
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from cache import fulltext, papers
from cache.cached_source import CachedSource
from cache.store import Store
from connectors.capability import Capability
from connectors.errors import NotAskable, SourceUnavailable
from connectors.identifiers import Identifier, Scheme
from connectors.paper import Paper
from connectors.person import PersonId
from connectors.source import Answer, Query, Source
from tests.cache.conftest import make_paper, name

WHALES = make_paper("Blue whales", "pmid:1", abstract="Large mammals.")
KRILL = make_paper("Krill", "pmid:2", author="Hardy")
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


class Shelf(Source):
    """A source with two papers, which counts what it is asked and fails or breaks off when told to."""

    name = "shelf"
    capabilities = frozenset(Capability)
    schemes: tuple[Scheme, ...] = ("pmid",)

    def __init__(self) -> None:
        self.asked: list[object] = []
        self.down = False
        self.partial = False

    async def search(self, query: Query) -> Answer:
        return self._answer(query, WHALES, KRILL)

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        return self._answer(tuple(names), *(one for one in (WHALES, KRILL) if set(one.identifiers) & set(names)))

    async def references(self, paper: Paper, limit: int) -> Answer:
        return self._answer(("references", paper.id, limit), KRILL)

    async def citations(self, paper: Paper, limit: int) -> Answer:
        return self._answer(("citations", paper.id, limit), WHALES)

    async def similar(self, paper: Paper, limit: int) -> Answer:
        return self._answer(("similar", paper.id, limit), KRILL)

    async def citing_any(self, papers: Sequence[Paper], limit: int) -> Answer:
        return self._answer(("citing any", tuple(paper.id for paper in papers), limit), WHALES)

    async def newest_citations(self, paper: Paper, limit: int) -> Answer:
        return self._answer(("newest", paper.id, limit), WHALES)

    async def works_of(self, id: PersonId, limit: int) -> Answer:
        return self._answer(("works", str(id), limit), WHALES)

    def _answer(self, what: object, *found: Paper) -> Answer:
        self.asked.append(what)
        if self.down:
            raise SourceUnavailable(self.name, "does not answer.")
        return Answer(found, total=9, sent=("GET /",), notes=("a note",), partial=self.partial)


class Clock:
    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> datetime:
        return self.time


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def source(shelf: Shelf, store: Store, clock: Clock) -> CachedSource:
    return CachedSource(shelf, store, now=clock)


def _search(source: CachedSource, query: Query) -> Answer:
    return asyncio.run(source.search(query))


def test_the_same_search_is_answered_once_by_the_source_and_then_from_memory(
    source: CachedSource, shelf: Shelf
) -> None:
    first, second = _search(source, Query("whales")), _search(source, Query("whales"))
    assert first == second
    assert first.total == 9
    assert len(shelf.asked) == 1


@pytest.mark.parametrize(
    "other",
    [
        Query("whale"),
        Query("whales", since=date(2020, 1, 1)),
        Query("whales", until=date(2020, 1, 1)),
        Query("whales", limit=26),
    ],
)
def test_a_search_that_differs_in_anything_is_another_search(source: CachedSource, shelf: Shelf, other: Query) -> None:
    _search(source, Query("whales"))
    _search(source, other)
    assert shelf.asked == [Query("whales"), other]


def test_another_address_of_the_source_is_another_memory(source: CachedSource, shelf: Shelf, store: Store) -> None:
    _search(source, Query("whales"))
    _search(CachedSource(shelf, store, version="http://127.0.0.1", now=lambda: NOON), Query("whales"))
    assert len(shelf.asked) == 2


def test_operations_on_one_paper_are_kept_apart(source: CachedSource, shelf: Shelf) -> None:
    for _ in range(2):
        asyncio.run(source.references(WHALES, 5))
        asyncio.run(source.citations(WHALES, 5))
        asyncio.run(source.similar(WHALES, 5))
    assert [asked[0] for asked in shelf.asked if isinstance(asked, tuple)] == ["references", "citations", "similar"]


def test_a_paper_that_gains_a_name_the_source_does_not_use_is_not_asked_for_again(
    source: CachedSource, shelf: Shelf
) -> None:
    asyncio.run(source.references(WHALES, 5))
    asyncio.run(source.references(replace(WHALES, identifiers=(name("10.1000/w"), *WHALES.identifiers)), 5))
    assert len(shelf.asked) == 1


@pytest.mark.parametrize(
    ("after", "asked"), [(timedelta(hours=23), 1), (timedelta(hours=25), 2), (timedelta(hours=-1), 2)]
)
def test_a_search_is_remembered_for_a_day_and_never_from_the_future(
    source: CachedSource, shelf: Shelf, clock: Clock, after: timedelta, asked: int
) -> None:
    _search(source, Query("whales"))
    clock.time += after
    _search(source, Query("whales"))
    assert len(shelf.asked) == asked


@pytest.mark.parametrize(("days", "asked"), [(29, 1), (31, 2)])
def test_links_and_looked_up_papers_are_remembered_for_30_days(
    source: CachedSource, shelf: Shelf, clock: Clock, days: int, asked: int
) -> None:
    for _ in range(2):
        asyncio.run(source.references(WHALES, 5))
        asyncio.run(source.lookup([name("pmid:1")]))
        clock.time += timedelta(days=days)
    assert len(shelf.asked) == 2 * asked


def test_answers_whose_time_is_over_are_thrown_away(source: CachedSource, clock: Clock, store: Store) -> None:
    _search(source, Query("whales"))
    clock.time += timedelta(days=2)
    _search(source, Query("krill"))
    with store.reading() as db:
        assert db.execute("SELECT count(*) FROM answers").fetchone() == (1,)


def test_what_cites_several_papers_is_remembered_for_just_these(source: CachedSource, shelf: Shelf) -> None:
    for cited in ((WHALES, KRILL), (WHALES, KRILL), (KRILL,)):
        assert asyncio.run(source.citing_any(cited, 5)).papers == (WHALES,)
    assert shelf.asked == [("citing any", (WHALES.id, KRILL.id), 5), ("citing any", (KRILL.id,), 5)]


def test_a_failure_is_never_remembered(source: CachedSource, shelf: Shelf) -> None:
    shelf.down = True
    for _ in range(2):
        with pytest.raises(SourceUnavailable):
            _search(source, Query("whales"))
    shelf.down = False
    assert len(_search(source, Query("whales")).papers) == 2


def test_a_partial_answer_is_never_remembered_but_its_papers_are(
    source: CachedSource, shelf: Shelf, store: Store
) -> None:
    shelf.partial = True
    _search(source, Query("whales"))
    assert papers.find(store, [name("pmid:1")]) == WHALES
    shelf.partial = False
    assert not _search(source, Query("whales")).partial
    assert len(shelf.asked) == 2


def test_who_asks_for_what_is_new_asks_the_source_again_but_once_and_the_memory_is_renewed(
    source: CachedSource, shelf: Shelf, store: Store, clock: Clock
) -> None:
    _search(source, Query("whales"))
    clock.time += timedelta(hours=23)
    anew = CachedSource(shelf, store, since=clock.time, now=clock)
    _search(anew, Query("whales"))
    clock.time += timedelta(seconds=9)
    _search(anew, Query("whales"))
    assert len(shelf.asked) == 2
    clock.time += timedelta(hours=23)
    _search(source, Query("whales"))
    assert len(shelf.asked) == 2


def test_who_asks_for_what_is_new_looks_no_paper_up_again(
    source: CachedSource, shelf: Shelf, store: Store, clock: Clock
) -> None:
    asyncio.run(source.lookup([name("pmid:1")]))
    clock.time += timedelta(hours=23)
    answer = asyncio.run(CachedSource(shelf, store, since=clock.time, now=clock).lookup([name("pmid:1")]))
    assert (answer.papers, len(shelf.asked)) == ((WHALES,), 1)


def test_what_is_followed_is_kept_for_a_day_and_not_for_a_month(
    source: CachedSource, shelf: Shelf, clock: Clock
) -> None:
    for _ in range(2):
        asyncio.run(source.works_of(PersonId("openalex", "A1"), 5))
        asyncio.run(source.newest_citations(KRILL, 5))
    assert shelf.asked == [("works", "openalex:A1", 5), ("newest", "pmid:2", 5)]
    clock.time += timedelta(hours=25)
    asyncio.run(source.works_of(PersonId("openalex", "A1"), 5))
    asyncio.run(source.newest_citations(KRILL, 5))
    assert len(shelf.asked) == 4


def test_only_papers_that_are_not_remembered_are_looked_up(source: CachedSource, shelf: Shelf) -> None:
    asyncio.run(source.lookup([name("pmid:1")]))
    answer = asyncio.run(source.lookup([name("pmid:1"), name("pmid:2")]))
    assert set(answer.papers) == {WHALES, KRILL}
    assert shelf.asked == [(name("pmid:1"),), (name("pmid:2"),)]


def test_that_a_source_does_not_know_a_name_is_believed_for_a_day(
    source: CachedSource, shelf: Shelf, clock: Clock
) -> None:
    for hours in (0, 23, 25):
        clock.time = NOON + timedelta(hours=hours)
        assert asyncio.run(source.lookup([name("pmid:77")])).papers == ()
    assert len(shelf.asked) == 2


def test_a_partial_look_up_does_not_make_the_missing_names_unknown(source: CachedSource, shelf: Shelf) -> None:
    shelf.partial = True
    for _ in range(2):
        asyncio.run(source.lookup([name("pmid:1"), name("pmid:77")]))
    assert len(shelf.asked) == 2


def test_papers_and_links_of_answers_enter_the_library(source: CachedSource, store: Store) -> None:
    asyncio.run(source.references(WHALES, 5))
    asyncio.run(source.citations(KRILL, 5))
    assert fulltext.search(store, "krill") == [KRILL]
    whales, krill = (papers.number_of(store, paper) for paper in (WHALES, KRILL))
    assert whales is not None
    assert krill is not None
    assert papers.references_of(store, whales) == [KRILL]
    assert papers.citing(store, krill) == [WHALES]


def test_a_library_that_cannot_be_written_costs_the_memory_and_not_the_answer(
    source: CachedSource, store: Store
) -> None:
    store.path.unlink()
    answer = _search(source, Query("whales"))
    assert len(answer.papers) == 2
    assert any("nothing more was saved" in note for note in answer.notes)


def test_what_a_source_can_do_is_said_in_its_own_words(source: CachedSource, shelf: Shelf) -> None:
    assert (source.name, source.capabilities, source.schemes) == (shelf.name, shelf.capabilities, shelf.schemes)


def test_without_asking_only_what_is_remembered_is_told(store: Store) -> None:
    shelf = Shelf()
    source = CachedSource(shelf, store)
    first = asyncio.run(source.search(Query("whales")))
    asyncio.run(source.lookup([name("pmid:1")]))
    before = list(shelf.asked)
    quiet = source.without_asking()
    assert asyncio.run(quiet.search(Query("whales"))).papers == first.papers
    answer = asyncio.run(quiet.lookup([name("pmid:1"), name("pmid:2")]))
    assert (len(answer.papers), answer.partial) == (1, True)
    with pytest.raises(NotAskable):
        asyncio.run(quiet.search(Query("krill")))
    assert shelf.asked == before


def test_every_request_of_a_source_goes_through_the_cache() -> None:
    """A method that the cache inherits would say that the source does not support it."""
    requests = {name for name, method in vars(Source).items() if inspect.iscoroutinefunction(method)}
    assert requests <= vars(CachedSource).keys()
