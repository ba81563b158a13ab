"""Comparisons of two papers: "which is older", "is it cited more often"."""

import asyncio
from collections.abc import Iterator
from itertools import combinations

import pytest

from agents.tools.papers import LINKS_KNOWN
from cache import papers
from cache.store import PaperId, Store
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


def first_of(store: Store, *messages: str) -> str:
    """Return the title of the first paper in the answer."""
    state = asyncio.run(talk(store, *messages))
    return papers.by_ids(store, state.shown)[0].title


@pytest.mark.parametrize(("one", "other"), list(combinations(NAMED, 2)))
@pytest.mark.parametrize(
    "words", ["is {0} older than {1}?", "which is older, {0} or {1}?", "of {0} and {1}, which came first?"]
)
def test_the_older_of_two_is_the_one_that_appeared_first(store: Store, one: str, other: str, words: str) -> None:
    older = min((PAPERS[one], PAPERS[other]), key=lambda paper: paper.date or "")
    assert first_of(store, words.format(one, other)) == older.title


@pytest.mark.parametrize("words", ["which has more citations, {0} or {1}?", "is {0} cited more often than {1}?"])
def test_the_more_cited_of_two_has_the_larger_number(store: Store, words: str) -> None:
    assert (PAPERS["BERT"].citation_count or 0) > (PAPERS["REALM"].citation_count or 0)
    assert first_of(store, words.format("REALM", "BERT")) == PAPERS["BERT"].title


def test_one_may_go_on_with_the_two(store: Store) -> None:
    asked = "is BERT older than RAPTOR?"
    most = max((PAPERS["BERT"], PAPERS["RAPTOR"]), key=lambda paper: paper.citation_count or 0)
    assert first_of(store, asked, "which of them is cited more often?") == most.title
    assert f"“{PAPERS['RAPTOR'].title}”" in said(asyncio.run(talk(store, asked, "show the abstract of the second")))


@pytest.mark.parametrize("message", ["is BERT older than ELMo?", "which is older, ELMo or BERT?"])
def test_a_paper_that_is_not_there_is_named_and_nothing_is_judged(store: Store, message: str) -> None:
    state = asyncio.run(talk(store, message))
    assert "“ELMo”" in said(state)
    assert not state.shown


def test_a_paper_bounds_the_time_of_others(store: Store) -> None:
    many = sum((paper.date or "9999") < str(PAPERS["BERT"].date) for paper in world.all_papers())
    assert said(asyncio.run(talk(store, "all papers older than BERT"))).startswith(f"{many} papers")


def number(store: Store, begins: str) -> PaperId:
    paper = next(paper for paper in world.all_papers() if paper.title.startswith(begins))
    found = papers.number_of(store, paper)
    assert found is not None
    return found


def linked(store: Store, begins: str, *, citing: bool) -> set[int]:
    """Return the papers that cite the one whose title begins with `begins`, or that it cites."""
    everything = [found for one in world.all_papers() if (found := papers.number_of(store, one)) is not None]
    one = number(store, begins)
    pairs = papers.links_among(store, everything)
    return {source for source, target in pairs if target == one} if citing else {b for a, b in pairs if a == one}


BERT, REALM, RAPTOR, SELF_RAG = "BERT: Pre", "REALM: ", "RAPTOR: ", "Self-RAG: "


@pytest.mark.parametrize(
    ("message", "names", "citing"),
    [
        ("which papers cite both BERT and REALM?", (BERT, REALM), True),
        ("papers citing BERT as well as REALM", (BERT, REALM), True),
        ("which papers are cited by both RAPTOR and Self-RAG?", (RAPTOR, SELF_RAG), False),
        ("what do RAPTOR and Self-RAG both cite?", (RAPTOR, SELF_RAG), False),
    ],
)
def test_what_is_linked_to_both_is_linked_to_each(
    store: Store, message: str, names: tuple[str, str], citing: bool
) -> None:
    state = asyncio.run(talk(store, message))
    first, second = (linked(store, name, citing=citing) for name in names)
    assert set(state.candidates or ()) == first & second
    assert first & second, "the library has such papers"
    assert LINKS_KNOWN in said(state)


def test_either_of_two_is_enough_where_that_is_said(store: Store) -> None:
    state = asyncio.run(talk(store, "which papers cite BERT or REALM?"))
    assert set(state.candidates or ()) == linked(store, BERT, citing=True) | linked(store, REALM, citing=True)


def test_how_many_cite_one_paper_is_what_its_record_says(store: Store) -> None:
    bert = papers.by_ids(store, [number(store, BERT)])[0]
    told = said(asyncio.run(talk(store, "how many papers cite BERT?")))
    assert bert.title in told
    assert str(bert.citation_count) in told


def test_one_that_is_not_there_is_named_and_nothing_is_done(store: Store) -> None:
    told = said(asyncio.run(talk(store, "which papers cite BERT and ELMo?")))
    assert "“ELMo”" in told
    assert "Nothing was done." in told
