"""`spar search`: one question to every source."""

from typing import TYPE_CHECKING, Annotated

import typer

from spar_tui.cli.arguments import (
    JsonFlag,
    OfflineFlag,
    PlainFlag,
    StrictFlag,
    check_bounds,
    first_day,
    last_day,
    question_of,
    source_names,
)
from spar_tui.errors import Interrupted, UsageError

if TYPE_CHECKING:
    from agents.events import Event
    from agents.search.loop import Wishes
    from agents.search.state import SearchState
    from spar_tui.cli.desk import OpenDesk


def search(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to know, in plain words.")],
    source: Annotated[
        list[str] | None, typer.Option("--source", metavar="NAME", help="Ask this live source only (repeat for more).")
    ] = None,
    since: Annotated[str | None, typer.Option(metavar="YYYY[-MM[-DD]]", help="Published then or later.")] = None,
    until: Annotated[str | None, typer.Option(metavar="YYYY[-MM[-DD]]", help="Published then or earlier.")] = None,
    limit: Annotated[int | None, typer.Option(metavar="N", help="How many papers to show (1 to 1000).")] = None,
    seconds: Annotated[
        float | None, typer.Option(metavar="S", help="How long to wait for a source (1 to 600 seconds).")
    ] = None,
    offline: OfflineFlag = False,
    strict: StrictFlag = False,
    as_json: JsonFlag = False,
    as_jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Print the events as they happen, one JSON line each.")
    ] = False,
    plain: PlainFlag = False,
) -> int:
    """Ask all sources at once.

    What they find is merged, ranked, shown and remembered; a source that fails is named, and the others go on."""
    asked = question_of(question)
    bounds = first_day(since), last_day(until)
    check_bounds(*bounds)
    names = source_names(source or [])
    if as_json and as_jsonl:
        raise UsageError("--json and --jsonl exclude each other; choose one.")

    from agents.search.loop import Wishes
    from spar_tui.cli.desk import read_settings
    from spar_tui.settings import with_preference

    settings = read_settings()
    preferences = settings.preferences
    for name, value in (("limit", limit), ("seconds", seconds)):
        if value is not None:
            preferences = with_preference(preferences, name, value)
    wishes = Wishes(*bounds, preferences.limit, preferences.seconds)

    import asyncio

    from spar_tui.cli.desk import open_desk

    async def run() -> int:
        async with open_desk(settings, names or preferences.sources, offline or preferences.offline) as desk:
            return await _search(asked, desk, wishes, output)

    output = _Output(as_json, as_jsonl, plain, strict)
    try:
        return asyncio.run(run())
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted; what was found is kept as run {output.run}.") from None


class _Output:
    """How the person wants to see the search."""

    def __init__(self, as_json: bool, as_jsonl: bool, plain: bool, strict: bool) -> None:
        from spar_tui.cli.progress import Progress
        from spar_tui.cli.terminal import progress_style

        self.as_json, self.as_jsonl, self.plain, self.strict = as_json, as_jsonl, plain, strict
        self.run = ""
        self._progress = Progress(progress_style(plain))

    def event(self, event: "Event") -> None:
        """Tell of an event as it happens."""
        self._progress.show(event)
        if self.as_jsonl:
            import json

            from agents.event_rows import to_row
            from spar_tui.cli.terminal import say

            row = to_row(event)
            say(json.dumps({"event": row.kind, "role": row.role, **row.content}, ensure_ascii=False))

    def end(self, state: "SearchState") -> int:
        """Print the answer; the exit code."""
        from spar_tui.cli.listing import search_listing
        from spar_tui.cli.objects import dump, search_object
        from spar_tui.cli.terminal import answer_style, note, note_failures, say

        if self.as_json:
            say(dump(search_object(self.run, state)))
        elif not self.as_jsonl:
            say(*search_listing(state, answer_style(self.plain)))
        note_failures(state.failed_sources)
        for line in _closing_lines(self.run, state):
            note(line)
        if self.strict and state.failed_sources:
            return 4
        return 0 if state.ranking or state.failed_sources else 3


def _closing_lines(run: str, state: "SearchState") -> list[str]:
    """What the person should know beside the list: how the numbers came about."""
    counts = state.counts
    lines = []
    if not state.ranking:
        lines.append(f"spar: no papers found{' by the sources that answered' if state.failed_sources else ''}; "
                     "try other words or wider dates.")  # fmt: skip
    asked = ", ".join(f"{name} {tally.found}" for name, tally in state.sources.items() if tally.state != "skipped")
    lines.append(
        f"{counts.identified} records ({asked}), {counts.duplicates} duplicates, {counts.screened} screened, "
        f"{counts.included} shown; run {run}"
    )
    return lines


async def _search(question: str, desk: "OpenDesk", wishes: "Wishes", output: _Output) -> int:
    import asyncio

    from agents.board import Board
    from agents.search.loop import ranked, search
    from spar_tui.cli.kept_run import KeptRun

    kept = KeptRun(desk.store, question, wishes)
    output.run = kept.run
    board = Board(kept.post)
    try:
        async for event in search(question, desk.desk, wishes, board):
            output.event(event)
    except BaseException as error:
        board.post(ranked(question, board.state, wishes))  # so that what was found has places to be named by
        kept.end("interrupted" if isinstance(error, asyncio.CancelledError) else "failed", board.state)
        raise
    kept.end("finished", board.state)
    return output.end(board.state)
