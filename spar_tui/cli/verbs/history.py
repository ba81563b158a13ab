"""`spar history`: list past runs and interactions with papers, and forget them."""

from collections.abc import Collection
from datetime import datetime, time
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from cache.run_lock import is_carried_on
from spar_tui.cli.arguments import JsonFlag, PlainFlag, first_day
from spar_tui.cli.lists.filter_words import FilterGroup, check_limit, filter_of, lines_of
from spar_tui.cli.lists.line_template import RUN_FIELDS
from spar_tui.cli.options.usual_options import Verbs
from spar_tui.errors import Failure, UsageError
from spar_tui.math_text import title_text
from spar_tui.phrases import came_to_text, counted
from spar_tui.terminal import answer_style, remark, say, say_json
from spar_tui.workspace import open_store, read_settings

if TYPE_CHECKING:
    from cache.conditions.table import CheckedPaper
    from cache.runs import Run

_ENDS = {"running": "unfinished", "interrupted": "interrupted", "failed": "failed"}
"""A run without an end that no process continues was killed, and could not record that."""


app = Verbs(cls=FilterGroup, invoke_without_command=True, rich_markup_mode=None)


@app.callback()
def history(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORDS…]",
            help='Words of a run\'s question, kind, state, date or id, "a phrase", or year:2026 '
            "(its start); - before a term negates it. Put -- first if the first word is "
            "reading or forget.",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", help="How many runs to list (1 to 1000).")] = 20,
    template: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="TEMPLATE",
            help=r"Print one line per run by TEMPLATE: '{run}\t{question}'. An unknown field lists all fields.",
        ),
    ] = None,
    as_json: JsonFlag = False,
    plain: PlainFlag = False,
) -> int:
    """List past runs, newest first, or forget some. Exits with 3 if there are none."""
    if context.invoked_subcommand is not None:
        return 0
    check_limit(limit, 1000)
    from cache import runs
    from cache.conditions.filters import chosen
    from cache.conditions.scopes import HISTORY

    lines = lines_of(template, RUN_FIELDS, as_json)
    wanted = filter_of(words or (), HISTORY)
    with open_store(read_settings()) as store:
        every = runs.recent(store, None if wanted.terms else limit)
        under_way = {run.id for run in every if run.state == "running" and is_carried_on(store.path, run.id)}
    runs_shown = chosen(every, wanted, partial(_subject, under_way=under_way))[:limit]
    if as_json:
        say_json({"runs": [_run_object(run) for run in runs_shown]})
    else:
        style = answer_style(plain)
        widest = max((len(_kind(run)) for run in runs_shown), default=0)
        for run in runs_shown:
            if lines:
                say(lines.line({**_run_object(run), "papers": run.papers}))
                continue
            line = f"{_when(run)}  {_kind(run):<{widest}}  {_came_to(run, under_way):<18}  "
            about = (run.question, "bold") if run.question else (_about(run),)
            say(*style.beside(f"{style.paint(run.id, 'cyan')}  {line}", *about))
    if not every:
        remark('no runs yet; begin with: spar search "your question".')
    elif not runs_shown:
        remark(f"of {counted(len(every), 'run')}, none matches {wanted}.")
    return 0 if runs_shown else 3


@app.command()
def reading(
    limit: Annotated[int, typer.Option(metavar="N", help="How many entries to list (1 to 1000).")] = 20,
    as_json: JsonFlag = False,
    plain: PlainFlag = False,
) -> int:
    """List what you did with papers, newest first: viewed, opened, saved, read, liked …"""
    check_limit(limit, 1000)
    from cache import papers
    from cache.reading_history import interactions

    with open_store(read_settings()) as store:
        done = [
            (interaction, paper)
            for interaction in interactions(store, limit=limit)
            for paper in papers.by_ids(store, [interaction.number])
        ]
    if as_json:
        from spar_tui.reports.json_objects import json_fields

        say_json({"acts": [json_fields(act, "act at run") | json_fields(paper, "id title") for act, paper in done]})
        return 0
    style = answer_style(plain)
    for paper_interaction, paper in done:
        when = style.paint(f"{paper_interaction.at.astimezone():%Y-%m-%d %H:%M}", "dim")
        name, title = style.paint(paper.id, "cyan"), style.paint(title_text(paper), "bold")
        say(f"{when}  {paper_interaction.act:<9}  {name}  {title}")
    if not done:
        remark("the reading history is empty.")
    return 0 if done else 3


@app.command()
def forget(
    run: Annotated[
        list[str] | None, typer.Argument(metavar="[RUN…]", help="Ids of runs, their beginnings, or `last`.")
    ] = None,
    interactions: Annotated[
        bool,
        typer.Option("--reading", help="Forget the reading history: all of it, or what --paper and --before select."),
    ] = False,
    paper: Annotated[
        str | None, typer.Option(metavar="PAPER", help="With --reading: only entries of this paper.")
    ] = None,
    before: Annotated[
        str | None, typer.Option(metavar="DATE", help="With --reading: only entries before this day.")
    ] = None,
) -> int:
    """Forget runs with all their events, or the reading history.

    Papers stay in the library, and saved ones on the shelf. Older backups contain what you forget until newer ones
    replace them or you delete them."""
    if not run and not interactions:
        raise UsageError("say what to forget: ids of runs, or --reading.")
    if (paper or before) and not interactions:
        raise UsageError("--paper and --before need --reading.")
    from cache import runs

    day = first_day(before, "--before")
    number = _number_of(paper) if paper else None
    with open_store(read_settings()) as store:
        ids = list(dict.fromkeys(runs.resolve(store, run_id) for run_id in run or []))
        for run_id in ids:
            if is_carried_on(store.path, run_id):
                raise Failure(f"{run_id} is running in another terminal, app or conversation. Stop it there first.")
        for run_id in ids:
            runs.forget(store, run_id)
        say(*(f"forgot {run_id}" for run_id in ids))
        if interactions:
            from cache.reading_history import forget_interactions

            start = datetime.combine(day, time()).astimezone() if day else None
            forgotten = forget_interactions(store, paper=number, before=start)
            say(f"forgot {counted(forgotten, 'act')} of the reading history")
    return 0


def _number_of(raw: str) -> int:
    """Return the number of the paper that `raw` names. Raises `UsageError` or `Failure`."""
    from cache import papers
    from spar_tui.cli.papers import known_paper

    settings = read_settings()
    paper = known_paper(raw, settings)
    with open_store(settings) as store:
        if number := papers.number_of(store, paper):
            return number
    raise Failure(f"{paper.id} is not in the library.")


def _subject(run: "Run", under_way: Collection[str]) -> "CheckedPaper":
    """Return the data that filters check: the listed text, and the date."""
    from cache.conditions.names import folded
    from cache.conditions.table import CheckedPaper

    shown = f"{run.id} {_when(run)} {_kind(run)} {_came_to(run, under_way)} {run.state} {_about(run)}"
    return CheckedPaper(folded(shown), f"{run.started.astimezone():%Y-%m-%d}")


def _kind(run: "Run") -> str:
    """Return the kind of a run as the app lists it: that of a stored search is `watch`."""
    return "watch" if run.parameters.get("watch") else run.kind


def _when(run: "Run") -> str:
    return f"{run.started.astimezone():%Y-%m-%d %H:%M}"


def _about(run: "Run") -> str:
    """Return the question of a run, or the start of a recommendation."""
    from spar_tui.recommendation_phrases import whence_text

    return run.question or whence_text(run.parameters)


def _came_to(run: "Run", under_way: Collection[str]) -> str:
    """Return the result of a run in a word or two. A process is working on those whose ids are `under_way`."""
    if run.id in under_way:
        return "running"
    if run.state != "finished":
        return _ENDS[run.state]
    unheard = ", not all answered" if run.counts.get("failed") else ""
    return came_to_text(run) + unheard


def _run_object(run: "Run") -> dict[str, object]:
    from spar_tui.reports.json_objects import json_fields

    names = {"run": run.id, "kind": run.kind, "question": run.question}
    return {**names, **json_fields(run, "state started"), "counts": dict(run.counts)}
