"""`spar split`: make an imported entry a paper of its own, or undo a merge."""

from typing import Annotated

import typer

from spar_tui.cli.verbs.paper.merge import apart
from spar_tui.errors import Failure
from spar_tui.math_text import title_text
from spar_tui.terminal import say


def split(
    key: Annotated[
        str,
        typer.Argument(metavar="PAPER", help="A paper that you merged, or the citation key of the entry to take out."),
    ],
) -> int:
    """Split a merged paper.

    Undo a merge of yours, or make an imported entry a paper of its own that spar had joined with another. The two stay
    separate from then on, whatever is imported or found."""
    from cache import citation_keys, merges, originals, shelf
    from connectors.identifiers import parse_identifier
    from spar_tui.bibliography.splitting import split_off
    from spar_tui.cli.arguments import place_of
    from spar_tui.workspace import open_store, read_settings

    with open_store(read_settings()) as store:
        own_original, named = originals.called(store, key), citation_keys.paper_of(store, key)
        if own_original and not merges.is_merged(store, own_original[0]):
            number = split_off(store, *own_original)
            entry = shelf.shelved(store, number)
            assert entry is not None
            say(f"{key}  {entry.paper.id}  {title_text(entry.paper)}  (a paper of its own now)")
            return 0
        if not (own_original or named or place_of(key) or parse_identifier(key)):
            raise Failure(f"no paper and no imported entry is called {key}.")
    return apart(key)
