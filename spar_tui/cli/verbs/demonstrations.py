"""`spar bench demonstrations` and `export-training`: what the planner of chat is shown, and pairs to train one on."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from agents.llm.errors import ModelError
from agents.run.errors import RunError
from cache.timestamps import utc_now
from spar_tui.cli.arguments import OutputFlags, UsdOption, check_budgets
from spar_tui.errors import Failure, UsageError
from spar_tui.phrases import counted
from spar_tui.settings import Settings
from spar_tui.terminal import Style, agreed, remark, report, say, say_json
from spar_tui.workspace import open_store, open_workspace, read_settings

if TYPE_CHECKING:
    from agents.assistant.demonstrations import Demonstration
    from agents.bench.demonstrations import Tried
    from agents.llm.model import Model
    from agents.tools.tool import AnyTool
    from cache.store import Store


CALLS = 60


def demonstrations(
    generate: Annotated[
        int | None, "N", "Let the model write up to N more (1 to 200); spar keeps the good ones."
    ] = None,
    calls: Annotated[int | None, "N", f"With --generate: ask the model at most N times ({CALLS})."] = None,
    usd: UsdOption = None,
    *,
    output: OutputFlags,
) -> int:
    """List requests with their plans; a planning model sees the three nearest to your message.

    With --generate the model writes more: requests with plans, and requests for existing plans; spar keeps those for
    which the model makes the same plan again. The model sees only demonstrations, nothing of your papers. spar
    stores yours in demonstrations.jsonl beside the database; delete that file to remove them."""
    if generate is None and usd is not None:
        raise UsageError("--usd needs --generate.")
    check_budgets(calls, usd, None)
    settings = read_settings()
    if generate is not None:
        return asyncio.run(_generate(settings, generate, CALLS if calls is None else calls, usd, output.as_json))
    from agents.assistant.demonstrations import own, own_file, shipped

    with open_store(settings) as store:
        mine, file = own(store), own_file(store)
    entries = [*((entry, False) for entry in shipped()), *((entry, True) for entry in mine)]

    def listing(style: Style) -> Iterator[str]:
        for demonstration, is_own in entries:
            yield f"{style.paint(demonstration.intent, 'bold')}{' (yours)' if is_own else ''}"
            for step in demonstration.plan:
                arguments = json.dumps(dict(step.arguments), ensure_ascii=False) if step.arguments else ""
                yield f"    {step.tool} {arguments}".rstrip()

    rows = [{**demonstration.as_object(), "own": is_own} for demonstration, is_own in entries]
    output.say({"demonstrations": rows, "file": str(file)}, listing)
    if not output.as_json:
        remark(f"{len(shipped())} that come with spar, {len(mine)} of yours{f' in {file}' if mine else ''}.")
    return 0


async def _generate(settings: Settings, count: int, calls: int, usd: float | None, as_json: bool) -> int:
    from random import Random

    from agents.assistant.demonstrations import keep, own_file
    from agents.bench.demonstrations import generated
    from agents.llm.budget import Budget

    if settings.preferences.offline:
        raise UsageError("--generate needs the network, which the setting `offline` forbids.")
    async with open_workspace(settings, (), offline=False, model=True) as workspace:
        store, model = workspace.store, workspace.resources.model
        if model is None:
            raise UsageError("--generate needs a language model; set OPENAI_API_KEY or OPENAI_BASE_URL.")
        asking = _Asking(model, Budget(calls, usd))
        tried: list[Tried] = []
        today = utc_now().astimezone().date()
        async with aclosing(
            generated(asking.ask, count, known_demonstrations(store), table_of_tools(), today, Random())
        ) as candidates:
            async for candidate in candidates:
                tried.append(candidate)
                if candidate.demonstration is not None:
                    try:
                        keep(store, [candidate.demonstration])
                    except OSError as error:
                        reason = error.strerror or error
                        raise Failure(f"the demonstrations cannot be written: {reason}.") from None
                reason = f"  ({candidate.against})" if candidate.against else ""
                report(f"{'kept' if candidate.demonstration else 'dropped'}  {candidate.intent}{reason}")
        good = [candidate.demonstration for candidate in tried if candidate.demonstration is not None]
        if as_json:
            rows = [{**demonstration.as_object(), "own": True} for demonstration in good]
            say_json({"demonstrations": rows, "file": str(own_file(store))})
        else:
            where = f", in {own_file(store)}" if good else ""
            remark(f"kept {len(good)} of {counted(len(tried), 'request')} that the model wrote{where}.")
        if asking.problem:
            remark(asking.problem)
        return 0 if good else 1 if asking.problem else 3


class _Asking:
    """Questions to the model within a budget; `problem` is the reason if there was no answer."""

    def __init__(self, model: "Model", budget: Any) -> None:
        self._model, self._budget = model, budget
        self.problem = ""

    async def ask(self, prompt: Any, shape: type[Any]) -> Any:
        from agents.llm.budget import BudgetSpent

        try:
            return (await self._model.ask(prompt, shape, self._budget)).answer
        except (ModelError, BudgetSpent) as error:
            self.problem = error.sentence
            return None


def known_demonstrations(store: "Store") -> "list[Demonstration]":
    """Return the demonstrations included with spar, and the person's own."""
    from agents.assistant.demonstrations import own, shipped

    return [*shipped(), *own(store)]


def table_of_tools() -> "dict[str, AnyTool]":
    """Return the tools of the assistant in this interface."""
    from agents.tools.table import by_name
    from spar_tui.interface import TextInterface

    return dict(by_name(TextInterface().tools))


def export_training(
    output: Annotated[str | None, "FILE", "Write to this file, replacing it."] = None,
    own: Annotated[bool, "Also add pairs from your own conversations; asks first."] = False,
    yes: Annotated[bool, "With --own: do not ask."] = False,
) -> int:
    """Write pairs of instructions and plan as JSON lines, to train a small planner.

    The instructions are exactly a planner's prompt: the rules, the tools, the nearest demonstrations and the
    message; the plan is the expected answer. The pairs come from the demonstrations, also yours. --own adds turns of
    your conversations that succeeded; spar shows first what they contain. Nothing leaves your machine."""
    path = Path(output) if output else None
    if path is not None and not path.parent.is_dir():
        raise UsageError(f"{path.parent} is not a folder, so {path.name} cannot be written there.")
    from agents.bench.demonstrations import pairs_of_demonstrations
    from spar_tui.files import write_file

    settings = read_settings()
    with open_store(settings) as store:
        tools, demonstrations = table_of_tools(), known_demonstrations(store)
        rows = list(pairs_of_demonstrations(demonstrations, tools, utc_now().astimezone().date()))
        own_rows = _of_conversations(store, tools, demonstrations, yes) if own else []
    if own_rows is None:
        remark("nothing was written.")
        return 0
    lines = [json.dumps(row, ensure_ascii=False) for row in (*rows, *own_rows)]
    if path is None:
        say(*lines)
    else:
        text = "".join(f"{line}\n" for line in lines)
        write_file(path, text.encode("utf-8", "replace"), settings.places.locks)
    of_own = f" and {counted(len(own_rows), 'turn')} of your conversations" if own else ""
    remark(f"{counted(len(lines), 'pair')}, from {counted(len(rows), 'demonstration')}{of_own}.")
    return 0


def _of_conversations(
    store: "Store", tools: "dict[str, AnyTool]", demonstrations: "list[Demonstration]", yes: bool
) -> list[dict[str, str]] | None:
    """Return training pairs from the person's conversations; None if they do not agree. Raises `UsageError` without
    a terminal."""
    from agents.assistant.kind import CONVERSATION
    from agents.bench.demonstrations import WHAT_IS_IN_IT, pairs_of_conversation
    from agents.run.recorder import kept
    from cache import runs

    conversations = runs.recent(store, 100_000, CONVERSATION.name)
    if not yes:
        subject = f"Of {counted(len(conversations), 'conversation')} this writes {WHAT_IS_IN_IT}"
        if not agreed(f"{subject}. Type yes to write them:", "whether your conversations may be in it"):
            return None
    rows: list[dict[str, str]] = []
    for run in reversed(conversations):
        try:
            _, _, events = kept(CONVERSATION, store, run.id)
        except RunError as error:
            remark(f"{run.id} was left out: {error}")
            continue
        rows += pairs_of_conversation(events, tools, demonstrations)
    return rows
