"""What the app gives every screen: keys, palette, help, settings, colours, panes, copying, notices, a way out."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from textual.app import App
from textual.await_remove import AwaitRemove
from textual.binding import Binding
from textual.dom import DOMNode
from textual.events import Key, Print
from textual.filter import LineFilter
from textual.notifications import Notifications, SeverityLevel
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Input, TextArea
from textual.widgets._toast import ToastRack  # where the library keeps what is said

from cache.timestamps import utc_now
from connectors.records.visible import visible
from spar_tui.errors import UserError
from spar_tui.phrases import sentence as begun_with_capital
from spar_tui.settings import Settings
from spar_tui.tui.closing.late_errors import is_late
from spar_tui.tui.commands import bindings
from spar_tui.tui.counted_keys import CountedKeys
from spar_tui.tui.failures import RunFailure, together
from spar_tui.tui.keymap import keymap
from spar_tui.tui.layout_file import read_widths, write_widths
from spar_tui.tui.redraw_pace import RedrawPace
from spar_tui.tui.screens.dialogs.confirm import ConfirmScreen
from spar_tui.tui.terminal.clipboard import copy_text
from spar_tui.tui.terminal.driver import driver, is_there
from spar_tui.tui.theme import THEMES, ReadOnce, filters_for
from spar_tui.tui.widgets.panes import Panes

FLUSH_SECONDS, CALM_FLUSH_SECONDS = 0.2, 0.5
"""A moving screen is brought up to date no oftener: to redraw at each event would cost several times the processor."""
MOST_MESSAGES = 200
"""Messages that are remembered."""
TWICE_SECONDS = 4.0
"""Within which a key pressed twice quits."""
LOOK_SECONDS = 1.0
"""How often one looks whether the terminal is still there."""


class BaseApp(App[None], inherit_bindings=False):
    """The app without what it is about."""

    TITLE = "spar"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = bindings("anywhere")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (150, "-wide")]  # noqa: RUF012  # Textual declares it so
    VERTICAL_BREAKPOINTS = [(0, "-short"), (24, "-tall")]  # noqa: RUF012
    CSS = """
    ToastRack { overflow: hidden; }
    CommandLine ToastRack, Prompt ToastRack, CiteLine ToastRack { margin-bottom: 3; }
    Toast { background: $panel; padding: 0 1 0 0; margin: 0; width: 1fr; max-width: 100%; }
    Input > .input--placeholder { color: $foreground 70%; }
    SelectCurrent .arrow { color: $foreground 70%; }
    Tree > .tree--guides, Tree > .tree--guides-hover, Tree > .tree--guides-selected { color: $border-blurred; }
    SelectOverlay:ansi > .option-list--option-highlighted { text-style: bold underline; }
    """

    def clear_selection(self) -> None:
        """As Textual's, but of no screen while the first one is made: from Python 3.12 on its line to write in is begun
        before it is the one that is shown."""
        if self._screen_stacks.get(self._current_mode):
            super().clear_selection()

    def __init__(self, settings: Settings, reload: Callable[[], Settings]) -> None:
        super().__init__(driver_class=driver())
        self.stylesheet = ReadOnce(variables=self.get_css_variables())
        self.settings, self._reload = settings, reload
        self.crash: Exception | None = None
        """What ended the app, if a fault did."""
        self.messages: deque[RunFailure] = deque(maxlen=MOST_MESSAGES)
        """What the app has said, failures and all else."""
        self.pace = RedrawPace()
        self.counted_keys = CountedKeys(self)
        self._signals: dict[signal.Signals, Any] = {}
        self._lent_to: subprocess.Popen[bytes] | None = None
        self._told_to_end = False
        self._asked_to_leave = -TWICE_SECONDS
        self._widths: dict[str, dict[str, int]] | None = None
        for theme in THEMES.values():
            self.register_theme(theme)
        self._use_settings()

    def on_mount(self) -> None:
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            self._leave_on(name)
        if not self.is_headless:
            self.set_interval(LOOK_SECONDS, self._leave_with_terminal)
        # After `fg` in the shell the terminal is empty; the library draws only what changes.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        self.begin_capture_print(self, stdout=False, stderr=True)
        if warnings := (*self.settings.warnings, *self.command_keys.problems):
            self.say(" ".join(warnings), "warning", 10)

    async def on_unmount(self) -> None:
        for number, before in self._signals.items():
            signal.signal(number, before)

    def _leave_on(self, name: str) -> None:
        """Quit as by the key, so that the terminal is given back as it was and the searches are kept."""
        loop = asyncio.get_running_loop()

        def leave(number: int, frame: object) -> None:
            # Here, and not in the loop: that may be waiting for an editor, or for a terminal that takes nothing.
            self._hurry()
            if number != signal.SIGINT:  # with Ctrl-C an editor does as it likes
                self._told_to_end = True
                self._end_lent()
            loop.call_soon_threadsafe(self.exit)

        if number := getattr(signal, name, None):  # not every system has each
            with suppress(ValueError):  # only the main thread may
                self._signals[number] = signal.signal(number, leave)

    def lend_to(self, program: "subprocess.Popen[bytes]") -> None:
        """The terminal is `program`'s until it ends; a signal to quit ends it too, even one that came before."""
        self._lent_to = program
        self._end_lent()

    def _end_lent(self) -> None:
        if self._told_to_end and self._lent_to is not None:
            self._lent_to.terminate()

    def _leave_with_terminal(self) -> None:
        """Quit when the terminal has gone: nobody is told of it by a signal in every case."""
        if sys.__stdin__ is not None and not is_there(sys.__stdin__.fileno()):
            self._hurry()
            self.exit()

    def _hurry(self) -> None:
        """Wait no longer than a moment for a terminal that takes nothing."""
        if output := getattr(self._driver, "output", None):
            output.hurry()

    def on_key(self, event: Key) -> None:
        """Before the bindings: a number may stand before the key."""
        if self.counted_keys.holds(event):
            event.prevent_default()

    # What is said

    def on_print(self, event: Print) -> None:
        """What the parts of the command line say on standard error is a notice here."""
        if text := visible(event.text).strip():
            self.say(text.removeprefix("spar: "), "warning", 10)

    def say(self, sentence: str, severity: SeverityLevel = "information", seconds: float = 4) -> None:
        """Show a message above the line of keys, in the place of the one before; it is shown as it is, and kept."""
        text = visible(begun_with_capital(sentence) if severity == "error" else sentence)
        self.messages.append(RunFailure(utc_now(), text, failed=severity != "information"))
        self.notify(text, severity=severity, timeout=seconds, markup=False)

    def on_notify(self) -> None:
        """One message at a time: the newest."""
        self.clear_notifications()

    def clear_notifications(self) -> None:
        """Take what was said from every screen: what is below a dialog is seen around it."""
        super().clear_notifications()
        for screen in self.screen_stack[:-1]:
            self.call_later(screen.get_child_by_type(ToastRack).show, Notifications())

    def copy_to_clipboard(self, text: str) -> None:
        """Copy by the terminal's escape code and by a program of the system: nobody can tell which of them works."""
        super().copy_to_clipboard(text)
        if not self.is_headless:
            self.run_worker(partial(copy_text, text), group="copying", thread=True, exit_on_error=False)

    def copy(self, text: str, what: str = "") -> None:
        """Copy `text`, and say so; `what` it is, if that is shorter."""
        self.copy_to_clipboard(text)
        self.say(f"Copied {what or text}", seconds=2)

    def tell_done(self, sentence: str) -> None:
        """Say that something long has ended; if the person is elsewhere, ring for them."""
        self.say(sentence)
        if not self.app_focus:
            self.bell()

    # Settings

    @property
    def calm(self) -> bool:
        """Whether nothing should move but what says something."""
        calm = self.settings.preferences.calm
        return calm == "on" or (calm == "auto" and (self.no_color or "SSH_CONNECTION" in os.environ))

    @property
    def flush_seconds(self) -> float:
        """How often a moving screen is to be brought up to date."""
        return CALM_FLUSH_SECONDS if self.calm else FLUSH_SECONDS

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What every line goes through on its way to the terminal."""
        return filters_for(super().get_line_filters(), self.native_ansi_color)

    def _use_settings(self) -> None:
        self.command_keys = keymap(self.settings.keys)
        if self.command_keys.changed or self._keymap:
            self.set_keymap({name: ",".join(keys) for name, keys in self.command_keys.keys.items()})
        self.theme = THEMES[self.settings.preferences.theme].name
        if self.calm:
            self.animation_level = "none"

    def change_setting(self, name: str, written: str) -> str | None:
        """Write a setting into the file and heed it from now on; why that cannot be, in a sentence, else None."""
        from spar_tui.config_file import set_preference

        try:
            set_preference(self.settings, name, written)
        except UserError as error:
            return str(error)
        self.settings = self._reload()
        self._use_settings()
        self.settings_changed()
        return None

    def change_keys(self, command: str, keys: Sequence[str]) -> str | None:
        """Give the command of this id other keys, its own again if there are none, and write it into the file; they are
        heeded from now on. Why that cannot be, in a sentence, else None."""
        from spar_tui.config_file import set_keys

        chosen = {name: some for name, some in self.settings.keys.items() if name != command}
        wanted = keymap({**chosen, command: tuple(keys)} if keys else chosen)
        if problems := [problem for problem in wanted.problems if problem not in self.command_keys.problems]:
            return problems[0]
        try:
            set_keys(self.settings, command, keys)
        except UserError as error:
            return str(error)
        self.settings = self._reload()
        self._use_settings()
        return None

    def change_filter(self, name: str, text: str) -> str | None:
        """Keep `text` as the filter of this name, or forget it if there is none, in the file; why that cannot be, in a
        sentence, else None."""
        from spar_tui.config_file import set_filter

        try:
            set_filter(self.settings, name, text)
        except UserError as error:
            return str(error)
        self.settings = self._reload()
        return None

    def settings_changed(self) -> None:
        """For the app: heed what else was changed."""

    def action_theme(self, name: str) -> None:
        """Use other colours, now and later."""
        if problem := self.change_setting("theme", name):
            self.theme = THEMES[name].name
            self.say(f"The theme could not be saved: {problem}", "warning", 10)

    # Finding what can be done

    def recent_failures(self) -> list[RunFailure]:
        """All that was said and failed in this session, the latest first; blocks on the disk. Raises `CacheError`."""
        return together(self.messages)

    @property
    def urgent(self) -> Collection[str]:
        """The ids of the commands that the line of keys names though it leaves them to the help at other times."""
        return ("app.errors",) if any(message.failed for message in self.messages) else ()

    def keys_shown(self, command: str) -> list[str]:
        """The keys of the command of this id, as the person has them."""
        return [self.get_key_display(Binding(key, "")) for key in self.command_keys.keys[command]]

    def key_shown(self, command: str) -> str:
        """The first of them."""
        return self.keys_shown(command)[0]

    async def action_jump(self) -> None:
        """Letters over everything that one can go to."""
        from spar_tui.tui.widgets.jump import JumpScreen, Target, targets

        def go(chosen: Target | None) -> None:
            if chosen is not None:
                chosen.go()

        if targets_shown := targets(self.screen):
            await self.push_screen(JumpScreen(targets_shown), go)

    @property
    def _background_screens(self) -> list[Screen[Any]]:
        # The library takes the screen below for one that is seen through this one, and draws the whole of this one anew
        # whenever a line down there changes: half of what a search's screen costs.
        opaque = bool(self._screen_stack) and self._screen_stack[-1].styles.background.a == 1
        return [] if opaque else super()._background_screens

    # Panes

    @property
    def pane_widths(self) -> dict[str, dict[str, int]]:
        """How wide the person made the panes, for each arrangement of them; in hundredths."""
        if self._widths is None:
            self._widths = read_widths(self.settings.places.database.parent)
        return self._widths

    def keep_layout(self) -> None:
        """Remember the widths for the next start."""
        try:
            write_widths(
                self.settings.places.database.parent, {name: all for name, all in self.pane_widths.items() if all}
            )
        except OSError as error:
            self.say(f"The pane widths could not be saved ({error.strerror}).", "warning")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Panes can be changed where there are some; what is laid over a screen is not laid over a dialog."""
        if action in ("palette", "jump"):
            typing = action == "jump" and isinstance(self.focused, Input | TextArea)
            return not isinstance(self.screen, ModalScreen) and not typing
        if action in ("leave", "back_out"):
            return (action == "leave") is self._is_outermost
        if action == "go":
            return bool(parameters) and parameters[0] != self.current_mode
        if action == "resize_pane":
            return any(panes.can_resize for panes in self.screen.query(Panes))
        if action == "maximize_pane":
            return bool(self.screen.query(Panes))
        return True

    def action_resize_pane(self, steps: int) -> None:
        """Make the pane with the focus wider, or narrower; remembered."""
        for panes in self.screen.query(Panes):
            panes.resize(steps)

    def action_maximize_pane(self) -> None:
        """Show the pane with the focus alone, or all again."""
        for panes in self.screen.query(Panes):
            panes.show_alone(not panes.alone)

    # Leaving

    @property
    def under_way(self) -> int:
        """How many runs are under way."""
        return 0

    @property
    def told_under_way(self) -> str:
        """What is under way, as the beginning of a sentence: `A search is`."""
        return ""

    @property
    def _is_outermost(self) -> bool:
        """Whether there is nowhere to go back to."""
        return len(self.screen_stack) == 1 and self.current_mode == self.DEFAULT_MODE

    def action_back_out(self) -> None:
        """Back to where the person came from."""
        if len(self.screen_stack) > 1:
            self.pop_screen()
        else:
            self.switch_mode(self.DEFAULT_MODE)

    def action_leave(self) -> None:
        """Quit, after a question if a run is under way."""
        if self.under_way:
            question = f"{self.told_under_way} under way. Papers found are kept, and it resumes later. Quit?"
            self.push_screen(ConfirmScreen(question, "quit", "stay"), lambda yes: self.leave() if yes else None)
        else:
            self.leave()

    async def action_quit(self) -> None:
        """Quit without a question about runs that are under way."""
        self.leave()

    def leave(self) -> None:
        """Quit as soon as nothing is lost by it."""
        self.exit()

    def action_leave_twice(self) -> None:
        """Quit if that was asked for a moment ago: Ctrl-C is pressed by many to leave and by many to copy."""
        before, self._asked_to_leave = self._asked_to_leave, time.monotonic()
        if isinstance(self.screen, ConfirmScreen):
            return  # which may ask just that
        if self._asked_to_leave - before < TWICE_SECONDS:
            self.action_leave()
        else:
            self.say(f"{self.key_shown('app.leaving')} again quits; everything found is kept.", seconds=TWICE_SECONDS)

    # Faults

    def _prune(self, *nodes: Widget, parent: DOMNode | None = None) -> AwaitRemove:
        """Cancel the workers of what is removed at once, and not only after the widgets in it are gone."""
        for node in nodes:
            for widget in node.walk_children(with_self=True):
                self.workers.cancel_node(widget)
        return super()._prune(*nodes, parent=parent)

    def _handle_exception(self, error: Exception) -> None:
        """Keep what happened for the report; the rest is as for any app. Here come the errors of every message handler,
        timer, callback and worker; those that come back to a widget after it was removed end quietly."""
        if is_late(error):
            return
        self.crash = self.crash or error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        # What the library would draw shows local variables, among them what was typed.
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        self._exit_renderables.clear()
