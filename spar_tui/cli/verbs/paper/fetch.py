"""`spar fetch`: the open-access PDFs of papers, kept on the disk."""

from typing import TYPE_CHECKING, Annotated

import typer

from cache.paths import expanded
from spar_tui.errors import Interrupted, UsageError

if TYPE_CHECKING:
    pass


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

    from spar_tui.cli.fetching import Fetching
    from spar_tui.phrases import counted
    from spar_tui.workspace import read_settings

    settings = read_settings()
    if settings.preferences.offline:
        raise UsageError("nothing is fetched offline; `spar config set offline no` changes that setting.")
    folder = expanded(to) if to else settings.places.database.parent / "papers"
    fetching = Fetching(settings, folder, again, unchecked)
    try:
        return asyncio.run(fetching.all(paper or [], tag))
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted; kept before that, each whole: {counted(fetching.kept, 'PDF')}.") from None
