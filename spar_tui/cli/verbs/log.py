"""`spar log`: what a search did, to be reported and repeated; who said what in a recommendation."""

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
    """Print the log of a search or of a recommendation.

    That of a search has what PRISMA-S asks for: sources, dates, queries as sent, counts, duplicates, reasons of
    exclusion, seeds, prompts and failures, with PRISMA's flow of records. `spar search --from-log FILE` runs the search
    again. That of a recommendation has every message of its agents: who said what, when, with which score."""
    from agents.recommendation.kind import NAME as RECOMMENDATION
    from agents.search.kind import SEARCH
    from cache import runs
    from cache.errors import CacheError
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
    if found.kind == RECOMMENDATION:
        from spar_tui.reports.recommendation_log import log_lines, recommendation_log

        say(*([dump(recommendation_log(found, rows))] if as_json else log_lines(rows, answer_style(plain))))
        return 0
    if found.kind != SEARCH.name:
        raise Failure(
            f"{found.id} is no search and no recommendation, which alone have a log; `spar history` lists the runs."
        )
    told = search_log(found, rows)
    say(dump(told) if as_json else log_markdown(told).rstrip("\n"))
    return 0
