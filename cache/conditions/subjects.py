"""Match filters against papers in memory, in one or two microseconds per condition."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import compress
from typing import NamedTuple, TypeVar

from cache.conditions.filters import Filter, FilterTerm
from cache.conditions.names import folded
from cache.conditions.table import Subject, text_of
from connectors.paper import Paper

T = TypeVar("T")


class Kept(NamedTuple):
    """The shelf entry of a saved paper; `saved` is the time when the person saved it."""

    read: bool
    tags: tuple[str, ...]
    saved: str = ""
    rating: int = 0
    noted: bool = False


def subject_of(
    paper: Paper, kept: Kept | None = None, in_search: frozenset[str] = frozenset(), about: str = ""
) -> Subject:
    """Return the data of `paper` that filters check. `kept` is its shelf entry; `in_search` are its states in a
    search."""
    names, tags = [author.name for author in paper.authors], kept.tags if kept else ()
    text = text_of(paper.title, names, paper.venue, paper.year, tags, paper.retracted, about)
    states = states_of(
        saved=kept is not None, read=kept is not None and kept.read, rating=kept.rating if kept else None,
        noted=kept is not None and kept.noted, free=paper.pdf is not None, retracted=paper.retracted,
        abstract=paper.abstract != "", in_search=in_search,
    )  # fmt: skip
    saved = kept.saved[:10] if kept else ""
    return Subject(text, paper.date or "", paper.citation_count, paper.venue, names, paper.et_al, paper.type, tags,
                   saved, states)  # fmt: skip


@lru_cache(maxsize=256)
def states_of(
    *, saved: bool, read: bool, rating: int | None, noted: bool, free: bool, retracted: bool, abstract: bool,
    in_search: frozenset[str] = frozenset(),
) -> frozenset[str]:  # fmt: skip
    """Return the conditions without a value that hold for a paper; `rating` is None if it is not saved."""
    holding = {
        "open": free, "retracted": retracted, "abstract": abstract, "saved": saved, "read": saved and read,
        "unread": saved and not read, "liked": rating == 1, "disliked": rating == -1, "unrated": rating == 0,
        "noted": noted,
    }  # fmt: skip
    return in_search.union(state for state, holds in holding.items() if holds)


def chosen(among: Sequence[T], wanted: Filter, subject: Callable[[T], Subject]) -> Sequence[T]:
    """Return the items of `among` that meet every term of `wanted`, in their order. Raises `ValueError` if a term needs
    the library."""
    if wanted.needs_library:
        raise ValueError("the library alone can say that: `sql` chooses by it")
    if not wanted.terms:
        return among
    subjects: Sequence[Subject] = list(map(subject, among))
    for term in wanted.terms:
        holds = _test(term)
        kept = [holds(one) is not term.negated for one in subjects]
        among, subjects = list(compress(among, kept)), list(compress(subjects, kept))
    return among


def _test(term: FilterTerm) -> Callable[[Subject], bool]:
    """Return a function that checks whether a subject matches one of the term's values."""
    if words := term.words:
        text = folded(words.text)
        return lambda one: text in one.text
    first, *others = [term.row.holds(value) for value in term.values or ("",)]
    if not others:
        return first
    return lambda one: first(one) or any(holds(one) for holds in others)
