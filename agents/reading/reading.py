"""What a message means: the papers of a part of it, and the steps of a plan or a question back for all of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cache.store import PaperId

LISTS = frozenset(
    "words any_words without title_words authors any_authors venues types"
    " tags without_authors without_venues without_types without_tags without_years except_papers".split()
)
"""Conditions that several values can be given for."""


class Unknown(NamedTuple):
    """A name or word that the library does not have: `kind` of thing, how it was written, what is nearly so."""

    kind: str
    text: str
    near: tuple[str, ...] = ()


@dataclass
class Selection:
    """`given` are the arguments of the tool `filter`; `also` those of a second one where all of several tags are
    meant. `names` are papers named by a reference, a number or a title; `among` those that were looked up by
    their notes. `expected` is how many papers there should be, as in "the two papers". `recent` is the word for
    papers of the last years. `onward`: of the papers spoken of before; `absent`: of those, though there are none.
    `others`: not those shown. `rest` are words that nothing rests on. `against` are conditions that contradict
    those of `given`."""

    given: dict[str, Any] = field(default_factory=dict)
    also: list[dict[str, Any]] = field(default_factory=list)
    order: str = ""
    count: int | None = None
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
    pronoun: bool = False
    noun: bool = False
    single: bool = False
    definite: bool = False
    whole: bool = False
    rest: list[str] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)
    unknown: list[Unknown] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    against: dict[str, Any] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing says which papers are meant, not even that they are papers."""
        return not (self.is_chosen or self.noun or self.order or self.count)

    @property
    def is_chosen(self) -> bool:
        """Whether anything says which papers are meant."""
        chosen = (self.given, self.also, self.names, self.among is not None, self.like, self.like_words, self.unknown)
        return any(chosen) or self.onward or self.pronoun or self.others

    @property
    def limit(self) -> int | None:
        """How many papers of the order are meant; None for all of them."""
        return self.count or (1 if self.single and self.order else None)

    def add(self, name: str, value: Any) -> None:
        """One more value of a condition; of a condition with one value the last holds."""
        if name in LISTS:
            values = [*self.given.get(name, ()), value]
            self.given[name] = list(dict.fromkeys(values))
        else:
            if isinstance(value, bool) and self.given.get(name, value) is not value:
                self.against[name] = self.given[name]
            if name == "without_rating" and self.given.get(name, value) != value:
                del self.given[name]  # neither liked nor disliked
                name, value = "rating", 0
            self.given[name] = value

    def add_all(self, name: str, value: Any) -> None:
        """Each value of a list, or the one value, of a condition."""
        for item in value if isinstance(value, list) else [value]:
            self.add(name, item)


_OPPOSITES = {name: f"without_{name}" for name in ("authors", "venues", "types", "tags")} | {
    "any_authors": "without_authors", **dict.fromkeys(("words", "any_words", "title_words"), "without")
}  # fmt: skip


def opposite(inner: Selection) -> dict[str, Any] | None:
    """The conditions that papers meet which do not meet these; None where that cannot be said."""
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
        elif name == "rating":
            given["without_rating"] = value
    since, until = inner.given.get("since"), inner.given.get("until")
    if since and since == until and len(since) == 4:
        given["without_years"] = [since]
    elif since and not until:
        given["until"] = str(int(since[:4]) - 1)
    elif until and not since:
        given["since"] = str(int(until[:4]) + 1)
    return given or None


class Call(NamedTuple):
    """A step of a plan: the name of a tool and its arguments."""

    tool: str
    arguments: Mapping[str, Any] = {}


class Option(NamedTuple):
    """An alternative to offer. `onward`: it continues with the papers mentioned before. "{}" in the label stands for
    the steps in words, or for only those in `told`."""

    label: str
    calls: tuple[Call, ...]
    onward: bool = False
    told: tuple[Call, ...] = ()


@dataclass(frozen=True)
class Reading:
    """The plan for a message. `rest` are words that no step uses, `unknown` are names missing from the library,
    `options` are possible meanings, `taken` says how vague words were interpreted. If not `understood`, nothing is done
    and `reply` asks back."""

    act: str = ""
    calls: tuple[Call, ...] = ()
    onward: bool = False
    reply: str = ""
    understood: bool = True
    rest: tuple[str, ...] = ()
    unknown: tuple[Unknown, ...] = ()
    options: tuple[Option, ...] = field(default=())
    taken: tuple[str, ...] = ()
    weak: bool = False
    doubtful: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether every word was understood."""
        return not (self.rest or self.unknown) and (bool(self.calls) or bool(self.reply))


def call(tool: str, /, **arguments: Any) -> Call:
    """Return a step, without the arguments that are empty."""
    return Call(tool, {name: value for name, value in arguments.items() if value not in (None, "", (), [], False)})


def named(call: Call, name: str) -> Call:
    """Return a step about one paper for the paper of this name."""
    given = dict(call.arguments)
    given |= {"papers": [name]} if "papers" in given else {}
    given |= {"paper": name} if "paper" in given else {}
    return Call(call.tool, given)


def paper_named(calls: Sequence[Call]) -> str:
    """Return the name of the single paper that the last of these steps is about; "" if there is none."""
    given = calls[-1].arguments if calls else {}
    papers = given.get("papers", [given["paper"]] if "paper" in given else [])
    return str(papers[0]) if len(papers) == 1 else ""
