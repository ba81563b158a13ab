"""Run commands: those of the app here, a verb in its own process, so that it does exactly what it does in a shell."""

import asyncio
import os
import re
import shlex
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from codecs import getincrementaldecoder
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from itertools import pairwise
from subprocess import Popen
from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.widgets import Static

from cache import page_texts
from cache import papers as library
from cache.conditions.orders import NamedOrder, named
from cache.journal import SESSION, session
from cache.paths import expanded
from cache.store import Store
from connectors.entry_points import loaded
from connectors.paper import Paper
from spar_tui.cli.lists.filter_words import first_word
from spar_tui.cli.options.completion import completing, tags
from spar_tui.errors import Failure, UsageError, UserError
from spar_tui.phrases import counted
from spar_tui.terminal import ERASED, PROGRESS, WIDEST
from spar_tui.tui.commands import bindings
from spar_tui.tui.screens.dialogs.dialog import FRAME, ScrollModal
from spar_tui.tui.widgets.text import plain

if TYPE_CHECKING:
    from spar_tui.tui.research_app import ResearchApp

Pages = tuple[Mapping[int, str], int]
"""Texts of the pages of a PDF that have text, by page number; and the number of pages."""


OWN = {
    "sort": "Sort the list: a column, then reverse.", "filter": "Filter the list.", "stop": "Stop the running command.",
    "quit": "Quit.",
}  # fmt: skip
"""Commands that only the app has."""
MOST = 200
_SERVERS = ("mcp", "lsp")
"""Verbs that talk with another program, not with a person."""
_FILES = ("FILE", "DIR")


@cache
def verbs() -> Mapping[str, Any]:
    """Return the verbs of the command line with their typer parameters."""
    from typer.main import get_command

    # Imported by name, because the module opens the app.
    commands: Mapping[str, Any] = get_command(loaded("spar_tui.cli.app:app")).commands  # type: ignore[attr-defined]  # a group has them
    return commands


def completions(line: str, orders: Sequence[str] = ()) -> list[str]:
    """Return `line` with each possible completion of its last word; the list can be sorted by `orders`."""
    start = _last_word(line)
    before, last = line[:start].split(), _bare(line[start:])
    return [line[:start] + shlex.quote(word) for word in list(_words(before, last, orders))[:MOST]]


def _last_word(line: str) -> int:
    """Return the index at which the last word begins."""
    start, quote = 0, ""
    for index, letter in enumerate(line):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == " ":
            start = index + 1
    return start


def _bare(word: str) -> str:
    for closing in ("", "'", '"'):
        try:
            return "".join(shlex.split(word + closing))
        except ValueError:
            continue
    return word


def _words(before: list[str], last: str, orders: Sequence[str]) -> Iterable[str]:
    if not before:
        return [name for name in sorted([*verbs(), *OWN]) if name.startswith(last)]
    verb = before[0]
    if verb == "sort":
        names = {1: orders, 2: ("reverse",)}.get(len(before), ())
        return [name for name in names if name.startswith(last)]
    if verb == "tag" and last[:1] in ("+", "-") and not last.startswith("--"):
        return [f"{last[0]}{tag}" for tag, _ in tags(last[1:])]
    if verb not in verbs():
        return []
    command = verbs()[verb]
    own = getattr(command, "commands", {})
    if before[1:2] and before[1] in own:
        verb, command, before, own = before[1], own[before[1]], before[1:], {}
    options = {name: param for param in command.params for name in param.opts if param.param_type_name == "option"}
    valued = {name: param for name, param in options.items() if not param.is_flag}
    if before[-1] in valued:
        return _values(verb, valued[before[-1]], last)
    if last.startswith("-"):
        return [name for name in options if name.startswith(last) and name.startswith("--")]
    subcommands = [name for name in own if name.startswith(last) and len(before) == 1]
    given = sum(word[:1] != "-" and previous not in valued for previous, word in pairwise(before))
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    arguments = arguments[given:] or [param for param in arguments if param.nargs < 0]
    return [*subcommands, *(word for argument in arguments for word in _values(verb, argument, last))]


def _values(verb: str, parameter: Any, last: str) -> list[str]:
    """Return the values of an option or argument that start with `last`."""
    metavar = (parameter.metavar or "").strip("[]…. ")
    complete = completing(verb, parameter.opts, metavar)
    if complete is not None and complete.__name__ != "own_verbs":
        return [value for value, _ in complete(last)]
    return _paths(last) if metavar in _FILES else []


def _paths(last: str) -> list[str]:
    """Return the files and folders whose paths start with `last`; folders end with a slash."""
    folder, begun = os.path.split(last)
    try:
        with os.scandir(expanded(folder or ".")) as entries:
            names = [(entry.name, entry.is_dir()) for entry in entries]
    except OSError:
        return []
    seen = [
        entry_name
        for entry_name in sorted(names)
        if entry_name[0].startswith(begun) and (begun or not entry_name[0].startswith("."))
    ]
    return [os.path.join(folder, name) + "/" * is_folder for name, is_folder in seen if name.isprintable()]


class CommandOutput(ScrollModal):
    """Shows the output of `command`. Closing it while the command runs calls `stop`."""

    BINDINGS = bindings("output of a command", "the help", "dialogs")
    app: "ResearchApp"

    def __init__(self, command: str, text: str, stop: Callable[[], object]) -> None:
        super().__init__()
        self.heading = command
        self.text, self._stop_command = text, stop
        self._is_going = True

    def texts(self) -> Iterable[Content]:
        yield _lines(self.text)

    def on_mount(self) -> None:
        self._tell()

    def _tell(self, progress: str = "") -> None:
        key = self.app.key_shown
        way_out = f"{key('dialog.close')} stops" if self._is_going else f"{key('output.copy')} copies"
        self.query_one("#sheet").border_subtitle = plain(" · ".join(filter(None, (progress, way_out))))

    def add(self, text: str, progress: str = "") -> None:
        """Show `text`, the whole output so far, and how far the command has come."""
        self.text = text
        if self.is_mounted:
            self.query_one(Static).update(_lines(text))
            self._tell(progress)

    def end(self) -> None:
        """Show that the command has ended."""
        self._is_going = False
        if self.is_mounted:
            self._tell()

    def action_copy_shown(self) -> None:
        self.app.copy(self.text, "the output")

    def action_close(self) -> None:
        """Close the output, and stop the command if it still runs."""
        if self._is_going:
            self._stop_command()
        self.dismiss()


def _lines(text: str) -> Content:
    return Content("\n").join(plain(line) for line in text.rstrip("\n").split("\n"))


AT_HAND = "%"
"""Stands for the marked papers, or the one under the cursor."""
_CHOOSES_PAPERS = {"--run", "--tag", "--shelf", "--cited-in", "--help"}
"""Options of an export that select papers, or print help."""
_SLOW = 1.0
"""Seconds after which a message reports a running command, and its output is shown as it arrives."""
STOPPED = -signal.SIGTERM
"""The return code of a command that was stopped."""
_LONGEST = 3600.0
"""Most seconds that the notice of a running command stays."""
_NEEDS_TERMINAL = re.compile(r"^spar: (?:there is )?no terminal\b", re.MULTILINE)
"""How errors begin of verbs that need a terminal to edit or ask. Such a verb has changed nothing."""
_IN_TERMINAL = """"$0" "$@"; printf '\\n[Enter returns to the app] '; read -r _"""
"""Runs a command, and leaves its output to read."""
_SHORT = 2
"""Most lines of output to show as a notice."""
MOST_OUTPUT = 100_000
"""Most characters of output to keep: some programs write without end."""
_STDIN_LINE = re.compile(r"^-:(?=[0-9])")
"""What stands before the number of a line of standard input."""
_PROGRESS_LINE = re.compile(rf"{re.escape(ERASED)}(.*)\n")
_LONGEST_LINE = 2**24
"""Most bytes of a line that is read whole: a row of a report."""
_REST = 0.01
"""Seconds between reads of output that is not kept, so that the app can draw and take keys."""


def order_named(words: Sequence[str], orders: Sequence[str]) -> NamedOrder:
    """Return the order, one of `orders`, that the words after `sort` name. Raises `UsageError`."""
    try:
        [name, *more] = words or [""]
        order = named(name, more == ["reverse"])
        if order.order.name in orders and more in ([], ["reverse"]):
            return order
    except KeyError:
        pass
    raise UsageError(f":sort needs one of {', '.join(orders)}; add reverse for the opposite order.")


def tag_changes(words: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """Return the tags to add and to remove of `tag +a -b`; None for the shell's verb `tag`."""
    if not words or not all(len(word) > 1 and word[0] in "+-" and word[:2] != "--" for word in words):
        return None
    return [word[1:] for word in words if word[0] == "+"], [word[1:] for word in words if word[0] == "-"]


def checked(line: str) -> list[str]:
    """Return the words of a command. Raises `UsageError`."""
    try:
        words = shlex.split(line.removeprefix(":"))
    except ValueError:
        raise UsageError("A quotation mark is missing.") from None
    if words and words[0] not in OWN and words[0] not in verbs():
        raise UsageError(f"Unknown command {words[0]}; tab completes.")
    if words and words[0] in _SERVERS and not {"--help", "-h"} & set(words):
        raise UsageError(f"`spar {words[0]}` runs inside another program; see :{words[0]} --help.")
    return words


def with_papers(words: Sequence[str], papers: Sequence[str]) -> list[str]:
    """Replace `%` by the names of `papers`; add them to a verb that needs papers and names none."""
    command = verbs()[words[0]]
    needs = any(param.param_type_name == "argument" and param.required and "PAPER" in (param.metavar or "")
                for param in command.params)  # fmt: skip
    words = list(words)
    if needs and first_word(command.params, words[1:]) is None:
        words.append(AT_HAND)
    return [name for word in words for name in (papers if word == AT_HAND else [word])]


def names_no_papers(words: Sequence[str]) -> bool:
    """Whether the arguments of an export do not say which papers to write."""
    options = {word.partition("=")[0] for word in words}
    return not options & _CHOOSES_PAPERS and first_word(verbs()["export"].params, words) is None


async def run_process(app: "ResearchApp", shown: str, command: Sequence[str], text: str = "") -> None:
    """Run a command with `text` at its standard input, and show its output: as a notice if it is short. A command that
    refuses to run without a terminal gets the app's."""
    output = await _run(app, shown, command, text)
    if output is not None and output.code and _NEEDS_TERMINAL.search(output.text):
        try:
            ask = ["/bin/sh", "-c", _IN_TERMINAL, *command]
            with app.given_away(), Popen(ask, env={**os.environ, SESSION: session()}) as process:
                app.lend_to(process)
        except (UserError, OSError) as error:
            app.say(str(error), "error", 10)
    elif output is not None:
        output.end()


async def preview_of(app: "ResearchApp", shown: str, command: Sequence[str], text: str = "") -> str | None:
    """Return the output of a command that changes nothing, run with `text` at its standard input; if it fails, show the
    output and return None."""
    output = await _run(app, shown, command, text, shows=False)
    if output is None or output.code:
        if output is not None:
            output.end()
        return None
    return message_of(output.text)


async def _run(
    app: "ResearchApp", shown: str, command: Sequence[str], text: str = "", shows: bool = True
) -> "_Output | None":
    with app.reporting():
        async with started(app, shown, command, PIPE if text else DEVNULL) as (process, stop):
            output = _Output(app, shown, stop)
            await output.read(process, text, shows)
            return output
    return None


@asynccontextmanager
async def started(
    app: "ResearchApp", shown: str, command: Sequence[str], stdin: int, stderr: int = STDOUT, progress: str = "1"
) -> AsyncIterator[tuple[asyncio.subprocess.Process, Callable[[], object]]]:
    """Run a command for the block; yield its process, and a function that stops it. A command that is stopped is named
    in a message, as `shown`. Raises `Failure`."""
    columns = min(app.size.width - FRAME, WIDEST)
    environment = {**os.environ, SESSION: session(), PROGRESS: progress, "NO_COLOR": "1", "COLUMNS": str(columns)}
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=stdin,
            stdout=PIPE,
            stderr=stderr,
            env=environment,
            start_new_session=True,
            limit=_LONGEST_LINE,
        )
    except OSError as error:
        raise Failure(f"{command[0]} cannot be run ({error.strerror}).") from None
    stop = partial(_stop, process)
    app.running_commands.append(stop)
    try:
        yield process, stop
    finally:
        app.running_commands.remove(stop)
        if process.returncode is None:
            stop()
        if process.returncode in (None, STOPPED):
            app.say(f"Stopped: {shown.removesuffix('…')}.")


def without_progress(text: str) -> tuple[str, str]:
    """Return the output of a process without its whole progress lines, and the last of these, if any."""
    return _PROGRESS_LINE.sub("", text), next(iter(_PROGRESS_LINE.findall(text)[-1:]), "")


def _stop(process: asyncio.subprocess.Process) -> None:
    """End a process and those that it started, which may still write to its output."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)


def verb_command(words: Sequence[str]) -> list[str]:
    """Return the program call that runs a verb as a shell would."""
    return [sys.executable, "-m", "spar_tui", *words]


def message_of(output: str) -> str:
    """What a process said, without its own name and that of standard input before a line. A command that the program
    itself names is written as it is run here; the texts of papers and notes stay."""
    command = re.compile(rf"\bspar (?=(?:{'|'.join(verbs())})\b)")
    own = [(line.startswith("spar: "), line.removeprefix("spar: ")) for line in output.strip("\n").splitlines()]
    lines = (command.sub(":", line) if is_own else line for is_own, line in own)
    return "\n".join(_STDIN_LINE.sub("line ", line.removeprefix("-: ")) for line in lines)


class _Output:
    """The output of a process, which is shown while the process runs for long."""

    def __init__(self, app: "ResearchApp", command: str, stop: Callable[[], object]) -> None:
        self._app, self._command, self._stop = app, command, stop
        self._screen: CommandOutput | None = None
        self._slow_at = asyncio.get_running_loop().time() + _SLOW
        self.text, self.progress, self.code = "", "", 0

    async def read(self, process: asyncio.subprocess.Process, text: str, shows: bool) -> None:
        """Read until the process ends; with `shows`, show output longer than a notice as it arrives."""
        assert process.stdout is not None
        running = self._command if self._command.endswith("…") else f"Running {self._command}… · :stop ends it"
        say = partial(self._app.say, running, seconds=_LONGEST)
        slow = asyncio.get_running_loop().call_at(self._slow_at, say)
        try:
            if process.stdin is not None:
                with suppress(ConnectionError):  # the program may not read it
                    process.stdin.write(text.encode())
                    await process.stdin.drain()
                process.stdin.close()
            decoder = getincrementaldecoder("utf-8")("replace")
            while piece := await process.stdout.read(65_536):
                before = self.progress
                if has_room := len(self.text) < MOST_OUTPUT:
                    text, progress = without_progress(self.text + decoder.decode(piece))
                    self.text, self.progress = text[:MOST_OUTPUT], progress or before
                if self._screen is None and shows and self._is_slow and self._is_long:
                    self._show()
                elif self._screen is not None and has_room:
                    self._screen.add(self.text, self.progress)
                elif self._is_slow and self.progress != before:
                    self._app.notify(f"{self.progress} · :stop ends it", timeout=_LONGEST, markup=False)
                await asyncio.sleep(0 if has_room else _REST)
            self.code = await process.wait()
        finally:
            slow.cancel()
            self._app.clear_notifications()

    @property
    def _is_long(self) -> bool:
        return len(self.text.strip().splitlines()) > _SHORT

    @property
    def _is_slow(self) -> bool:
        return asyncio.get_running_loop().time() > self._slow_at

    def _show(self) -> None:
        self._screen = CommandOutput(self._command, self.text, self._stop)
        self._screen.unasked = self._is_slow
        self._app.push_screen(self._screen)

    def end(self) -> None:
        """Show all of it."""
        failed = f"failed with status {self.code}" if self.code > 0 else f"was ended by signal {-self.code}"
        text = message_of(self.text) or ("Done." if self.code == 0 else f"{self._command} {failed}.")
        if len(self.text) == MOST_OUTPUT:
            text += f"\nOnly the first {MOST_OUTPUT:,} characters of the output are shown."
        if self._screen is None and self._is_long:
            self._show()
        if self._screen is not None:
            self._screen.add(text)
            self._screen.end()
        elif self.code != STOPPED:
            items = " · ".join(map(str.strip, text.splitlines()))
            self._app.say(items, "information" if self.code in (0, 3) else "error", 6)


async def fetched_pages(app: "ResearchApp", chosen: Sequence[Paper]) -> list[Pages]:
    """Return the pages of those papers whose text is here or could be fetched; show why others could not. Raises
    `CacheError`."""

    pages = [await asyncio.to_thread(_pages, app.store, paper) for paper in chosen]
    if lacking := [paper for paper, there in zip(chosen, pages, strict=True) if there is None]:
        await asyncio.to_thread(library.remember, app.store, lacking)  # where the verb looks the papers up
        command = verb_command(["fetch", *(paper.id for paper in lacking)])
        message = await preview_of(app, f"Fetching {counted(len(lacking), 'PDF')}…", command)
        app.follower.refresh()
        pages = [await asyncio.to_thread(_pages, app.store, paper) for paper in chosen]
        if message is not None and None in pages:
            app.say(" ".join(map(str.strip, message.splitlines())), "warning", 10)
    return [there for there in pages if there]


def _pages(store: Store, paper: Paper) -> Pages | None:
    [number] = library.numbers_of(store, [paper])
    kept = None if number is None else page_texts.kept(store, number)
    return (page_texts.pages(store, number), kept.pages) if number is not None and kept and kept.readable else None
