"""Papers in one matrix: near is what shares telling words and links, whatever the order of the papers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.builtin.ranking.bm25 import best
from agents.builtin.taste.catalogue import Catalogue
from agents.builtin.taste.tokens import tokens_of
from connectors.identifiers import Identifier
from connectors.paper import Paper
from tests.strategies import papers

DOI, PMID = Identifier("doi", "10.1000/a"), Identifier("pmid", "7")
WORDS = st.lists(st.sampled_from("whale song ocean krill compiler loop parser code".split()), min_size=1, max_size=6)
LIBRARIES = st.lists(WORDS.map(lambda words: Paper(" ".join(words))), min_size=1, max_size=12)
FEW = settings(max_examples=10)
"""A catalogue counts in 32 MB, which takes a moment."""


def catalogue(*some: Paper) -> Catalogue:
    return Catalogue([tokens_of(paper).packed() for paper in some])


@FEW
@given(st.lists(papers(), max_size=6))
def test_any_papers_can_be_compared(some: list[Paper]) -> None:
    made, everyone = catalogue(*some), range(len(some))
    assert np.isfinite(made.similarity(dict.fromkeys(everyone, 1.0))).all()
    assert np.isfinite(made.support(list(everyone), list(everyone))).all()


@FEW
@given(LIBRARIES)
def test_nothing_is_nearer_to_a_paper_than_itself(library: list[Paper]) -> None:
    made, everyone = catalogue(*library), list(range(len(library)))
    for place in everyone:
        scores = made.similarity({place: 1.0})
        assert scores[place] == pytest.approx(1.0)
        assert ((scores >= 0) & (scores <= 1 + 1e-9)).all()
    near = made.nearness(everyone, everyone)
    assert ((near >= 0) & (near <= 1 + 1e-9)).all()
    assert np.allclose(near, near.T)


@FEW
@given(LIBRARIES)
def test_support_is_never_negative_and_the_same_in_whatever_company_it_is_asked_for(library: list[Paper]) -> None:
    made, everyone = catalogue(*library), list(range(len(library)))
    whole = made.support(everyone, everyone)
    assert (whole >= 0).all()
    assert np.allclose(made.support(everyone[::-1], everyone), whole[::-1])
    assert np.allclose(made.support([0], [everyone[-1]])[0, 0], whole[0, -1])


@FEW
@given(LIBRARIES, st.randoms())
def test_the_order_of_the_papers_changes_nothing(library: list[Paper], chance: object) -> None:
    order = list(range(len(library)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    first = catalogue(*library).similarity({0: 1.0})
    second = catalogue(*(library[place] for place in order)).similarity({order.index(0): 1.0})
    assert np.allclose([second[order.index(place)] for place in range(len(library))], first)


def test_a_rare_word_in_common_says_more_than_a_usual_one() -> None:
    made = catalogue(*map(Paper, ("krill ocean", "krill a1", "ocean b1", "ocean c1", "ocean d1", "e1", "f1")))
    assert made.support([0], [1])[0, 0] > made.support([0], [2])[0, 0] > made.support([0], [5])[0, 0] == 0


def test_a_link_joins_both_papers_whichever_of_its_names_the_cited_one_goes_by() -> None:
    made = catalogue(
        Paper("A", identifiers=(DOI, PMID)), Paper("B", references=(DOI,)), Paper("C", references=(PMID,)), Paper("D")
    )
    assert sorted(made.linked_to(0).tolist()) == [1, 2]
    assert made.linked_to(1).tolist() == [0]
    assert made.linked_to(3).tolist() == []
    assert made.similarity({1: 1.0})[2] > 0  # both cite one work, known by two names
    assert np.isclose(made.similarity({1: 1.0})[0], made.similarity({0: 1.0})[1])


def test_papers_that_cite_the_same_unknown_work_are_near_each_other() -> None:
    made = catalogue(Paper("A", references=(DOI,)), Paper("B", references=(DOI,)), Paper("C"))
    scores = made.similarity({0: 1.0})
    assert scores[1] > scores[2] == 0


def test_nobody_is_near_in_an_empty_library() -> None:
    assert catalogue().similarity({}).tolist() == []


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=20), st.integers(1, 20))
def test_the_best_places_are_the_highest_above_zero_and_of_equals_the_first(scores: list[float], most: int) -> None:
    expected = sorted((place for place, score in enumerate(scores) if score), key=lambda place: (-scores[place], place))
    assert best(np.array(scores), most, np.arange(len(scores))) == expected[:most]
