"""The whole library compared with a person's context, and whatever else may be a candidate."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeVar

from agents.builtin.taste.catalogue import catalogue_of
from agents.builtin.taste.tokens import READER, tokens_of
from agents.taste.compared import EXACT, Compared
from agents.taste.context import UserContext
from cache import paper_tokens, papers
from cache.profile import Line
from cache.store import PaperId, Store
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.records.matching import first_author, same_work

if TYPE_CHECKING:
    from agents.builtin.taste.catalogue import Floats

Key = TypeVar("Key", bound=int)
LINE_WORTH = {"like": 1.0, "expect": 0.5}
"""What a line of the person's own says, beside a paper that was saved a moment ago."""
UNWANTED_LINE = 1.0
SAMPLE = 300
"""Papers of the history that are compared with each other at most."""


class Comparison(Compared):
    """Papers by places: those of the library, then `others` in their order, then the lines of the person's own.

    Making it reads the whole library, and tokens are made of papers that have none yet: do it off the event loop.
    """

    def __init__(self, store: Store, context: UserContext, others: Sequence[Paper] = ()) -> None:
        self.numbers, packed = _library(store)
        self.others, self.context = tuple(others), context
        self.lines = list(context.lines)
        more = [*self.others, *(Paper(line.text) for line in self.lines)]
        self.store, self._papers = store, dict[int, Paper]()
        size = len(packed) + len(self.others)
        lines = list(enumerate(self.lines, start=size))
        super().__init__(
            catalogue_of([*packed, *map(_packed, more)]),
            wanted=self._places(context.wanted) | _worth(lines, LINE_WORTH),
            unwanted=self._places(context.unwanted) | _worth(lines, {"dislike": UNWANTED_LINE}),
            closed=[self.place[number] for number in context.closed if number in self.place],
            candidates=size,
        )

    @cached_property
    def place(self) -> Mapping[int, int]:
        """The places of the library's papers by their numbers."""
        return {number: place for place, number in enumerate(self.numbers)}

    def similarity_to(self, text: str) -> "Floats":
        """How near every place is to `text`."""
        return self.catalogue.similarity_to(tokens_of(Paper(text)).content).round(EXACT)

    def place_of_other(self, index: int) -> int:
        return len(self.numbers) + index

    def paper(self, place: int) -> Paper:
        """The paper at a place. Raises `CacheError`."""
        if place >= len(self.numbers):
            return self.others[place - len(self.numbers)]
        if place not in self._papers:
            self._papers[place] = papers.by_ids(self.store, [self.numbers[place]])[0]
        return self._papers[place]

    def number(self, place: int) -> PaperId | None:
        """The number in the library of the paper at a place."""
        return self.numbers[place] if place < len(self.numbers) else None

    def line(self, place: int) -> str:
        """The line of the person's own at a place."""
        return self.lines[place - len(self.numbers) - len(self.others)].text

    @cached_property
    def history(self) -> Mapping[int, float]:
        """The wanted papers of the history alone, by place."""
        return self._places(self.context.wanted)

    def _places(self, weights: Mapping[PaperId, float]) -> dict[int, float]:
        return {self.place[number]: weight for number, weight in weights.items() if number in self.place}


def _library(store: Store) -> tuple[list[PaperId], list[bytes]]:
    """The papers of the library with their tokens, which are made of those that have none."""
    numbers, packed = paper_tokens.kept_tokens(store, READER)
    new = False
    for batch in paper_tokens.unread(store, numbers):
        fresh = [(entry.number, tokens_of(entry.paper, entry.cited).packed()) for entry in batch]
        paper_tokens.keep_tokens(store, READER, fresh)
        new = True
    return paper_tokens.kept_tokens(store, READER) if new else (numbers, packed)


@lru_cache(maxsize=1_000)
def _packed(paper: Paper) -> bytes:
    """The tokens of a paper that the library does not have: the starter shelf's are asked for again and again."""
    return tokens_of(paper).packed()


def _worth(lines: Sequence[tuple[int, Line]], worth: Mapping[str, float]) -> dict[int, float]:
    """What the lines at these places say."""
    return {place: worth[line.facet] for place, line in lines if line.facet in worth}


def strangers(store: Store, found: Iterable[Paper]) -> list[Paper]:
    """Those of `found` that the library does not have, each work once."""
    kept: list[Paper] = []
    some = list(found)
    known = dict(zip(map(id, some), papers.numbers_of(store, some), strict=True))
    by_trait: defaultdict[Identifier | str, list[Paper]] = defaultdict(list)
    for paper in some:
        # Records of one work share a name or the first author.
        traits: list[Identifier | str] = [*paper.identifiers, first_author(paper)]
        alike = (other for trait in traits for other in by_trait[trait])
        if known[id(paper)] is None and not any(same_work(paper, other) for other in alike):
            kept.append(paper)
            for trait in traits:
                by_trait[trait].append(paper)
    return kept


def heaviest(weights: Mapping[Key, float], most: int) -> list[Key]:
    """The places or numbers that weigh the most, the heaviest first, lower ones first among equals."""
    return sorted(weights, key=lambda place: (-round(weights[place], EXACT), place))[:most]
