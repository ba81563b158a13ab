"""`spar key`: another citation key for a saved paper."""

from typing import Annotated

import typer

from spar_tui.cli.arguments import PaperArgument
from spar_tui.errors import Failure, UsageError
from spar_tui.math_text import title_text
from spar_tui.terminal import say


def key(
    paper: PaperArgument,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The key that it is to have from now on.")],
) -> int:
    """Change the citation key of a saved paper.

    The old key still names the paper, and no other paper gets it."""
    from spar_tui.bibliography.citation_key import unfit_key

    if fault := unfit_key(new) or ("" if new[0].isalnum() else "it does not begin with a letter or a digit"):
        raise UsageError(f"{new!r} cannot be a citation key: {fault}.")
    from agents.tools import shelf_actions
    from cache.errors import KeyTaken
    from connectors.identifiers import parse_identifier
    from spar_tui.cli.papers import known_paper
    from spar_tui.cli.verbs.shelf import entry_on_shelf
    from spar_tui.workspace import open_store, read_settings

    if name := parse_identifier(new):
        raise UsageError(f"{new!r} cannot be a citation key: it is read as the name of a paper, {name}.")
    settings = read_settings()
    named = known_paper(paper, settings)
    with open_store(settings) as store:
        entry = entry_on_shelf(store, named)
        try:
            shelf_actions.give_key(store, entry.paper, new, instead_of=paper)
        except KeyTaken as error:
            raise Failure(f"{error} Nothing was changed.") from None
    before = f"  (before: {entry.key}, which still names it)" if entry.key and entry.key != new else ""
    say(f"{new}  {entry.paper.id}  {title_text(entry.paper)}{before}")
    return 0
