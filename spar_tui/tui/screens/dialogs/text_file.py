"""Save a text as a file that the person names."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from spar_tui.files import read_old
from spar_tui.reports.text_file import named_file
from spar_tui.tui.screens.dialogs.confirm import ConfirmScreen
from spar_tui.tui.screens.dialogs.paper_prompt import TextPrompt

if TYPE_CHECKING:
    from spar_tui.tui.base_app import BaseApp

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
