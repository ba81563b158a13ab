"""`spar history`: past runs, and forgetting them."""

from typing import TYPE_CHECKING, Annotated

import typer

from spar_tui.cli.arguments import JsonFlag, PlainFlag
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
    as_json: JsonFlag = False,
    plain: PlainFlag = False,
) -> int:
    """List past runs, newest first, or forget some."""
    if context.invoked_subcommand is not None:
        return 0
    if not 1 <= limit <= 1000:
        raise UsageError("--limit must be from 1 to 1000.")
    from cache import runs
    from spar_tui.cli.objects import dump
    from spar_tui.desk import open_store, read_settings
    from spar_tui.terminal import answer_style, note, say
    from spar_tui.wording import papers_text

    with open_store(read_settings()) as store:
        found = runs.recent(store, limit)
    if as_json:
        say(dump({"runs": [_run_object(run) for run in found]}))
        return 0
    style = answer_style(plain)
    for run in found:
        shown = run.counts.get("shown", run.counts.get("included", 0))
        told = papers_text(shown) if run.state == "finished" else _ENDS[run.state]
        when = f"{run.started:%Y-%m-%d %H:%M}"
        say(f"{style.paint(run.id, 'cyan')}  {when}  {told:<12}  {style.paint(run.question, 'bold')}")
    if not found:
        note('spar: no runs yet; begin with: spar search "your question".')
    return 0 if found else 3


@app.command()
def forget(
    run: Annotated[list[str], typer.Argument(metavar="RUN…", help="Ids of runs, their beginnings, or `last`.")],
) -> int:
    """Forget runs with all their events; the papers they found stay in the library."""
    from cache import runs
    from spar_tui.desk import open_store, read_settings
    from spar_tui.terminal import say

    with open_store(read_settings()) as store:
        ids = list(dict.fromkeys(runs.resolve(store, one) for one in run))
        for one in ids:
            runs.forget(store, one)
    say(*(f"forgot {one}" for one in ids))
    return 0


def _run_object(run: "Run") -> dict[str, object]:
    return {
        "run": run.id,
        "kind": run.kind,
        "question": run.question,
        "state": run.state,
        "started": run.started.isoformat(),
        "counts": dict(run.counts),
    }
