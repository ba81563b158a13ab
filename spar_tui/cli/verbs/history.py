"""`spar history`: past runs, what was done with papers, and forgetting them."""

from datetime import date, datetime, time
from typing import TYPE_CHECKING, Annotated

import typer

from spar_tui.cli.arguments import JsonFlag, PlainFlag, first_day
from spar_tui.cli.lists.filter_words import FormatOption, check_limit, check_one_form
from spar_tui.errors import UsageError

if TYPE_CHECKING:
    from cache.runs import Run

_ENDS = {"running": "unfinished", "interrupted": "interrupted", "failed": "failed"}
"""A run that is not going on any more and was never ended was killed: nobody could write so."""


app = typer.Typer(invoke_without_command=True, rich_markup_mode=None)


@app.callback()
def history(
    context: typer.Context,
    limit: Annotated[int, typer.Option(metavar="N", help="How many runs to list (1 to 1000).")] = 20,
    template: FormatOption = None,
    as_json: JsonFlag = False,
    plain: PlainFlag = False,
) -> int:
    """List past runs, newest first, or forget some."""
    if context.invoked_subcommand is not None:
        return 0
    check_limit(limit, 1000)
    check_one_form(as_json, template)
    from cache import runs
    from spar_tui.cli.lists.line_template import RUN_FIELDS, line_template
    from spar_tui.recommendation_phrases import whence_text
    from spar_tui.reports.json_objects import dump
    from spar_tui.terminal import answer_style, note, say
    from spar_tui.workspace import open_store, read_settings

    lines = line_template(template, RUN_FIELDS) if template is not None else None
    with open_store(read_settings()) as store:
        found = runs.recent(store, limit)
    if as_json:
        say(dump({"runs": [_run_object(run) for run in found]}))
        return 0
    style = answer_style(plain)
    widest = max((len(run.kind) for run in found), default=0)
    for run in found:
        if lines:
            say(lines.line({**_run_object(run), "papers": run.counts.get("shown", run.counts.get("included"))}))
            continue
        told = _came_to(run)
        when = f"{run.started:%Y-%m-%d %H:%M}"
        about = style.paint(run.question, "bold") if run.question else whence_text(run.parameters)
        say(f"{style.paint(run.id, 'cyan')}  {when}  {run.kind:<{widest}}  {told:<12}  {about}".rstrip())
    if not found:
        note('spar: no runs yet; begin with: spar search "your question".')
    return 0 if found else 3


@app.command()
def reading(
    limit: Annotated[int, typer.Option(metavar="N", help="How many acts to list (1 to 1000).")] = 20,
    as_json: JsonFlag = False,
    plain: PlainFlag = False,
) -> int:
    """List what you did with papers, newest first: viewed, opened, saved, read, liked …"""
    check_limit(limit, 1000)
    from cache import papers
    from cache.reading_history import interactions
    from spar_tui.reports.json_objects import dump
    from spar_tui.terminal import answer_style, note, say
    from spar_tui.workspace import open_store, read_settings

    with open_store(read_settings()) as store:
        done = [
            (one, paper) for one in interactions(store, limit=limit) for paper in papers.by_ids(store, [one.number])
        ]
    if as_json:
        told = [
            {"act": one.act, "at": one.at.isoformat(), "run": one.run, "id": paper.id, "title": paper.title}
            for one, paper in done
        ]
        say(dump({"acts": told}))
        return 0
    style = answer_style(plain)
    for one, paper in done:
        when = style.paint(f"{one.at.astimezone():%Y-%m-%d %H:%M}", "dim")
        say(f"{when}  {one.act:<9}  {style.paint(paper.id, 'cyan')}  {style.paint(paper.title, 'bold')}")
    if not done:
        note("spar: the reading history is empty.")
    return 0 if done else 3


@app.command()
def forget(
    run: Annotated[
        list[str] | None, typer.Argument(metavar="[RUN…]", help="Ids of runs, their beginnings, or `last`.")
    ] = None,
    interactions: Annotated[
        bool, typer.Option("--reading", help="Forget the reading history: all of it, or what the next two say.")
    ] = False,
    paper: Annotated[
        str | None, typer.Option(metavar="PAPER", help="With --reading: only what was done with this paper.")
    ] = None,
    before: Annotated[
        str | None, typer.Option(metavar="DATE", help="With --reading: only what was done before this day.")
    ] = None,
) -> int:
    """Forget runs with all their events, or the reading history.

    The papers stay in the library, and saved ones on the shelf."""
    if not run and not interactions:
        raise UsageError("say what to forget: runs by their ids, or --reading.")
    if (paper or before) and not interactions:
        raise UsageError("--paper and --before go with --reading.")
    from cache import runs
    from spar_tui.terminal import say
    from spar_tui.workspace import open_store, read_settings

    day = _day(before)
    number = _number_of(paper) if paper else None
    with open_store(read_settings()) as store:
        ids = list(dict.fromkeys(runs.resolve(store, one) for one in run or []))
        for one in ids:
            runs.forget(store, one)
        say(*(f"forgot {one}" for one in ids))
        if interactions:
            from cache.reading_history import forget_interactions
            from spar_tui.phrases import counted

            start = datetime.combine(day, time()).astimezone() if day else None
            forgotten = forget_interactions(store, paper=number, before=start)
            say(f"forgot {counted(forgotten, 'act')} of the reading history")
    return 0


def _day(raw: str | None) -> date | None:
    try:
        return first_day(raw)
    except UsageError as error:
        raise UsageError(str(error).replace("--since", "--before")) from None


def _number_of(raw: str) -> int:
    """The number of the paper that `raw` names. Raises `UsageError` or `Failure`."""
    import asyncio

    from cache import papers
    from spar_tui.cli.papers import find_paper
    from spar_tui.errors import Failure
    from spar_tui.workspace import open_workspace, read_settings

    async def run() -> int:
        async with open_workspace(read_settings(), (), offline=True) as workspace:
            found = (await find_paper(raw, workspace)).paper
            if number := papers.number_of(workspace.store, found):
                return number
            raise Failure(f"{found.id} is not in the library.")

    return asyncio.run(run())


def _came_to(run: "Run") -> str:
    """What a run came to, in a word or two."""
    from spar_tui.phrases import counted, papers_text

    if run.state != "finished":
        return _ENDS[run.state]
    unheard = ", not all answered" if run.counts.get("failed") else ""
    if "turns" in run.counts:
        return counted(run.counts["turns"], "turn") + unheard
    return papers_text(run.counts.get("shown", run.counts.get("included", 0))) + unheard


def _run_object(run: "Run") -> dict[str, object]:
    return {
        "run": run.id,
        "kind": run.kind,
        "question": run.question,
        "state": run.state,
        "started": run.started.isoformat(),
        "counts": dict(run.counts),
    }
