"""One session of a run: its steps read and post events here and ask the model through it."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, cast

from agents.llm.errors import ModelError
from agents.llm.usage import Usage
from agents.run.control import Control
from agents.run.events import Ending, RunEvent, Spent, Warned
from agents.run.findings import TOOK_OVER, Board, E, Findings, S
from agents.run.resources import Resources, RunOptions
from agents.run.retrieval.full_texts import FullTexts
from connectors.paper import Paper, WorkId
from connectors.records.grouping import Works
from connectors.source import Source

if TYPE_CHECKING:
    from pydantic import BaseModel

    from agents.llm.budget import Budget
    from agents.llm.prompt import AssessedItems, Prompt

    T = TypeVar("T", bound=BaseModel)


VECTORS = "vectors"
"""The step that computes vectors; not a question to the model, so not counted as one."""


WITHOUT = "Papers were compared by words and links alone."
"""Sentence for when vectors could not be computed or do not discriminate."""


class RunSession(Generic[S, E]):
    """A run under way. Steps read `state` and `post` events; they share nothing else.

    `events` holds the posted events that the caller has not received yet. `findings` is common to all kinds of runs:
    source answers, costs and warnings.
    """

    def __init__(
        self, resources: Resources, board: Board[S, E], control: Control, options: RunOptions, calls: int
    ) -> None:
        self.resources, self.board, self.control = resources, board, control
        self.seed, self.usd = options.seed, options.usd
        self.calls = calls if options.calls is None else options.calls
        """Maximum number of questions to the model over all sessions; `calls` unless the person set another."""
        self._may_grow = options.calls is None
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
        """The secret that determines ids and word order in prompts; no author of a paper can know it."""
        return self.resources.secret

    @property
    def findings(self) -> Findings:
        """The papers found, and their cost."""
        return self.state.findings

    @property
    def state(self) -> S:
        return self.board.state

    @property
    def papers(self) -> Mapping[WorkId, Paper]:
        return self.findings.papers

    @property
    def answering(self) -> dict[str, Source]:
        """The sources, without those that have only failed so far."""
        tallies = self.findings.sources
        return {
            name: source
            for name, source in self.resources.sources.items()
            if name not in tallies or tallies[name].state not in ("failed", "skipped")
        }

    @property
    def seconds(self) -> float:
        """Seconds that this session has lasted, without pauses."""
        return round(self.control.clock - self._start, 2)

    @property
    def ending(self) -> Ending:
        """How the run would end now."""
        if self.control.out_of_time:
            return "budget"
        return "stopped" if self.control.stopping else "complete"

    @property
    def model_name(self) -> str | None:
        """The name of the model in use, if any."""
        return self.resources.model.name if self.resources.model else None

    def post(self, *events: E) -> None:
        """Post `events` together: a run that breaks off has all of them or none."""
        for event in events:
            self.events.put_nowait(self.board.post(event))

    def tell(self, event: E) -> None:
        """Fold and hand out `event` without storing it."""
        self.events.put_nowait(self.board.tell(event))

    async def stream(self, work: Callable[[Self], Coroutine[Any, Any, None]]) -> AsyncGenerator[E, None]:
        """Yield the events posted while `work` runs; closing the iterator stops it at once. Failures of sources and the
        model are events, not exceptions."""
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
        """Return a random generator for one step: the same seed gives the same run."""
        return Random(f"{self.seed} {step}")

    @property
    def questions_left(self) -> int:
        """The number of questions that all sessions together may still ask the model."""
        return max(self.calls - self.questions_asked, 0)

    @property
    def questions_planned(self) -> int:
        """Like `questions_left`, but remembered answers count too, so that a repeated run asks nothing new."""
        remembered = sum(spent.remembered for spent in self.findings.spent if spent.step != VECTORS)
        return max(self.calls - self.questions_asked - remembered, 0)

    @property
    def questions_asked(self) -> int:
        """The number of questions that all sessions together have asked the model, without requests for vectors."""
        return sum(spent.calls for spent in self.findings.spent if spent.step != VECTORS)

    @property
    def model_has_failed(self) -> bool:
        """Whether an answer of the model was missing or of no use in this session."""
        return bool(self._failures)

    def grant(self, questions: int) -> None:
        """Let the run ask `questions` more questions, unless the person set the limit."""
        if self._may_grow:
            self.calls = self.budget.calls = max(self.calls, self.questions_asked) + questions

    @property
    def budget(self) -> "Budget":
        """The run's budget for the model, which earlier sessions have used in part."""
        if self._budget is None:
            from agents.llm.budget import Budget

            self._budget = Budget(self.calls, self.usd)
            self._posted = Usage(self.questions_asked, usd=self.findings.cost.usd or 0.0)
            self._budget.note(self._posted)
        return self._budget

    async def ask(
        self,
        prompt: "Prompt",
        shape: "type[T]",
        heard: Callable[[str], None] | None = None,
        about: "AssessedItems[T] | None" = None,
        raises: tuple[type[ModelError], ...] = (),
    ) -> "T | None":
        """Return the model's answer to `prompt`; None if the built-in rules must take over, with one warning per
        reason. `heard` is called with the unchecked text as it grows. An answer that assesses no item of `about` is an
        error. Errors of the classes `raises`, which a smaller request may avoid, are raised without a warning."""
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
            self.warn(f"{error.sentence} spar does the rest without it.")
            return None
        if reply is None:
            return None
        self._spent(prompt, reply.usage)
        if about is not None and not about.ids and not reply.whole:
            self.warn("Only a part of the model's answer arrived or could be used; that part is checked and shown.")
        return reply.answer

    async def vectors(self, texts: Sequence[str]) -> "Mapping[str, bytes]":
        """Return the vectors of `texts`; empty if there is no encoder. Warns once of a failure and does not retry; a
        stopping run returns only stored vectors."""
        embeddings = self.resources.embeddings
        if embeddings is None or not self._makes_vectors or not (embeddings.encoder.local or self.calls):
            return {}
        try:
            if self.usd is not None and not embeddings.encoder.free:
                raise ModelError(f"--usd cannot limit what vectors by {embeddings.encoder.label} cost.")
            answer = await self.control.unless_stopping(embeddings.of(texts))
            if answer is None:
                return await embeddings.kept(texts)
        except ModelError as error:
            self._makes_vectors = False
            self.warn(f"{error.sentence} {WITHOUT}")
            return {}
        result, cost = answer
        if cost.calls:
            self._post(Spent.of(VECTORS, cost))
        return result

    def take_over(self, error: ModelError, instead: str = TOOK_OVER) -> None:
        """Warn, once per kind of failure, that the model failed and what does its work instead."""
        if type(error) not in self._failures:
            self._failures.add(type(error))
            self.warn(f"{error.sentence} {instead}")
        if error.unasked:
            self.warn("The model gave no usable answer several times in a row; spar stopped asking it.")

    def warn(self, sentence: str) -> None:
        """Post the warning `sentence`, once."""
        if sentence not in self.findings.warnings:
            self._post(Warned(sentence))

    def count_broken_off(self) -> None:
        """Post the cost of the questions that broke off when the run stopped."""
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
