"""Each text is made a vector once, by whoever makes them."""

import asyncio
from collections.abc import Sequence

import pytest

from agents.llm.errors import ModelError
from agents.llm.usage import Usage
from agents.meaning.kept import AT_ONCE, KeptVectors, packed
from cache.store import Store

TEXTS = [f"Paper {number}. Abstract." for number in range(AT_ONCE + 6)]


class Counting:
    """An encoder that writes down what it is given; after `most` texts it fails."""

    label, local, free = "the model in here", True, True

    def __init__(self, space: str = "here", most: int = 1_000, length: int = 2) -> None:
        self.space, self._most, self._length = space, most, length
        self.read: list[str] = []

    async def embed(self, texts: Sequence[str]) -> tuple[list[list[float]], Usage]:
        if len(self.read) + len(texts) > self._most:
            raise ModelError("It broke.")
        self.read += texts
        return [[1.0, *[0.0] * (self._length - 1)] for _ in texts], Usage(1, 10)


def of(encoder: Counting, store: Store | None, texts: Sequence[str] = TEXTS) -> tuple[dict[str, bytes], Usage]:
    return asyncio.run(KeptVectors(encoder, store).of(texts))


def test_a_second_time_nothing_is_made_and_nothing_spent(store: Store) -> None:
    first, cost = of(Counting(), store, [*TEXTS, TEXTS[0]])
    assert (len(first), cost.calls) == (len(TEXTS), 2)
    again = Counting()
    assert of(again, store) == (first, Usage())
    assert again.read == []


def test_another_model_makes_its_own(store: Store) -> None:
    of(Counting(), store)
    other = Counting("there")
    of(other, store)
    assert sorted(other.read) == sorted(TEXTS)


def test_what_was_made_before_it_broke_is_kept(store: Store) -> None:
    with pytest.raises(ModelError):
        of(Counting(most=AT_ONCE), store)
    rest = Counting()
    of(rest, store)
    assert rest.read == TEXTS[AT_ONCE:]


def test_without_a_library_vectors_are_made_all_the_same() -> None:
    assert of(Counting(), None, ["one"])[0] == {"one": packed([1.0, 0.0])}


def test_a_model_that_changed_its_vectors_under_its_name_is_told(store: Store) -> None:
    of(Counting(), store, ["one"])
    with pytest.raises(ModelError, match=r"The model in here made vectors of different lengths\."):
        of(Counting(length=3), store, ["one", "two"])
