"""`spar log`: what a search did, to be reported and repeated."""

from typing import Annotated

import typer

from spar_tui.cli.arguments import JsonFlag
from spar_tui.errors import Failure


def log(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="The search's id, its beginning, or `last`.", show_default=False)
    ] = "last",
    as_json: JsonFlag = False,
) -> int:
    """Print the search log of a run.

    It has what PRISMA-S asks for: sources, dates, queries as sent, counts, duplicates, reasons of exclusion, seeds,
    prompts and failures, with PRISMA's flow of records. `spar search --from-log FILE` runs the search again."""
    from agents.search.kind import SEARCH
    from cache import runs
    from cache.errors import CacheError
    from spar_tui.reports.json_objects import dump
    from spar_tui.reports.search_log import search_log
    from spar_tui.reports.search_log_markdown import log_markdown
    from spar_tui.terminal import say
    from spar_tui.workspace import open_store, read_settings

    with open_store(read_settings()) as store:
        try:
            found = runs.get(store, runs.resolve(store, run, SEARCH.name))
            rows = runs.events(store, found.id)
        except CacheError as error:
            raise Failure(str(error)) from None
    if found.kind != SEARCH.name:
        raise Failure(f"{found.id} is no search; `spar history` lists the runs.")
    told = search_log(found, rows)
    say(dump(told) if as_json else log_markdown(told).rstrip("\n"))
    return 0
