"""Two papers set against each other, each held against its record: "which is older", "is it cited more often"."""

import asyncio
from collections.abc import Iterator
from itertools import combinations

import pytest

from cache import papers
from cache.store import Store
from connectors.paper import Paper
from tests.agents.assistant.talking import filled, said, talk
from tests.requests import world

NAMED = {"BERT": "BERT: Pre", "REALM": "REALM: ", "RAPTOR": "RAPTOR: ", "Self-RAG": "Self-RAG: "}
PAPERS = {
    name: next(paper for paper in world.all_papers() if paper.title.startswith(begins))
    for name, begins in NAMED.items()
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with filled(tmp_path_factory.mktemp("library")) as library:
        yield library


def answer(store: Store, message: str) -> str:
    return said(asyncio.run(talk(store, message)))


def line_of(paper: Paper, text: str) -> str:
    return next(line for line in text.splitlines() if paper.title in line)


@pytest.mark.parametrize(("one", "other"), list(combinations(NAMED, 2)))
@pytest.mark.parametrize(
    "words", ["is {0} older than {1}?", "which is older, {0} or {1}?", "of {0} and {1}, which came first?"]
)
def test_the_older_of_two_is_the_one_that_appeared_first(store: Store, one: str, other: str, words: str) -> None:
    text = answer(store, words.format(one, other))
    older = min((PAPERS[one], PAPERS[other]), key=lambda paper: paper.date or "")
    for paper in (PAPERS[one], PAPERS[other]):
        line = line_of(paper, text)
        assert str(paper.date) in line
        assert line.endswith("yes" if paper is older else "no"), text


@pytest.mark.parametrize("words", ["which has more citations, {0} or {1}?", "is {0} cited more often than {1}?"])
def test_the_more_cited_of_two_has_the_larger_number(store: Store, words: str) -> None:
    text = answer(store, words.format("REALM", "BERT"))
    assert (PAPERS["BERT"].citation_count or 0) > (PAPERS["REALM"].citation_count or 0)
    assert line_of(PAPERS["BERT"], text).endswith("yes")
    assert line_of(PAPERS["REALM"], text).endswith("no")


def test_one_may_go_on_with_the_two(store: Store) -> None:
    asked = "is BERT older than RAPTOR?"
    state = asyncio.run(talk(store, asked, "which of them is cited more often?"))
    most = max((PAPERS["BERT"], PAPERS["RAPTOR"]), key=lambda paper: paper.citation_count or 0)
    assert f"Number 1 of 2 is “{most.title}”." in said(state)
    assert f"“{PAPERS['RAPTOR'].title}”" in said(asyncio.run(talk(store, asked, "show the abstract of the second")))


def test_the_places_of_a_list_stay_when_two_of_it_are_set_against_each_other(store: Store) -> None:
    listed = asyncio.run(talk(store, "papers on dense retrieval"))
    third = papers.by_ids(store, listed.shown)[2].title
    asked = ("papers on dense retrieval", "is the second older than BERT?", "show the third's abstract")
    assert f"“{third}”" in said(asyncio.run(talk(store, *asked)))


def test_a_paper_that_is_not_there_is_said_not_to_be_and_nothing_is_judged(store: Store) -> None:
    for message in ("is BERT older than ELMo?", "which is older, ELMo or BERT?", "is ELMo more recent than BERT?"):
        text = answer(store, message)
        assert "No paper of your library is called “ELMo”." in text, text
        assert "yes" not in text.replace("yesterday", "").split(), text


@pytest.mark.parametrize("time", ["June 2019", "January 2018", "March 5, 2021", "2020"])
def test_a_time_is_not_taken_for_a_paper_that_is_not_there(store: Store, time: str) -> None:
    text = answer(store, f"was BERT published before {time}?")
    assert "No paper of your library is called" not in text
    assert line_of(PAPERS["BERT"], text)
    assert ("yes" in text) == (time in ("March 5, 2021", "2020"))  # it is of 23 June 2019


def test_a_bound_that_a_paper_sets_is_not_called_unread(store: Store) -> None:
    text = answer(store, "papers older than BERT")
    assert "did not understand" not in text
    many = sum((paper.date or "9999") < str(PAPERS["BERT"].date) for paper in world.all_papers())
    assert text.startswith(f"{many} papers")


def test_authors_that_are_counted_one_by_one_are_not_looked_for_together(store: Store) -> None:
    for message in ("how many papers are by Lewis and how many by Karpukhin", "number of papers by Lewis, and by Guu"):
        text = answer(store, message)
        for name in ("Lewis", "Karpukhin" if "Karpukhin" in message else "Guu"):
            many = sum(any(author.family == name for author in paper.authors) for paper in world.all_papers())
            assert f"{name}, {many}" in text, text
