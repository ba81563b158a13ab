"""What the starter shelf answers."""

import asyncio
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.errors import NotFound
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.source import Query
from connectors.starter.shelf import StarterShelf
from tests.agents.scripted import paper
from tests.rows import each

SHELF = StarterShelf()


def found(text: str, since: date | None = None, until: date | None = None, limit: int = 10) -> tuple[Paper, ...]:
    return asyncio.run(SHELF.search(Query(text, since, until, limit))).papers


def one(value: str) -> Paper:
    (paper,) = asyncio.run(SHELF.lookup([Identifier("arxiv", value)])).papers
    return paper


@each(
    ("question", "name"),
    [
        ("how do transformers translate without recurrence?", "1706.03762"),
        ("variational autoencoders", "1312.6114"),
        ("low-rank adaptation of large language models", "2106.09685"),
        ("agents that interleave reasoning and acting", "2210.03629"),
    ],
)
def test_a_plain_question_finds_the_landmark_among_the_first_three(question: str, name: str) -> None:
    assert name in [paper.identifier("arxiv") for paper in found(question, limit=3)]


def test_what_the_shelf_says_of_a_paper_is_no_abstract() -> None:
    papers = found("learning", limit=500)
    assert len(papers) > 100
    assert not any(paper.abstract for paper in papers)
    assert all(paper.described for paper in papers)


def test_date_bounds_hold() -> None:
    years = [paper.year or 0 for paper in found("learning", date(2014, 1, 1), date(2015, 12, 31), 50)]
    assert years
    assert all(2014 <= year <= 2015 for year in years)


def test_references_and_citing_papers_are_each_others_reverse() -> None:
    bert, attention = one("1810.04805"), one("1706.03762")
    assert attention in asyncio.run(SHELF.references(bert, 100)).papers
    assert bert in asyncio.run(SHELF.citations(attention, 500)).papers


def test_a_paper_has_an_identifier_of_each_paper_that_it_cites_and_that_has_one() -> None:
    citing = one("1810.04805")
    cited = [paper for paper in asyncio.run(SHELF.references(citing, 100)).papers if paper.identifiers]
    assert len(cited) == len(citing.references) > 1
    assert all(set(paper.identifiers) & set(citing.references) for paper in cited)


def test_a_paper_is_not_similar_to_itself() -> None:
    attention = one("1706.03762")
    alike = asyncio.run(SHELF.similar(attention, 5)).papers
    assert len(alike) == 5
    assert attention not in alike


def test_a_paper_that_is_not_on_the_shelf_is_said_not_to_be() -> None:
    with pytest.raises(NotFound):
        asyncio.run(SHELF.references(paper("An unheard-of thing", "10.5555/nobody"), 5))


@given(st.text(max_size=60) | st.text("\"*^:(){}-NEARANDOR '", max_size=30))
def test_no_question_breaks_the_shelf(question: str) -> None:
    assert len(found(question, limit=5)) <= 5
