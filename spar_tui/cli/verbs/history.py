"""`spar history`: list past runs and interactions with papers, and forget them."""

from collections.abc import Collection, Iterator
from datetime import datetime, time
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from cache.run_lock import is_carried_on
from spar_tui.cli.arguments import OutputFlags, first_day
from spar_tui.cli.lists.filter_words import FilterGroup, filter_of, lines_of
from spar_tui.cli.lists.line_template import RUN_FIELDS
from spar_tui.cli.options.usual_options import Verbs
from spar_tui.errors import Failure, UsageError
from spar_tui.math_text import title_text
from spar_tui.phrases import came_to_text, counted
from spar_tui.terminal import Style, remark, say
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
        "<WORDS…>",
        (
            'Words of a run\'s question, kind, state, date or id, "a phrase", or year:2026 '
            "(its start); - before a term negates it. Put -- first if the first word is "
            "reading or forget."
        ),
    ] = None,
    limit: Annotated[int, "N", "How many runs to list (1 to 1000)."] = 20,
    template: Annotated[
        str | None,
        "--format TEMPLATE",
        r"Print one line per run by TEMPLATE: '{run}\t{question}'. An unknown field lists all fields.",
    ] = None,
    *,
    output: OutputFlags,
) -> int:
    """List past runs, newest first, or forget some. Exits with 3 if there are none."""
    if context.invoked_subcommand is not None:
        return 0
    from cache import runs
    from cache.conditions.filters import chosen
    from cache.conditions.scopes import HISTORY

    lines = lines_of(template, RUN_FIELDS, output.as_json)
    condition = filter_of(words or (), HISTORY)
    with open_store(read_settings()) as store:
        every = runs.recent(store, None if condition.terms else limit)
        under_way = {run.id for run in every if run.state == "running" and is_carried_on(store.path, run.id)}
    matches = chosen(every, condition, partial(_subject, under_way=under_way))[:limit]

    def listing(style: Style) -> Iterator[str]:
        widest = max((len(_kind(run)) for run in matches), default=0)
        for run in matches:
            if lines:
                yield lines.line({**_run_object(run), "papers": run.papers})
                continue
            facts = f"{_when(run)}  {_kind(run):<{widest}}  {_result(run, under_way):<18}  "
            about = (run.question, "bold") if run.question else (_about(run),)
            yield from style.beside(f"{style.paint(run.id, 'cyan')}  {facts}", *about)

    output.say({"runs": [_run_object(run) for run in matches]}, listing)
    if not every:
        remark('no runs yet; begin with: spar search "your question".')
    elif not matches:
        remark(f"none of {counted(len(every), 'run')} matches {condition}; spar history lists them all.")
    return 0 if matches else 3


@app.command()
def reading(limit: Annotated[int, "N", "How many entries to list (1 to 1000)."] = 20, *, output: OutputFlags) -> int:
    """List what you did with papers, newest first: viewed, opened, saved, read, liked …"""
    from cache import papers
    from cache.reading_history import interactions
    from spar_tui.reports.json_objects import json_fields

    with open_store(read_settings()) as store:
        entries = [
            (entry, paper)
            for entry in interactions(store, limit=limit)
            for paper in papers.by_ids(store, [entry.number])
        ]

    def listing(style: Style) -> Iterator[str]:
        for entry, paper in entries:
            when = style.paint(f"{entry.at.astimezone():%Y-%m-%d %H:%M}", "dim")
            name, title = style.paint(paper.id, "cyan"), style.paint(title_text(paper), "bold")
            yield f"{when}  {entry.act:<9}  {name}  {title}"

    objects = [json_fields(entry, "act at run") | json_fields(paper, "id title") for entry, paper in entries]
    output.say({"acts": objects}, listing)
    if not (entries or output.as_json):
        remark("the reading history is empty.")
    return 0 if entries or output.as_json else 3


@app.command()
def forget(
    run: Annotated[list[str] | None, "<RUN…>", "Ids of runs, their beginnings, or `last`."] = None,
    interactions: Annotated[
        bool, "--reading", "Forget the reading history: all of it, or what --paper and --before select."
    ] = False,
    paper: Annotated[str | None, "PAPER", "With --reading: only entries of this paper."] = None,
    before: Annotated[str | None, "DATE", "With --reading: only entries before this day."] = None,
) -> int:
    """Forget runs with all their events, or the reading history.

    Papers stay in the library, and saved ones on the shelf. Older backups contain what you forget until newer ones
    replace them or you delete them."""
    if not run and not interactions:
        raise UsageError("say what to forget: ids of runs, or --reading.")
    from cache import papers, runs
    from spar_tui.cli.papers import known_paper

    day = first_day(before, "--before")
    settings = read_settings()
    record = known_paper(paper, settings) if paper else None
    with open_store(settings) as store:
        number = papers.number_of(store, record) if record else None
        if record and not number:
            raise Failure(f"{record.id} is not in the library.")
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


def _subject(run: "Run", under_way: Collection[str]) -> "CheckedPaper":
    """Return the data that filters check: the listed text, and the date."""
    from cache.conditions.names import folded
    from cache.conditions.table import CheckedPaper

    text = f"{run.id} {_when(run)} {_kind(run)} {_result(run, under_way)} {run.state} {_about(run)}"
    return CheckedPaper(folded(text), f"{run.started.astimezone():%Y-%m-%d}")


def _kind(run: "Run") -> str:
    """Return the kind of a run as the app lists it: that of a stored search is `watch`."""
    return "watch" if run.parameters.get("watch") else run.kind


def _when(run: "Run") -> str:
    return f"{run.started.astimezone():%Y-%m-%d %H:%M}"


def _about(run: "Run") -> str:
    """Return the question of a run, or the start of a recommendation."""
    from spar_tui.recommendation_phrases import whence_text

    return run.question or whence_text(run.parameters)


def _result(run: "Run", under_way: Collection[str]) -> str:
    """Return the result of a run in a word or two. A process is working on those whose ids are `under_way`."""
    if run.id in under_way:
        return "running"
    if run.state != "finished":
        return _ENDS[run.state]
    return came_to_text(run) + (", not all answered" if run.counts.get("failed") else "")


def _run_object(run: "Run") -> dict[str, object]:
    from spar_tui.reports.json_objects import json_fields

    names = {"run": run.id, "kind": run.kind, "question": run.question}
    return {**names, **json_fields(run, "state started"), "counts": dict(run.counts)}
