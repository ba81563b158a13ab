"""Papers that cite several papers, and papers that several papers cite, compared with the links in the library."""

import asyncio
from collections.abc import Iterator

import pytest

from agents.tools.queries import LINKS_KNOWN
from cache import papers
from cache.store import PaperId, Store
from tests.agents.assistant.talking import filled, said, talk
from tests.requests import world


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with filled(tmp_path_factory.mktemp("library")) as library:
        yield library


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
