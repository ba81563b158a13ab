"""One search while it runs: what every step reads and posts to."""

import asyncio
import time
from random import Random
from typing import TYPE_CHECKING, TypeVar

from agents.board import Board
from agents.events import Event, QuestionUnderstood, RunStarted, Spent, Stage, StageChanged, Warned
from agents.model_usage import Usage
from agents.search.control import Control
from agents.search.desk import Desk
from agents.search.state import SearchState
from agents.search.wishes import Effort, Wishes
from connectors.paper import Paper
from connectors.source import Source
from connectors.works import Works

if TYPE_CHECKING:
    from pydantic import BaseModel

    from agents.budget import Budget
    from agents.model import Prompt

    T = TypeVar("T", bound=BaseModel)

_ORDER: tuple[Stage, ...] = ("retrieving", "judging", "references", "judging references", "evolving")
_LAST_ROUND = 1_000


class Session:
    """A search under way. Steps read `state` and `post` events; nothing else passes between them.

    `events` holds what was posted and not yet handed to the caller.
    """

    def __init__(self, question: str, desk: Desk, wishes: Wishes, board: Board, control: Control) -> None:
        self.question, self.desk, self.wishes, self.board, self.control = question, desk, wishes, board, control
        self.events: asyncio.Queue[Event | None] = asyncio.Queue()
        self.works = Works(self.state.papers, self.state.joined)
        self._start = time.monotonic()
        self._budget: Budget | None = None
        self._posted = Usage()

    @property
    def state(self) -> SearchState:
        return self.board.state

    @property
    def effort(self) -> Effort:
        return self.wishes.effort

    @property
    def started(self) -> RunStarted:
        assert self.state.started is not None
        return self.state.started

    @property
    def understood(self) -> QuestionUnderstood:
        assert self.state.understood is not None
        return self.state.understood

    @property
    def papers(self) -> dict[int, Paper]:
        return self.state.papers

    @property
    def answering(self) -> dict[str, Source]:
        """The sources without those that have failed whenever they were asked."""
        told = self.state.sources
        return {
            name: one
            for name, one in self.desk.sources.items()
            if name not in told or told[name].state not in ("failed", "skipped")
        }

    @property
    def seconds(self) -> float:
        """How long this sitting has lasted."""
        return round(time.monotonic() - self._start, 2)

    def post(self, *events: Event) -> None:
        """Post `events` together: a run that is cut off has all of them or none."""
        for event in events:
            self.events.put_nowait(self.board.post(event))

    def enter(self, stage: Stage, round: int) -> bool:
        """Turn to a stage; False if an earlier sitting of the run has left it behind already."""
        at = self.state.stage
        if at is not None and _place(at) > _place(StageChanged(stage, round)):
            return False
        if at != StageChanged(stage, round):
            self.post(StageChanged(stage, round))
        return True

    def chance(self, *step: object) -> Random:
        """The run's own dice for one step: the same seed gives the same search."""
        return Random(f"{self.wishes.seed} {step}")

    @property
    def budget(self) -> "Budget":
        """What is left of the run's budget for the model."""
        if self._budget is None:
            from agents.budget import Budget

            cost = self.state.cost
            calls = self.effort.calls if self.wishes.calls is None else self.wishes.calls
            usd = None if self.wishes.usd is None else max(self.wishes.usd - (cost.usd or 0.0), 0.0)
            self._budget = Budget(max(calls - cost.calls, 0), usd)
        return self._budget

    async def told(self, prompt: "Prompt", shape: "type[T]") -> "T | None":
        """The model's answer to `prompt`; None when the built-in way has to do, which is said once for each reason."""
        if self.desk.model is None or not await self.control.ready():
            return None
        from agents.model import BudgetSpent, ModelError

        try:
            told = await self.control.unless_stopping(self.desk.model.ask(prompt, shape, self.budget))
        except ModelError as error:
            self._spent(prompt, error.usage)
            self.warn(f"{error.sentence} Built-in reasoning took over.")
            return None
        except BudgetSpent as error:
            self._spent(prompt, error.usage)
            self.warn(f"{error.sentence} The rest is built-in reasoning.")
            return None
        if told is None:
            return None
        self._spent(prompt, told.usage)
        return told.answer

    def warn(self, sentence: str) -> None:
        """Say `sentence`, once."""
        if sentence not in self.state.warnings:
            self.post(Warned(sentence))

    def count_broken_off(self) -> None:
        """Post what those questions to the model have cost that were broken off when the search stopped."""
        if self._budget is None:
            return
        spent, posted = self._budget.spent, self._posted
        calls = spent.calls - posted.calls
        if calls > 0:
            usd = None if spent.usd is None or posted.usd is None else max(spent.usd - posted.usd, 0.0)
            tokens = spent.input_tokens - posted.input_tokens, spent.output_tokens - posted.output_tokens
            self.post(Spent("broken off", calls, *tokens, usd))

    def _spent(self, prompt: "Prompt", usage: Usage) -> None:
        self._posted += usage
        if usage.calls or usage.remembered:
            self.post(Spent(prompt.name, *usage, prompt.version))


def _place(at: StageChanged) -> tuple[int, int]:
    """Where a stage lies in the order of a search."""
    if at.stage == "understanding":
        return (0, 0)
    if at.stage == "reranking":
        return (_LAST_ROUND, 0)
    return (at.round, _ORDER.index(at.stage))
