"""What a filter looks at, and whether a filter holds of it: in memory, at a microsecond or two each."""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from cache.filters.terms import Filter, Is, Named, Span, State, Term, Words
from connectors.paper import Paper

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Subject:
    """What is known of a paper: `text` is where words are looked for, as `text_of` makes it; names as they are."""

    text: str
    year: int | None = None
    cited: int | None = None
    venue: str = ""
    authors: Sequence[str] = ()
    tags: Sequence[str] = ()
    states: frozenset[State] = frozenset()


class Kept(NamedTuple):
    """What the shelf says of a saved paper."""

    read: bool
    tags: tuple[str, ...]


def folded(text: str) -> str:
    """`text` as it is compared: in small letters, without accents."""
    if text.isascii():
        return text.lower()
    bare = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in bare if not unicodedata.combining(char)).casefold()


def text_of(
    title: str,
    authors: Iterable[str],
    venue: str,
    year: int | None,
    tags: Iterable[str],
    retracted: bool,
    about: str = "",
) -> str:
    """All that words are looked for in, folded; no phrase goes from one part over into the next."""
    parts = (title, *authors, venue, str(year or ""), *tags, "retracted" if retracted else "", about)
    return folded("\n".join(part.replace("\n", " ") for part in parts if part))


def subject_of(paper: Paper, kept: Kept | None = None, relevant: bool = False, about: str = "") -> Subject:
    """What a filter looks at in `paper`, which the shelf has as `kept`."""
    names, tags = [author.name for author in paper.authors], kept.tags if kept else ()
    text = text_of(paper.title, names, paper.venue, paper.year, tags, paper.retracted, about)
    states = states_of(kept, paper.pdf is not None, paper.retracted, relevant)
    return Subject(text, paper.year, paper.citation_count, paper.venue, names, tags, states)


def states_of(kept: Kept | None, free: bool, retracted: bool, relevant: bool = False) -> frozenset[State]:
    """The states that a paper is in."""
    flags: dict[State, bool] = {
        "relevant": relevant, "open": free, "retracted": retracted, "saved": kept is not None,
        "read": kept is not None and kept.read, "unread": kept is not None and not kept.read,
    }  # fmt: skip
    return frozenset(state for state, holds in flags.items() if holds)


def chosen(among: Sequence[T], wanted: Filter, subject: Callable[[T], Subject]) -> Sequence[T]:
    """Those of `among` of which every term of `wanted` holds, in their order."""
    if not wanted.terms:
        return among
    looked_at = [(one, subject(one)) for one in among]
    for term in wanted.terms:
        holds, negated = _holding(term), term.negated
        looked_at = [pair for pair in looked_at if holds(pair[1]) is not negated]
    return [one for one, _ in looked_at]


def _holding(term: Term) -> Callable[[Subject], bool]:
    """Whether the term's test holds, its negation left aside."""
    match term.test:
        case Words(text):
            word = folded(text)
            return lambda one: word in one.text
        case Span("year", least, most):
            return lambda one: within(one.year, least, most)
        case Span(_, least, most):
            return lambda one: within(one.cited, least, most)
        case Named("venue", text):
            venue = folded(text)
            return lambda one: venue in folded(one.venue)
        case Named("author", text):
            name = folded(text)
            return lambda one: any(name in folded(author) for author in one.authors)
        case Named(_, text):
            tag = folded(text)
            return lambda one: any(folded(own).startswith(tag) for own in one.tags)
        case Is(state):
            return lambda one: state in one.states


def within(number: int | None, least: int | None, most: int | None) -> bool:
    """Whether a number is known and lies within bounds."""
    return number is not None and (least is None or number >= least) and (most is None or number <= most)
