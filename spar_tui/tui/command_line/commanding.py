"""Ask for a command and run it."""

import asyncio
import os
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.events import Paste
from textual.widgets import Input, Static

from connectors.identifiers import parse_identifier
from spar_tui.errors import UsageError
from spar_tui.phrases import counted
from spar_tui.tui.command_line.running import (
    checked,
    completions,
    names_no_papers,
    order_named,
    preview_of,
    run_process,
    tag_changes,
    verb_command,
    with_papers,
)
from spar_tui.tui.commands import bindings
from spar_tui.tui.named_paper import paths_in
from spar_tui.tui.screens.dialogs.dialog import ConfirmScreen, first_lines
from spar_tui.tui.screens.dialogs.paper_prompt import TextPrompt
from spar_tui.tui.screens.paper_actions import PaperActions
from spar_tui.tui.widgets.entry.one_line import OneLine
from spar_tui.tui.widgets.filter_line import FilteredScreen, SortedScreen, WordsLine
from spar_tui.tui.widgets.text import QUIET, fitting, plain

if TYPE_CHECKING:
    from spar_tui.tui.base_app import BaseApp
    from spar_tui.tui.research_app import ResearchApp


class CommandInput(OneLine):
    """The input; keys complete it and recall earlier lines."""

    BINDINGS = bindings("the command line")

    def _on_paste(self, event: Paste) -> None:
        """Import text that is pasted after `import`."""
        if self.value.strip() == "import" and isinstance(self.screen, CommandLine):
            event.stop()
            event.prevent_default()
            self.screen.take(event.text)


class CommandLine(TextPrompt):
    """Asks for one line and returns it, or None if cancelled. Possible completions are shown above the input."""

    DEFAULT_CSS = "CommandLine Static { height: 1; }"
    app: "BaseApp"

    def __init__(self, prompt: str, history: Sequence[str], text: str, pasted: str) -> None:
        super().__init__(prompt, text)
        self._first_pasted = pasted
        self._history = [*history, text]
        self._at = len(history)
        self.pasted = ""
        """Pasted text for the standard input of the command."""
        self._choices: list[str] = []
        self._choice = -1

    def entry(self) -> CommandInput:
        return CommandInput(self.text, select_on_focus=False, compact=True)

    def on_mount(self) -> None:
        below = self.app.screen_stack[-2]
        self._orders = below.orders if isinstance(below, SortedScreen) else ()
        self.take(self._first_pasted)

    def take(self, pasted: str) -> None:
        """Import pasted text: files if the text is their paths, else the text itself."""
        if paths := paths_in(pasted):
            self._write(f"import {shlex.join(paths)}")
        elif lines := pasted.strip().splitlines():
            self.pasted = "\n".join(lines)
            self.prompt = f"- stands for {counted(len(lines), 'pasted line')}"
            self._write("import -")

    def on_input_changed(self, event: Input.Changed) -> None:
        if self._choices and event.value == self._choices[self._choice]:
            return
        self._choices, self._choice = self._completions(event.value), -1
        self._show()

    def _completions(self, line: str) -> list[str]:
        return completions(line, self._orders) if line else []

    def _show(self) -> None:
        words = [choice.rpartition(" ")[2] for choice in self._choices]
        names = [os.path.basename(word.rstrip("/'")) + "/" * word.rstrip("'").endswith("/") for word in words]
        pieces = [plain(name, "bold" if at == self._choice else QUIET) for at, name in enumerate(names)]
        shown = fitting(pieces[max(self._choice, 0) :], self.size.width - 2, "  ")
        is_told = not pieces or self.pasted or (self._choice < 0 and self.query_one(Input).value == self.text)
        self.query_one(Static).update(plain(self.prompt, QUIET) if is_told else shown)

    def action_complete(self) -> None:
        """Insert the next completion; after a folder, what is in it."""
        value = self.query_one(Input).value
        if not self._choices or self._choices == [value]:
            self._choices, self._choice = self._completions(value), -1
        if self._choices:
            self._choice = (self._choice + 1) % len(self._choices)
            only = len(self._choices) == 1
            self._write(self._choices[self._choice] + " " * (only and not self._choices[0].endswith(("/", "/'"))))
            self._show()

    def action_older(self, steps: int) -> None:
        """Recall an earlier or later line."""
        self._at = min(max(self._at + steps, 0), len(self._history) - 1)
        self._write(self._history[self._at])

    def _write(self, text: str) -> None:
        line = self.query_one(Input)
        line.value = text
        line.action_end()


def _is_list(pasted: str) -> bool:
    """Whether a text may be a list of references or identifiers, not a question or a word."""
    lines = [line for line in pasted.splitlines() if line.strip()]
    return len(lines) > 1 or parse_identifier(pasted.strip()) is not None


IMPORTED = "A file or folder (tab completes it), --from-zotero, or paste a path, references, DOIs"
TOLD = "For example export -o refs.bib --tag rag · sort · filter · tag +x -y · % means the marked papers"
_OWN_OUTPUT = {"--help", "-h", "--fix", "--accept", "--json", "--html", "--markdown", "--sarif", "--swap"}
"""Options that make a check print something else than a list of findings."""


async def command(app: "ResearchApp", text: str = "", pasted: str = "") -> None:
    """Ask for a command and run it; the line begins with `text`, and `pasted` is text to import. Call in a worker."""
    if pasted and not (paths_in(pasted) or _is_list(pasted)):
        app.say(
            f"What you pasted has no path, identifier or list to import. {app.key_shown('app.ask')} asks a question."
        )
        return
    screen = CommandLine(IMPORTED if text == "import " else TOLD, app.command_history, text, pasted)
    line = await app.push_screen_wait(screen)
    if line is None or not (line := line.strip()):
        return
    app.command_history = [*(earlier for earlier in app.command_history if earlier != line), line]
    with app.reporting():
        await run(app, line, screen.pasted)


async def run(app: "ResearchApp", line: str, pasted: str = "") -> None:
    """Run a command, with `pasted` as its standard input. Raises `UsageError`, `CacheError`."""
    words, screen = checked(line), app.screen
    match words:
        case []:
            return
        case ["quit"]:
            app.action_leave()
        case ["stop"]:
            if not app.running_commands:
                raise UsageError("No command is running.")
            app.running_commands[-1]()
        case ["chat"]:
            await app.run_action("app.talk")
        case ["sort", *rest]:
            if not isinstance(screen, SortedScreen):
                raise UsageError("No list to sort here.")
            screen.order_by(order_named(rest, screen.orders))
        case ["filter", *_]:
            if not isinstance(screen, FilteredScreen):
                raise UsageError("No list to filter here.")
            filter_line = screen.query_one(WordsLine)
            filter_line.value = line.removeprefix(":").partition(" ")[2]
            filter_line.keep()
        case ["tag", *rest] if (changes := tag_changes(rest)) is not None:
            if not isinstance(screen, PaperActions) or not screen.keys_chosen:
                raise UsageError("No paper to tag here.")
            screen.change_tags(*changes)
        case ["import", *rest] if not {"--dry-run", "--help", "-h"} & set(rest):
            await _import(app, line, words, pasted)
        case ["check" | "lint", *rest] if not any(word in _OWN_OUTPUT for word in rest):
            from spar_tui.tui.screens.document_check import DocumentCheckScreen  # imports the comparison of references

            app.push_screen(DocumentCheckScreen(line.removeprefix(":"), words))
        case ["export", *rest] if isinstance(screen, PaperActions) and names_no_papers(rest):
            names = "\n".join(await _names(screen, screen.keys_in_question))  # too long for a command line
            await run_process(app, line, verb_command([*words, *(["-"] if names else [])]), names)
        case _:
            at_hand = await _names(screen, screen.keys_chosen) if isinstance(screen, PaperActions) else []
            await run_process(app, line, verb_command(with_papers(words, at_hand)))
            app.follower.refresh()


async def _import(app: "ResearchApp", line: str, words: list[str], pasted: str) -> None:
    """Show what an import would add, ask, and import."""
    named = _with_names(line, words)
    preview = await preview_of(app, named, verb_command([*words, "--dry-run"]), pasted)
    if preview is None:
        return
    shown = first_lines(_with_names(preview, words).splitlines())
    question = ConfirmScreen(f"{shown}\nImport? {app.undo_key()} undoes it.", "import", unasked=True)
    if await app.push_screen_wait(question):
        await run_process(app, named, verb_command(words), pasted)
        app.follower.refresh()


def _with_names(text: str, words: Sequence[str]) -> str:
    """Return `text` with the names of files in place of their whole paths."""
    for path in filter(os.path.isabs, words):
        text = text.replace(path.rstrip("/"), os.path.basename(path.rstrip("/")))
    return text


async def _names(screen: PaperActions, keys: Sequence[int]) -> list[str]:
    """Put the papers of `keys` into the library, where a verb looks for them, and return names for them."""
    shelf, numbers = screen.app.shelf, screen.numbers_of(keys)
    return await asyncio.to_thread(lambda: shelf.names(numbers()))
