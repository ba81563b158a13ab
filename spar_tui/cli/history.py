"""`spar history`: past runs."""

from typing import TYPE_CHECKING, Annotated

import typer

from spar_tui.cli.arguments import JsonFlag, PlainFlag
from spar_tui.errors import UsageError

if TYPE_CHECKING:
    from cache.runs import Run

_ENDS = {"running": "unfinished", "interrupted": "interrupted", "failed": "failed"}
"""A run that is not going on any more and was never ended was killed: nobody could write so."""


def history(
    limit: Annotated[int, typer.Option(metavar="N", help="How many runs to list (1 to 1000).")] = 20,
    as_json: JsonFlag = False,
    plain: PlainFlag = False,
) -> int:
    """List past runs, newest first."""
    if not 1 <= limit <= 1000:
        raise UsageError("--limit must be from 1 to 1000.")
    from cache import runs
    from spar_tui.cli.desk import open_store, read_settings
    from spar_tui.cli.objects import dump
    from spar_tui.cli.terminal import answer_style, note, say

    with open_store(read_settings()) as store:
        found = runs.recent(store, limit)
    if as_json:
        say(dump({"runs": [_run_object(run) for run in found]}))
        return 0
    style = answer_style(plain)
    for run in found:
        shown = f"{run.counts.get('included', 0)} papers" if run.state == "finished" else _ENDS[run.state]
        when = f"{run.started:%Y-%m-%d %H:%M}"
        say(f"{style.paint(run.id, 'cyan')}  {when}  {shown:<12}  {style.paint(run.question, 'bold')}")
    if not found:
        note('spar: no runs yet; begin with: spar search "your question".')
    return 0 if found else 3


def _run_object(run: "Run") -> dict[str, object]:
    return {
        "run": run.id,
        "kind": run.kind,
        "question": run.question,
        "state": run.state,
        "started": run.started.isoformat(),
        "counts": dict(run.counts),
    }
