"""What a request is read against: what was shown before, and which names the library knows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple


class Call(NamedTuple):
    """A step of a plan: a tool by its name, and what it is given."""

    tool: str
    arguments: Mapping[str, Any] = {}


class Other(NamedTuple):
    """Another reading of a request: its steps, and whether they go on with the papers that were spoken of before.
    `said` is the request that it is the reading of, "" if that is this one."""

    calls: tuple[Call, ...]
    onward: bool = False
    said: str = ""


class Reading(NamedTuple):
    """What a request asks for. `onward` requests are about the papers that were spoken of before. Without `calls` it
    needs none, then `reply` is the answer, or was not understood. `unread` are words that nothing of it rests on.
    `others` is what else could have been meant, the likeliest first. `read_as` is the wording that it was read as, ""
    if it was read as it stands."""

    calls: tuple[Call, ...] = ()
    onward: bool = False
    reply: str = ""
    understood: bool = True
    unread: tuple[str, ...] = ()
    others: tuple[Other, ...] = ()
    read_as: str = ""


def nothing_is_known(name: str) -> bool:
    """A library that knows no names."""
    return False


def no_paper_is_called(name: str) -> str:
    """A library without papers."""
    return ""


def some_meet(conditions: Mapping[str, Any], onward: bool) -> bool:
    """A library of which nobody knows what it has."""
    return True


class Known(NamedTuple):
    """What a comparison with a paper needs of it, as far as it is known."""

    date: str | None = None
    citations: int | None = None


def nothing_is_known_of(name: str) -> Known:
    """A library that knows no more of its papers than their titles."""
    return Known()


_PAGE = 10
"""Papers that a list shows where no number is asked for."""


@dataclass(frozen=True)
class Scene:
    """`candidates` counts the papers under consideration, None is the whole library; `numbers` are theirs in the
    library, as far as a query may name them. `shown` counts those of the last list, the last of which has the place
    `last_place`. `looked` is the place among them of the paper that was looked at last, 0 if it is none of them;
    `focused` says whether there is one. `order` is what the candidates were ranked by last, "" if by nothing. `tags`
    are the person's own. `title_of` is the title of the paper that goes by a name, "" if none does, `known_of` what is
    known of that paper, `has_any` whether papers meet the conditions of a filter, of the whole library or of those
    spoken of; the other functions say whether the library knows an author, a venue, a word anywhere, or one that
    papers speak of."""

    today: date
    candidates: int | None = None
    numbers: tuple[int, ...] = ()
    shown: int = 0
    last_place: int = 0
    looked: int = 0
    focused: bool = False
    order: str = ""
    sources: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    title_of: Callable[[str], str] = no_paper_is_called
    known_of: Callable[[str], Known] = nothing_is_known_of
    is_author: Callable[[str], bool] = nothing_is_known
    is_venue: Callable[[str], bool] = nothing_is_known
    is_word: Callable[[str], bool] = nothing_is_known
    is_subject: Callable[[str], bool] = nothing_is_known
    has_any: Callable[[Mapping[str, Any], bool], bool] = some_meet

    @property
    def has_it(self) -> bool:
        """Whether "it" can only be one paper."""
        return self.focused or self.looked > 0 or self.shown == 1

    @property
    def is_excerpt(self) -> bool:
        """Whether of the papers under consideration only as many were shown as were asked for: "the 5 most cited"."""
        return self.candidates is not None and 1 < self.shown == self.last_place < min(self.candidates, _PAGE)

    def is_title(self, name: str) -> bool:
        """Whether a paper goes by that name."""
        return bool(self.title_of(name))


def step(tool: str, /, **arguments: Any) -> Call:
    """A step with those of `arguments` that say anything."""
    return Call(tool, {name: value for name, value in arguments.items() if value not in (None, "", (), [], False)})


def plan(*calls: Call, onward: bool = True) -> Reading:
    """What is asked for by these steps."""
    return Reading(calls, onward)
