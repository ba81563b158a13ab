"""A collection as the library of a person who talks to the assistant: a real library with the real tools."""

import asyncio
import shutil
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.bench.collections import Document
from agents.bench.recommending.world import papers_of
from agents.llm.model import Model
from agents.run.control import Control
from agents.run.kinds import kind_named
from agents.run.resources import Resources
from agents.taste.comparison import TasteComparison
from agents.taste.context import UserContext
from cache import papers, shelf
from cache.local_source import Library
from cache.sql import facts
from cache.store import PaperId, Store

HERE = "Here are some papers."
"""Message with which a person begins a conversation about chosen papers."""


@dataclass(frozen=True, slots=True)
class AssistantReply:
    """An answer of the assistant: the documents shown, the candidates in order (empty for the whole library),
    whether the message was understood, the number of model calls, the tokens read and written, and whether the plan
    is the model's."""

    shown: tuple[str, ...]
    held: tuple[str, ...]
    understood: bool
    calls: int = 0
    tokens: int = 0
    by_model: bool = False


Runs = Callable[[Coroutine[Any, Any, None]], None]
"""Runs a part of a conversation to its end."""


@dataclass(frozen=True)
class Mind:
    """A model for the assistant, and the runner of its event loop."""

    model: Model | None = None
    run: Runs = asyncio.run


NOBODY = Mind()


class Desk:
    """The documents of a collection as a library in `folder`, made once; each person works with a copy. The
    assistant uses `mind`, if given."""

    def __init__(self, documents: Sequence[Document], folder: Path, mind: Mind = NOBODY) -> None:
        self._folder, self.mind = folder, mind
        with Store.open(self._library) as store:
            numbers = papers.remember(store, papers_of(documents))
            TasteComparison(store, UserContext())  # computes the tokens of all documents, which each copy then has
            facts.complete(store)
        self._number = {document.id: number for document, number in zip(documents, numbers, strict=True)}
        self._document = {number: document for document, number in self._number.items()}

    @contextmanager
    def person(self, saved: Sequence[str] = ()) -> Iterator[Store]:
        """Yield the library of a person with these documents on their shelf, saved now in this order."""
        own = self._folder / "person.db"
        shutil.copy(self._library, own)
        try:
            with Store.open(own) as store:
                shelf.put(store, [self._number[document] for document in saved])
                yield store
        finally:
            for path in self._folder.glob("person.db*"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    @property
    def _library(self) -> Path:
        return self._folder / "library.db"

    def talk(self, store: Store, about: Sequence[str] = (), **options: Any) -> "Talk":
        """Begin a person's conversation without sources, about the documents `about`; `options` override the defaults
        of conversations."""
        numbers = tuple(self._number[document] for document in about)
        talk = Talk(store, self.documents, self.mind, papers=numbers, **options)
        if about:
            talk.say(HERE)
        return talk

    def documents(self, numbers: Sequence[int]) -> tuple[str, ...]:
        """Return the documents of these numbers, skipping numbers without a document."""
        return tuple(document for number in numbers if (document := self._document.get(PaperId(number))))


class Talk:
    """One conversation with the real assistant; `documents` maps papers' numbers to names."""

    def __init__(
        self,
        store: Store,
        documents: Callable[[Sequence[int]], tuple[str, ...]] = lambda numbers: tuple(map(str, numbers)),
        mind: Mind = NOBODY,
        **options: Any,
    ) -> None:
        self._documents, self._kind, self._run = documents, kind_named("conversation"), mind.run
        self._options = self._kind.options(**options)
        self._board = self._kind.board()
        resources = Resources({}, {"library": Library(store)}, model=mind.model)
        self._resources = self._kind.equipped(resources, store, self._options)

    def say(self, message: str) -> AssistantReply:
        """Send `message` and return the reply."""
        before = len(self._board.state.findings.spent)
        self._run(self._put(message))
        state = self._board.state
        turn = state.turns[-1]
        assert turn.plan is not None
        numbers = [row.number for row in turn.answer.rows] if turn.answer else []
        candidates = state.candidates or ()
        spent = state.findings.spent[before:]
        return AssistantReply(
            self._documents(numbers),
            self._documents(candidates),
            turn.plan.understood,
            sum(step.calls for step in spent),
            sum(step.input_tokens + step.output_tokens for step in spent),
            turn.plan.by == "model",
        )

    async def _put(self, message: str) -> None:
        control = Control()
        if self._board.state.turns:
            control.say(message)
        events = self._kind.carry_on(message, self._resources, self._options, self._board, control)
        async with aclosing(events):
            async for _ in events:
                pass
