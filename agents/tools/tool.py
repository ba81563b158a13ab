"""A tool: one typed function that the assistant, and other programs through the MCP server, can call."""

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
"""Number of papers shown at once."""


class Arguments(BaseModel):
    """The arguments of a tool. Unknown fields are refused, not ignored."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NoArguments(Arguments):
    """For tools that need none."""


class ToolError(Exception):
    """A tool failed; the sentence says what failed, why, and what to do."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of a tool.

    `papers` are the new candidates, best first; None keeps the old ones. `shown` are papers to show now. `values` are
    facts for programs and for the answer, `text` is a document, `notes` are further sentences for the person, `run` is
    the run that was made.
    """

    papers: tuple[PaperId, ...] | None = None
    shown: tuple[PaperId, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    notes: tuple[str, ...] = ()
    run: str | None = None


class Interface(Protocol):
    """An interface that shows papers to the person: it adds its own tools and formats runs as documents."""

    @property
    def tools(self) -> "tuple[AnyTool, ...]": ...

    def document(self, kind: str, state: Any) -> str:
        """Return a run as text; "" if its papers are its only result."""


Preference = tuple[Facet, str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class ToolContext:
    """The context in which a tool works. `candidates` are the papers under consideration, None for the whole
    library; `shown` the papers shown last, which `@1` and the like name; `focus` the paper looked at last; `earlier`
    the previous candidates, the latest at the end. `run` is the run for which the tool works. `noted` is what the
    person just said that they like, dislike or expect: facet, words, papers. `tell` receives progress messages."""

    store: Store
    resources: Resources
    now: datetime
    candidates: tuple[PaperId, ...] | None = None
    shown: tuple[PaperId, ...] = ()
    focus: PaperId | None = None
    earlier: tuple[tuple[PaperId, ...] | None, ...] = ()
    run: str | None = None
    interface: Interface | None = None
    noted: tuple[Preference, ...] = ()
    tell: Callable[[str], None] = lambda sentence: None


A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Tool(Generic[A]):
    """A tool; `name` and `purpose`, one sentence, describe it to a planner or another program. A tool that `changes`
    the person's data never runs without consent; one that `asks` may query live sources or a model."""

    name: str
    purpose: str
    arguments: type[A]
    work: Callable[[A, ToolContext], Awaitable[ToolResult]]
    changes: bool = False
    asks: bool = False

    def read(self, arguments: Mapping[str, Any]) -> A:
        """Parse the arguments from JSON values. Raises `ToolError` if any is missing, unknown or malformed."""
        try:
            return self.arguments.model_validate(dict(arguments))
        except ValidationError as error:
            faults = (f"{'.'.join(map(str, fault['loc']))}: {fault['msg'].lower()}" for fault in error.errors())
            text = "; ".join(faults).replace("valid tuple", "list")  # in the terms of JSON
            raise ToolError(f"The tool {self.name} cannot be used like that: {text}.") from None

    async def run(self, arguments: Mapping[str, Any], context: ToolContext) -> ToolResult:
        """Run the tool. Raises `ToolError` or `CacheError`."""
        return await self.work(self.read(arguments), context)


def in_thread(work: Callable[[A, ToolContext], ToolResult]) -> Callable[[A, ToolContext], Awaitable[ToolResult]]:
    """Run `work`, which blocks on the disk, in a thread."""
    return lambda arguments, context: asyncio.to_thread(work, arguments, context)


AnyTool = Tool[Any]
