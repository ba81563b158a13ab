"""`spar log`: print the log of a search, to report and repeat it, or the steps of another run."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from spar_tui.cli.arguments import JsonFlag, PlainFlag
from spar_tui.errors import Failure, UsageError
from spar_tui.phrases import with_article
from spar_tui.settings import Settings
from spar_tui.terminal import answer_style, dump, say
from spar_tui.workspace import open_store, read_settings

if TYPE_CHECKING:
    from cache.runs import Event, Run


def log(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN", help="The run's id, its beginning, or `last` for the last search.", show_default=False
        ),
    ] = "last",
    edit: Annotated[
        bool,
        typer.Option(
            "--edit",
            help="Open your editor for the items of PRISMA-S that only you can answer; spar keeps "
            "them with the search.",
        ),
    ] = False,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            metavar="FILE",
            help="Write the log of a search to FILE: .md, .json, or .docx if pandoc is installed; - prints it.",
        ),
    ] = "",
    as_json: JsonFlag = False,
    plain: PlainFlag = False,
) -> int:
    """Print the log of a run.

    A run is a search, summary, answer, recommendation or conversation. The log of a search answers the 16 items of
    PRISMA-S: sources, dates, queries, limits, counts, duplicates and more, with PRISMA's flow of records. Add what
    only you know with --edit; `spar search --from-log FILE` runs the search again. Other logs list every step with
    its time, agent and scores."""
    from agents.run.kinds import kind_named
    from agents.search.kind import SEARCH
    from cache import runs
    from spar_tui.reports.board_log import MESSAGES, board_log, log_lines
    from spar_tui.reports.log_file import form_of, log_text, write_log
    from spar_tui.reports.search_log import search_log

    output = "" if output == "-" else output
    form = form_of(output, as_json)
    settings = read_settings()
    with open_store(settings) as store:
        stored = runs.get(store, runs.resolve(store, run, SEARCH.name))
        rows = runs.events(store, stored.id)
    if stored.kind in MESSAGES and not (edit or output):
        lines = (
            [dump(board_log(stored, rows))]
            if as_json
            else log_lines(kind_named(stored.kind), rows, answer_style(plain))
        )
        say(*lines)
        return 0
    if stored.kind in MESSAGES:
        raise UsageError(f"--edit and --output are for searches; {stored.id} is {with_article(stored.kind)}.")
    if edit:
        return _edit(settings, stored, rows)
    text = log_text(search_log(stored, rows), form)
    if output:
        write_log(output, text, form, settings.places.locks)
        say(f"{output}: the log of {stored.id}")
    else:
        say(*text.split("\n"))
    return 0


def _edit(settings: Settings, run: "Run", rows: "Sequence[Event]") -> int:
    """Store the person's answers in the form of a search's report."""
    from agents.search.events import ReportEdited
    from agents.search.kind import SEARCH
    from cache import runs
    from spar_tui.editor import check_terminal, edited, editor
    from spar_tui.reports.search_form import FIELDS, answers_in, form_text, missing_headings

    check_terminal("write the log with --output FILE and add your answers to that file")
    before = SEARCH.replayed(rows).report
    form = edited(editor(), form_text(run.id, run.question, before), f"report {run.id}")
    if missing := missing_headings(form):
        say(form)
        headings = ", ".join(f"[{item}]" for item in missing)
        raise Failure(f"the form lacks the headings {headings}, so nothing was changed. Your text is printed above.")
    after = answers_in(form)
    if after == before:
        say("nothing was changed.")
        return 0
    event = ReportEdited(tuple(sorted(after.items())))
    with open_store(settings) as store:  # opened anew, because a person may write for hours
        runs.extend(store, run.id, [runs.Post(*SEARCH.codec.encode(event))])
    items = ", ".join(map(str, after)) or "none"
    say(f"{run.id}: you answer {len(after)} of {len(FIELDS)} items of PRISMA-S (items {items}).")
    return 0
