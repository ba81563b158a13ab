"""`spar open`: a paper's page or PDF in the browser."""

import os
import shutil
import subprocess
import sys
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

    from spar_tui.cli.desk import open_desk, read_settings
    from spar_tui.cli.papers import find_paper
    from spar_tui.cli.terminal import say

    settings = read_settings()

    async def run() -> str:
        async with open_desk(settings, settings.preferences.sources, offline or settings.preferences.offline) as desk:
            found = (await find_paper(paper, desk)).paper
        if pdf and not found.pdf:
            raise Failure(f"no open-access PDF of {found.id} is known; `spar open {found.id}` opens its page.")
        if address := found.pdf if pdf else found.url or _page_of(found.id):
            return address
        raise Failure(f"no web page of {found.id} is known.")

    address = asyncio.run(run())
    say(address)
    _hand_over(address)
    return 0


def _page_of(name: str) -> str | None:
    """The page of a paper by its identifier alone."""
    scheme, _, value = name.partition(":")
    pages = {
        "doi": "https://doi.org/",
        "arxiv": "https://arxiv.org/abs/",
        "pmid": "https://pubmed.ncbi.nlm.nih.gov/",
        "s2": "https://www.semanticscholar.org/paper/",
        "openalex": "https://openalex.org/",
    }
    return pages[scheme] + value if scheme in pages else None


def _hand_over(address: str) -> None:
    """Give `address`, which begins with http, to the person's browser. Raises `Failure` if there is none."""
    opener = _opener()
    if opener is None:
        raise Failure("there is no browser to open it with; the address is printed above. Set BROWSER to a program.")
    try:
        subprocess.Popen(
            [*opener, address],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise Failure(f"{opener[0]} could not be started ({error.strerror}); the address is printed above.") from None


def _opener() -> list[str] | None:
    """The program that opens addresses, as a command without a shell."""
    chosen = os.environ.get("BROWSER", "").split(os.pathsep)[0].strip()
    if chosen and shutil.which(chosen):
        return [chosen]
    if sys.platform == "darwin":
        return ["open"]
    if sys.platform == "win32":
        return ["rundll32", "url.dll,FileProtocolHandler"]
    return next(([program] for program in ("xdg-open", "wslview") if shutil.which(program)), None)
