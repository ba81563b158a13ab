"""Running a command: of the app's own here, a verb as a process of its own, so that it does just what a shell does."""

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from cache.conditions.orders import OF_SHELF, NamedOrder, named
from spar_tui.cli.lists.filter_words import first_word
from spar_tui.errors import UsageError
from spar_tui.tui.command_line.completion import OWN, verbs, words_of
from spar_tui.tui.command_line.output import CommandOutput

if TYPE_CHECKING:
    from spar_tui.tui.base_app import BaseApp

AT_HAND = "%"
"""Stands for the marked papers, or the one under the cursor."""
_CHOOSES_PAPERS = {"--run", "--tag", "--shelf", "--cited-in", "--help"}
"""Options of an export that say which papers to write, or write none."""
_SLOW = 1.0
"""Seconds after which it is said that a command still runs, and what it says is shown as it comes."""
_LONGEST = 3600.0
"""Seconds that the notice of a running command stays at most."""
_SHORT = 2
"""Lines up to which what a command said is a notice."""


def order_named(words: Sequence[str]) -> NamedOrder:
    """The order that `sort` names. Raises `UsageError`."""
    try:
        [name, *more] = words or [""]
        order = named(name, more == ["reverse"])
        if order.order.name in OF_SHELF and more in ([], ["reverse"]):
            return order
    except KeyError:
        pass
    raise UsageError(f":sort takes {', '.join(OF_SHELF)}, then optionally reverse.")


def tag_changes(words: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """The tags to add and to remove of `tag +a -b`; None for the verb `tag` as a shell has it."""
    if not words or not all(len(word) > 1 and word[0] in "+-" and word[:2] != "--" for word in words):
        return None
    return [word[1:] for word in words if word[0] == "+"], [word[1:] for word in words if word[0] == "-"]


def checked(line: str) -> list[str]:
    """The words of a command. Raises `UsageError`."""
    try:
        words = words_of(line.removeprefix(":"))
    except ValueError:
        raise UsageError("A quotation mark is missing.") from None
    if words and words[0] not in OWN and words[0] not in verbs():
        raise UsageError(f"Unknown command {words[0]}; tab completes.")
    return words


def with_papers(words: Sequence[str], papers: Sequence[str]) -> list[str]:
    """The words with the names of `papers` for `%`, and behind a verb that needs papers and names none."""
    command = verbs()[words[0]]
    needs = any(one.param_type_name == "argument" and one.required and "PAPER" in (one.metavar or "")
                for one in command.params)  # fmt: skip
    words = list(words)
    if needs and first_word(command.params, words[1:]) is None:
        words.append(AT_HAND)
    return [name for word in words for name in (papers if word == AT_HAND else [word])]


def names_no_papers(words: Sequence[str]) -> bool:
    """Whether the arguments of an export leave open which papers to write."""
    options = {word.partition("=")[0] for word in words}
    return not options & _CHOOSES_PAPERS and first_word(verbs()["export"].params, words) is None


async def run_process(app: "BaseApp", shown: str, command: Sequence[str], text: str = "") -> None:
    """Run a command with `text` at its standard input, and show what it says: as a notice if that is short."""
    if (output := await _run(app, shown, command, text)) is not None:
        output.end()


async def preview_of(app: "BaseApp", shown: str, command: Sequence[str]) -> str | None:
    """What a command says that changes nothing; None, with that shown, if it failed."""
    output = await _run(app, shown, command, shows=False)
    if output is None or output.code:
        if output is not None:
            output.end()
        return None
    return output.text.strip()


async def _run(
    app: "BaseApp", shown: str, command: Sequence[str], text: str = "", shows: bool = True
) -> "_Output | None":
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "74"}
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE if text else DEVNULL, stdout=PIPE, stderr=STDOUT, env=environment,
            start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        app.say(f"{command[0]} cannot be run ({error.strerror}).", "error", 10)
        return None
    output = _Output(app, shown, process.terminate)
    try:
        await output.read(process, text, shows)
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
    return output


def verb_command(words: Sequence[str]) -> list[str]:
    """The program that runs a verb as a shell would."""
    return [sys.executable, "-m", "spar_tui", *words]


class _Output:
    """What a process says; it is shown while it runs for long."""

    def __init__(self, app: "BaseApp", command: str, stop: Callable[[], object]) -> None:
        self._app, self._command, self._stop = app, command, stop
        self._screen: CommandOutput | None = None
        self.text, self.code = "", 0

    async def read(self, process: asyncio.subprocess.Process, text: str, shows: bool) -> None:
        """Read until the process ends; with `shows`, show more than a notice as it comes."""
        assert process.stdout is not None
        say = partial(self._app.say, f"Running {self._command}…", seconds=_LONGEST)
        slow = asyncio.get_running_loop().call_later(_SLOW, say)
        try:
            if process.stdin is not None:
                with suppress(ConnectionError):  # the program need not read it
                    process.stdin.write(text.encode())
                    await process.stdin.drain()
                process.stdin.close()
            while piece := await process.stdout.read(65_536):
                self.text += piece.decode("utf-8", "replace")
                if self._screen is not None:
                    self._screen.add(self.text)
                elif shows and self._is_long and asyncio.get_running_loop().time() > slow.when():
                    self._show()
            self.code = await process.wait()
        finally:
            slow.cancel()
            self._app.clear_notifications()

    @property
    def _is_long(self) -> bool:
        return len(self.text.strip().splitlines()) > _SHORT

    def _show(self) -> None:
        self._screen = CommandOutput(self._command, self.text, self._stop)
        self._app.push_screen(self._screen)

    def end(self) -> None:
        """Show all of it."""
        text = self.text.strip() or ("Done." if self.code == 0 else f"{self._command} failed ({self.code}).")
        if self._screen is None and self._is_long:
            self._show()
        if self._screen is not None:
            self._screen.add(text)
            self._screen.end()
        else:
            short = " ".join(line.removeprefix("spar: ") for line in text.splitlines())
            self._app.say(short, "information" if self.code in (0, 3) else "error", 6)
