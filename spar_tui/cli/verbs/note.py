"""`spar note`: what the person writes about a saved paper."""

import sys
from typing import Annotated

import typer

from spar_tui.cli.arguments import PaperArgument
from spar_tui.errors import UsageError


def note(
    paper: PaperArgument,
    text: Annotated[
        str | None,
        typer.Argument(help="The note, in place of what it was; empty erases it; - reads it from standard input."),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Print the note instead of writing it.")] = False,
) -> int:
    """Write a note about a saved paper: TEXT, or in your editor (VISUAL or EDITOR)."""
    if text is None and not show and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("there is no terminal for an editor; give the note as TEXT, or - to read it, or --show.")
    if text is not None and show:
        raise UsageError("--show prints the note; leave TEXT out.")
    import asyncio

    from cache import shelf
    from spar_tui.cli.papers import find_paper
    from spar_tui.cli.verbs.shelf import shelved_number
    from spar_tui.editor import edited, editor
    from spar_tui.terminal import say
    from spar_tui.workspace import open_store, open_workspace, read_settings

    settings = read_settings()

    async def named() -> int:
        async with open_workspace(settings, (), offline=True) as workspace:
            return shelved_number(workspace.store, await find_paper(paper, workspace))

    number = asyncio.run(named())
    with open_store(settings) as store:
        one = shelf.shelved(store, number)
        kept = one.note if one else ""
        if show:
            say(*kept.splitlines())
            return 0 if kept else 3
    written = sys.stdin.read() if text == "-" else text
    if written is None:
        written = edited(editor(), kept, one.paper.title if one else "")
    with open_store(settings) as store:  # opened anew: a person may write for hours
        shelf.set_note(store, number, written)
    return 0
