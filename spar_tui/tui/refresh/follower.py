"""Keep the shown screen up to date with the library, whether the app or another process writes to it."""

import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol, runtime_checkable
from weakref import WeakKeyDictionary, WeakSet

from cache.errors import CacheError, Locked
from cache.store import Store, WriteCount

LOOK_SECONDS = 0.5
"""Seconds between checks for writes by other threads or processes."""
REST = 1.0
"""Pause after a refresh, as a multiple of its duration, so that refreshing uses at most half of a core."""
RETRY_SECONDS = 2.0
"""Pause after a refresh that failed, unless another process has locked the library."""


@runtime_checkable
class ShowsLibrary(Protocol):
    """A screen that shows data from the library."""

    async def library_changed(self) -> None:
        """Reload the screen's data in a thread and update it in place. Raises `CacheError`.

        Cursor and marks stay on their rows by key; scroll offset, filter and focus stay.
        """

    async def library_unread(self, why: str) -> None:
        """Show why the library could not be read, which is tried again; "" once it could."""

    def run_worker(self, work: Callable[[], Awaitable[None]], *, group: str) -> object:
        """Run `work` until the screen is removed; do nothing if it is being removed."""


class LibraryFollower:
    """Calls `library_changed` of the current screen (returned by `shown`) after writes, once at a time per screen.

    Writes during a refresh wait for the next one, which shows them together. A hidden screen is refreshed when it is
    shown again, if anything was written since its last refresh. A failed refresh is tried again; the screen shows why
    it failed, and `say` reports that once. `now` is a clock in seconds.
    """

    def __init__(
        self,
        store: Store,
        shown: Callable[[], object],
        say: Callable[[str], object],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store, self._shown, self._say, self._now = store, shown, say, now
        self._read: WeakKeyDictionary[ShowsLibrary, WriteCount | None] = WeakKeyDictionary()
        """Write count before the last refresh of each screen."""
        self._refreshing: WeakSet[ShowsLibrary] = WeakSet()
        self._again: WeakSet[ShowsLibrary] = WeakSet()
        """Screens for which `refresh` was called during their refresh."""
        self._failed: WeakSet[ShowsLibrary] = WeakSet()
        self._rests_until = 0.0
        self.by_others = False
        """Whether the refresh shows changes by others; `refresh` shows the app's own changes at once."""

    def look(self) -> None:
        """Refresh the current screen if others have written since its last refresh. Called by a timer."""
        screen = self._shown()
        if not isinstance(screen, ShowsLibrary) or screen in self._refreshing or self._now() < self._rests_until:
            return
        count, last = self._count(), self._read.get(screen)
        if count is None or last is None or last.others != count.others:
            self.by_others = True
            self._begin(screen)

    def refresh(self) -> bool:
        """Refresh the current screen after any write since its last refresh, the app's own included, or if that failed.
        Return whether it is refreshing now."""
        screen = self._shown()
        if not isinstance(screen, ShowsLibrary):
            return False
        if screen in self._refreshing:
            self._again.add(screen)
        elif self._is_behind(screen):
            self.by_others = False
            self._begin(screen)
        return screen in self._refreshing

    def _count(self) -> WriteCount | None:
        try:
            return self._store.write_count()
        except CacheError:
            return None  # reloading the screen fails too, and reports the error

    def _is_behind(self, screen: ShowsLibrary) -> bool:
        count = self._count()
        return count is None or count != self._read.get(screen)

    def _begin(self, screen: ShowsLibrary) -> None:
        self._refreshing.add(screen)
        screen.run_worker(partial(self._bring_up_to_date, screen), group="library")

    async def _bring_up_to_date(self, screen: ShowsLibrary) -> None:
        began, behind = self._now(), True
        try:
            while behind:
                self._again.discard(screen)
                self._read[screen] = self._count()
                await screen.library_changed()
                behind = screen in self._again and self._is_behind(screen)
            self._failed.discard(screen)
            await screen.library_unread("")
            ended = self._now()
            self._rests_until = ended + REST * (ended - began)
        except CacheError as error:
            del self._read[screen]  # so that a later look tries again
            await screen.library_unread(str(error))
            if not isinstance(error, Locked):
                self._rests_until = self._now() + RETRY_SECONDS
                if screen not in self._failed:
                    self._say(str(error))
                self._failed.add(screen)
        finally:
            self._refreshing.discard(screen)
