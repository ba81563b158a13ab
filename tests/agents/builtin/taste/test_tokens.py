"""A paper is compared by its words, keywords and links, each once, whatever their case and endings."""

from dataclasses import replace

import numpy as np
from hypothesis import given

from agents.builtin.taste.tokens import keyword_of, tokens_of
from connectors.identifiers import Identifier
from connectors.paper import Paper
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
