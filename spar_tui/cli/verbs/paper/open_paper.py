"""`spar open`: a paper's page or PDF in the browser."""

from typing import Annotated

import typer

from spar_tui.cli.arguments import OfflineFlag, PaperArgument
from spar_tui.errors import Failure


def open_paper(
    paper: PaperArgument,
    pdf: Annotated[bool, typer.Option("--pdf", help="Open the open-access PDF instead of the page.")] = False,
    offline: OfflineFlag = False,
) -> int:
    """Open a paper in the browser.

    The address is printed in any case."""
    import asyncio

    from spar_tui.browser import open_url, page_of
    from spar_tui.cli.papers import find_paper, note_interaction
    from spar_tui.terminal import say
    from spar_tui.workspace import open_workspace, read_settings

    settings = read_settings()

    async def run() -> str:
        async with open_workspace(
            settings, settings.preferences.sources, offline or settings.preferences.offline
        ) as workspace:
            named = await find_paper(paper, workspace)
            found = named.paper
            if pdf and not found.pdf:
                raise Failure(f"no open-access PDF of {found.id} is known; `spar open {found.id}` opens its page.")
            address = found.pdf if pdf else page_of(found)
            if not address:
                raise Failure(f"no web page of {found.id} is known.")
            note_interaction(named, workspace, "opened")
        return address

    address = asyncio.run(run())
    say(address)
    open_url(address)
    return 0
