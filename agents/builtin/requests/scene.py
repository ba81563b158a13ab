"""What a request is read against: what was shown before, and which names the library knows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple


class Call(NamedTuple):
    """A step of a plan: a tool by its name, and what it is given."""

    tool: str
    arguments: Mapping[str, Any] = {}


class Reading(NamedTuple):
    """What a request asks for. `onward` requests are about the papers that were spoken of before. Without `calls` it
    needs none, then `reply` is the answer, or was not understood."""

    calls: tuple[Call, ...] = ()
    onward: bool = False
    reply: str = ""
    understood: bool = True


def nothing_is_known(name: str) -> bool:
    """A library that knows no names."""
    return False


def no_paper_is_called(name: str) -> str:
    """A library without papers."""
    return ""


@dataclass(frozen=True)
class Scene:
    """`candidates` counts the papers under consideration, None is the whole library; `numbers` are theirs in the
    library, as far as a query may name them. `shown` counts those of the last list, the last of which has the place
    `last_place`. `looked` is the place among them of the paper that was looked at last, 0 if there is none. `tags` are
    the person's own. `title_of` is the title of the paper that goes
    by a name, "" if none does; the other functions say whether the library knows an author, a venue, a word."""

    today: date
    candidates: int | None = None
    numbers: tuple[int, ...] = ()
    shown: int = 0
    last_place: int = 0
    looked: int = 0
    sources: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    title_of: Callable[[str], str] = no_paper_is_called
    is_author: Callable[[str], bool] = nothing_is_known
    is_venue: Callable[[str], bool] = nothing_is_known
    is_word: Callable[[str], bool] = nothing_is_known

    def is_title(self, name: str) -> bool:
        """Whether a paper goes by that name."""
        return bool(self.title_of(name))


def step(tool: str, /, **arguments: Any) -> Call:
    """A step with those of `arguments` that say anything."""
    return Call(tool, {name: value for name, value in arguments.items() if value not in (None, "", (), [], False)})


def plan(*calls: Call, onward: bool = True) -> Reading:
    """What is asked for by these steps."""
    return Reading(calls, onward)
