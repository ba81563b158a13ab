"""What a filter looks at, and whether a filter holds of it: in memory, at a microsecond or two each."""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from typing import NamedTuple, TypeVar

from cache.filters.terms import Filter, In, Is, Named, Span, State, Test, Words
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


class _Bare(dict[int, int | None]):
    """Characters by their codes, and nothing for a mark on another; made as they are met."""

    def __missing__(self, code: int) -> int | None:
        self[code] = None if unicodedata.combining(chr(code)) else code
        return self[code]


_BARE = _Bare()


def folded(text: str) -> str:
    """`text` as it is compared: in small letters, without accents."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKD", text.casefold()).translate(_BARE).casefold()


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
    return folded("\x1f".join(parts).replace("\n", " "))


def subject_of(
    paper: Paper, kept: Kept | None = None, in_search: frozenset[State] = frozenset(), about: str = ""
) -> Subject:
    """What a filter looks at in `paper`, which the shelf has as `kept`; `in_search`: what a search says of it."""
    names, tags = [author.name for author in paper.authors], kept.tags if kept else ()
    text = text_of(paper.title, names, paper.venue, paper.year, tags, paper.retracted, about)
    states = states_of(
        kept is not None, kept is not None and kept.read, paper.pdf is not None, paper.retracted, in_search
    )
    return Subject(text, paper.year, paper.citation_count, paper.venue, names, tags, states)


@lru_cache(maxsize=32)
def states_of(
    saved: bool, read: bool, free: bool, retracted: bool, in_search: frozenset[State] = frozenset()
) -> frozenset[State]:
    """The states that a paper is in."""
    flags: dict[State, bool] = {
        "open": free, "retracted": retracted, "saved": saved, "read": saved and read,
        "unread": saved and not read,
    }  # fmt: skip
    return in_search.union(state for state, holds in flags.items() if holds)


def chosen(among: Sequence[T], wanted: Filter, subject: Callable[[T], Subject]) -> Sequence[T]:
    """Those of `among` of which every term of `wanted` holds, in their order. Raises `ValueError` for `In`."""
    if not wanted.terms:
        return among
    subjects: Sequence[Subject] = list(map(subject, among))
    for term in wanted.terms:
        held = _held(term.test, subjects)
        kept = [not one for one in held] if term.negated else held
        among, subjects = list(compress(among, kept)), list(compress(subjects, kept))
    return among


def _held(test: Test, subjects: Sequence[Subject]) -> list[bool]:
    """Of which of `subjects` the test holds: one comprehension each, for a list may be long."""
    match test:
        case Words(text):
            word = folded(text)
            return [word in one.text for one in subjects]
        case Span("year", least, most):
            return [within(one.year, least, most) for one in subjects]
        case Span(_, least, most):
            return [within(one.cited, least, most) for one in subjects]
        case Named("venue", text):
            venue = folded(text)
            return [venue in folded(one.venue) for one in subjects]
        case Named("author", text):
            name = folded(text)
            # Who is called so is in the text as well, which is folded already.
            return [name in one.text and any(name in folded(own) for own in one.authors) for one in subjects]
        case Named(_, text):
            tag = folded(text)
            return [any(folded(own).startswith(tag) for own in one.tags) for one in subjects]
        case Is(state):
            return [state in one.states for one in subjects]
        case In():
            raise ValueError("full texts are in the library alone: `sql` chooses by them")


def within(number: int | None, least: int | None, most: int | None) -> bool:
    """Whether a number is known and lies within bounds."""
    return number is not None and (least is None or number >= least) and (most is None or number <= most)
