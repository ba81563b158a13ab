"""What a catalogue says of papers, against sums worked out one paper at a time."""

from collections.abc import Mapping, Sequence

import pytest

from agents.builtin.ranking.bm25 import idf
from agents.builtin.taste.catalogue import Catalogue, best_places
from agents.builtin.taste.tokens import tokens_of
from connectors.identifiers import Identifier
from connectors.paper import Paper


def name(value: str) -> Identifier:
    return Identifier("doi", f"10.1000/{value}")


def paper(title: str, own: str, *cited: str, keywords: Sequence[str] = ()) -> Paper:
    return Paper(title, identifiers=(name(own),), references=tuple(map(name, cited)), keywords=tuple(keywords))


PAPERS = [
    paper("Coral reefs", "a", "b", "elsewhere", keywords=["marine life"]),
    paper("Reefs and tides", "b"),
    paper("Tides of sand", "c", "a", "elsewhere"),
    paper("Desert wind", "d"),
    Paper(""),
]
SETS: list[set[str]] = [
    {"coral", "reef", "marin", "life", "[marin life]", "<a>", "<b>", "<c>", "<elsewhere>"},
    {"reef", "tide", "<b>", "<a>"},
    {"tide", "sand", "<c>", "<a>", "<elsewhere>"},
    {"desert", "wind", "<d>"},
    {"<nameless>"},
]
"""The tokens of each: words, keywords, and the works it is linked to, itself among them."""


def catalogue(papers: Sequence[Paper] = PAPERS) -> Catalogue:
    return Catalogue([tokens_of(one).packed() for one in papers])


def worth(token: str, power: int) -> float:
    having = sum(token in tokens for tokens in SETS)
    return float(idf(having, len(SETS)) ** power)


def mass(place: int, power: int) -> float:
    return float(sum(worth(token, power) for token in SETS[place]))


def similarity(history: Mapping[int, float], place: int) -> float:
    return sum(weight * cosine(known, place) for known, weight in history.items())


def cosine(known: int, place: int) -> float:
    shared = sum(worth(token, 2) for token in SETS[known] & SETS[place])
    return float(shared / (mass(known, 2) * mass(place, 2)) ** 0.5)


def support(known: int, place: int) -> float:
    shared = sum(worth(token, 3) for token in SETS[known] & SETS[place])
    return float(shared / (mass(known, 3) ** 0.5 * mass(place, 3) ** 0.4))


def test_similarity_is_the_weighed_mean_of_cosines_of_idf() -> None:
    history = {0: 0.75, 2: 0.25}
    found = catalogue().similarity(history)
    assert found.tolist() == pytest.approx([similarity(history, place) for place in range(len(SETS))])


def test_support_weighs_what_is_rare_by_idf_cubed() -> None:
    history, candidates = [2, 0], [1, 3, 0, 4]
    found = catalogue().support(history, candidates)
    assert found.ravel().tolist() == pytest.approx([support(known, place) for known in history for place in candidates])


def test_a_paper_is_linked_to_those_it_cites_and_those_that_cite_it() -> None:
    found = catalogue()
    assert [sorted(found.linked_to(place).tolist()) for place in range(5)] == [[1, 2], [0], [0], [], []]


def test_a_work_cited_under_two_names_is_linked_once() -> None:
    twice = [Paper("First", identifiers=(name("a"), name("b"))), paper("Second", "c", "a", "b")]
    assert catalogue(twice).linked_to(1).tolist() == [0]


def test_a_catalogue_without_papers_has_no_scores() -> None:
    empty = catalogue([])
    assert empty.similarity({}).tolist() == []
    assert empty.support([], []).shape == (0, 0)


def test_a_paper_without_a_word_is_near_to_nothing() -> None:
    blank = [Paper(""), Paper("")]
    assert catalogue(blank).similarity({0: 1.0})[1] == 0


def test_nothing_is_near_to_an_empty_history() -> None:
    assert catalogue().similarity({}).tolist() == [0] * len(SETS)


def test_the_best_places_are_the_first_of_equals_and_none_that_is_worth_nothing() -> None:
    import numpy as np

    scores = np.array([0.0, 2.0, 1.0, 2.0, 3.0])
    assert best_places(scores, np.arange(5), 3) == [4, 1, 3]
    assert best_places(scores, np.array([0, 2, 3]), 9) == [3, 2]
