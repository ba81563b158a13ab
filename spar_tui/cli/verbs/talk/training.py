"""`spar assistant export-training`: pairs of instructions and plan that a small planner can be trained on."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spar_tui.cli.verbs.talk.demonstrations import known_demonstrations, table_of_tools
from spar_tui.errors import UsageError

if TYPE_CHECKING:
    from agents.assistant.demonstrations.kept import Demonstration
    from agents.tools.tool import AnyTool
    from cache.store import Store


def export_training(
    output: Annotated[
        str | None,
        typer.Option("--output", metavar="FILE", help="Write them there; a file that is there is replaced."),
    ] = None,
    own: Annotated[bool, typer.Option("--own", help="Add pairs of your own conversations; asks before.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --own: do not ask.")] = False,
) -> int:
    """Write pairs of instructions and plan as JSON lines, to train a small planner on.

    The instructions are word for word what a planner is told: the rules, the tools, the nearest demonstrations and the
    message; the plan is what it has to answer. They are made of the demonstrations, yours among them. With --own turns
    of your conversations are added that came out well; what that holds is said before, and nothing leaves your machine
    by it."""
    if yes and not own:
        raise UsageError("--yes needs --own.")
    path = Path(output) if output else None
    if path is not None and not path.parent.is_dir():
        raise UsageError(f"{path.parent} is not a folder, so {path.name} cannot be written there.")
    from agents.assistant.demonstrations.training import pairs_of_demonstrations
    from cache.timestamps import utc_now
    from spar_tui.bibliography.files import write_file
    from spar_tui.phrases import counted
    from spar_tui.terminal import note, say
    from spar_tui.workspace import open_store, read_settings

    settings = read_settings()
    with open_store(settings) as store:
        tools, known = table_of_tools(), known_demonstrations(store)
        rows = list(pairs_of_demonstrations(known, tools, utc_now().astimezone().date()))
        own_rows = _of_conversations(store, tools, known, yes) if own else []
    if own_rows is None:
        note("spar: nothing was written.")
        return 0
    lines = [json.dumps(row, ensure_ascii=False) for row in (*rows, *own_rows)]
    if path is None:
        say(*lines)
    else:
        text = "".join(f"{line}\n" for line in lines)
        write_file(path, text.encode("utf-8", "replace"), settings.places.locks)
    of_own = f" and {counted(len(own_rows), 'turn')} of your conversations" if own else ""
    note(f"spar: {counted(len(lines), 'pair')}, from {counted(len(rows), 'demonstration')}{of_own}.")
    return 0


def _of_conversations(
    store: "Store", tools: "dict[str, AnyTool]", known: "list[Demonstration]", yes: bool
) -> list[dict[str, str]] | None:
    """Pairs of the person's conversations; None if they do not agree. Raises `UsageError` without a terminal."""
    from agents.assistant.demonstrations.training import WHAT_IS_IN_IT, pairs_of_conversation
    from agents.assistant.kind import CONVERSATION
    from agents.run.errors import RunError
    from agents.run.recorder import kept
    from cache import runs
    from spar_tui.phrases import counted
    from spar_tui.terminal import agreed, note

    found = runs.recent(store, 100_000, CONVERSATION.name)
    if not yes:
        question = f"Of {counted(len(found), 'conversation')} this writes {WHAT_IS_IN_IT}. Write yes to do it:"
        if not agreed(question, "whether your conversations may be in it"):
            return None
    rows: list[dict[str, str]] = []
    for run in reversed(found):
        try:
            _, _, events = kept(CONVERSATION, store, run.id)
        except RunError as error:
            note(f"spar: {run.id} was left out: {error}")
            continue
        rows += pairs_of_conversation(events, tools, known)
    return rows
