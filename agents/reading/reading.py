"""The result of reading a message: the steps of a plan, or a question back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from agents.reading.selection import Unknown


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
