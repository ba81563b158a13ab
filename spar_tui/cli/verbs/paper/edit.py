"""`spar edit`: corrections of a paper's data; `spar key`: another citation key for a saved paper."""

from typing import TYPE_CHECKING, Annotated

import typer

from connectors.identifiers import parse_identifier
from connectors.paper import Paper
from spar_tui.cli.arguments import PaperArgument
from spar_tui.errors import Failure, UsageError
from spar_tui.math_text import title_text
from spar_tui.terminal import say
from spar_tui.workspace import open_store, read_settings

if TYPE_CHECKING:
    from cache.store import PaperId, Store


def edit(
    paper: PaperArgument,
    values: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FIELD=VALUE…]",
            help="title, authors (with ; between them), year or date, venue, type, doi, abstract; FIELD= empties it.",
            show_default=False,
        ),
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Undo all corrections of the paper.")] = False,
) -> int:
    """Correct a paper's data by hand.

    Give FIELD=VALUE, or change all fields in your editor (VISUAL or EDITOR). Your values replace those of all
    sources, now and later."""
    if undo and values:
        raise UsageError("--undo undoes all corrections; omit FIELD=VALUE.")
    from spar_tui.editor import check_terminal, edited, editor

    if not (undo or values):
        check_terminal("give FIELD=VALUE, or --undo")
    from cache import corrections
    from connectors.records.corrections import corrected_fields
    from spar_tui.bibliography.paper_fields import changed_fields, fields_text, given_fields
    from spar_tui.cli.papers import known_paper

    settings = read_settings()
    fields = given_fields(values or [])
    named = known_paper(paper, settings)
    if not (undo or values):
        fields = changed_fields(named, edited(editor(), fields_text(named), named.title))
        if not fields:
            say("nothing was changed.")
            return 0
    with open_store(settings) as store:  # opened anew, because a person may write for hours
        number = _number(store, named)
        record = corrections.take_back(store, number) if undo else corrections.correct(store, number, fields)
    if record is None:
        raise Failure(f"{named.id} has no corrections, so there is nothing to undo.")
    how = f"corrected by you: {', '.join(corrected_fields(record))}" if not undo else "as the sources have it"
    say(f"{record.id}  {title_text(record)}  ({how})")
    return 0


def _number(store: "Store", paper: Paper) -> "PaperId":
    """Return the paper's number in the library, adding it if needed."""
    from cache import papers

    number = papers.number_of(store, paper)
    return number if number is not None else papers.remember(store, [paper])[0]


def key(paper: PaperArgument, new: Annotated[str, typer.Argument(metavar="NEW", help="The new citation key.")]) -> int:
    """Change the citation key of a saved paper.

    The old key still names the paper, and no other paper gets it."""
    from spar_tui.bibliography.citation_key import unfit_key

    if fault := unfit_key(new) or ("" if new[0].isalnum() else "it does not begin with a letter or a digit"):
        raise UsageError(f"{new!r} cannot be a citation key: {fault}.")
    from agents.tools import shelf_actions
    from cache.errors import KeyTaken
    from spar_tui.cli.papers import known_paper
    from spar_tui.cli.verbs.shelf import entry_on_shelf

    if name := parse_identifier(new):
        raise UsageError(f"{new!r} cannot be a citation key: spar reads it as the identifier {name}.")
    settings = read_settings()
    named = known_paper(paper, settings)
    with open_store(settings) as store:
        entry = entry_on_shelf(store, named)
        try:
            shelf_actions.give_key(store, entry.paper, new, instead_of=paper)
        except KeyTaken as error:
            raise Failure(f"{error} Nothing was changed.") from None
    before = f"  (the old key {entry.key} still works)" if entry.key and entry.key != new else ""
    say(f"{new}  {entry.paper.id}  {title_text(entry.paper)}{before}")
    return 0
