"""Authors and venues in a message, by their names."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from agents.reading.cues import FILLERS, JOINING, NOUNS
from agents.reading.names import Names, Title
from agents.reading.numbers import by_first, number_at, phrases
from agents.reading.selection import Selection, Unknown
from agents.reading.tokens import Token, written
from cache.store import PaperId

Say = Callable[[Selection], None]
"""What a part of a message says: it adds this to a selection."""


class Chunk(NamedTuple):
    """A part of the message that is understood: where it ends, and what it says of the papers. A `firm` one ends a
    subject that stands before it."""

    end: int
    say: Say
    firm: bool = True

    @property
    def alone(self) -> Selection:
        """The papers that this part means by itself."""
        selection = Selection()
        self.say(selection)
        return selection


def nothing(selection: Selection) -> None:
    """Add nothing: the word says nothing of its own."""


def adding(name: str, value: Any) -> Say:
    """Add one value of a condition."""
    return lambda selection: selection.add(name, value)


def adding_each(name: str, values: Iterable[Any], unknown: Iterable[Unknown]) -> Say:
    """Add several values of a condition, and the names that the library does not have."""

    def say(selection: Selection) -> None:
        for value in values:
            selection.add(name, value)
        selection.unknown += unknown

    return say


def applying(given: Mapping[str, Any]) -> Say:
    """Add all values of several conditions."""

    def say(selection: Selection) -> None:
        for name, value in given.items():
            selection.add_all(name, value)

    return say


class MessageWords(ABC):
    """The words of one message against one library; the part from `start` to `end` is being read. `shown` counts the
    papers shown last, `own` are the words that the reader understands by itself, which are no subject unless something
    introduces them."""

    def __init__(
        self,
        tokens: Sequence[Token],
        names: Names,
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

    @abstractmethod
    def read(self, start: int, end: int, *, one: bool = False) -> Selection:
        """The papers that the words from `start` to `end` mean; with `one` a title may be written in small letters."""

    @abstractmethod
    def chunk(self, place: int) -> Chunk | None:
        """What is understood from `place` on; None where the word says nothing known."""

    @cached_property
    def titles(self) -> list[Title]:
        """The papers that the message names by their titles."""
        return self.names.titles_in(self.tokens)

    @cached_property
    def _title_starts(self) -> frozenset[int]:
        return frozenset([title.start for title in self.titles])

    @property
    def part(self) -> Sequence[Token]:
        """The words of the message up to the end of the part that is being read."""
        return self.tokens[: self.end]

    def title_at(self, place: int) -> Title | None:
        """The paper whose title begins here. A title of one word that plain papers follow is a subject."""
        if place not in self._title_starts:
            return None
        for title in self.titles:
            if title.start == place and title.end <= self.end:
                behind = self.keys[title.end] if title.end < self.end else ""
                if title.end - title.start == 1 and (behind in NOUNS or self.keys[place] in FILLERS):
                    continue
                return title
        return None

    def tag_at(self, place: int) -> tuple[str, int] | None:
        """The tag that stands at `place`, and where the words behind it begin."""
        return self.names.tag_at(self.part, place)

    def number_at(self, place: int) -> tuple[int, int] | None:
        """The number that stands at `place`, and where the words behind it begin."""
        return number_at(self.keys[: self.end], place)

    def stands(self, words: Sequence[str], place: int) -> bool:
        """Whether these words stand at `place`."""
        return place + len(words) <= self.end and self.keys[place : place + len(words)] == list(words)

    def phrase_at(self, table: Mapping[str, Sequence[tuple[str, ...]]], place: int) -> tuple[str, ...]:
        """The first phrase of `table` (see `by_first`) that stands at `place`; () if none does."""
        for words in table.get(self.keys[place], ()) if place < self.end else ():
            if self.stands(words, place):
                return words
        return ()

    def behind(self, place: int, words: Collection[str]) -> int:
        """The first place from `place` on where none of these words stands."""
        while place < self.end and self.keys[place] in words:
            place += 1
        return place

    def is_subject(self, token: Token) -> bool:
        """Whether a word without a cue is what papers are about: they have it, and it is none of the reader's own,
        unless a title has it beside the same word."""
        own = token.key in self.own and token.start not in self._in_titles
        return len(token.key) > 1 and not own and self.names.is_subject(token.text)

    @cached_property
    def _in_titles(self) -> frozenset[int]:
        """Where words begin that a title has beside their neighbor in the message: "class size", "minimum wage"."""
        starts: set[int] = set()
        for pair in pairwise(self.tokens):
            if all(self.has_meaning(token) and not token.quoted and token.key not in NOUNS for token in pair) and (
                self.names.in_titles([f"{pair[0].text} {pair[1].text}"])
            ):
                starts |= {token.start for token in pair}
        return frozenset(starts)

    def has_meaning(self, token: Token) -> bool:
        """Whether a word is more than a small word or a mark."""
        return any(map(str.isalnum, token.key)) and (token.quoted or token.key not in FILLERS)


_BEHIND_NAMES = by_first(
    phrases(
        "et al .|et al|and colleagues|and others|'s group|'s lab|'s team|'s|as an author|as author|"
        "as a co-author|as one of the authors|among the authors|among its authors|is an author|"
        "is one of the authors|are the authors|wrote together|co-wrote|wrote|publish|published|write|"
        "have written together|have written|has written|published together|as co-author|as first author|"
        "together"
    )
)
"""What stands behind the name of an author and says no more than that."""


def authors_at(message: MessageWords, place: int, *, firm: bool) -> Chunk | None:
    """`Lee and Smith`, `either Lee or Smith`; of a `firm` cue also an author whom the library does not have."""
    tokens = message.part
    authors: list[str] = []
    unknown: list[Unknown] = []
    end, either = place, False
    while place < message.end:
        place = message.behind(place, "the prof dr professor author authors group of by either both".split())
        if place < message.end and tokens[place].quoted:
            authors.append(tokens[place].text)
            end = place + 1
        elif person := message.names.person_at(tokens, place):
            authors.append(person[0])
            end = person[1]
        elif firm and not (authors or unknown) and (strange := _strange(message, place)):
            text = written(tokens[place:strange])
            near = tuple(message.names.near_author(text.split()[-1]))
            if near or not all(token.is_capital for token in tokens[place:strange]):
                unknown.append(Unknown("author", text, near))
            else:
                authors.append(text)
            end = strange
        else:
            break
        end = _behind_et_al(message, end)
        if end >= message.end or message.keys[end] not in JOINING:
            break
        either = either or message.keys[end] in ("or", "nor")
        place = end + 1
    if not authors and not unknown:
        return None
    if len(authors) == 1:
        return Chunk(end, adding_each(*_with_namesakes(message, authors[0]), unknown))
    return Chunk(end, adding_each("any_authors" if either else "authors", authors, unknown))


def _with_namesakes(message: MessageWords, name: str) -> tuple[str, list[str]]:
    """A condition on authors for one name: it may also be the given name of others, "xiaoming" that of Xiaoming Li."""
    namesakes = message.names.called(name)
    return ("any_authors", [name, *namesakes]) if namesakes else ("authors", [name])


def _behind_et_al(message: MessageWords, place: int) -> int:
    """Where the words behind `et al.` begin."""
    words = message.phrase_at(_BEHIND_NAMES, behind := message.behind(place, ("ever",)))
    return behind + len(words) if words else place


def _strange(message: MessageWords, place: int) -> int | None:
    """The end of a name that the library does not have: words that say nothing else, at most three."""
    end = place
    while (
        end < min(message.end, place + 3)
        and not message.tokens[end].quoted
        and message.keys[end] not in FILLERS
        and message.keys[end] not in NOUNS
        and message.keys[end][:1].isalpha()
        and (message.keys[end] not in message.own or message.tokens[end].is_capital)
        and message.chunk(end) is None
    ):
        end += 1
    return end if end > place else None


def venues_at(message: MessageWords, place: int, *, firm: bool) -> Chunk | None:
    """`NeurIPS or ICML`; of a `firm` cue also a venue that the library does not have."""
    tokens = message.part
    venues: list[str] = []
    unknown: list[Unknown] = []
    end = place
    while place < message.end:
        while place < message.end and (
            message.keys[place] in ("either", "journal", "conference", "venue", "in", "at", "from")
            or message.stands(("the", "journal"), place)
        ):
            place += 1
        venue = message.names.venue_at(tokens, place)
        longer = _strange(message, venue[1]) if venue and not message.names.is_exact_venue(venue[0]) else None
        if longer and (near := message.names.near_venue(text := written(tokens[place:longer]))):
            unknown.append(Unknown("venue", text, tuple(near)))
            end = longer
        elif venue and _means_venue(message, place, venue, firm):
            venues.append(venue[0])
            end = venue[1]
        elif firm and not venues and not unknown and (strange := _strange(message, place)):
            text = written(tokens[place:strange])
            unknown.append(Unknown("venue", text, tuple(message.names.near_venue(text))))
            end = strange
        else:
            break
        if end >= message.end or message.keys[end] not in JOINING:
            break
        place = end + 1
    if not venues and not unknown:
        return None
    return Chunk(end, adding_each("venues", venues, unknown))


def _means_venue(message: MessageWords, place: int, venue: tuple[str, int], firm: bool) -> bool:
    """Whether a name behind a weak word is that of a venue: papers of the library appeared there, it has a capital, or
    no paper is about the word: "in blood" may also be a subject."""
    if firm or message.names.has_papers_at(venue[0]):
        return True
    first = message.tokens[place + (message.keys[place] == "the" and place + 1 < message.end)]
    return first.is_capital or (message.names.is_exact_venue(venue[0]) and not message.names.may_be_subject(venue[0]))


def bare_name_at(message: MessageWords, place: int) -> Chunk | None:
    """A person or a venue without a word that says so: `Lee's papers`, `Smith 2020`, `NeurIPS papers`."""
    token = message.tokens[place]
    if token.key in FILLERS or not token.key[:1].isalpha():
        return None
    if venue := message.names.venue_at(message.part, place):
        longer = venue[1] - place > 1
        if (
            message.names.is_exact_venue(venue[0])
            and (token.is_capital or not message.names.may_be_subject(venue[0]))
            and (longer or token.is_capital or not message.names.may_be_subject(token.text))
        ):
            return venues_at(message, place, firm=False) or Chunk(venue[1], adding("venues", venue[0]))
    person = message.names.person_at(message.part, place)
    if person is None:
        return None
    behind = _behind_et_al(message, person[1])
    plain = behind > person[1] or not message.names.is_subject(token.text) or (token.is_capital and place > 0)
    return Chunk(behind, adding_each(*_with_namesakes(message, person[0]), [])) if plain else None
