"""`spar open`: a paper's page in the browser, or its PDF."""

from typing import TYPE_CHECKING, Annotated

import typer

from spar_tui.cli.arguments import OfflineFlag, PaperArgument
from spar_tui.errors import Failure

if TYPE_CHECKING:
    from cache.shelf import Shelved
    from connectors.paper import Paper


def open_paper(
    paper: PaperArgument,
    pdf: Annotated[bool, typer.Option("--pdf", help="Open the PDF instead of the page.")] = False,
    offline: OfflineFlag = False,
) -> int:
    """Open a paper in the browser.

    With --pdf the first of the paper's files that is there is opened (spar mark PAPER --pdf FILE keeps them, and
    spar import), else the open-access PDF in the browser. The address is printed in any case."""
    import asyncio

    from agents.tools.shelf_actions import entry_of
    from spar_tui.browser import open_url, page_of
    from spar_tui.cli.papers import find_paper, note_interaction
    from spar_tui.terminal import say
    from spar_tui.workspace import open_workspace, read_settings

    settings = read_settings()

    async def run() -> None:
        async with open_workspace(
            settings, settings.preferences.sources, offline or settings.preferences.offline
        ) as workspace:
            named = await find_paper(paper, workspace)
            found = named.paper
            address = _pdf_of(entry_of(workspace.store, found), found) if pdf else page_of(found)
            if not address:
                raise Failure(f"no web page of {found.id} is known.")
            say(address)
            await asyncio.to_thread(open_url, address)
            note_interaction(named, workspace, "opened")

    asyncio.run(run())
    return 0


def _pdf_of(entry: "Shelved | None", paper: "Paper") -> str:
    """The first of the paper's files that is there, else the address of its PDF; files that are gone are named."""
    from spar_tui.browser import first_there, page_of
    from spar_tui.terminal import note

    file, missing = first_there(entry.files if entry else ())
    for name in missing:
        note(f"spar: there is no file {name}.")
    if not (file or paper.pdf):
        name = entry.key if entry and entry.key else paper.id
        page = f"; `spar open {name}` opens its page" if page_of(paper) else ", and no web page of it is known"
        raise Failure(f"no PDF of {name} is here or open-access{page}.")
    return file or paper.pdf or ""
