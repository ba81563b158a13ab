"""The app's access to the library: it makes changes one after the other, and shows changes by other programs."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

from textual import work
from textual.app import ScreenStackError
from textual.screen import Screen

from cache.errors import CacheError
from cache.readable_rows import RowName, take_passed_over
from cache.store import Store
from spar_tui.errors import UserError
from spar_tui.phrases import counted, rows_left_out, sentence
from spar_tui.settings import Settings
from spar_tui.terminal import remark
from spar_tui.tui.base_app import BaseApp
from spar_tui.tui.refresh.follower import LOOK_SECONDS, LibraryFollower
from spar_tui.tui.screens.dialogs.dialog import ConfirmScreen

if TYPE_CHECKING:
    from spar_tui.tui.models.personal_shelf import OthersChange, PersonalShelf, TakenBack


T = TypeVar("T")


class WriteQueue:
    """Runs changes in threads, one after the other, in the order of the requests.

    Cancelling the task that awaits a change does not cancel the change. If the change then fails, `failed` gets the
    error.
    """

    def __init__(self, failed: Callable[[BaseException], None]) -> None:
        self._failed = failed
        self._lock = asyncio.Lock()
        self._unsaved: set[asyncio.Task[Any]] = set()

    @property
    def unsaved(self) -> int:
        """Number of changes not saved yet."""
        return len(self._unsaved)

    async def make(self, change: Callable[[], T]) -> T:
        """Run `change`, which may block on the disk. Returns its result or raises its error."""
        task = asyncio.create_task(self._in_turn(change))
        self._unsaved.add(task)
        task.add_done_callback(self._unsaved.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(self._report)
            raise

    async def _in_turn(self, change: Callable[[], T]) -> T:
        async with self._lock:
            return await asyncio.to_thread(change)

    def _report(self, task: asyncio.Task[Any]) -> None:
        if not task.cancelled() and (error := task.exception()):
            self._failed(error)

    async def finish(self, seconds: float | None = None) -> list[BaseException]:
        """Wait up to `seconds` for all changes. Return the errors of those that failed in that time."""
        made: set[asyncio.Task[Any]] = set()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._unsaved:
                    made |= (await asyncio.wait(list(self._unsaved)))[0]
        return [error for task in made if (error := task.exception())]


SLOW_SECONDS = 1.0
"""Seconds after which a message says that a change to the shelf is still in progress."""
BACKUP_SECONDS = 3600.0
"""Seconds between checks whether today's backup is due; closing the app makes one too."""
CLOSING_SECONDS = 5.0
"""Seconds to go on saving changes while the app closes, for example after a signal."""
LOCATION_SECONDS = 2.0
"""Seconds before the app checks where the library lies, which starts another process."""


class LibraryApp(BaseApp):
    """The part of the app that shares the library with other programs. Subclasses add runs."""

    def __init__(self, settings: Settings, store: Store, reload: Callable[[], Settings]) -> None:
        super().__init__(settings, reload)
        self.store = store
        self.follower = LibraryFollower(store, self._on_top, lambda why: self.say(why, "error", 10))
        self._writes = WriteQueue(self._not_written)
        self._unwritten: list[str] = []
        """Reasons for unsaved changes that can be shown only after the app has closed."""
        self._named: set[RowName] = set()

    @cached_property
    def shelf(self) -> "PersonalShelf":
        """The shelf as keys change it; made on first use, since the app opens sooner without it."""
        from spar_tui.tui.models.personal_shelf import PersonalShelf

        return PersonalShelf(self.store, self.undo_key, self._newest_change)

    @cached_property
    def _newest_change(self) -> str:
        """The name of the newest change when the app opened."""
        from cache.journal import newest

        with suppress(CacheError):  # the next reader of the shelf reports the error
            return newest(self.store)
        return ""

    def on_mount(self) -> None:
        self.call_after_refresh(lambda: self._newest_change)
        self.set_interval(LOOK_SECONDS, self._look_for_others)
        self.set_interval(LOOK_SECONDS, self._name_unreadable)
        self.set_timer(LOCATION_SECONDS, self._warn_of_location)
        self.set_interval(BACKUP_SECONDS, self._back_up)

    def _look_for_others(self) -> None:
        """Show what other processes wrote; the app's own changes are shown when they are saved."""
        if not self._writes.unsaved:
            self.follower.look()

    def _on_top(self) -> "Screen[Any] | None":
        """Return the current screen once its widgets exist; None while the app closes."""
        with suppress(ScreenStackError):
            return self.screen if self.screen.is_mounted else None
        return None

    def _name_unreadable(self) -> None:
        """Report each damaged row that lists omit, once."""
        if rows := [row for row in take_passed_over() if row not in self._named]:
            self._named.update(rows)
            self.say(sentence(rows_left_out(rows)), "warning", 10)

    @work(group="location")
    async def _warn_of_location(self) -> None:
        from spar_tui.health.location import location_warning

        if warning := await asyncio.to_thread(location_warning, self.store):
            self.say(warning, "warning", 10)

    @work(group="backup")
    async def _back_up(self) -> None:
        from cache.upkeep import keep_daily_unasked

        await asyncio.to_thread(keep_daily_unasked, self.store.path)

    @work(group="shelf")
    async def on_shelf(self, action: Callable[[], T], then: Callable[[T], object], doing: str = "") -> None:
        """Run `action`, which blocks on the disk, in a thread after earlier changes. Pass its result to `then`, then
        refresh the screen. If it is slow, a message says what is being done (`doing`)."""
        timer = self.set_timer(SLOW_SECONDS, lambda: self.say(f"Still {doing}…")) if doing else None
        try:
            done = await self.write(action)
        except (CacheError, UserError) as error:
            self.say(str(error), "error", 10)
            return
        finally:
            if timer is not None:
                timer.stop()
        then(done)
        self.follower.refresh()

    def delete_if_agreed(self, question: str, delete: Callable[[], object], then: Callable[[], object]) -> None:
        """Ask the question; if the person agrees, call `delete`, which blocks on the disk, then `then`."""

        def deleted(_: object) -> None:
            then()
            self.say("Deleted.", seconds=2)

        def agreed() -> None:
            self.on_shelf(delete, deleted)

        self.confirm(question, "delete", agreed)

    async def write(self, change: Callable[[], T]) -> T:
        """Make `change` on the disk, in a thread, after earlier ones. Even if the caller is cancelled, the app waits
        for it before closing and reports its failure. Raises what `change` raises."""
        return await self._writes.make(change)

    def _not_written(self, error: BaseException) -> None:
        if not isinstance(error, CacheError | UserError):
            self._handle_exception(error if isinstance(error, Exception) else RuntimeError(repr(error)))
        elif self.is_running and not self._exit:
            self.say(str(error), "error", 10)
        else:
            self._unwritten.append(str(error))

    def leave(self) -> None:
        """Quit once every change is saved. If that takes long, ask whether to quit at once and lose changes; a failed
        change keeps the app open."""
        if not self._writes.unsaved:
            super().leave()
        elif not any(worker.group == "leaving" for worker in self.workers):
            self._leave_saved()

    @work(group="leaving")
    async def _leave_saved(self) -> None:
        errors = await self._writes.finish(SLOW_SECONDS / 2)
        if changes := self._writes.unsaved:
            saving = f"Saving {counted(changes, 'change')}… spar quits when this is done."
            asking = ConfirmScreen(f"{saving} Quit now and lose what is not saved?", "quit", unasked=True)
            await self.push_screen(asking, self._leave_or_stay)
            errors += await self._writes.finish()
            while errors and asking in self.screen_stack:
                await self.pop_screen()
        if not errors:
            self.exit()

    def _leave_or_stay(self, leave: bool | None) -> None:
        self.workers.cancel_group(self, "leaving")
        if leave:
            self.exit()

    async def _save_last(self) -> None:
        """Save pending changes within the time that closing may take; report what was lost."""
        with suppress(OSError):  # the terminal may have gone
            if self._writes.unsaved:
                remark("Saving…")
        await self._writes.finish(CLOSING_SECONDS)
        if late := self._writes.unsaved:
            changes = counted(late, "change was", "changes were")
            self._unwritten.append(f"{changes} not saved: the library did not answer for {CLOSING_SECONDS:g} seconds.")
        with suppress(OSError):
            remark(*dict.fromkeys(self._unwritten))

    def undo_key(self) -> str:
        """Return the key that undoes the last change."""
        return self.key_shown("app.undo")

    def action_undo(self) -> None:
        """Undo the last change to papers; ask first if it was not made here."""
        self.on_shelf(self.shelf.last_of_others, self._undo_or_ask)

    def _undo_or_ask(self, others: "OthersChange | None") -> None:
        if others is None:
            self._undo("")
        else:
            self.confirm(others.question, "undo", partial(self._undo, others.name))

    def _undo(self, agreed: str) -> None:
        self.on_shelf(partial(self.shelf.take_back, agreed), self._taken_back, "undoing the last change")

    def _taken_back(self, taken: "TakenBack") -> None:
        self.say(taken.sentence)
        if taken.also is not None:
            taken.also()
