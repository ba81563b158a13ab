"""A tool: one typed function that the assistant, and other programs through the MCP server, can have done."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from agents.run.resources import Resources
from cache.profile import Facet
from cache.store import PaperId, Store

PAGE = 10
"""Papers that are shown at once."""


class Arguments(BaseModel):
    """What a tool is given. A field that it does not have is refused, never passed over."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NoArguments(Arguments):
    """For tools that need none."""


class ToolError(Exception):
    """A tool could not do what was asked; the sentence says what failed, why, and what to do."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool came to.

    `papers` are the candidates from now on, best first; None leaves them as they are. `shown` are papers to be looked
    at now. `values` are facts for programs and for the answer, `text` is a document, `notes` are sentences on what the
    person should know beside that, `run` is the run that was made, `changed` what another state of the shelf it left.
    """

    papers: tuple[PaperId, ...] | None = None
    shown: tuple[PaperId, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    notes: tuple[str, ...] = ()
    run: str | None = None


def nobody_is_told(sentence: str) -> None:
    """Progress that nobody follows."""


class Face(Protocol):
    """What whoever shows papers to the person can do with them: tools of its own, and documents of runs."""

    @property
    def tools(self) -> "tuple[AnyTool, ...]": ...

    def document(self, kind: str, state: Any) -> str:
        """A run of a kind as a text to be read, "" where its papers are all that it came to."""


Noted = tuple[Facet, str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Where a tool works. `candidates` are the papers under consideration, None for the whole library; `shown` those
    that were shown last, which `@1` and its like name, `focus` the one that was looked at last; `earlier` the
    candidates before, the last at the end. `run` is the run that it works for. `noted` is what the person said just now
    that they like, dislike or expect: facet, words, papers. `tell` is told how a long tool gets on."""

    store: Store
    resources: Resources
    now: datetime
    candidates: tuple[PaperId, ...] | None = None
    shown: tuple[PaperId, ...] = ()
    focus: PaperId | None = None
    earlier: tuple[tuple[PaperId, ...] | None, ...] = ()
    run: str | None = None
    face: Face | None = None
    noted: tuple[Noted, ...] = ()
    tell: Callable[[str], None] = nobody_is_told


A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Tool(Generic[A]):
    """`name` and `purpose`, one sentence, are what a planner or another program knows it by. One that `changes`
    anything the person keeps is never run without their yes; one that `asks` may ask live sources or a model; one that
    `narrows` chooses among the candidates or orders them."""

    name: str
    purpose: str
    arguments: type[A]
    work: Callable[[A, ToolContext], Awaitable[ToolResult]]
    changes: bool = False
    asks: bool = False
    narrows: bool = False

    def read(self, given: Mapping[str, Any]) -> A:
        """The arguments out of JSON values. Raises `ToolError` for what is missing, unknown or of a wrong form."""
        try:
            return self.arguments.model_validate(dict(given))
        except ValidationError as error:
            text = "; ".join(
                f"{'.'.join(map(str, fault['loc']))}: {_in_json(fault['msg'])}" for fault in error.errors()
            )
            raise ToolError(f"The tool {self.name} cannot be used like that: {text}.") from None

    async def run(self, given: Mapping[str, Any], context: ToolContext) -> ToolResult:
        """Do it. Raises `ToolError`; a cache that fails raises `CacheError`."""
        return await self.work(self.read(given), context)


def in_thread(work: Callable[[A, ToolContext], ToolResult]) -> Callable[[A, ToolContext], Awaitable[ToolResult]]:
    """`work`, which blocks on the disk, in a thread of its own."""
    return lambda given, context: asyncio.to_thread(work, given, context)


def _in_json(message: str) -> str:
    """A message of pydantic in the terms of JSON."""
    return message.lower().replace("valid tuple", "list")


AnyTool = Tool[Any]
