"""The words of a message, the part of them being read, and their meanings in the library."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, Self

from agents.reading.cues import FILLERS, NOUNS, SINGULARS, Cue, cues_by_word
from agents.reading.dates import NAMES as TIMES
from agents.reading.name_lookup import NameLookup, Title
from agents.reading.numbers import number_at
from agents.reading.reading import PaperSelection, Unknown
from agents.reading.tokens import Token
from cache.store import PaperId

Say = Callable[[PaperSelection], None]
"""Adds the meaning of a part of a message to a selection."""


class Chunk(NamedTuple):
    """An understood part of a message: the index after it, and its meaning. A `firm` part ends a subject before it."""

    end: int
    say: Say
    firm: bool = True

    @property
    def alone(self) -> PaperSelection:
        """The selection of this part alone."""
        selection = PaperSelection()
        self.say(selection)
        return selection


def nothing(selection: PaperSelection) -> None:
    """Add nothing: the word has no meaning of its own."""


def adding(name: str, value: Any) -> Say:
    """Add one value of a condition."""
    return lambda selection: selection.add(name, value)


def adding_each(name: str, values: Iterable[Any], unknown: Iterable[Unknown]) -> Say:
    """Add several values of a condition, and the names that the library does not have."""

    def say(selection: PaperSelection) -> None:
        for value in values:
            selection.add(name, value)
        selection.unknown += unknown

    return say


def either_of(given: Mapping[str, Any], instead: Mapping[str, Any], text: str) -> Say:
    """Add the values of `given` and offer `instead`, the other meaning of the same words; `text` says which was
    taken."""

    def say(selection: PaperSelection) -> None:
        applying(given)(selection)
        selection.taken.append(text)
        selection.instead.append((given, instead))

    return say


def applying(given: Mapping[str, Any]) -> Say:
    """Add all values of several conditions."""

    def say(selection: PaperSelection) -> None:
        for name, value in given.items():
            selection.add_all(name, value)

    return say


class MessageWords(ABC):
    """The words of one message against one library; the part from `start` to `end` is being read. `shown` is the number
    of papers shown last, `own` are the words that the reader itself understands: they are a subject only after a
    cue."""

    def __init__(
        self,
        tokens: Sequence[Token],
        names: NameLookup,
        today: date,
        *,
        shown: int = 0,
        focus: PaperId | None = None,
        candidates: bool = False,
        own: frozenset[str] = frozenset(),
    ) -> None:
        self.tokens, self.names, self.today = tokens, names, today
        self.shown, self.focus, self.has_candidates = shown, focus, candidates
        self.keys = [token.key for token in tokens]
        self.own = own
        self.start, self.end = 0, len(tokens)

    def of(self, tokens: Sequence[Token]) -> Self:
        """Return a reader of other words against the same library and list."""
        return type(self)(
            tokens, self.names, self.today, shown=self.shown, focus=self.focus, candidates=self.has_candidates,
            own=self.own,
        )  # fmt: skip

    @abstractmethod
    def read(self, start: int, end: int, *, one: bool = False) -> PaperSelection:
        """Return the papers that words `start` to `end` mean; with `one`, titles count even after "on" or "by"."""

    @abstractmethod
    def chunk(self, position: int) -> Chunk | None:
        """Return the part that begins at `position`; None if its word has no known meaning."""

    @cached_property
    def titles(self) -> list[Title]:
        """The papers whose titles occur in the message."""
        return self.names.titles_in(self.tokens)

    @cached_property
    def _title_starts(self) -> frozenset[int]:
        return frozenset([title.start for title in self.titles])

    @property
    def part(self) -> Sequence[Token]:
        """The words of the message up to the end of the part being read."""
        return self.tokens[: self.end]

    def title_at(self, position: int) -> Title | None:
        """Return the title that begins here; a title of one word before a noun for papers is a subject, not a title."""
        if position not in self._title_starts:
            return None
        for title in self.titles:
            if title.start == position and title.end <= self.end:
                behind = self.keys[title.end] if title.end < self.end else ""
                if title.end - title.start == 1 and (behind in NOUNS or self.keys[position] in FILLERS):
                    continue
                return title
        return None

    def tag_at(self, position: int) -> tuple[str, int] | None:
        """Return the tag at `position` and the index of the token after it."""
        return self.names.tag_at(self.part, position)

    def number_at(self, position: int) -> tuple[int, int] | None:
        """Return the number at `position` and the index of the token after it."""
        return number_at(self.keys[: self.end], position)

    def stands(self, words: Sequence[str], position: int) -> bool:
        """Whether these words stand at `position`."""
        return position + len(words) <= self.end and self.keys[position : position + len(words)] == list(words)

    def phrase_at(self, table: Mapping[str, Sequence[tuple[str, ...]]], position: int) -> tuple[str, ...]:
        """Return the first phrase of `table` (see `by_first`) at `position`; () if there is none."""
        keys = tuple(self.keys[position : self.end])
        for words in table.get(keys[0], ()) if keys else ():
            if keys[: len(words)] == words:
                return words
        return ()

    def behind(self, position: int, words: Collection[str]) -> int:
        """Return the first index from `position` on with none of these words."""
        while position < self.end and self.keys[position] in words:
            position += 1
        return position

    def places(self, count: int, *, last: bool) -> list[str]:
        """Return the references, such as `@1`, to the first or last `count` papers shown."""
        count = min(count, self.shown)
        return [f"@{number + (self.shown - count) * last}" for number in range(1, count + 1)]

    def is_subject(self, token: Token) -> bool:
        """Whether a word without a cue is a subject: papers have it, and it is not the reader's own word, unless a
        title has it next to the same word."""
        own = token.key in self.own and token.start not in self._in_titles | self._describing
        is_long = len(token.key) > 1 or token.start in self._in_titles  # "vitamin D"
        return is_long and not own and self.names.is_subject(token.text)

    @cached_property
    def _in_titles(self) -> frozenset[int]:
        """The starts of words that a title has next to the same neighbor: "class size", "minimum wage"."""
        starts: set[int] = set()
        for pair in pairwise(self.tokens):
            if all(self.has_meaning(token) and not token.quoted and token.key not in NOUNS for token in pair) and (
                self.names.in_titles([f"{pair[0].text} {pair[1].text}"])
            ):
                starts |= {token.start for token in pair}
        return frozenset(starts)

    @cached_property
    def _describing(self) -> frozenset[int]:
        """The starts of words before a noun for a paper whose title has them: "the restriction study"."""
        return frozenset(
            token.start
            for token, noun in pairwise(self.tokens)
            if noun.key in SINGULARS and self.has_meaning(token) and self.names.in_titles([token.text])
        )

    def has_meaning(self, token: Token) -> bool:
        """Whether a token is neither a function word nor punctuation."""
        return any(map(str.isalnum, token.key)) and (token.quoted or token.key not in FILLERS)


def near_words(message: MessageWords, token: Token) -> tuple[str, ...]:
    """Return words that an unknown word may be meant for: of the reader, of the library, or names of its authors."""
    library = (*message.names.near_word(token.text), *message.names.near_author(token.text))
    return (*near_own_words(message, token.key), *library)


def near_own_words(message: MessageWords, key: str) -> list[str]:
    """Return the words of the reader that differ from `key` by a slip, the likeliest first: exchanged letters, then a
    letter left out."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    most = max(len(key) // 4, len(key) > 2)
    rows = process.extract(key, message.own | NOUNS | TIMES, scorer=OSA.distance, limit=9, score_cutoff=most)
    near = [
        word
        for word, distance, _ in rows
        if 0 < distance == rows[0][1] and (len(key) > 6 or len(word) != len(key) or sorted(word) == sorted(key))
    ]
    return sorted(near, key=lambda word: (word[0] != key[0], sorted(word) != sorted(key), -len(word), word))[:2]


def cues_at(message: MessageWords, position: int) -> list[Cue]:
    """Return the cues whose words are at `position`."""
    keys = tuple(message.keys[position : message.end])
    begun = cues_by_word().get(keys[0], ()) if keys else ()
    return [cue for cue in begun if keys[: len(cue.words)] == cue.words]
