"""Ask for the name of a file to write, or of a watch."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cache.watches import watches
from connectors.records.clean import clean_text
from spar_tui.files import read_old
from spar_tui.reports.text_file import named_file, suggested_name
from spar_tui.tui.screens.dialogs.dialog import ConfirmScreen
from spar_tui.tui.screens.dialogs.paper_prompt import TextPrompt

if TYPE_CHECKING:
    from spar_tui.tui.base_app import BaseApp
    from spar_tui.tui.research_app import ResearchApp

Write = Callable[[Path, bytes | None, Path], None]
"""Writes a file, given its path, its former content and the folder of locks. Raises `UserError`."""


async def write_file(app: "BaseApp", prompt: str, suggested: str, write: Write) -> None:
    """Ask for a file with `prompt` and `write` it; ask before an existing file is replaced. Call in a worker."""
    name = await app.push_screen_wait(TextPrompt(prompt, suggested))
    if not name or not name.strip():
        return
    with app.reporting():
        file = named_file(name.strip())
        old = await asyncio.to_thread(read_old, file)
        question = ConfirmScreen(f"{file} exists already. Replace it?", "replace")
        if old is not None and not await app.push_screen_wait(question):
            return
        await asyncio.to_thread(write, file, old, app.settings.places.database.parent / "locks")
        app.say(f"Wrote {file}", seconds=8)


async def watch_search(app: "ResearchApp", run: str, question: str) -> None:
    """Ask for a name, and store the search `run` as a watch; ask before the watch of another question is replaced. Call
    in a worker."""
    from agents.tools.watching import watch_run

    suggested = suggested_name(question).removesuffix(".md")
    name = await app.push_screen_wait(TextPrompt("Watch this search under the name", suggested))
    if name is None:
        return
    name = clean_text(name, 100)
    if not any(map(str.isalnum, name)):
        app.say("A name needs letters or digits. Nothing was saved.", "warning", 6)
        return
    with app.reporting():
        stored = await asyncio.to_thread(watches, app.store)
        same = next((watch for watch in stored if watch.name.casefold() == name.casefold()), None)
        if same and same.question != question:
            asking = ConfirmScreen(f"“{same.name}” watches “{same.question}”. Watch this search instead?", "replace")
            if not await app.push_screen_wait(asking):
                return
        name = await app.write(partial(watch_run, app.store, name, run))
        app.say(f"Watching “{name}”. {app.keys_shown('app.watches')[-1]} shows new papers.", seconds=8)
