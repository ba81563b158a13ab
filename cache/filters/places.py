"""Where a filter can be written, and what has a meaning there."""

from collections.abc import Sequence
from dataclasses import dataclass

from cache.filters.terms import FIELDS, OF_A_SEARCH, STATES, Field, State


@dataclass(frozen=True, slots=True)
class Place:
    """`where` ends a sentence; `texts` are what words are looked for in; words of `bare` are states by themselves."""

    where: str
    texts: str
    fields: tuple[Field, ...] = FIELDS
    states: tuple[State, ...] = STATES
    bare: tuple[State, ...] = ()
    year: str = "the year it appeared"

    @property
    def known(self) -> str:
        """The fields that have a meaning here, in a row."""
        return ", ".join(f"{field}:" for field in self.fields)


_OF_ANY_PAPER = tuple(state for state in STATES if state not in OF_A_SEARCH)
_OF_A_RUN: tuple[Field, ...] = ("year", "cited", "venue", "author", "tag", "is")
"""Full texts are the library's, and not every paper of a run is in there."""
SEARCH = Place("in a search", "title, authors, venue, year and tags", _OF_A_RUN)
SHELF = Place("on the shelf", "title, authors, venue, year and tags", states=_OF_ANY_PAPER, bare=("unread", "read"))
LIBRARY = Place("in the library", "title, abstract, authors and venue", states=_OF_ANY_PAPER)
HISTORY = Place("in the history", "question, kind, state, date and id", ("year",), (), year="the year it was begun")


def explained(place: Place) -> Sequence[tuple[str, str]]:
    """What can be written at `place`, each with what it asks for."""
    told = {
        "year": ("year:2020..", f"From 2020 on, by {place.year}; also year:..2010, year:2015..2020, year:2020."),
        "cited": ("cited:10..", "Known to be cited ten times or more; also cited:..10, cited:10..99, cited:0."),
        "venue": ("venue:acl", 'These letters in the name of the venue; in quotes with blanks: venue:"of fish".'),
        "author": ("author:name", "These letters in the name of an author."),
        "tag": ("tag:x", "This tag, or one that begins so; #x is the same."),
        "is": (f"is:{'|'.join(place.states)}", "One of these; is:open is free to read, is:unread saved and not read."),
        "in": ("in:fulltext", "The words in the text of its PDF, as spar fetch keeps it; -in:fulltext: none is kept."),
    }
    return [
        ("words", f"Each word somewhere in {place.texts}."),
        ('"a phrase"', "These words one behind the other."),
        *(told[field] for field in place.fields),
        ("-term", "Not that: -survey, -year:..2010, -is:retracted."),
    ]


def summed_up(place: Place) -> str:
    """What can be written at `place`, on a line."""
    short = [example for example, _ in explained(place)[:-1]]
    return f"{'  '.join(short)}  - negates"
