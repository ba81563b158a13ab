"""`spar note`: what the person writes about a saved paper."""

import sys
from typing import Annotated

import typer

from spar_tui.cli.arguments import PaperArgument
from spar_tui.errors import UsageError
from spar_tui.terminal import DASH, say


def note(
    paper: PaperArgument,
    text: Annotated[
        str | None,
        typer.Argument(
            help="The new note, which replaces the old one; empty deletes it; - reads it from standard input."
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Print the note instead of writing it.")] = False,
) -> int:
    """Write a note about a saved paper.

    The note is TEXT, or what you write in your editor (VISUAL or EDITOR)."""
    if text is not None and show:
        raise UsageError("--show prints the note; leave TEXT out.")
    from spar_tui.editor import check_terminal, edited, editor

    if text is None and not show:
        check_terminal("give the note as TEXT, or - to read it, or --show")
    from agents.tools import shelf_actions
    from spar_tui.cli.papers import known_paper
    from spar_tui.cli.verbs.shelf import entry_on_shelf
    from spar_tui.workspace import open_store, read_settings

    settings = read_settings()
    named = known_paper(paper, settings)
    with open_store(settings) as store:
        entry = entry_on_shelf(store, named)
    if show:
        say(*entry.note.splitlines())
        return 0 if entry.note else 3
    written = sys.stdin.read() if text == DASH else text
    if written is None:
        written = edited(editor(), entry.note, entry.paper.title)
    with open_store(settings) as store:  # opened anew, because a person may write for hours
        shelf_actions.note(store, entry.paper, written)
    return 0
