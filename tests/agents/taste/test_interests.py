"""A person's subjects are told apart, and named in words of their papers."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from agents.taste.comparison import TasteComparison, groups, words_for
from agents.taste.context import contradictions, read_context
from agents.taste.whole_profile import name_of
from cache.profile import Facet, WrittenLine
from cache.store import Store
from tests.agents.taste.world import COMPILERS, NOON, OTHERS, WHALES, done, filled, paper
from tests.rows import each


def grouped(store: Store) -> list[list[int]]:
    comparison = TasteComparison(store, read_context(store, NOON))
    found = groups(comparison, comparison.history)
    return [[comparison.numbers[place] for place in group] for group in found]


@pytest.mark.parametrize(("most", "fewest"), [(3, 3), (6, 3), (6, 6), (4, 2)])
def test_no_group_has_papers_of_two_subjects_and_there_are_few(store: Store, most: int, fewest: int) -> None:
    whales, compilers = filled(store)
    done(store, "liked", *compilers[:most])
    done(store, "liked", *whales[:fewest])
    found = grouped(store)
    assert all(set(group) <= set(whales) or set(group) <= set(compilers) for group in found)
    assert 2 <= len(found) <= (most + fewest) / 2


def test_the_weightiest_subject_comes_first(store: Store) -> None:
    whales, compilers = filled(store)
    done(store, "opened", *compilers[:3])
    done(store, "liked", *whales[:3])
    assert list(map(set, grouped(store))) == [set(whales[:3]), set(compilers[:3])]


def test_every_paper_of_the_history_is_in_one_group(store: Store) -> None:
    whales, compilers = filled(store)
    done(store, "liked", *range(1, 1 + len(OTHERS)), *whales, *compilers)
    assert sorted(number for group in grouped(store) for number in group) == [
        *range(1, 1 + len(OTHERS)), *whales, *compilers,
    ]  # fmt: skip


def test_who_did_nothing_has_no_subject_and_who_did_one_thing_has_one(store: Store) -> None:
    whales, _ = filled(store)
    assert grouped(store) == []
    done(store, "liked", whales[0])
    assert grouped(store) == [[whales[0]]]


def test_a_subject_is_named_by_words_that_stand_in_titles_of_its_papers() -> None:
    whales, compilers = [paper(*one) for one in WHALES], [paper(*one) for one in COMPILERS]
    words = words_for(whales, [*whales, *compilers])
    assert words
    for word in words:
        assert sum(word in one.title.lower() for one in whales) >= 2
        assert not any(word in one.title.lower() for one in compilers)
    assert "whales" in " ".join(words)


@pytest.mark.parametrize(
    ("titles", "words"),
    [
        (("RNA sequencing of plants", "Rna Sequencing at Scale", "rna sequencing protocols"), "RNA sequencing"),
        (("Bayesian optimization of reactors", "On Bayesian optimization"), "Bayesian optimization"),
        (("Graph Matching for Maps", "Graph matching in maps", "Fast: Graph matching again"), "graph matching"),
        (("SPARSE CODING OF MAPS", "Sparse coding again"), "sparse coding"),
    ],
)
def test_a_name_keeps_its_capitals_and_no_capital_of_a_heading_stays(titles: Sequence[str], words: str) -> None:
    assert words in words_for([paper(title) for title in titles], [])


def test_words_by_which_people_ask_and_write_are_no_names() -> None:
    filters = [paper("Filtering spam using Bayes"), paper("Using words for filtering spam")]
    assert not {"using", "for"} & {*" ".join(words_for(filters, filters)).split()}


def test_a_name_is_a_whole_phrase_and_crosses_no_punctuation() -> None:
    titles = "Graph neural networks: attention matters", "Citation networks", "Attention in graph neural networks"
    graphs = [paper(title) for title in titles]
    assert words_for(graphs, graphs) == ("graph neural networks",)


def test_a_word_alone_is_a_name_only_where_most_papers_have_it_and_share_no_phrase() -> None:
    centrality = [paper("Centrality of cities"), paper("Power and centrality"), paper("Roads of power, measured")]
    more = [paper("Why rivers meander"), paper("Ice on lakes")]
    assert words_for(centrality, centrality) == ("centrality", "power")
    assert words_for([*centrality, *more], centrality) == ()


def test_keywords_that_papers_share_name_them_too() -> None:
    titles = "What monkeys remember", "Chess and the expert", "Digits heard in noise"
    memory = [replace(paper(title), keywords=("working memory", title[:5])) for title in titles]
    assert words_for(memory, memory) == ("working memory",)


def test_papers_that_share_no_word_are_named_by_the_first() -> None:
    some = [paper("Songs of whales"), paper("Krill")]
    assert name_of(some, some) == "papers like “Songs of whales”"


TODAY = date(2026, 11, 22)


def lines(*said: tuple[Facet, str]) -> list[WrittenLine]:
    made = datetime(2026, 11, 1, tzinfo=UTC)
    return [WrittenLine(number, facet, text, made) for number, (facet, text) in enumerate(said, start=1)]


@each(
    ("first", "second"),
    [
        (("like", "whales"), ("dislike", "whales")),
        (("dislike", "Whale songs"), ("like", "songs of whales")),
        (("like", "papers about whales"), ("dislike", "the whale")),
        (("expect", "open access"), ("dislike", "open access")),
        (("like", "鯨の歌"), ("dislike", "鯨の歌")),
        (("expect", "since 2020"), ("expect", "before 2010")),
        (("expect", "papers of 2019"), ("expect", "published since 2021")),
        (("expect", "until 2015"), ("expect", "the last five years")),
    ],
)
def test_what_cannot_both_hold_contradicts(first: tuple[Facet, str], second: tuple[Facet, str]) -> None:
    both = lines(first, second)
    [found] = contradictions(both, TODAY)
    assert set(found.lines) == set(both)
    assert all(text in found.why for _, text in (first, second))


@each(
    ("first", "second"),
    [
        (("like", "whales"), ("like", "whales")),
        (("like", "whales"), ("expect", "whales")),
        (("like", "neural networks"), ("dislike", "graph neural networks")),
        (("like", "whales"), ("dislike", "ships")),
        (("expect", "since 2010"), ("expect", "before 2020")),
        (("expect", "since 2020"), ("expect", "at least 100 citations")),
        (("like", "since 2020"), ("like", "before 2010")),
    ],
)
def test_what_can_both_hold_does_not(first: tuple[Facet, str], second: tuple[Facet, str]) -> None:
    assert contradictions(lines(first, second), TODAY) == []


def test_every_pair_is_told_and_lines_beside_them_are_left_alone() -> None:
    found = contradictions(
        lines(("like", "whales"), ("dislike", "whales"), ("expect", "whales"), ("like", "ships")), TODAY
    )
    assert [[line.number for line in one.lines] for one in found] == [[1, 2], [2, 3]]
