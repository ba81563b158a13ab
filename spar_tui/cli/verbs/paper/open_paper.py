"""`spar open`: a paper's page in the browser, or its PDF."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from connectors.paper import Paper
from spar_tui.cli.arguments import OfflineFlag, PaperArgument
from spar_tui.errors import Failure, UsageError
from spar_tui.openable_files import openable_file
from spar_tui.terminal import can_ask, confirm, note, say
from spar_tui.workspace import Workspace, read_settings

if TYPE_CHECKING:
    from cache.shelf import Shelved
    from cache.store import Store


def open_paper(
    paper: PaperArgument,
    pdf: Annotated[bool, typer.Option("--pdf", help="Open the PDF instead of the page.")] = False,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="With --pdf: also open a file outside the folder of its bibliography.")
    ] = False,
    offline: OfflineFlag = False,
) -> int:
    """Open a paper in the browser.

    With --pdf, opens the first PDF among the paper's files (from spar mark PAPER --pdf FILE, spar fetch or spar
    import), or the open-access PDF in the browser. Always prints the address."""
    import asyncio

    from agents.tools.shelf_actions import entry_of
    from spar_tui.browser import open_file, open_url
    from spar_tui.cli.papers import find_paper, in_workspace, note_interaction

    if anyway and not pdf:
        raise UsageError("--anyway needs --pdf.")

    async def opening(workspace: Workspace) -> None:
        named = await find_paper(paper, workspace)
        record = named.paper
        entry = entry_of(workspace.store, record)
        file = _file_of(workspace.store, entry, anyway) if pdf else None
        address = file or (_pdf_address(entry, record) if pdf else record.page)
        if not address:
            raise Failure(f"no web page of {record.id} is known.")
        say(address)
        await asyncio.to_thread(open_file if file else partial(open_url, offline=offline), address)
        note_interaction(named, workspace, "opened")

    settings = read_settings()
    offline = offline or settings.preferences.offline
    in_workspace(opening, offline, settings=settings)
    return 0


def _file_of(store: "Store", entry: "Shelved | None", anyway: bool) -> str | None:
    """Return the path of the paper's first file that may be opened, and print why others may not.

    Asks the person before opening a file that only a bibliography named, and records a yes. Raises `Failure` if nobody
    can be asked or the answer is no.
    """
    from cache.chosen_files import choose, chosen_among

    files = entry.files if entry else ()
    file = openable_file(files, chosen_among(store, files))
    for reason in file.refused:
        note(f"spar: {reason}")
    if file.path is None or file.chosen:
        return file.path
    if not (anyway or can_ask()):
        key = entry.key if entry and entry.key else "PAPER"
        raise Failure(f"{file.question}; `spar open {key} --pdf --anyway` opens it anyway.")
    if not (anyway or confirm(f"{file.question}. Open it?")):
        raise Failure("no file was opened.")
    with store.writing() as db:
        choose(db, [file.named])
    return file.path


def _pdf_address(entry: "Shelved | None", paper: Paper) -> str:
    """Return the address of the paper's PDF. Raises `Failure` if none is known."""
    if not paper.pdf:
        name = entry.key if entry and entry.key else paper.id
        page = f"; `spar open {name}` opens its page" if paper.page else ", and no known web page"
        raise Failure(f"no PDF of {name} is here or open-access{page}.")
    return paper.pdf
