"""Send papers to a shell command."""

import asyncio
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cache.errors import CacheError
from connectors.paper import Paper
from spar_tui.errors import UserError
from spar_tui.phrases import papers_text
from spar_tui.tui.command_line.running import AT_HAND, run_process
from spar_tui.tui.screens.dialogs.paper_cite import Form, citation
from spar_tui.tui.screens.dialogs.paper_prompt import Prompt

if TYPE_CHECKING:
    from spar_tui.tui.research_app import ResearchApp


async def pipe_papers(app: "ResearchApp", chosen: Sequence[Paper]) -> None:
    """Ask for a shell command and run it. A `%` becomes the citation keys; without one, the command reads BibTeX from
    standard input. Call in a worker."""
    if not chosen:
        return
    told = f"Shell command for {papers_text(len(chosen))}: reads BibTeX; % inserts their keys"
    command = await app.push_screen_wait(Prompt(told, app.piped))
    if not command or not command.strip():
        return
    app.piped = command
    by_key = AT_HAND in command
    try:
        form: Form = "key" if by_key else "bibtex"
        text = await asyncio.to_thread(citation, app.store, chosen, form, app.settings.preferences.export_format)
    except (UserError, CacheError) as error:
        app.say(str(error), "error", 10)
        return
    line = command.replace(AT_HAND, " ".join(map(shlex.quote, text.split()))) if by_key else command
    await run_process(app, command, ["/bin/sh", "-c", line], "" if by_key else text)
