"""One session of a run: what its steps read and post to, and how they ask the model."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, cast

from agents.llm.errors import ModelError, TooLong
from agents.llm.usage import Usage
from agents.run.control import Control
from agents.run.events import Ending, RunEvent, Spent, Warned
from agents.run.findings import TOOK_OVER, Board, E, Findings, S
from agents.run.resources import Resources
from agents.run.retrieval.full_texts import FullTexts
from connectors.paper import Paper, WorkId
from connectors.records.grouping import Works
from connectors.source import Source

if TYPE_CHECKING:
    from pydantic import BaseModel

    from agents.llm.budget import Budget
    from agents.llm.prompt import About, Prompt

    T = TypeVar("T", bound=BaseModel)
    Item = TypeVar("Item")


VECTORS = "vectors"
"""The step of making vectors of texts: no question to the model, so it is not counted among them."""


WITHOUT = "Papers were compared by words and links alone."
"""What is said where vectors could not be made, or tell nothing."""


class RunSession(Generic[S, E]):
    """A run under way. Steps read `state` and `post` events; nothing else passes between them.

    `events` holds what was posted and not yet handed to the caller. Every kind of run has `findings`: what sources
    answered, what that cost, and what the person was warned of.
    """

    seed: int
    calls: int
    """Questions to the model that all sessions together may ask."""
    usd: float | None

    def __init__(self, resources: Resources, board: Board[S, E], control: Control) -> None:
        self.resources, self.board, self.control = resources, board, control
        self.events: asyncio.Queue[E | None] = asyncio.Queue()
        self.full_texts = FullTexts(resources.full_texts)
        self.works = Works(self.findings.papers, self.findings.joined)
        self._start = control.clock
        self._budget: Budget | None = None
        self._posted = Usage()
        self._failures: set[type[ModelError]] = set()
        self._makes_vectors = True

    @property
    def secret(self) -> str:
        """What decides the ids and the order of words in prompts; no author of a paper knows it."""
        return self.resources.secret

    @property
    def findings(self) -> Findings:
        """What was found, and what that cost."""
        return self.state.findings

    @property
    def state(self) -> S:
        return self.board.state

    @property
    def papers(self) -> Mapping[WorkId, Paper]:
        return self.findings.papers

    @property
    def answering(self) -> dict[str, Source]:
        """The sources without those that have failed whenever they were asked."""
        tallies = self.findings.sources
        return {
            name: source
            for name, source in self.resources.sources.items()
            if name not in tallies or tallies[name].state not in ("failed", "skipped")
        }

    @property
    def seconds(self) -> float:
        """How long this session has lasted, without its pauses."""
        return round(self.control.clock - self._start, 2)

    @property
    def ending(self) -> Ending:
        """How the run ends now."""
        if self.control.out_of_time:
            return "budget"
        return "stopped" if self.control.stopping else "complete"

    @property
    def model_name(self) -> str | None:
        """The name of the model that is asked, if one is."""
        return self.resources.model.name if self.resources.model else None

    def post(self, *events: E) -> None:
        """Post `events` together: a run that is cut off has all of them or none."""
        for event in events:
            self.events.put_nowait(self.board.post(event))

    def tell(self, event: E) -> None:
        """Tell of `event`, which stands nowhere once the run is over."""
        self.events.put_nowait(self.board.tell(event))

    async def stream(self, work: Callable[[Self], Coroutine[Any, Any, None]]) -> AsyncGenerator[E, None]:
        """The events that are posted while `work` is done; closing the iterator stops it at once. Failures of sources
        and of the model are events, never exceptions."""
        running = asyncio.create_task(work(self))
        running.add_done_callback(lambda _: self.events.put_nowait(None))
        try:
            while (event := await self.events.get()) is not None:
                yield event
            await running
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running

    def chance(self, *step: object) -> Random:
        """The run's own dice for one step: the same seed gives the same run."""
        return Random(f"{self.seed} {step}")

    @property
    def questions_left(self) -> int:
        """How many questions to the model all sessions together may still ask, by what is posted."""
        calls = sum(spent.calls for spent in self.findings.spent if spent.step != VECTORS)
        return max(self.calls - calls, 0)

    @property
    def budget(self) -> "Budget":
        """What is left of the run's budget for the model."""
        if self._budget is None:
            from agents.llm.budget import Budget

            cost = self.findings.cost
            usd = None if self.usd is None else max(self.usd - (cost.usd or 0.0), 0.0)
            self._budget = Budget(self.questions_left, usd)
        return self._budget

    async def ask(
        self,
        prompt: "Prompt",
        shape: "type[T]",
        heard: Callable[[str], None] | None = None,
        about: "About[T] | None" = None,
    ) -> "T | None":
        """The model's answer to `prompt`; None when the built-in way has to do, which is said once for each reason.
        `heard` is told its words as they come, unchecked."""
        try:
            return await self.answer(prompt, shape, about, heard)
        except TooLong as error:
            self.take_over(error)
            return None

    async def answer(
        self,
        prompt: "Prompt",
        shape: "type[T]",
        about: "About[T] | None" = None,
        heard: Callable[[str], None] | None = None,
        raises: type[ModelError] | tuple[type[ModelError], ...] = TooLong,
    ) -> "T | None":
        """As `ask`, but raises the errors `raises`, which asking for less may mend. An answer that says nothing of what
        it is to be `about` is none."""
        if self.resources.model is None or not await self.control.ready():
            return None
        from agents.llm.budget import BudgetSpent

        try:
            request = self.resources.model.ask(prompt, shape, self.budget, about, heard)
            reply = await self.control.unless_stopping(request)
        except ModelError as error:
            self._spent(prompt, error.usage)
            if isinstance(error, raises):
                raise
            self.take_over(error)
            return None
        except BudgetSpent as error:
            self._spent(prompt, error.usage)
            self.warn(f"{error.sentence} The rest is built-in reasoning.")
            return None
        if reply is None:
            return None
        self._spent(prompt, reply.usage)
        if about is not None and not about.ids and not reply.whole:
            self.warn("Only a part of the model's answer came or could be used; it is checked and shown.")
        return reply.answer

    async def vectors(self, texts: Sequence[str]) -> "Mapping[str, bytes]":
        """The vectors of `texts`; none where nothing makes them. That it failed is said once, and not tried again; a
        run that is to end has those that are kept."""
        embeddings = self.resources.embeddings
        if embeddings is None or not self._makes_vectors or not (embeddings.encoder.local or self.calls):
            return {}
        try:
            if self.usd is not None and not embeddings.encoder.free:
                raise ModelError(f"What vectors by {embeddings.encoder.label} cost cannot be bounded by --usd.")
            made = await self.control.unless_stopping(embeddings.of(texts))
            if made is None:
                return await embeddings.kept(texts)
        except ModelError as error:
            self._makes_vectors = False
            self.warn(f"{error.sentence} {WITHOUT}")
            return {}
        result, cost = made
        if cost.calls:
            self._post(Spent.of(VECTORS, cost))
        return result

    def take_over(self, error: ModelError) -> None:
        """Say that the model failed, once for each way of failing, and that the built-in way does its work."""
        if type(error) not in self._failures:
            self._failures.add(type(error))
            self.warn(f"{error.sentence} {TOOK_OVER}")
        if error.unasked:
            self.warn("The model gave no usable answer several times in a row; spar stopped asking it.")

    def warn(self, sentence: str) -> None:
        """Say `sentence`, once."""
        if sentence not in self.findings.warnings:
            self._post(Warned(sentence))

    def count_broken_off(self) -> None:
        """Post what those questions to the model have cost that were broken off when the run stopped."""
        if self._budget is None:
            return
        spent, posted = self._budget.spent, self._posted
        calls = spent.calls - posted.calls
        if calls > 0:
            usd = None if spent.usd is None or posted.usd is None else max(spent.usd - posted.usd, 0.0)
            tokens = spent.input_tokens - posted.input_tokens, spent.output_tokens - posted.output_tokens
            self._post(Spent("broken off", calls, *tokens, usd, tokens_estimated=True))

    def _spent(self, prompt: "Prompt", usage: Usage) -> None:
        self._posted += usage
        if usage.calls or usage.remembered:
            self._post(Spent.of(prompt.name, usage, prompt.version))

    def _post(self, event: RunEvent) -> None:
        self.post(cast(E, event))  # every kind of run has these events
