"""The whole library compared with a person's context, and whatever else may be a candidate."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from agents.builtin.taste.catalogue import Catalogue, best_places
from agents.builtin.taste.tokens import READER, tokens_of
from agents.taste.context import UserContext
from cache import paper_tokens, papers
from cache.store import PaperId, Store
from connectors.paper import Paper
from connectors.records.matching import same_work

if TYPE_CHECKING:
    from agents.builtin.taste.catalogue import Floats

Key = TypeVar("Key", bound=int)
LINE_WORTH = {"like": 1.0, "expect": 0.5}
"""What a line of the person's own says, beside a paper that was saved a moment ago."""
UNWANTED_LINE = 1.0
SAMPLE = 300
"""Papers of the history that are compared with each other at most."""


class Comparison:
    """Papers by places: those of the library, then `others` in their order, then the lines of the person's own.

    Making it reads the whole library, and tokens are made of papers that have none yet: do it off the event loop.
    """

    def __init__(self, store: Store, context: UserContext, others: Sequence[Paper] = ()) -> None:
        for batch in paper_tokens.unread(store, READER):
            fresh = [(entry.number, tokens_of(entry.paper, entry.cited).packed()) for entry in batch]
            paper_tokens.keep_tokens(store, READER, fresh)
        self.numbers, packed = paper_tokens.kept_tokens(store, READER)
        self.others, self.context = tuple(others), context
        self.lines = list(context.lines)
        written = [tokens_of(Paper(line.text)).packed() for line in self.lines]
        self.catalogue = Catalogue([*packed, *(tokens_of(paper).packed() for paper in others), *written])
        self._store = store

    @cached_property
    def place(self) -> Mapping[int, int]:
        """The places of the library's papers by their numbers."""
        return {number: place for place, number in enumerate(self.numbers)}

    def place_of_other(self, index: int) -> int:
        return len(self.numbers) + index

    def paper(self, place: int) -> Paper:
        """The paper at a place. Raises `CacheError`."""
        if place >= len(self.numbers):
            return self.others[place - len(self.numbers)]
        return papers.by_ids(self._store, [self.numbers[place]])[0]

    def number(self, place: int) -> PaperId | None:
        """The number in the library of the paper at a place."""
        return self.numbers[place] if place < len(self.numbers) else None

    def line(self, place: int) -> str:
        """The line of the person's own at a place."""
        return self.lines[place - len(self.numbers) - len(self.others)].text

    @cached_property
    def wanted(self) -> Mapping[int, float]:
        """What speaks for candidates, by place: papers of the history, and lines that like or expect something."""
        return {**self._places(self.context.wanted), **self._lines(LINE_WORTH)}

    @cached_property
    def unwanted(self) -> Mapping[int, float]:
        """What speaks against candidates, by place."""
        return {**self._places(self.context.unwanted), **self._lines({"dislike": UNWANTED_LINE})}

    @cached_property
    def closed(self) -> frozenset[int]:
        """The places that cannot be recommended, lines among them."""
        first = len(self.numbers) + len(self.others)
        there = (self.place[number] for number in self.context.closed if number in self.place)
        return frozenset((*there, *range(first, self.catalogue.size)))

    def similarity(self, wanted: Mapping[int, float]) -> "Floats":
        """The mean cosine of every place with those of `wanted`, weighed."""
        total = sum(wanted.values()) or 1.0
        return self.catalogue.similarity({place: weight / total for place, weight in wanted.items()})

    def nearest(self, scores: "Floats", most: int, among: Iterable[int] | None = None) -> list[int]:
        """The places of the highest scores that can be recommended, best first."""
        places = range(len(self.numbers) + len(self.others)) if among is None else among
        return best_places(scores, (place for place in places if place not in self.closed), most)

    def same_as_known(self, paper: Paper) -> bool:
        """Whether the library has `paper` already."""
        return (number := papers.number_of(self._store, paper)) is not None and number in self.place

    def _places(self, weights: Mapping[PaperId, float]) -> dict[int, float]:
        return {self.place[number]: weight for number, weight in weights.items() if number in self.place}

    def _lines(self, worth: Mapping[str, float]) -> dict[int, float]:
        first = len(self.numbers) + len(self.others)
        return {first + index: worth[line.facet] for index, line in enumerate(self.lines) if line.facet in worth}


def strangers(store: Store, found: Iterable[Paper]) -> list[Paper]:
    """Those of `found` that the library does not have, each work once."""
    kept: list[Paper] = []
    for paper in found:
        if papers.number_of(store, paper) is None and not any(same_work(paper, other) for other in kept):
            kept.append(paper)
    return kept


def heaviest(weights: Mapping[Key, float], most: int) -> list[Key]:
    """The places or numbers that weigh the most, the heaviest first, lower ones first among equals."""
    return sorted(weights, key=lambda place: (-weights[place], place))[:most]
