"""`spar note`: what the person writes about a saved paper."""

import sys
from typing import Annotated

import typer

from spar_tui.cli.arguments import PaperArgument
from spar_tui.errors import UsageError, UserError
from spar_tui.terminal import DASH, say
from spar_tui.terminal import note as tell
from spar_tui.workspace import open_store, read_settings


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

    The note is TEXT, or what you write in your editor (VISUAL or EDITOR). If the note is changed elsewhere while you
    edit it, spar keeps that text above yours."""
    if text is not None and show:
        raise UsageError("--show prints the note; leave TEXT out.")
    from spar_tui.editor import check_terminal, edited, editor

    if text is None and not show:
        check_terminal("give the note as TEXT, or - to read it, or --show")
    from agents.tools import shelf_actions
    from cache.errors import CacheError
    from cache.shelf import edited_note
    from spar_tui.cli.papers import known_paper
    from spar_tui.cli.verbs.shelf import entry_on_shelf

    settings = read_settings()
    named = known_paper(paper, settings)
    with open_store(settings) as store:
        entry = entry_on_shelf(store, named)
    if show:
        say(*entry.note.splitlines())
        return 0 if entry.note else 3
    if text is not None:
        with open_store(settings) as store:
            shelf_actions.note(store, entry.paper, sys.stdin.read() if text == DASH else text)
        return 0
    written = edited(editor(), entry.note, entry.paper.title)
    try:
        with open_store(settings) as store, store.writing():  # opened anew, because a person may write for hours
            now = shelf_actions.entry_of(store, entry.paper)
            whole = edited_note(now.note if now else "", entry.note, written)
            shelf_actions.note(store, entry.paper, whole, saving=True)
    except (CacheError, UserError):
        say(*written.splitlines())
        raise
    if whole != written:
        tell("spar: the note was changed elsewhere meanwhile; yours is below it.")
    return 0
