"""Keep a recommendation of what to read next, made in the background from local data only."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from agents.run.errors import RunError
from cache import runs
from cache.errors import CacheError
from cache.reading_history import changed_since, tells_of_taste
from cache.store import Store
from cache.timestamps import utc_now

if TYPE_CHECKING:
    from agents.run.runner import AnyRun, ResourcesFor

KIND = "recommendation"
_AMONG = 50
"""Number of recent recommendations in which to look for the newest and for unseen ones."""


class Recommender:
    """Holds the newest recommendation, and makes another when the reading history has changed.

    It may use `resources`. `changed` is called when there is something else to show, `say` with what could not be
    stored of a run.
    """

    def __init__(
        self, store: Store, resources: "ResourcesFor", changed: Callable[[], None], say: Callable[[str], None]
    ) -> None:
        self.store = store
        self.newest: AnyRun | None = None
        """The last finished recommendation."""
        self.making: AnyRun | None = None
        self.problem: str | None = None
        """Why the last recommendation that was begun did not finish."""
        self.looked = False
        """Whether the newest recommendation was read and no other is due."""
        self._resources, self._changed, self._say = resources, changed, say
        self._lock = asyncio.Lock()
        self._wanted = 0
        self._own: set[str] = set()

    async def look_first(self) -> None:
        """Read the newest recommendation; make another if the reading history has changed since."""
        try:
            self.newest, due, interrupted = await asyncio.to_thread(self._kept)
        except (CacheError, RunError) as error:
            self.problem = str(error)
            due, interrupted = False, None
        self.looked = not due
        self._changed()
        if due:
            await self.make(interrupted)
            self.looked = True
            self._changed()

    async def look_again(self) -> None:
        """Take over the newest recommendation of other processes, or drop a deleted one. Raises `CacheError`."""
        before = self.newest
        if not self.looked or self.making is not None:
            return
        with suppress(RunError):
            newest = await asyncio.to_thread(self._newest_but, before)
            if self.newest is before and self.making is None:
                self.newest = newest

    def _newest_but(self, before: "AnyRun | None") -> "AnyRun | None":
        """Return the newest finished recommendation; `before` itself if that is the newest."""
        among = runs.recent(self.store, _AMONG, KIND, unasked=True)
        newest = next((run.id for run in among if run.state == "finished"), None)
        if newest is None or (before is not None and newest == before.run):
            return before if newest else None
        from agents.run.runner import Runner  # imported late, so that the app opens sooner

        return Runner.kept_as(self.store, newest)

    def _kept(self) -> tuple["AnyRun | None", bool, str | None]:
        """Return the newest recommendation, whether another is due, and the interrupted one to resume for it."""
        recent = runs.recent(self.store, _AMONG, KIND, unasked=True)
        if not recent and not tells_of_taste(self.store):
            return None, False, None
        # Imported here, in a thread, for the screen that shows the recommendation.
        import spar_tui.tui.models.recommendation_rows  # noqa: F401
        from agents.run.runner import Runner
        from agents.taste.context import read_context

        finished = next((run for run in recent if run.state == "finished"), None)
        newest = Runner.kept_as(self.store, finished.id) if finished else None
        if finished is not None and not changed_since(self.store, finished.started):
            return newest, False, None
        due = not read_context(self.store, utc_now()).empty
        last = recent[0] if recent else None
        goes_on = last is not None and _unasked(last) and last.state == "interrupted"
        return newest, due, last.id if last and goes_on and not changed_since(self.store, last.started) else None

    async def make(self, interrupted: str | None = None) -> "AnyRun | None":
        """Make a recommendation from the present history, or resume the `interrupted` one. Return None if it does not
        finish, or if another is requested before it begins."""
        self._wanted += 1
        mine = self._wanted
        async with self._lock:
            if mine != self._wanted:
                return None
            try:
                self.making = run = await asyncio.to_thread(self._begun, interrupted)
            except (CacheError, RunError) as error:
                self.problem = str(error)
                self._changed()
                return None
            self._own.add(run.run)
            self._changed()
            run.start(self._resources)
            await run.ended()
            self.problem = run.problem
            if run.state.finished:
                self.newest = run
                await asyncio.to_thread(self._forget_unseen, run.run)
            self.making = None
            self._changed()
            return run if run.state.finished else None

    def _begun(self, interrupted: str | None) -> "AnyRun":
        from agents.recommendation.options import RecommendOptions
        from agents.run.kinds import kind_named
        from agents.run.runner import Runner

        kind = kind_named(KIND)
        if interrupted is not None:
            return Runner.taken_up(kind, self.store, interrupted, self._say)
        return Runner.begun(kind, self.store, "", RecommendOptions(sources=(), unasked=True), self._say)

    def _forget_unseen(self, but: str) -> None:
        """Delete all unseen recommendations except `but`."""
        for run in runs.recent(self.store, _AMONG, KIND, unasked=True):
            if run.id != but and _unasked(run) and run.state != "running":
                runs.forget(self.store, run.id)

    def seen(self, run: str) -> None:
        """Record that the person looks at `run`, which is then kept. Blocks on the disk; raises `CacheError`."""
        if _unasked(runs.get(self.store, run)):
            runs.set_parameter(self.store, run, "unasked", False)

    def forget_own(self, run: str) -> None:
        """Delete `run`, which another has replaced, if it was made in this session. Blocks on the disk."""
        if run in self._own:
            runs.forget(self.store, run)

    async def cut_off(self) -> None:
        """Stop the recommendation in the making at once."""
        if self.making is not None:
            await self.making.cut_off()


def _unasked(run: runs.Run) -> bool:
    return bool(run.parameters.get("unasked"))
