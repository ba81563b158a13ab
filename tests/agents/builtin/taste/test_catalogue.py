"""What a catalogue says of papers, against sums worked out one paper at a time."""

import tracemalloc
from collections.abc import Mapping, Sequence

import pytest

from agents.builtin.ranking.bm25 import best, idf
from agents.builtin.taste import catalogue as module
from agents.builtin.taste.catalogue import MOST_KEPT, Catalogue, catalogue_of
from agents.builtin.taste.tokens import Tokens, tokens_of
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
    shared = sum(worth(token, 2) for token in SETS[known] & SETS[place])
    return float(shared / (mass(known, 2) ** 0.5 * mass(place, 2) ** 0.3))


def test_similarity_is_the_weighed_mean_of_cosines_of_idf() -> None:
    history = {0: 0.75, 2: 0.25}
    found = catalogue().similarity(history)
    assert found.tolist() == pytest.approx([similarity(history, place) for place in range(len(SETS))])


def test_support_is_a_cosine_that_takes_less_off_for_what_else_a_candidate_says() -> None:
    history, candidates = [2, 0], [1, 3, 0, 4]
    found = catalogue().support(history, candidates)
    assert found.ravel().tolist() == pytest.approx([support(known, place) for known in history for place in candidates])


def test_a_text_is_as_near_to_papers_as_a_paper_that_says_the_same() -> None:
    """What no paper here says is worth what only one of them would say."""
    said = {"reef", "tide", "volcano"}
    worths = {token: worth(token, 2) if token != "volcano" else idf(1, len(SETS)) ** 2 for token in said}
    found = catalogue().similarity_to(tokens_of(Paper("Reefs, tides and a volcano")).content)
    expected = [
        sum(worths[token] for token in said & tokens) / (sum(worths.values()) * mass(place, 2)) ** 0.5
        for place, tokens in enumerate(SETS)
    ]
    assert found.tolist() == pytest.approx(expected)


def test_a_text_is_near_to_nothing_where_there_are_no_papers_or_no_words() -> None:
    assert catalogue([]).similarity_to(tokens_of(Paper("Reefs")).content).tolist() == []
    assert not catalogue().similarity_to([]).any()


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
    assert best(scores, 3, np.arange(5)) == [4, 1, 3]
    assert best(scores, 9, np.array([0, 2, 3])) == [3, 2]


def test_the_last_catalogue_serves_as_long_as_the_papers_are_the_same() -> None:
    packed = [tokens_of(one).packed() for one in PAPERS]
    first = catalogue_of(packed)
    assert catalogue_of([bytes(bytearray(blob)) for blob in packed]) is first
    changed = catalogue_of([*packed[:-1], tokens_of(paper("Coral wind", "e")).packed()])
    assert changed.similarity({0: 1.0})[4] > 0 == first.similarity({0: 1.0})[4]
    assert catalogue_of(packed[::-1]).similarity({0: 1.0}).tolist() == first.similarity({4: 1.0}).tolist()[::-1]


def test_two_catalogues_take_turns_and_no_more_are_kept_than_there_is_room_for() -> None:
    packed = [tokens_of(one).packed() for one in PAPERS]
    few, more = catalogue_of(packed[:2]), catalogue_of(packed)
    assert catalogue_of(packed[:2]) is few
    assert catalogue_of(packed) is more
    many = catalogue_of([packed[0]] * MOST_KEPT)
    assert catalogue_of([packed[0]] * MOST_KEPT) is many
    assert catalogue_of(packed[:2]) is not few


def test_a_name_that_two_papers_bear_is_that_of_the_first() -> None:
    twins = [paper("One", "a"), paper("Two", "a"), paper("Three", "b", "a")]
    assert catalogue(twins).linked_to(2).tolist() == [0]


def test_names_that_only_look_alike_to_a_table_are_told_apart() -> None:
    """Names go by numbers, and a table by the lowest bits of these."""
    numbers = {number: Tokens((), (), (number,)) for number in (7, 7 + (1 << 22), 7 + (2 << 22))}
    citing = Tokens((), tuple(numbers), ())
    found = Catalogue([one.packed() for one in (*numbers.values(), citing, Tokens((), (7 + (3 << 22),), ()))])
    assert found.linked_to(3).tolist() == [0, 1, 2]
    assert found.linked_to(4).tolist() == []


def test_papers_are_summed_up_alike_however_many_tokens_are_looked_up_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    some = [*PAPERS, Paper(""), *(paper(f"Reefs {number} and tides", str(number), "a") for number in range(30))]
    whole = catalogue(some).similarity({0: 1.0, 1: 0.5})
    for chunk in (1, 3, 50):
        monkeypatch.setattr(module, "_CHUNK", chunk)
        assert catalogue(some).similarity({0: 1.0, 1: 0.5}).tolist() == pytest.approx(whole.tolist(), abs=1e-12)


def test_few_papers_are_compared_as_they_are_among_many(monkeypatch: pytest.MonkeyPatch) -> None:
    few = catalogue()
    monkeypatch.setattr(module, "_FEW", 0)
    many = catalogue()
    history = {0: 1.0, 2: 0.5}
    assert list(few.idf) == list(many.idf)
    assert list(few.similarity(history)) == list(many.similarity(history))
    assert list(few.similarity_to(tokens_of(Paper("Tides of coral")).content)) == list(
        many.similarity_to(tokens_of(Paper("Tides of coral")).content)
    )
    assert few.nearness(range(5), range(5)).tolist() == many.nearness(range(5), range(5)).tolist()


def test_a_small_library_takes_little_memory() -> None:
    packed = [tokens_of(one).packed() for one in PAPERS]
    tracemalloc.start()
    Catalogue(packed)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20_000_000  # 16 of which are where names are looked up
