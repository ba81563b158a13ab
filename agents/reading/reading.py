"""The meaning of a message: the papers that a part of it means, and the plan or question back for the whole."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cache.store import PaperId

LISTS = frozenset(
    "words any_words without title_words authors any_authors venues types"
    " tags years without_authors without_venues without_types without_tags without_years except_papers"
    " any_of none_of".split()
)
"""Conditions that take several values."""


class Unknown(NamedTuple):
    """A name or word that the library does not have: its kind, its text in the message, and similar names."""

    kind: str
    text: str
    near: tuple[str, ...] = ()


@dataclass
class PaperSelection:
    """The papers that a part of a message means. `given` are arguments of the tool `filter`; `also` those of further
    filters, if papers must have several tags. `names` are papers named by a reference, a number or a title; `among`
    those found by notes or reading dates. `place` is the number in "the third most
    cited", `expected` that in "the two papers". `recent` is the word for papers
    of the last years. `onward` limits to papers mentioned before; `absent` does too, but none were. `others` excludes
    the papers shown. `pronoun` are words for people mentioned before, "by her"; `either_way` is set for an order
    without a direction, "by date". `ones` is set for "the one" and "the ones", which may be of the list before. `rest`
    are words without a meaning. `against` are conditions that contradict `given`. `unsaved` is the number of papers
    left out because they are not on the shelf. `instead` are conditions of `given`, each with the conditions that the
    same words may mean instead."""

    given: dict[str, Any] = field(default_factory=dict)
    also: list[dict[str, Any]] = field(default_factory=list)
    order: str = ""
    count: int | None = None
    place: int = 0
    expected: int | None = None
    last: bool = False
    recent: str = ""
    names: list[str] = field(default_factory=list)
    among: list[PaperId] | None = None
    like: list[str] = field(default_factory=list)
    like_words: str = ""
    onward: bool = False
    absent: bool = False
    others: bool = False
    pronoun: str = ""
    either_way: bool = False
    noun: bool = False
    single: bool = False
    definite: bool = False
    ones: bool = False
    whole: bool = False
    rest: list[str] = field(default_factory=list)
    unknown: list[Unknown] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    against: dict[str, Any] = field(default_factory=dict)
    unsaved: int = 0
    instead: list[tuple[Mapping[str, Any], Mapping[str, Any]]] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether nothing says which papers are meant, not even a noun for papers."""
        return not (self.is_chosen or self.noun or self.order or self.count)

    @property
    def is_chosen(self) -> bool:
        """Whether anything says which papers are meant."""
        chosen = (self.given, self.also, self.names, self.among is not None, self.like, self.like_words, self.unknown)
        return any(chosen) or self.onward or bool(self.pronoun) or self.others

    @property
    def limit(self) -> int | None:
        """The number of papers to take in the order; None for all."""
        return 1 if self.place else self.count or (1 if self.single and self.order else None)

    @property
    def listed(self) -> "ToolCall":
        """The step that shows the papers chosen."""
        return call("list", first=self.place, limit=self.limit)

    def add(self, name: str, value: Any) -> None:
        """Add a value of a condition; a condition with a single value keeps the last one."""
        if name in LISTS:
            values = self.given.get(name, [])
            self.given[name] = values if value in values else [*values, value]
            return
        before = self.given.get(name, value)
        if name == "without_rating" and before != value:
            del self.given[name]  # neither liked nor disliked
            name, value = "rating", 0
        elif name == "rating" and {before, value} == {1, -1}:
            del self.given[name]  # liked and disliked papers
            name, value = "without_rating", 0
        elif before != value and name in _BOUNDS:
            value = _BOUNDS[name](before, value)  # both must hold
        elif before != value:
            self.against[name] = sorted((before, value), reverse=True)
        self.given[name] = value

    def add_time(self, since: str | None, until: str | None, years: Sequence[str] = ()) -> None:
        """Add a period or a list of years. A year behind other years is one of them, "from 2015 and from 2020"; any
        other times must hold together."""
        years = years or [since] if since and since == until and len(since) == 4 else years
        before = self.given.get("since")
        is_year = before is not None and before == self.given.get("until") and len(before) == 4
        if years and list(years) != [before] and (is_year or "years" in self.given or len(years) > 1):
            if is_year:
                self.add("years", self.given.pop("since"))
                del self.given["until"]
            self.add_all("years", [*years])
            return
        for name, day in (("since", since), ("until", until)):
            if day:
                self.add(name, day)

    def add_all(self, name: str, value: Any) -> None:
        """Add each value of a list, or a single value, of a condition."""
        for item in value if isinstance(value, list) else [value]:
            self.add(name, item)


_BOUNDS: Mapping[str, Callable[[Any, Any], Any]] = dict.fromkeys(
    ("since", "saved_since", "min_citations", "min_authors"), max
) | dict.fromkeys(("until", "saved_until", "max_citations", "max_authors"), min)
"""For conditions that set a bound, which of two bounds is the stricter."""
_OPPOSITES = {name: f"without_{name}" for name in ("authors", "venues", "types", "tags", "years")} | {
    "any_authors": "without_authors", **dict.fromkeys(("words", "any_words", "title_words"), "without")
}  # fmt: skip

_MOST_YEARS = 20
"""Maximum number of years that one condition leaves out."""
_RATINGS = {"rating": "without_rating", "without_rating": "rating"}


def opposite(inner: PaperSelection) -> dict[str, Any] | None:
    """Return the conditions that exclude the papers of `inner`; None if no conditions can."""
    if inner.names:
        return {"except_papers": inner.names}
    if inner.onward and not inner.given and not inner.also:
        return {"except_papers": ["@shown"]}
    given: dict[str, Any] = {}
    for name, value in [*inner.given.items(), *(pair for more in inner.also for pair in more.items())]:
        if name in _OPPOSITES:
            given[_OPPOSITES[name]] = [*given.get(_OPPOSITES[name], []), *value]
        elif isinstance(value, bool):
            given[name] = not value
        elif name in _RATINGS:
            given[_RATINGS[name]] = value
    since, until = inner.given.get("since"), inner.given.get("until")
    if since and until and len(since) == len(until) == 4 and int(until) - int(since) < _MOST_YEARS:
        given["without_years"] = [str(year) for year in range(int(since), int(until) + 1)]
    elif since and not until:
        given["until"] = str(int(since[:4]) - 1)
    elif until and not since:
        given["since"] = str(int(until[:4]) + 1)
    return given or None


class ToolCall(NamedTuple):
    """A step of a plan: the name of a tool and its arguments."""

    tool: str
    arguments: Mapping[str, Any] = {}


class Option(NamedTuple):
    """An alternative to offer. `onward`: it continues with the papers mentioned before. "{}" in the label stands for
    the steps in words, or for only those in `told`."""

    label: str
    calls: tuple[ToolCall, ...]
    onward: bool = False
    told: tuple[ToolCall, ...] = ()


@dataclass(frozen=True)
class MessagePlan:
    """The plan for a message. `rest` are words that no step uses, `unknown` are names missing from the library,
    `options` are possible meanings, `taken` says how vague words were interpreted. A plan that `refuses` says what
    cannot be done, whatever else the message says. If not `understood`, nothing is done
    and `reply` asks back."""

    act: str = ""
    calls: tuple[ToolCall, ...] = ()
    onward: bool = False
    reply: str = ""
    understood: bool = True
    rest: tuple[str, ...] = ()
    unknown: tuple[Unknown, ...] = ()
    options: tuple[Option, ...] = field(default=())
    taken: tuple[str, ...] = ()
    weak: bool = False
    refuses: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether every word was understood."""
        return not (self.rest or self.unknown) and (bool(self.calls) or bool(self.reply))


def call(tool: str, /, **arguments: Any) -> ToolCall:
    """Return a step without its empty and false arguments."""
    return ToolCall(tool, {name: value for name, value in arguments.items() if value not in (None, "", (), [], False)})


def named(call: ToolCall, name: str) -> ToolCall:
    """Return a step about one paper for the paper of this name."""
    given = dict(call.arguments)
    given |= {"papers": [name]} if "papers" in given else {}
    given |= {"paper": name} if "paper" in given else {}
    return ToolCall(call.tool, given)


def paper_named(calls: Sequence[ToolCall]) -> str:
    """Return the name of the single paper that the last of these steps is about; "" if there is none."""
    given = calls[-1].arguments if calls else {}
    papers = given.get("papers", [given["paper"]] if "paper" in given else [])
    return str(papers[0]) if len(papers) == 1 else ""
