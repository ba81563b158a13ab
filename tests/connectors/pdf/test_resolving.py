"""How cited works are found at the sources."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from connectors.capability import Capability
from connectors.errors import SourceUnavailable
from connectors.http.pool import ConnectionPool
from connectors.identifiers import Identifier, arxiv, doi
from connectors.paper import Paper
from connectors.pdf import CitedWork, PdfFetcher, resolved
from connectors.pdf.source import PdfBibliographies
from connectors.source import Answer, Query
from connectors.starter.shelf import StarterShelf
from tests.connectors.papers import source_of
from tests.connectors.pdf.bibliographies import Setting, lines_of
from tests.connectors.pdf.known_works import BUILT_ON
from tests.connectors.pdf.test_fetching import QUICK, Host
from tests.connectors.pdf.writing import columns, pdf
from tests.services.http.message import Reply
from tests.services.http.server import Server


class Watched(StarterShelf):
    """The shelf, and what it was asked."""

    def __init__(self) -> None:
        self.titles: list[str] = []
        self.names: list[Identifier] = []

    async def search(self, query: Query) -> Answer:
        self.titles.append(query.text)
        return await super().search(query)

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        self.names += names
        return await super().lookup(names)


class Broken(Watched):
    """A source that is down."""

    name = "broken"

    async def search(self, query: Query) -> Answer:
        self.titles.append(query.text)
        raise SourceUnavailable(self.name, "is not working.")

    async def lookup(self, names: Sequence[Identifier]) -> Answer:
        self.names += names
        raise SourceUnavailable(self.name, "is not working.")


def shelf_papers(count: int) -> list[Paper]:
    found = asyncio.run(StarterShelf().search(Query("retrieval language model", limit=200))).papers
    return [paper for paper in found if paper.identifiers and len(paper.title.split()) > 4][:count]


def cited(paper: Paper, *names: Identifier | None, title: str | None = None, year: int | None = None) -> CitedWork:
    """An entry that cites `paper`."""
    family = paper.authors[0].family
    return CitedWork(title or paper.title, family, year or paper.year, tuple(name for name in names if name), "raw")


def test_identifiers_are_looked_up_at_once_and_titles_searched_for() -> None:
    papers = shelf_papers(8)
    works = [cited(paper, *paper.identifiers) for paper in papers[:4]] + [cited(paper) for paper in papers[4:]]
    shelf = Watched()
    assert asyncio.run(resolved(works, {"starter": shelf}, limit=20)) == tuple(papers)
    assert sorted(shelf.titles) == sorted(paper.title for paper in papers[4:])


def test_a_title_is_asked_once_and_no_more_than_the_limit_are() -> None:
    papers = shelf_papers(8)
    shelf = Watched()
    found = asyncio.run(resolved([cited(paper) for paper in papers * 2], {"starter": shelf}, limit=5))
    assert found == tuple(papers[:5])
    assert len(shelf.titles) == 5


def test_a_work_is_never_taken_for_another() -> None:
    """A title that is only similar, another author and year, or an identifier that leads elsewhere finds nothing."""
    one, other = shelf_papers(2)
    assert one.year is not None
    works = [
        cited(one, title=f"{one.title} revisited for speech"),
        CitedWork(one.title, "Nobody", one.year - 9, (), "raw"),
        CitedWork("Deep learning for weather maps and tides", "Nobody", 1999, (other.identifiers[0],), "raw"),
    ]
    assert asyncio.run(resolved(works, {"starter": Watched()}, limit=9)) == ()


def test_a_misprint_in_a_long_title_is_forgiven() -> None:
    one = max(shelf_papers(20), key=lambda paper: len(paper.title))
    work = cited(one, title=one.title[:-6] + one.title[-5:])
    assert asyncio.run(resolved([work], {"starter": Watched()}, limit=9)) == (one,)


def test_a_source_that_is_down_costs_only_what_it_was_asked() -> None:
    papers = shelf_papers(12)
    broken, shelf = Broken(), Watched()
    works = [cited(paper, *paper.identifiers) for paper in papers[:2]] + [cited(paper) for paper in papers[2:]]
    found = asyncio.run(resolved(works, {"broken": broken, "starter": shelf}, limit=20))
    assert set(papers[:2]) <= set(found)
    assert len(broken.titles) == 4
    assert len(shelf.titles) == 6


def test_works_that_no_source_knows_are_kept_on_request() -> None:
    works = [
        CitedWork("A method that no shelf has ever held", "Doe", 2018, (), "raw"),
        CitedWork("A book without a year or author", "", None, (), "raw"),
        CitedWork("Report", "Roe", 2001, (), "raw"),
    ]
    assert asyncio.run(resolved(works, {"starter": Watched()}, limit=9)) == ()
    kept = asyncio.run(resolved(works, {"starter": Watched()}, limit=9, keep_unresolved=True))
    assert [(paper.title, paper.year, paper.authors[0].family) for paper in kept] == [(works[0].title, 2018, "Doe")]
    assert source_of(kept[0], "title") == "pdf"


def test_the_same_paper_under_two_names_comes_once() -> None:
    work = next(paper for paper in shelf_papers(40) if paper.identifier("arxiv") and paper.identifier("doi"))
    works = [cited(work, arxiv(work.identifier("arxiv"))), cited(work, doi(work.identifier("doi"))), cited(work)]
    assert asyncio.run(resolved(works, {"starter": Watched()}, limit=9)) == (work,)


def test_without_sources_nothing_is_found() -> None:
    assert asyncio.run(resolved([CitedWork("A title of some words", "Doe", 2018, (), "raw")], {}, limit=9)) == ()


def test_references_of_a_pdf_are_found_at_the_sources(tmp_path: Path) -> None:
    """What no source lists is read from the paper itself; who is named there is looked up where it is known."""
    lines = lines_of(BUILT_ON, Setting("plain", False, "  ", width=48), seed=4)
    body = pdf(columns(lines, head="A paper", count=1, height=30))
    host = Host(paper=Reply(body=body, content_type="application/pdf"))

    async def run() -> Answer:
        server = Server(host)
        await server.start()
        try:
            async with ConnectionPool() as connections:
                fetcher = PdfFetcher(connections, tmp_path, local=True, rate_limit=QUICK)
                source = PdfBibliographies(fetcher, {"starter": StarterShelf()})
                assert source.capabilities == {Capability.REFERENCES}
                return await source.references(Paper("A paper", pdf=f"{server.url}/paper"), 50)
        finally:
            await server.stop()

    answer = asyncio.run(run())
    titles = {work.title.casefold() for work in BUILT_ON}
    assert answer.papers
    assert all(paper.title.casefold() in titles for paper in answer.papers)
    assert answer.total is not None
    assert answer.total >= len(answer.papers)
