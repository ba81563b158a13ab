"""`spar pick`: saved papers chosen from a list, for an editor or another program."""

import os
from typing import Annotated

import typer

from spar_tui.cli.lists.filter_words import filter_of
from spar_tui.cli.verbs.paper.cite import CiteFormat, citing_as
from spar_tui.errors import Failure, Interrupted, NothingFound
from spar_tui.terminal import say


def pick(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORDS]…", help="What the list shows first, in the filter words of spar shelf."),
    ] = None,
    format_name: CiteFormat = "key",
) -> int:
    """Pick saved papers from a list and print their citation keys.

    One key is printed on each line. Also in a pipe: the list is drawn on the terminal, the keys go to standard
    output. Space marks a paper, Enter takes the marked ones or the one under the cursor, / filters, Esc leaves and
    prints nothing: then the exit code is 130. A paper without a key is given one, as by spar export."""
    from cache import shelf
    from cache.conditions.scopes import SHELF
    from spar_tui.cli.verbs.shelf import keys_of_shelf
    from spar_tui.workspace import open_store, read_settings

    cited = citing_as(format_name)
    text = " ".join(words or [])
    filter_of([text], SHELF)
    settings = read_settings()
    with open_store(settings) as store:
        rows = shelf.rows(store)
        if not rows:
            raise NothingFound("no papers are on the shelf; spar save PAPER puts them there.")
        if os.environ.get("TERM", "dumb") == "dumb":
            raise Failure("this terminal cannot draw a list (TERM is dumb); `spar cite WORDS` gives a key without one.")
        from spar_tui.tui.picking.screen import picked

        chosen = shelf.entries(store, picked(settings, store, rows, text))
        if not chosen:
            raise Interrupted("nothing was chosen.")
        keys = keys_of_shelf(store, chosen)
    say(*map(cited, keys))
    return 0
