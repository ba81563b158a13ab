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


@dataclass(frozen=True)
class Scene:
    """`candidates` counts the papers under consideration, None is the whole library; `shown` those of the last list,
    the last of which has the place `last_place`. `looking` says whether one paper was looked at last. `tags` are the
    person's own. The three functions say whether the library knows a paper by that name, an author, a venue."""

    today: date
    candidates: int | None = None
    shown: int = 0
    last_place: int = 0
    looking: bool = False
    sources: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    is_title: Callable[[str], bool] = nothing_is_known
    is_author: Callable[[str], bool] = nothing_is_known
    is_venue: Callable[[str], bool] = nothing_is_known
