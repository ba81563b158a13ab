"""`spar log`: what a search did, to be reported and repeated; who said what in a recommendation or conversation."""

from typing import Annotated

import typer

from spar_tui.cli.arguments import JsonFlag, PlainFlag
from spar_tui.errors import Failure


def log(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN", help="The run's id, its beginning, or `last` for the last search.", show_default=False
        ),
    ] = "last",
    as_json: JsonFlag = False,
    plain: PlainFlag = False,
) -> int:
    """Print the log of a search, recommendation or conversation.

    That of a search has what PRISMA-S asks for: sources, dates, queries as sent, counts, duplicates, reasons of
    exclusion, seeds, prompts and failures, with PRISMA's flow of records. `spar search --from-log FILE` runs the search
    again. The others have every message of their agents: who said what, when, with which score."""
    from agents.run.kinds import kind_named
    from agents.search.kind import SEARCH
    from cache import runs
    from cache.errors import CacheError
    from connectors.records.clean import visible
    from spar_tui.reports.board_log import MESSAGES, board_log, log_lines
    from spar_tui.reports.json_objects import dump
    from spar_tui.reports.search_log import search_log
    from spar_tui.reports.search_log_markdown import log_markdown
    from spar_tui.terminal import answer_style, say
    from spar_tui.workspace import open_store, read_settings

    with open_store(read_settings()) as store:
        try:
            found = runs.get(store, runs.resolve(store, run, SEARCH.name))
            rows = runs.events(store, found.id)
        except CacheError as error:
            raise Failure(str(error)) from None
    if found.kind in MESSAGES:
        told = (
            [dump(board_log(found, rows))] if as_json else log_lines(kind_named(found.kind), rows, answer_style(plain))
        )
        say(*told)
        return 0
    if found.kind != SEARCH.name:
        raise Failure(
            f"{found.id} is a {found.kind}, which has no log; searches, recommendations and conversations have one."
        )
    log_object = search_log(found, rows)
    said = [dump(log_object)] if as_json else map(visible, log_markdown(log_object).rstrip("\n").split("\n"))
    say(*said)
    return 0
