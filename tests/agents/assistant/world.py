"""A person who talks about a small library, and models that plan, criticize and answer over real HTTP."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from agents.assistant.events import ConversationEvent, Step, TurnPlanned
from agents.assistant.kind import CONVERSATION
from agents.assistant.loop import converse
from agents.assistant.options import ConversationOptions
from agents.assistant.state import ConversationState, Turn
from agents.llm.model import Model
from agents.run.control import Control
from agents.run.events import Spent, Warned
from agents.run.findings import Board
from agents.run.resources import Resources
from agents.taste.context import ReaderContext, UserContext
from cache import papers, profile, reading_history, shelf
from cache.store import Store
from connectors.paper import Paper
from connectors.source import Source
from tests.agents.llm.use import access
from tests.agents.scripted import paper
from tests.agents.search.world import with_tails
from tests.library import copied
from tests.services.model.server import ModelRequest, Rules, ScriptedModel, by_prompt

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SUBJECTS = ("dense retrieval", "protein folding", "river ecology")
Script = Callable[[ModelRequest], object]
E = TypeVar("E")


def about(subject: str, number: int, **more: Any) -> Paper:
    abstract = f"We study {subject}. Method {number} takes {number + 10} ms and helps with {subject} in practice."
    given = {"abstract": abstract, "date": str(2010 + number), "citation_count": number * 10, **more}
    return paper(f"Study {number} of {subject}", f"10.1000/{subject.split()[0]}.{number}", **given)


def filled(store: Store, extra: Sequence[Paper] = ()) -> Store:
    """Add ten papers on each of three subjects, two of them saved, and the papers `extra`."""
    for subject in SUBJECTS:
        papers.remember(store, [about(subject, number) for number in range(10)], NOW)
    shelf.save(store, [about(SUBJECTS[0], 1), about(SUBJECTS[1], 2)], ["old"], NOW)
    papers.remember(store, extra, NOW)
    return store


def library(folder: Path, extra: Sequence[Paper] = ()) -> Store:
    store = Store.open(copied(folder / "library.db", filled), now=lambda: NOW)
    papers.remember(store, extra, NOW)
    return store


def told(request: ModelRequest) -> dict[str, Any]:
    """Return the parts of a prompt by their headings; each is JSON."""
    parts = (part.partition(":\n") for part in request.text.split("\n\n"))
    return {heading: json.loads(text) for heading, _, text in parts}


def planned(*steps: tuple[str, Mapping[str, Any]], **more: Any) -> dict[str, Any]:
    """Return a model's answer with a plan of these steps."""
    rows = [{"tool": tool, "arguments": json.dumps(arguments)} for tool, arguments in steps]
    blank = {"onward": False, "in_words": False, "noted": [], "reply": "", "understood": True}
    return {"steps": rows, **blank, **more}


_LENIENT = Rules()
GOOD = {"good": True, "faults": []}
TOO_STRICT = ("filter", {"words": ["dense retrieval"], "min_citations": 500})
"""A step that finds nothing before its citation count is dropped: the critic judges its plan."""
LISTED = planned(("filter", {"words": ["dense retrieval"]}), ("rank", {"by": "newest"}), ("list", {"limit": 3}))


def scripted(plan: object | Script = LISTED, critic: object | Script = GOOD, answer: object | Script = None,
             latency: float = 0.0, rules: Rules = _LENIENT) -> ScriptedModel:  # fmt: skip
    """Return a model with these answers; a function gets the request."""
    said = {"assistant-plan": plan, "assistant-critic": critic, "assistant-answer": answer or {"sentences": []}}
    scripts = {name: with_tails(value if callable(value) else _always(value)) for name, value in said.items()}
    return ScriptedModel(by_prompt(scripts), latency, rules)


def _always(value: object) -> Script:
    return lambda request: value


@dataclass
class Talk:
    """A conversation over `store`, with its current `state`."""

    store: Store
    endpoint: ScriptedModel | None = None
    options: ConversationOptions = field(default_factory=ConversationOptions)
    live: Sequence[Source] = ()
    so_far: Sequence[ConversationEvent] = ()
    patience: float = 10.0
    """Seconds that the model may take for an answer."""
    model: Any = None
    """A model in this process, in place of the endpoint."""

    def __post_init__(self) -> None:
        self.events: list[ConversationEvent] = list(self.so_far)
        self.board: Board[ConversationState, ConversationEvent] = CONVERSATION.board(self.events.append, self.so_far)

    @property
    def state(self) -> ConversationState:
        return self.board.state

    @property
    def turn(self) -> Turn:
        return self.state.turns[-1]

    @property
    def plan(self) -> TurnPlanned:
        assert self.turn.plan is not None
        return self.turn.plan

    @property
    def tools(self) -> list[str]:
        """The tools of the last plan."""
        return [step.tool for step in self.plan.steps]

    @property
    def answered(self) -> str:
        assert self.turn.answer is not None
        return self.turn.answer.text

    @property
    def titles(self) -> list[str]:
        """The titles in the last answer."""
        assert self.turn.answer is not None
        return [self.state.findings.papers[row.work].title for row in self.turn.answer.rows]

    @property
    def warnings(self) -> list[str]:
        return [event.sentence for event in self.of(Warned)]

    @property
    def calls(self) -> int:
        """Number of calls of the model, from the events."""
        return sum(event.calls for event in self.of(Spent))

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def say(self, message: str, until: Callable[[ConversationEvent], bool] = lambda event: False) -> "Talk":
        """Send a message in a session of its own, which ends early after an event for which `until` is true."""
        asyncio.run(self._say(message, until))
        return self

    def go_on(self) -> "Talk":
        """Resume an interrupted conversation."""
        asyncio.run(self._say(None, lambda event: False))
        return self

    async def _say(self, message: str | None, until: Callable[[ConversationEvent], bool]) -> None:
        model = Model(access(self.endpoint, seconds=self.patience)) if self.endpoint else self.model
        control = Control(self.options.seconds)
        if message is not None and self.state.turns:
            control.say(message)
        reader = ReaderContext(self.store, UserContext(), NOW)
        resources = Resources({source.name: source for source in self.live}, model=model, reader=reader)
        try:
            async with aclosing(converse(message or "", resources, self.options, self.board, control)) as events:
                async for event in events:
                    if until(event):
                        return
        finally:
            if isinstance(model, Model):
                await model.close()


def kept(store: Store) -> tuple[object, ...]:
    """Return all data of the person: none of it may change without a yes."""
    rows = [shelf.shelved(store, row.number) for row in shelf.rows(store)]
    acts = [(done.number, done.act) for done in reading_history.interactions(store, limit=1_000)]
    return (rows, acts, [(line.facet, line.text) for line in profile.own_lines(store)])


def steps(*pairs: tuple[str, Mapping[str, Any]]) -> tuple[Step, ...]:
    return tuple(Step(tool, dict(arguments)) for tool, arguments in pairs)
