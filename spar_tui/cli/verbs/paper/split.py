"""`spar split`: one paper where an import saw none of its own."""

from typing import Annotated

import typer


def split(
    key: Annotated[str, typer.Argument(metavar="KEY", help="The citation key of the entry that is no such paper.")],
) -> int:
    """Take an imported entry out of the paper that it was joined with, and make it a paper of its own.

    The two stay apart from then on, whatever is imported or found."""
    from cache import originals, shelf
    from spar_tui.bibliography.splitting import split_off
    from spar_tui.errors import Failure
    from spar_tui.terminal import say
    from spar_tui.workspace import open_store, read_settings

    with open_store(read_settings()) as store:
        found = originals.called(store, key)
        if found is None:
            raise Failure(f"no imported entry is called {key}.")
        number = split_off(store, *found)
        entry = shelf.shelved(store, number)
    assert entry is not None
    say(f"{key}  {entry.paper.id}  {entry.paper.title}  (a paper of its own now)")
    return 0
