"""Conditions of any kinds that "or", "and" and "not" join mean what the words say."""

from collections.abc import Iterator
from itertools import combinations, product

import pytest

from agents.tools.filter_arguments import FILTER_ARGUMENTS
from cache.conditions.filters import Filter
from cache.conditions.library import matching
from cache.store import PaperId, Store
from tests.agents.reading import shelves
from tests.agents.reading.conversations import outcome_of
from tests.rows import each

CONDITIONS = {
    "by Lee": {"authors": ["Lee"]},
    "in Nature": {"venues": ["Nature"]},
    "on malaria": {"words": ["malaria"]},
    "from 2021": {"years": ["2021"]},
    "tagged energy": {"tags": ["energy"]},
    "without a note": {"noted": False},
    "with more than 10000 citations": {"min_citations": 10_001},
}
"""Conditions in words, each of another kind, with the arguments of the tool that mean them."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.open(tmp_path_factory.mktemp("joining") / "library.db") as store:
        shelves.fill(store)
        yield store


def meeting(store: Store, words: str) -> set[PaperId]:
    return {*matching(store, FILTER_ARGUMENTS.model_validate(CONDITIONS[words]).wanted)}


def meant(store: Store, message: str) -> set[PaperId]:
    """Return the papers that the steps for a message leave, whatever of them is shown."""
    reading = outcome_of(store, [message]).reading
    assert reading.understood, (message, reading)
    numbers = {*matching(store, Filter())}
    for call in reading.calls:
        if call.tool == "filter":
            numbers &= {*matching(store, FILTER_ARGUMENTS.model_validate(call.arguments).wanted)}
    return numbers


@each(("first", "second"), [*combinations(CONDITIONS, 2)])
def test_or_means_one_of_two_conditions_of_any_kinds(store: Store, first: str, second: str) -> None:
    assert meant(store, f"papers {first} or {second}") == meeting(store, first) | meeting(store, second)


@each(("first", "second"), [*combinations(CONDITIONS, 2)])
def test_and_means_both_conditions(store: Store, first: str, second: str) -> None:
    assert meant(store, f"papers {first} and {second}") == meeting(store, first) & meeting(store, second)


@each(("first", "second"), [*product(["by Lee", "in Nature", "tagged energy"], repeat=2)])
def test_neither_nor_excludes_both(store: Store, first: str, second: str) -> None:
    every = {*matching(store, Filter())}
    excluded = meeting(store, first) | meeting(store, second)
    assert meant(store, f"papers neither {first} nor {second}") == every - excluded


@each("kind", ["reviews", "preprints"])
@each("second", ["by Lee", "in Nature", "from before 2015"])
def test_everything_goes_on_with_what_is_left_out(store: Store, kind: str, second: str) -> None:
    both = meant(store, f"leave out the {kind} and everything {second}")
    assert both == meant(store, f"papers without {kind}") - meant(store, f"papers {second}")


@each(("kind", "words"), [("reviews", "hydrogen"), ("reviews", "screen time"), ("preprints", "models")])
def test_a_described_kind_is_left_out_as_a_whole(store: Store, kind: str, words: str) -> None:
    every = {*matching(store, Filter())}
    assert meant(store, f"papers except {kind} about {words}") == every - meant(store, f"{kind} about {words}")


@each(("first", "second"), [("energy", "climate"), ("ml", "policy"), ("geo", "biology")])
def test_tags_that_no_paper_has_together_are_alternatives_and_the_answer_says_so(
    store: Store, first: str, second: str
) -> None:
    reading = outcome_of(store, [f"papers tagged {first} and {second}"]).reading
    assert reading.calls[0].arguments == {"tags": [first, second]}
    assert "no paper has all of them" in "".join(reading.taken)


def test_pairs_of_conditions_are_alternatives_as_pairs(store: Store) -> None:
    assert len(meant(store, "papers by Lee from 2016 or by Kim from 2023")) == len(["hydrogen", "lithium"])
    assert len(meant(store, "papers by Lee from 2023 or by Kim from 2016")) == 0


@each(("words", "phrase"), [
    ("tagged energy or by Hansen", "tagged “energy” or by Hansen"),
    ("by Lee from 2016 or by Kim from 2023", "(by Lee and from 2016) or (by Kim and from 2023)"),
    ("unread or without a note", "unread on your shelf or with no note of yours"),
])  # fmt: skip
def test_the_answer_names_each_alternative(store: Store, words: str, phrase: str) -> None:
    [given] = [call.arguments for call in outcome_of(store, [f"papers {words}"]).reading.calls if call.tool == "filter"]
    [term] = FILTER_ARGUMENTS.model_validate(given).wanted.terms
    assert term.phrase == phrase
