"""Vectors are kept for as long as they are true."""

from dataclasses import replace

from cache import papers
from cache.paper_vectors import keep_vectors, kept_vectors
from cache.store import PaperId, Store
from connectors.identifiers import Identifier
from connectors.paper import Paper

PAPER = Paper("Sleep and memory", "Sleep helps.", identifiers=(Identifier("doi", "10.1/sleep"),))


def test_a_vector_is_found_again_in_its_space_only(store: Store) -> None:
    [number] = papers.remember(store, [PAPER])
    keep_vectors(store, "here model-1", {number: b"1234"})
    assert kept_vectors(store, "here model-1", [number]) == {number: b"1234"}
    assert kept_vectors(store, "here model-2", [number]) == {}


def test_a_paper_that_says_something_else_loses_its_vector(store: Store) -> None:
    [number] = papers.remember(store, [PAPER])
    keep_vectors(store, "here", {number: b"1234"})
    papers.remember(store, [PAPER])
    assert kept_vectors(store, "here", [number]) == {number: b"1234"}
    papers.correct(store, number, replace(PAPER, abstract="Sleep does not help."))
    assert kept_vectors(store, "here", [number]) == {}


def test_vectors_of_papers_that_are_gone_are_passed_over(store: Store) -> None:
    keep_vectors(store, "here", {PaperId(99): b"1234"})
    assert kept_vectors(store, "here", [99]) == {}
