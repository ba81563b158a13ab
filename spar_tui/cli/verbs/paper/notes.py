"""`spar notes`: a Markdown file for each saved paper."""

from typing import Annotated

import typer

from cache.paths import expanded
from spar_tui.errors import UsageError
from spar_tui.terminal import note, say
from spar_tui.workspace import open_store, read_settings


def notes(
    to: Annotated[str, typer.Option("--to", metavar="DIR", help="The folder of the notes.", show_default=False)] = "",
    tag: Annotated[str | None, typer.Option(metavar="T", help="Only papers with this tag.")] = None,
    links: Annotated[
        str, typer.Option(metavar="KIND", help="How notes link to each other: wiki ([[…]]) or markdown.")
    ] = "wiki",
    replace: Annotated[bool, typer.Option("--replace", help="Also overwrite what you changed above the mark.")] = False,
) -> int:
    """Write or update a Markdown file for each saved paper.

    A file contains the paper's data, your note, quotes from searches, and links to the notes of saved papers that it
    cites or that cite it. spar never changes what you write below the mark at its end."""
    if not to:
        raise UsageError("say where to write the notes: spar notes --to DIR.")
    if links not in ("wiki", "markdown"):
        raise UsageError(f"--links must be wiki or markdown, not {links!r}.")

    from cache import shelf
    from spar_tui.notes.note_folder import bring_up_to_date

    settings = read_settings()
    folder = expanded(to)
    with open_store(settings) as store:
        shelved = shelf.shelf(store, tag=tag)
        if not shelved:
            which = f" with the tag {tag}" if tag else ""
            note(f"spar: no papers{which} are on the shelf, so there are no notes to write.")
            return 3
        locks = settings.places.locks
        done = bring_up_to_date(store, shelved, folder, locks, wiki=links == "wiki", replace=replace)
    for name, why in done.refused.items():
        note(f"spar: {name}: {why.removesuffix('.')}.")
    if done.orphans and tag is None:
        named = ", ".join(done.orphans[:5]) + (", …" if len(done.orphans) > 5 else "")
        note(f"spar: unchanged, because their papers are not on the shelf: {named}.")
    say(f"{folder}: {done.new:,} new, {done.changed:,} updated, {done.same:,} unchanged")
    return 1 if done.refused else 0
