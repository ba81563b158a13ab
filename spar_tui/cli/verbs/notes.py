"""`spar note`, `spar notes`: what the person writes about saved papers."""

import sys
from typing import Annotated

from cache.paths import expanded
from spar_tui.cli.arguments import PaperArgument
from spar_tui.errors import UsageError, UserError
from spar_tui.phrases import first_of
from spar_tui.terminal import DASH, remark, say
from spar_tui.workspace import open_store, read_settings


def notes(
    to: Annotated[str, "DIR", "The folder of the notes."] = "",
    tag: Annotated[str | None, "T", "Only papers with this tag."] = None,
    links: Annotated[str, "KIND", "How notes link to each other: wiki ([[…]]) or markdown."] = "wiki",
    replace: Annotated[bool, "Also overwrite what you changed above the mark."] = False,
) -> int:
    """Write or update a Markdown file for each saved paper.

    A file contains the paper's data, your note, quotes from searches, and links to the notes of saved papers that it
    cites or that cite it. spar never changes what you write below the mark at its end."""
    if not to:
        raise UsageError("say where to write the notes: spar notes --to DIR.")
    if links not in ("wiki", "markdown"):
        raise UsageError(f"--links must be wiki or markdown, not {links!r}.")

    from cache import shelf
    from spar_tui.notes.note_folder import write_notes

    settings = read_settings()
    folder = expanded(to)
    with open_store(settings) as store:
        shelved = shelf.shelf(store, tag=tag)
        if not shelved:
            which = f" with the tag {tag}" if tag else ""
            remark(f"no papers{which} are on the shelf, so there are no notes to write.")
            return 3
        locks = settings.places.locks
        counts = write_notes(store, shelved, folder, locks, wiki=links == "wiki", replace=replace)
    for name, why in counts.skipped.items():
        remark(f"{name}: {why.removesuffix('.')}.")
    if counts.orphans and tag is None:
        remark(f"unchanged, because their papers are not on the shelf: {first_of(counts.orphans)}.")
    say(f"{folder}: {counts.new:,} new, {counts.changed:,} updated, {counts.same:,} unchanged")
    return 1 if counts.skipped else 0


def note(
    paper: PaperArgument,
    text: Annotated[
        str | None,
        "<TEXT>",
        "The new note, which replaces the old one; empty deletes it; - reads it from standard input.",
    ] = None,
    show: Annotated[bool, "Print the note instead of writing it."] = False,
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
    record = known_paper(paper, settings)
    with open_store(settings) as store:
        entry = entry_on_shelf(store, record)
    if show:
        say(*entry.note.splitlines())
        return 0 if entry.note else 3
    if text is not None:
        with open_store(settings) as store:
            shelf_actions.note(store, entry.paper, sys.stdin.read() if text == DASH else text)
        return 0
    text = edited(editor(), entry.note, entry.paper.title)
    try:
        with open_store(settings) as store, store.writing():  # opened anew, because a person may write for hours
            now = shelf_actions.entry_of(store, entry.paper)
            whole = edited_note(now.note if now else "", entry.note, text)
            shelf_actions.note(store, entry.paper, whole, saving=True)
    except (CacheError, UserError):
        say(*text.splitlines())
        raise
    if whole != text:
        remark("the note was changed elsewhere meanwhile; yours is below it.")
    return 0
