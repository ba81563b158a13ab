"""`spar fetch`: the open-access PDFs of papers, kept on the disk."""

from typing import TYPE_CHECKING, Annotated

import typer

from cache.paths import expanded
from spar_tui.errors import Interrupted, UsageError
from spar_tui.phrases import counted
from spar_tui.workspace import read_settings

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
    tag: Annotated[str, typer.Option(metavar="T", help="Saved papers with this tag.")] = "",
    to: Annotated[
        str, typer.Option("--to", metavar="DIR", help="Keep the files in this folder instead of spar's own.")
    ] = "",
    again: Annotated[bool, typer.Option("--again", help="Also fetch papers whose PDF is already here.")] = False,
    unchecked: Annotated[
        bool,
        typer.Option(
            "--unchecked", help="Also keep a PDF without text, and the text of your own file if it lacks the title."
        ),
    ] = False,
) -> int:
    """Download open-access PDFs of papers.

    spar names each file by the citation key, keeps it only if its first pages show the title, and saves the paper.
    spar open PAPER --pdf opens the file; spar library WORDS in:fulltext searches its text and names the page. spar
    looks for the PDF at the address in the record, at arXiv, at Unpaywall (which gets your mail address; skipped
    without one), and at the addresses that the sources give now. It names papers that are not open-access, or whose
    service refuses programs, with the reason."""
    if not (paper or tag):
        raise UsageError("name papers, or give --tag T; `spar fetch @1` fetches the first of the list shown last.")
    import asyncio

    from spar_tui.cli.fetching import Fetching

    settings = read_settings()
    if settings.preferences.offline:
        raise UsageError("nothing is fetched offline; `spar config set offline no` changes that setting.")
    folder = expanded(to) if to else settings.places.database.parent / "papers"
    fetching = Fetching(settings, folder, again, unchecked)
    try:
        return asyncio.run(fetching.all(paper or [], tag))
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted after {counted(fetching.kept, 'complete PDF')}.") from None
