"""Several pages as one answer: no page too many, nothing twice, and a failure half-way is told."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from connectors.errors import SourceError, SourceUnavailable
from connectors.http.paging import ResultPage, gathered
from connectors.paper import Paper


async def walk(*pages: ResultPage | SourceError, asked: list[int]) -> AsyncGenerator[ResultPage]:
    for number, page in enumerate(pages):
        asked.append(number)
        if isinstance(page, SourceError):
            raise page
        yield page


def papers(*titles: str) -> tuple[Paper, ...]:
    return tuple(Paper(title) for title in titles)


def test_a_page_that_is_not_needed_is_not_asked_for() -> None:
    asked: list[int] = []
    answer = asyncio.run(
        gathered(walk(ResultPage(papers("a", "b"), "/1"), ResultPage(papers("c"), "/2"), asked=asked), 2)
    )
    assert [paper.title for paper in answer.papers] == ["a", "b"]
    assert (asked, answer.sent) == ([0], ("/1",))


def test_a_paper_on_two_pages_is_told_once() -> None:
    answer = asyncio.run(gathered(walk(ResultPage(papers("a", "b")), ResultPage(papers("b", "c")), asked=[]), 9))
    assert [paper.title for paper in answer.papers] == ["a", "b", "c"]


def test_counts_are_summed_over_the_pages() -> None:
    pages = [
        ResultPage(papers("a"), counts={"were left out": 2}),
        ResultPage(papers("b"), counts={"were left out": 3, "nothing": 0}),
    ]
    answer = asyncio.run(gathered(walk(*pages, asked=[]), 9))
    assert answer.notes == ("5 were left out",)


def test_a_failure_half_way_keeps_what_came_and_says_so() -> None:
    answer = asyncio.run(
        gathered(walk(ResultPage(papers("a"), "/1"), SourceUnavailable("x", "is not working."), asked=[]), 9)
    )
    assert answer.partial
    assert answer.notes == ("cut short after 1 papers: x is not working.",)


def test_a_failure_at_once_is_a_failure() -> None:
    """Without a first page there is no answer, not an empty one."""
    with pytest.raises(SourceUnavailable):
        asyncio.run(gathered(walk(SourceUnavailable("x", "is not working."), asked=[]), 9))
