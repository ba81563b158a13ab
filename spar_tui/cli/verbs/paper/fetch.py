"""`spar fetch`: the open-access PDFs of papers, kept on the disk."""

from typing import TYPE_CHECKING, Annotated

import typer

from spar_tui.cli.arguments import OfflineFlag, PaperArgument
from spar_tui.errors import Failure, Interrupted, UsageError
from spar_tui.terminal import can_ask, confirm, note, say

if TYPE_CHECKING:
    from cache.shelf import Shelved
    from cache.store import Store
    from connectors.paper import Paper
    from spar_tui.workspace import Workspace


def open_paper(
    paper: PaperArgument,
    pdf: Annotated[bool, typer.Option("--pdf", help="Open the PDF instead of the page.")] = False,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="With --pdf: also open a file outside the folder of its bibliography.")
    ] = False,
    offline: OfflineFlag = False,
) -> int:
    """Open a paper in the browser.

    With --pdf the first of the paper's files that is a PDF is opened (spar mark PAPER --pdf FILE keeps them, and
    spar import), else the open-access PDF in the browser. The address is printed in any case."""
    import asyncio
    from functools import partial

    from agents.tools.shelf_actions import entry_of
    from spar_tui.browser import open_file, open_url, page_of
    from spar_tui.cli.papers import find_paper, in_workspace, note_interaction
    from spar_tui.workspace import read_settings

    if anyway and not pdf:
        raise UsageError("--anyway needs --pdf.")

    async def opening(workspace: "Workspace") -> None:
        named = await find_paper(paper, workspace)
        found = named.paper
        entry = entry_of(workspace.store, found)
        file = _file_of(workspace.store, entry, anyway) if pdf else None
        address = file or (_pdf_address(entry, found) if pdf else page_of(found))
        if not address:
            raise Failure(f"no web page of {found.id} is known.")
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
    from spar_tui.openable_files import openable_file

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


def _pdf_address(entry: "Shelved | None", paper: "Paper") -> str:
    """Return the address of the paper's PDF. Raises `Failure` if none is known."""
    from spar_tui.browser import page_of

    if not paper.pdf:
        name = entry.key if entry and entry.key else paper.id
        page = f"; `spar open {name}` opens its page" if page_of(paper) else ", and no known web page"
        raise Failure(f"no PDF of {name} is here or open-access{page}.")
    return paper.pdf


def fetch(
    paper: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PAPER…]",
            help="DOIs, arXiv ids, PMIDs, URLs, citation keys of the shelf, or @3: the third paper of the list shown "
            "last.",
            show_default=False,
        ),
    ] = None,
    tag: Annotated[str, typer.Option(metavar="T", help="The papers of the shelf that have this tag.")] = "",
    to: Annotated[str, typer.Option("--to", metavar="DIR", help="Where to keep them, not in spar's own folder.")] = "",
    again: Annotated[bool, typer.Option("--again", help="Fetch also those whose PDF is here.")] = False,
    unchecked: Annotated[
        bool,
        typer.Option(
            "--unchecked", help="Keep also a PDF without text, and the text of a file of yours that lacks the title."
        ),
    ] = False,
) -> int:
    """Download open-access PDFs of papers.

    Each file is named by the paper's citation key, and kept only if its first pages show the paper's title. The paper
    is saved; spar open PAPER --pdf opens the file. Its text is kept too: spar library WORDS in:fulltext searches it and
    names the page. The PDF is looked for at the address in the record, at arXiv, by Unpaywall (which gets your mail
    address, and is skipped without one), and at the addresses that the sources give now. A paper that is not
    open-access, or whose service refuses programs, is named with the reason."""
    if not (paper or tag):
        raise UsageError("name papers, or give --tag T; `spar fetch @1` fetches the first of the list shown last.")
    import asyncio
    from pathlib import Path

    from spar_tui.cli.fetching import Fetching
    from spar_tui.phrases import counted
    from spar_tui.workspace import read_settings

    settings = read_settings()
    if settings.preferences.offline:
        raise UsageError("nothing is fetched offline; `spar config set offline no` changes that setting.")
    folder = Path(to).expanduser() if to else settings.places.database.parent / "papers"
    fetching = Fetching(settings, folder, again, unchecked)
    try:
        return asyncio.run(fetching.all(paper or [], tag))
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted; kept before that, each whole: {counted(fetching.kept, 'PDF')}.") from None
