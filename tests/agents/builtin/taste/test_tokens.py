"""A paper is compared by its words, keywords and links, each once, whatever their case and endings."""

from dataclasses import replace

import numpy as np
from hypothesis import given

from agents.builtin.taste.tokens import LEAST_SHARE, keyword_of, tokens_of, weighty, with_shares
from connectors.identifiers import Identifier
from connectors.paper import Paper
from tests.rows import each
from tests.strategies import papers


@given(papers())
def test_what_is_packed_is_all_tokens_with_their_counts(paper: Paper) -> None:
    tokens = tokens_of(paper)
    numbers = np.frombuffer(tokens.packed(), dtype="<u4").tolist()
    assert numbers[:3] == [len(tokens.content), len(tokens.cites), len(tokens.names)]
    assert numbers[3:] == [*tokens.content, *tokens.cites, *tokens.names]


@given(papers())
def test_every_token_is_there_once_and_the_same_each_time(paper: Paper) -> None:
    tokens = tokens_of(paper)
    assert tokens == tokens_of(paper)
    assert all(len(set(some)) == len(some) for some in tokens)
    assert len(tokens.names) == len(set(paper.identifiers))


def test_words_are_one_whatever_their_case_and_ending_and_fillers_are_none() -> None:
    first, second = tokens_of(Paper("The Songs of Whales")), tokens_of(Paper("whale song"))
    assert set(first.content) == set(second.content)
    assert len(first.content) == 2


def test_a_keyword_counts_as_itself_and_by_its_words() -> None:
    bare, filed = tokens_of(Paper("Whales")), tokens_of(Paper("Whales", keywords=("Humpback whales",)))
    assert len(set(filed.content) - set(bare.content)) == 2
    assert keyword_of("Humpback Whales") == keyword_of("humpback whale")


def test_a_work_that_is_cited_twice_is_one_and_cited_as_it_is_named() -> None:
    doi = Identifier("doi", "10.1000/a")
    citing = tokens_of(Paper("B", references=(doi,)), [doi])
    assert citing.cites == tokens_of(Paper("A", identifiers=(doi,))).names


def test_what_spar_says_of_a_paper_stands_in_for_an_abstract() -> None:
    paper = Paper("A")
    assert tokens_of(replace(paper, described="whales")).content == tokens_of(replace(paper, abstract="whales")).content


@each(
    ("first", "second"),
    [
        ("基于深度学习的图像识别方法", "深度学习在图像识别中的应用"),
        ("深層学習による画像認識", "画像認識のための深層学習"),
        ("การเรียนรู้เชิงลึก", "การเรียนรู้ของเครื่อง"),
        ("Глубокое обучение для зрения", "Обучение зрения"),
        ("Apprentissage profond", "Un apprentissage très profond"),
    ],
)
def test_titles_on_one_subject_share_words_in_their_own_script(first: str, second: str) -> None:
    assert len({*tokens_of(Paper(first)).content} & {*tokens_of(Paper(second)).content}) >= 2


@each(
    ("groups", "subjects"),
    [
        ([[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]]),
        ([[1, 2, 3, 4, 5], [6]], [[1, 2, 3, 4, 5]]),
        ([[1, 2, 3], [4], [5]], [[1, 2, 3], [4, 5]]),
        ([[1, 2, 3, 4, 5, 6, 7, 8], [9], [10]], [[1, 2, 3, 4, 5, 6, 7, 8], [9, 10]]),
        ([list(range(18)), [18], [19]], [list(range(18))]),
        ([[1], [2]], [[1], [2]]),
        ([[1]], [[1]]),
        ([], []),
    ],
    ids=[
        "two subjects",
        "a single paper beside several is none",
        "single papers beside several count together",
        "small ones count together",
        "small ones that are little together do not count",
        "two papers on two subjects",
        "one paper",
        "nothing",
    ],
)
def test_what_is_a_subject_of_a_history(groups: list[list[int]], subjects: list[list[int]]) -> None:
    weights = {paper: 1.0 for group in groups for paper in group}
    assert weighty(groups, weights, LEAST_SHARE) == subjects


def listed(shares: list[float], barred: frozenset[int] = frozenset()) -> list[int]:
    """The subjects of the first ten papers of a list that has thirty of the first, then thirty of the second."""
    order = list(range(60))
    return [paper // 30 for paper in with_shares(order, {at: at // 30 for at in order}, shares, 10, barred)[0][:10]]


@each(("shares", "fewer"), [([0.5, 0.5], 5), ([0.7, 0.3], 3), ([0.8, 0.15], 1), ([1.0], 0)])
def test_a_subject_has_its_share_of_the_places_and_one_among_the_first_five(shares: list[float], fewer: int) -> None:
    assert listed(shares).count(1) == fewer
    assert (1 in listed(shares)[:5]) is (fewer > 0)


def test_what_speaks_against_the_person_fills_no_share() -> None:
    assert listed([0.5, 0.5], barred=frozenset(range(30, 60))).count(1) == 0
