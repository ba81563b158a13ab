"""Ask watches one after the other, and keep the results of this session."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from agents.lookup.following import WatchSubject, subject_of
from agents.run.errors import RunError
from agents.run.kinds import kind_named
from agents.run.resources import Resources
from agents.run.runner import Runner
from cache.errors import CacheError
from cache.timestamps import utc_now
from cache.watches import Watch
from spar_tui.errors import UserError
from spar_tui.terminal import note
from spar_tui.tui.failures import RunFailure
from spar_tui.watching.news import NOT_OFFLINE, News

if TYPE_CHECKING:
    from agents.run.runner import AnyRun
    from spar_tui.tui.research_app import ResearchApp

STOPPED = "The search was stopped early, so its papers stay new."


@dataclass(frozen=True, slots=True)
class Unasked:
    """A watch that was not asked, or not completely, and the reason in a sentence."""

    watch: Watch
    why: str


Outcome = News | Unasked


class WatchDesk:
    """Asks watches in the order of the requests; calls `changed` whenever there is something to show."""

    def __init__(self, app: "ResearchApp", changed: Callable[[], None]) -> None:
        self.outcomes: dict[str, Outcome] = {}
        """The results by name of the watch."""
        self.asking: Watch | None = None
        self.running: AnyRun | None = None
        """The search in progress for the watch, if it watches a question."""
        self.waiting: list[Watch] = []
        self._app, self._changed = app, changed

    def is_pending(self, name: str) -> bool:
        """Whether the watch is being asked or is waiting."""
        return name in (watch.name for watch in (*self.waiting, *filter(None, [self.asking])))

    def forget(self, name: str) -> None:
        """Drop the result of a deleted watch."""
        self.outcomes.pop(name, None)

    def want(self, watches: Sequence[Watch]) -> None:
        """Add watches to the queue."""
        self.waiting += [watch for watch in watches if not self.is_pending(watch.name)]

    async def carry_on(self) -> list[Outcome]:
        """Ask the waiting watches until none is left; return the results.

        No request is sent twice meanwhile, and no earlier answer is used. If cancelled, earlier results stay.
        """
        since, came_to = utc_now(), list[Outcome]()
        try:
            while self.waiting:
                self.asking = self.waiting.pop(0)
                self._changed()
                came_to.append(await self._outcome(self.asking, since))
                self.outcomes[self.asking.name] = came_to[-1]
            return came_to
        finally:
            self.waiting, self.asking, self.running = [], None, None
            self._changed()

    async def _outcome(self, watch: Watch, since: datetime) -> Outcome:
        try:
            news = await self._ask(watch, since)
        except (CacheError, RunError, UserError) as error:
            news = Unasked(watch, str(error))
            self._note_failure(watch, str(error))
        return news

    async def _ask(self, watch: Watch, since: datetime) -> Outcome:
        # In a thread, since importing what a search needs takes most of a second.
        await asyncio.to_thread(self._app.load_engine)
        from spar_tui.watching.asking import sources_of

        subject = subject_of(watch.parameters)
        if subject and self._app.settings.preferences.offline:
            return Unasked(watch, f"Not asked: {NOT_OFFLINE}")
        async with self._app.opened_anew(sources_of(watch, self._app.settings), since) as resources:
            if subject:
                return await self._followed(watch, subject, resources, since)
            return await self._searched(watch, resources, since)

    async def _followed(self, watch: Watch, subject: WatchSubject, resources: Resources, begun: datetime) -> News:
        from agents.lookup.following import followed
        from spar_tui.watching.asking import new_of_subject

        answer = await followed(subject, resources.live)
        news = await asyncio.to_thread(new_of_subject, self._app.store, watch, subject, answer, begun)
        for source, why in news.failed.items():
            self._note_failure(watch, f"{source} {why}")
        return news

    async def _searched(self, watch: Watch, resources: Resources, begun: datetime) -> Outcome:
        from spar_tui.watching.asking import new_in_search, options_of, sources_of

        async def these(names: Sequence[str] | None) -> Resources:
            return resources

        options = options_of(watch, sources_of(watch, self._app.settings))
        live = await asyncio.to_thread(
            lambda: Runner.begun(kind_named("search"), self._app.store, watch.question, options, note)
        )
        self._app.begin_unseen(live, these)
        self.running = live
        try:
            await live.ended()
        except asyncio.CancelledError:
            await live.cut_off()
            raise
        finally:
            self.running = None
        if live.problem:
            return Unasked(watch, live.problem)
        if live.state.finished is None:
            return Unasked(watch, STOPPED)
        return await asyncio.to_thread(new_in_search, self._app.store, watch, live.run, live.state, begun, note)

    def _note_failure(self, watch: Watch, why: str) -> None:
        self._app.messages.append(RunFailure(utc_now(), why, "Ask the watch again.", f"watch “{watch.name}”"))
