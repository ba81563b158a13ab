"""What a message was understood as: the steps of a plan, or what is asked back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from agents.reading.selection import Unknown


class Call(NamedTuple):
    """A step of a plan: a tool by its name, and what it is given."""

    tool: str
    arguments: Mapping[str, Any] = {}


class Option(NamedTuple):
    """Something that can be done instead: what it is called, its steps, whether it is of the papers spoken of; "{}" in
    the label stands for the steps in words, or for those of `told` alone."""

    label: str
    calls: tuple[Call, ...]
    onward: bool = False
    told: tuple[Call, ...] = ()


@dataclass(frozen=True)
class Reading:
    """The plan that a message asks for. `rest` are words that nothing rests on, `unknown` names that the library does
    not have, `options` what could be meant instead, `taken` how vague words were taken. Without `understood` nothing
    is done: `reply` asks back."""

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
    """A step with those of `arguments` that say anything."""
    return Call(tool, {name: value for name, value in arguments.items() if value not in (None, "", (), [], False)})
