"""What all screens share: keys, palette, help, settings, colors, panes, messages, copying and quitting."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from traceback import walk_tb
from typing import Any
from weakref import WeakSet

from textual.app import App, ScreenStackError
from textual.await_remove import AwaitRemove
from textual.binding import Binding
from textual.css.query import NoMatches
from textual.dom import DOMNode, NoScreen
from textual.errors import NoWidget
from textual.events import Event, Key, Paste, Print
from textual.filter import LineFilter
from textual.message_pump import MessagePump
from textual.notifications import SeverityLevel
from textual.screen import ModalScreen, Screen
from textual.widget import AwaitMount, MountError, Widget
from textual.widgets import Input, TextArea
from textual.widgets._toast import ToastHolder  # where Textual keeps the shown messages
from textual.worker import Worker, WorkerFailed

from agents.run.errors import RunError
from cache.errors import CacheError
from cache.timestamps import utc_now
from connectors.records.visible import visible
from spar_tui.errors import UserError
from spar_tui.phrases import sentence as begun_with_capital
from spar_tui.settings import Settings
from spar_tui.tui.commands import PROMPTS, bindings
from spar_tui.tui.failures import RunFailure, together
from spar_tui.tui.keymap import CountedKeys, keymap
from spar_tui.tui.screens.dialogs.dialog import ConfirmScreen, Dialog
from spar_tui.tui.terminal.driver import driver, is_there, terminal_of
from spar_tui.tui.theme import THEMES, ReadOnce, filters_for
from spar_tui.tui.widgets.panes import Panes

COPY_SECONDS = 3.0
"""Seconds that a program may take; a hanging program must not block the app."""


def copy_text(text: str, environment: Mapping[str, str] | None = None) -> str | None:
    """Pass `text` to the first program that accepts it; return its name, if any. Blocks: call it in a thread."""
    environment = os.environ if environment is None else environment
    for command in _programs(environment):
        if shutil.which(command[0], path=environment.get("PATH")) and _takes(command, text, environment):
            return command[0]
    return None


def _programs(environment: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield the programs that can reach a clipboard from here, each as a command without a shell."""
    if environment.get("WAYLAND_DISPLAY"):
        yield ["wl-copy"]
    if environment.get("DISPLAY"):
        yield ["xclip", "-selection", "clipboard"]
        yield ["xsel", "--clipboard", "--input"]
    yield ["pbcopy"]
    yield ["clip.exe"]
    if environment.get("TMUX"):
        yield ["tmux", "load-buffer", "-w", "-"]


def _takes(command: list[str], text: str, environment: Mapping[str, str]) -> bool:
    try:
        # Output must not be a pipe: xclip goes on in the background and would hold it open.
        done = subprocess.run(
            command,
            input=text.encode("utf-8", "replace"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=COPY_SECONDS,
            env=dict(environment),
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


_MISSING = (NoMatches, NoScreen, NoWidget, MountError, ScreenStackError)
"""Errors that Textual raises for a missing widget or screen."""


def is_late(error: Exception) -> bool:
    """Whether `error` reports something missing in a widget or an app that is closed or closing.

    An error ends the message loop of the widget that was handling a message, so it is late only if that widget is
    closed.
    """
    cause = error.error if isinstance(error, WorkerFailed) else error
    if not isinstance(cause, _MISSING):
        return False
    nodes = list(_nodes(cause))
    handling = [node for method, node in nodes if method == "_dispatch_message"]
    return any(map(_is_closed, handling[:1] or [node for _, node in nodes]))


def _nodes(error: BaseException) -> Iterator[tuple[str, DOMNode]]:
    """Yield the methods that `error` passed through, each with its widget or app, outermost first."""
    for frame, _ in walk_tb(error.__traceback__):
        if isinstance(node := frame.f_locals.get("self"), DOMNode):
            yield frame.f_code.co_name, node


def _is_closed(node: DOMNode) -> bool:
    app = node if isinstance(node, App) else node.app
    return node._closing or node._closed or node._pruning or app._exit or not app._running


Widths = Mapping[str, Mapping[str, int]]
"""For each arrangement, the width of each pane in hundredths of the whole."""
LAYOUT = "layout.json"


def read_widths(folder: Path) -> dict[str, dict[str, int]]:
    """Return the saved widths; skip invalid ones."""
    try:
        value = json.loads((folder / LAYOUT).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(value, dict):
        return {}
    return {
        str(name): {str(pane): width for pane, width in panes.items() if type(width) is int and 5 <= width <= 95}
        for name, panes in value.items()
        if isinstance(panes, dict)
    }


def write_widths(folder: Path, widths: Widths) -> None:
    """Replace the file; raises `OSError`."""
    handle, fresh = tempfile.mkstemp(prefix=".layout-", dir=folder)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(widths, file, indent=1)
    os.replace(fresh, folder / LAYOUT)


SHARE = 0.2
"""Share of a core that the process may use between two redraws."""
LONGEST = 1.0
"""Seconds after which a screen is drawn at any cost."""
Clock = Callable[[], float]


class RedrawPace:
    """Decides at each tick whether to draw: not while the process has used more than its share meanwhile."""

    def __init__(self, now: Clock = time.monotonic, used: Clock = time.process_time) -> None:
        self._now, self._used = now, used
        self._last = (now() - LONGEST, used())

    def due(self) -> bool:
        """Return whether to draw now; if so, begin the next interval."""
        passed, used = self._now() - self._last[0], self._used() - self._last[1]
        if passed < LONGEST and used > SHARE * passed:
            return False
        self._last = (self._now(), self._used())
        return True


FLUSH_SECONDS, CALM_FLUSH_SECONDS = 0.2, 0.5
"""Seconds between redraws of a moving screen; a redraw at each event would take several times the processor time."""
MOST_MESSAGES = 200
"""Number of messages kept."""
TWICE_SECONDS = 4.0
"""Seconds within which the second press of the key quits."""
LOOK_SECONDS = 1.0
"""Seconds between checks that the terminal still exists."""
OPENING_SECONDS = 1.0
"""Most seconds that a key waits for the screen which the key before it opens."""


class Reporting:
    """A context that passes errors written for the person to `say`, in place of raising them."""

    def __init__(self, say: Callable[[str, SeverityLevel, float], object]) -> None:
        self._say = say

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> bool:
        is_told = isinstance(error, CacheError | RunError | UserError)
        if is_told:
            self._say(str(error), "error", 10)
        return is_told


def _is_character(event: Key | Paste) -> bool:
    return isinstance(event, Key) and event.is_printable


class BaseApp(App[None], inherit_bindings=False):
    """Base class of the app, without runs and papers."""

    TITLE = "spar"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = bindings("anywhere")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (150, "-wide")]  # noqa: RUF012  # Textual declares it so
    VERTICAL_BREAKPOINTS = [(0, "-short"), (24, "-tall")]  # noqa: RUF012
    CSS = """
    ToastRack { overflow: hidden; layer: default; }
    ModalScreen ToastRack { layer: _toastrack; }
    TextPrompt ToastRack, CiteLine ToastRack { margin-bottom: 3; }
    Dialog.-short ToastRack { margin-bottom: 0; }
    Dialog.-short Toast { height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    Toast { background: $panel; padding: 0 1 0 0; margin: 0; width: 1fr; max-width: 100%; }
    Input > .input--placeholder { color: $foreground 70%; }
    SelectCurrent .arrow { color: $foreground 70%; }
    SelectOverlay:ansi > .option-list--option-highlighted { text-style: bold underline; }
    """

    def clear_selection(self) -> None:
        """Do nothing before the first screen is shown: from Python 3.12 on, its input calls this while the screen is
        created."""
        if self._screen_stacks.get(self._current_mode):
            super().clear_selection()

    def __init__(self, settings: Settings, reload: Callable[[], Settings]) -> None:
        super().__init__(driver_class=driver())
        self.stylesheet = ReadOnce(variables=self.get_css_variables())
        self.settings, self._reload = settings, reload
        self.crash: Exception | None = None
        """The error that ended the app, if any."""
        self.messages: deque[RunFailure] = deque(maxlen=MOST_MESSAGES)
        """The last messages of the app, failures included."""
        self.troubles_seen = 0
        """`troubles` when the person last looked at the messages."""
        self.pace = RedrawPace()
        self.counted_keys = CountedKeys(self)
        self._typed: deque[Key | Paste] = deque()
        """Keys that wait until the keys before them are handled."""
        self._sent = False
        """Whether a key has been sent that is not handled yet."""
        self._asked: WeakSet[Worker[Any]] = WeakSet()
        """The workers that had the time to open their prompt."""
        self._open_screen: Screen[Any] | None = None
        self._signals: dict[signal.Signals, Any] = {}
        self._lent_to: subprocess.Popen[bytes] | None = None
        self._told_to_end = False
        self._asked_to_leave = -TWICE_SECONDS
        self._clock_stopped = 0.0
        """Seconds for which the clock of the event loop was stopped."""
        self._widths: dict[str, dict[str, int]] | None = None
        for theme in THEMES.values():
            self.register_theme(theme)
        self._use_settings()

    def on_mount(self) -> None:
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            self._leave_on(name)
        if not self.is_headless:
            self.set_interval(LOOK_SECONDS, self._leave_with_terminal)
        # After `fg` in the shell the terminal is empty, and Textual draws only changes.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        self.begin_capture_print(self, stdout=False, stderr=True)
        if warnings := (*self.settings.warnings, *self.command_keys.problems):
            self.say(" ".join(warnings), "warning", 10)

    async def on_unmount(self) -> None:
        for number, before in self._signals.items():
            signal.signal(number, before)

    def _leave_on(self, name: str) -> None:
        """Quit on a signal as on the quit key, so that the terminal is restored and the searches are kept."""
        loop = asyncio.get_running_loop()

        def leave(number: int, frame: object) -> None:
            # Here, not in the event loop, which may be waiting for an editor or a blocked terminal.
            self._hurry()
            if number != signal.SIGINT:  # an editor handles Ctrl-C itself
                self._told_to_end = True
                self._end_lent()
            loop.call_soon_threadsafe(self.exit)

        if number := getattr(signal, name, None):  # not every system has every signal
            with suppress(ValueError):  # allowed only in the main thread
                self._signals[number] = signal.signal(number, leave)

    def lend_to(self, program: "subprocess.Popen[bytes]") -> None:
        """Note that `program` has the terminal until it ends; a signal to quit ends it too, even an earlier one."""
        self._lent_to = program
        self._end_lent()

    def _end_lent(self) -> None:
        if self._told_to_end and self._lent_to is not None:
            self._lent_to.terminate()

    def _leave_with_terminal(self) -> None:
        """Quit when the terminal is gone, which no signal reports on some systems."""
        if sys.__stdin__ is not None and not is_there(sys.__stdin__.fileno()):
            self._hurry()
            self.exit()

    @contextmanager
    def clock_stopped(self) -> Iterator[None]:
        """Stop the clock of the event loop while the process is suspended or waits for an editor: a request does not
        take longer by that, and must not fail."""
        loop, begun = asyncio.get_running_loop(), time.monotonic()
        try:
            yield
        finally:
            self._clock_stopped += time.monotonic() - begun
            loop.time = lambda: time.monotonic() - self._clock_stopped  # type: ignore[method-assign]

    def action_suspend_process(self) -> None:
        with self.clock_stopped():
            super().action_suspend_process()

    def _hurry(self) -> None:
        """Limit the time to wait for a terminal that accepts no output."""
        if output := getattr(self._driver, "output", None):
            output.hurry()

    async def on_event(self, event: Event) -> None:
        """Handle what is typed one key after the other. Textual sends each key to the focus of the moment: a key typed
        at once after `:` would go to the list, and one after ctrl-j would come before the line break."""
        if isinstance(event, Key | Paste) and not event.is_forwarded:
            if not self.app_focus:
                self._regain_focus()
            self._typed.append(event)
            if not self._sent:
                await self._send_typed()
        else:
            await super().on_event(event)

    def _regain_focus(self) -> None:
        """Give the screen a focus: a key proves that the terminal has its own. Not every terminal reports that after
        `fg`, and Textual gives none to a screen that opened meanwhile, so its letters would all be commands."""
        self.app_focus = True
        self.screen._update_auto_focus()

    async def _send_typed(self) -> None:
        """Send the first key, or the first characters for a text, to the widget with the focus."""
        await self._opened()
        focus = self.focused or self.screen
        is_text = isinstance(focus, Input | TextArea)
        self._sent = True
        while self._typed:
            event = self._typed.popleft()
            if isinstance(self.screen, Dialog) and self.screen.ignores(event):
                continue
            await super().on_event(event)
            if not (is_text and self._typed and _is_character(event) and _is_character(self._typed[0])):
                break
        up = [node for node in focus.ancestors_with_self if node is not self]
        self._follow_typed([*up, self, *up])

    def _follow_typed(self, nodes: Sequence[MessagePump]) -> None:
        """Follow the last key sent through the queues of these nodes, and then what its command has sent there."""
        if not (nodes and nodes[0].call_later(self._follow_typed, nodes[1:])):
            self.call_later(self._send_next)

    async def _send_next(self) -> None:
        """Send the next key, since the last one is handled."""
        self._sent = False
        if self._typed:
            await self._send_typed()

    async def _opened(self) -> None:
        """Wait until what the keys so far have begun is open and has its focus."""
        end = time.monotonic() + OPENING_SECONDS
        for worker in [worker for worker in self.workers if worker.group == PROMPTS and worker not in self._asked]:
            while not (worker.is_finished or isinstance(self.screen, ModalScreen)) and time.monotonic() < end:
                await asyncio.sleep(0.005)
            self._asked.add(worker)
        if self.screen is not self._open_screen:
            self._open_screen, is_open = self.screen, asyncio.Event()
            if self.screen.call_later(is_open.set):
                with suppress(TimeoutError):
                    await asyncio.wait_for(is_open.wait(), end - time.monotonic())

    def on_key(self, event: Key) -> None:
        """Collect digits typed before a key, before any binding sees them."""
        if self.counted_keys.holds(event):
            event.prevent_default()

    def on_print(self, event: Print) -> None:
        """Show as a message what the command line's modules write to standard error."""
        if text := visible(event.text).strip():
            self.say(text.removeprefix("spar: "), "warning", 10)

    def say(self, sentence: str, severity: SeverityLevel = "information", seconds: float = 4) -> None:
        """Show a message above the footer, replacing the last one, and store it; markup is not interpreted."""
        text = visible(begun_with_capital(sentence) if severity == "error" else sentence)
        self.messages.append(RunFailure(utc_now(), text, failed=severity != "information"))
        self.notify(text, severity=severity, timeout=seconds, markup=False)

    def reporting(self) -> Reporting:
        """Return a context that shows an error that is written for the person, and ends there."""
        return Reporting(self.say)

    def on_notify(self) -> None:
        """Show only the newest message."""
        self.clear_notifications()

    def clear_notifications(self) -> None:
        """Remove messages from all screens, since the screen below a dialog is visible around it."""
        super().clear_notifications()
        for screen in self.screen_stack:
            screen.query(ToastHolder).remove()  # Textual leaves it empty, and it takes a row

    def copy_to_clipboard(self, text: str) -> None:
        """Copy by the terminal's escape code and by a system program, since neither reports whether it worked."""
        super().copy_to_clipboard(text)
        if not self.is_headless:
            self.run_worker(partial(copy_text, text), group="copying", thread=True, exit_on_error=False)

    def copy(self, text: str, what: str = "") -> None:
        """Copy `text` and confirm that in a message, which calls it `what` if given."""
        self.copy_to_clipboard(text)
        self.say(f"Copied {what or text}", seconds=2)

    def tell_done(self, sentence: str) -> None:
        """Report the end of a long task; ring the bell if the app does not have the focus."""
        self.say(sentence)
        if not self.app_focus:
            self.bell()

    @property
    def calm(self) -> bool:
        """Whether to avoid motion that carries no information."""
        calm = self.settings.preferences.calm
        return calm == "on" or (calm == "auto" and (self.no_color or "SSH_CONNECTION" in os.environ))

    @property
    def flush_seconds(self) -> float:
        """Seconds between redraws of a moving screen."""
        return CALM_FLUSH_SECONDS if self.calm else FLUSH_SECONDS

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters that each line passes before it is drawn."""
        return filters_for(super().get_line_filters(), self.native_ansi_color, self.ascii_only)

    def _draws_ascii_only(self) -> bool:
        """Whether the terminal may lack other signs."""
        signs, terminal = self.settings.preferences.signs, terminal_of(sys.__stderr__, sys.__stdout__)
        lacks_signs = os.environ.get("TERM") == "linux" or (terminal and "utf" not in terminal.encoding.lower())
        return signs == "ascii" or bool(signs == "auto" and lacks_signs)

    def get_key_display(self, binding: Binding) -> str:
        """Return a key as displayed: by its name where its sign cannot be shown."""
        shown = super().get_key_display(binding)
        return shown if shown.isascii() or not self.ascii_only else binding.key

    def get_css_variables(self) -> dict[str, str]:
        """Return the variables of styles. `$key` is the style of keys in texts: the accent, or bold without colors."""
        variables = super().get_css_variables()
        return {**variables, "key": "bold" if self.no_color else variables["accent"]}

    def _use_settings(self) -> None:
        self.command_keys = keymap(self.settings.keys)
        if self.command_keys.changed or self._keymap:
            self.set_keymap({name: ",".join(keys) for name, keys in self.command_keys.keys.items()})
        self.theme = THEMES[self.settings.preferences.theme].name
        self.ascii_only = self._draws_ascii_only()
        if self.calm:
            self.animation_level = "none"

    def change_setting(self, name: str, written: str) -> str | None:
        """Save a setting in the config file and apply it. Return the reason in a sentence if that fails, else None."""
        from spar_tui.config_file import set_preference

        if problem := self._saved(partial(set_preference, self.settings, name, written)):
            return problem
        self._use_settings()
        self.settings_changed()
        return None

    def change_keys(self, command: str, keys: Sequence[str]) -> str | None:
        """Save other keys for the command with this id, or restore its default keys if there are none, and apply them.
        Return the reason in a sentence if that fails, else None."""
        from spar_tui.config_file import set_keys

        chosen = {name: some for name, some in self.settings.keys.items() if name != command}
        wanted = keymap({**chosen, command: tuple(keys)} if keys else chosen)
        if problems := [problem for problem in wanted.problems if problem not in self.command_keys.problems]:
            return problems[0]
        problem = self._saved(partial(set_keys, self.settings, command, keys))
        self._use_settings()
        return problem

    def change_filter(self, name: str, text: str) -> str | None:
        """Save `text` in the config file as the filter of this name; delete the filter if `text` is empty. Return the
        reason in a sentence if that fails, else None."""
        from spar_tui.config_file import set_filter

        return self._saved(partial(set_filter, self.settings, name, text))

    def _saved(self, save: Callable[[], object]) -> str | None:
        """Change the config file and read it again. Return the reason in a sentence if that fails, else None."""
        try:
            save()
        except UserError as error:
            return str(error)
        self.settings = self._reload()
        return None

    def settings_changed(self) -> None:
        """Apply changed settings in a subclass."""

    def action_theme(self, name: str) -> None:
        if problem := self.change_setting("theme", name):
            self.theme = THEMES[name].name
            self.say(f"The theme could not be saved: {problem}", "warning", 10)

    def recent_failures(self) -> list[RunFailure]:
        """Return all messages and failures of this session, newest first. Blocks on the disk. Raises `CacheError`."""
        return together(self.messages)

    @property
    def urgent(self) -> Collection[str]:
        """Ids of commands that the footer shows now, though it usually leaves them to the help."""
        return ("app.errors",) if self.troubles > self.troubles_seen else ()

    @property
    def troubles(self) -> int:
        """Number of failures in this session."""
        return sum(message.failed for message in self.messages)

    def keys_shown(self, command: str) -> list[str]:
        """Return the person's keys of the command with this id, as displayed."""
        return [self.get_key_display(Binding(key, "")) for key in self.command_keys.keys[command]]

    def key_shown(self, command: str) -> str:
        """Return the first key of the command, as displayed."""
        return self.keys_shown(command)[0]

    def confirm(self, question: str, yes: str, do: Callable[[], None]) -> None:
        """Ask the question, whose button says `yes`, and call `do` if the person agrees."""
        self.push_screen(ConfirmScreen(question, yes), lambda agreed: do() if agreed else None)

    async def action_jump(self) -> None:
        """Show a letter on everything that one can jump to."""
        from spar_tui.tui.widgets.jump import JumpScreen, targets

        if targets_shown := targets(self.screen):
            await self.push_screen(JumpScreen(targets_shown), lambda chosen: chosen.go() if chosen else None)

    @property
    def _background_screens(self) -> list[Screen[Any]]:
        # Textual treats the screen below as visible through this one, and redraws all of this one when a line below
        # changes: half the cost of a search's screen.
        opaque = bool(self._screen_stack) and self._screen_stack[-1].styles.background.a == 1
        return [] if opaque else super()._background_screens

    def _get_screen(self, screen: Screen[Any] | str) -> tuple[Screen[Any], AwaitMount]:
        """Give a new screen the classes for its size, without which Textual draws it first."""
        shown = self.get_screen(screen)
        if not shown.is_running:
            sizes = (self.size.width, self.HORIZONTAL_BREAKPOINTS), (self.size.height, self.VERTICAL_BREAKPOINTS)
            for length, breakpoints in sizes:
                shown.add_class(*shown._get_breakpoint_classes(length, breakpoints), update=False)
        return super()._get_screen(screen)

    @property
    def pane_widths(self) -> dict[str, dict[str, int]]:
        """Widths of the panes as the person set them, by arrangement and pane, in hundredths."""
        if self._widths is None:
            self._widths = read_widths(self.settings.places.database.parent)
        return self._widths

    def keep_layout(self) -> None:
        """Save the widths for the next start."""
        try:
            write_widths(
                self.settings.places.database.parent, {name: all for name, all in self.pane_widths.items() if all}
            )
        except OSError as error:
            self.say(f"The pane widths could not be saved ({error.strerror}).", "warning")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("palette", "jump"):
            typing = action == "jump" and isinstance(self.focused, Input | TextArea)
            return not isinstance(self.screen, ModalScreen) and not typing
        if action in ("leave", "back_out"):
            is_outermost = len(self.screen_stack) == 1 and self.current_mode == self.DEFAULT_MODE
            return (action == "leave") is is_outermost
        if action == "go":
            return parameters[0] != self.current_mode or len(self.screen_stack) > 1
        if action == "resize_pane":
            return any(panes.can_resize for panes in self.screen.query(Panes))
        if action == "maximize_pane":
            return bool(self.screen.query(Panes))
        return True

    def action_resize_pane(self, steps: int) -> None:
        for panes in self.screen.query(Panes):
            panes.resize(steps)

    def action_maximize_pane(self) -> None:
        for panes in self.screen.query(Panes):
            panes.show_alone(not panes.alone)

    @property
    def under_way(self) -> int:
        """Number of runs under way."""
        return 0

    @property
    def told_under_way(self) -> str:
        """What is under way, and what quitting does to it, in a sentence."""
        return ""

    def action_back_out(self) -> None:
        """Go back to the previous screen."""
        if len(self.screen_stack) > 1:
            self.pop_screen()
        else:
            self.switch_mode(self.DEFAULT_MODE)

    def action_leave(self) -> None:
        """Quit, after a question if a run is under way."""
        if self.under_way:
            self.confirm(f"{self.told_under_way} Quit?", "quit", self.leave)
        else:
            self.leave()

    async def action_quit(self) -> None:
        """Quit without a question about runs that are under way."""
        self.leave()

    def leave(self) -> None:
        """Quit; a subclass saves first."""
        self.exit()

    def action_leave_twice(self) -> None:
        """Quit on the second press within `TWICE_SECONDS`, since many people press Ctrl-C to copy. The first one says
        what is under way."""
        before, self._asked_to_leave = self._asked_to_leave, time.monotonic()
        if self._asked_to_leave - before < TWICE_SECONDS:
            self.leave()
        elif not isinstance(self.screen, ConfirmScreen):  # it may ask exactly that
            work = self.told_under_way if self.under_way else "Everything found is kept."
            self.say(f"{work} {self.key_shown('app.leaving')} again quits.", seconds=TWICE_SECONDS)

    def _prune(self, *nodes: Widget, parent: DOMNode | None = None) -> AwaitRemove:
        """Cancel the workers of removed widgets at once, not only after the widgets are gone."""
        for node in nodes:
            for widget in node.walk_children(with_self=True):
                self.workers.cancel_node(widget)
        return super()._prune(*nodes, parent=parent)

    def _handle_exception(self, error: Exception) -> None:
        """Keep the error of a message handler, timer, callback or worker for the report, then handle it as Textual
        does. Ignore errors that reach a removed widget."""
        if is_late(error):
            return
        self.crash = self.crash or error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        # Textual's report would show local variables, including typed text.
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        self._exit_renderables.clear()
