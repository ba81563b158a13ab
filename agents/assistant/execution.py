"""Doing a plan strictly, step by step: candidates flow through the bus, and every step leaves its trace (InteRecAgent
§3.2, §3.3)."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from agents.assistant.choosing.relaxing import FEW, LONG, best_matching, relaxed, telling_words, with_nearest
from agents.assistant.events import Change, ChangeProposed, Step, StepDone
from agents.assistant.session import ConversationSession
from agents.assistant.wording.proposals import change_text, proposal
from agents.run.errors import RunError
from agents.tools.candidates import FILTER
from agents.tools.changes import SAVE, TAKE_BACK, UNSAVE, last_change
from agents.tools.filter_arguments import FilterArguments
from agents.tools.paper_names import UnknownPaper, named_papers
from agents.tools.tool import AnyTool, ToolError, ToolResult
from cache import papers
from cache.errors import CacheError
from cache.journal import as_one_step
from cache.shelf import numbers_on_shelf
from cache.store import PaperId

ELSEWHERE = "candidates"
"""What was given up where papers were found in the whole library, and not among those that were spoken of."""
SHOWS = frozenset({"list", "rank", "resemble"})
"""Steps that go on with papers to look at: before them, and only then, an empty choice is of no use to anybody."""


async def execute(session: ConversationSession) -> None:
    """Do the steps of the turn's plan that are left, until one fails or waits for the person's yes. What they change is
    undone as one."""
    with as_one_step():
        await _execute(session)


async def _execute(session: ConversationSession) -> None:
    while (number := session.turn.next_step) is not None and await session.control.ready():
        step = session.turn.step(number)
        tool = session.tools.get(step.tool)
        if tool is None:
            session.post(StepDone(number, step.tool, error=f"There is no tool called {step.tool!r}."))
            return
        if tool.changes and not _allowed(session, number):
            await _propose(session, number)
            return
        done = await _done(session, number, tool, step)
        session.post(done)
        if done.error:
            return


def _allowed(session: ConversationSession, number: int) -> bool:
    decided = session.turn.decided
    return session.options.allow_changes or (decided is not None and decided.allowed and number < decided.steps)


async def _propose(session: ConversationSession, first: int) -> None:
    """Say what the next steps would change, or why the first of them cannot be done at all."""
    plan = session.turn.plan
    changes: list[Change] = []
    told: list[str] = []
    for number, step in enumerate(plan.steps if plan else ()):
        tool = session.tools.get(step.tool)
        if number < first:
            continue
        if tool is None or not tool.changes:
            break  # what comes after it may be about other papers
        try:
            given = tool.read(step.arguments)
            undone = await asyncio.to_thread(last_change, session.store) if tool is TAKE_BACK else None
            named = await asyncio.to_thread(named_papers, _names_in(given), session.context())
            named = tuple(undone.papers) if undone else named
            if not named and _names_in(given):
                raise ToolError("No paper matches that. Nothing was changed.")
            _check_shelf(session, tool, named, getattr(given, "tags", ()))
        except ToolError as error:
            session.post(_failed(number, step.tool, error))
            return
        changes.append(Change(number, named))
        told.append(change_text(given, papers.by_ids(session.store, named), undone))
    session.post(ChangeProposed(tuple(changes), proposal(told)))


def _check_shelf(session: ConversationSession, tool: AnyTool, named: Sequence[PaperId], tags: Sequence[str]) -> None:
    """Raises `ToolError` if nothing would change: none of what is to be removed is on the shelf, or all of what is to
    be saved is there already."""
    if tool not in (SAVE, UNSAVE) or not named:
        return
    saved = numbers_on_shelf(session.store)
    [title, *others] = [paper.title for paper in papers.by_ids(session.store, named)]
    if tool is UNSAVE and saved.isdisjoint(named):
        what = f"None of these {len(named):,} papers" if others else f"“{title}”"
        raise ToolError(f"{what} is {'' if others else 'not '}on your shelf, so there is nothing to take off it.")
    if tool is SAVE and not tags and saved.issuperset(named):
        what = f"These {len(named):,} papers are" if others else f"“{title}” is"
        raise ToolError(f"{what} already on your shelf. Nothing was changed.")


def _names_in(given: object) -> list[str]:
    """The names of the papers that arguments name."""
    return [name for name in (*getattr(given, "papers", ()), getattr(given, "paper", "")) if name]


def settled(step: Step, change: Change) -> Step:
    """The step with the papers that it was proposed for, whatever is shown by then."""
    names = [f"#{number}" for number in change.papers]
    if "paper" in step.arguments:
        return Step(step.tool, {**step.arguments, "paper": names[0]})
    return Step(step.tool, {**step.arguments, **({"papers": names} if names else {})})


async def _done(session: ConversationSession, number: int, tool: AnyTool, step: Step) -> StepDone:
    try:
        result, relaxed = await _result(session, number, tool, step)
    except ToolError as error:
        return _failed(number, step.tool, error)
    except (CacheError, RunError) as error:
        return StepDone(number, step.tool, error=str(error))
    return StepDone(
        number, step.tool, result.papers, result.shown, result.values, result.text, result.notes, result.run,
        relaxed=relaxed,
    )  # fmt: skip


async def _result(
    session: ConversationSession, number: int, tool: AnyTool, step: Step
) -> tuple[ToolResult, tuple[str, ...]]:
    """What the step comes to, and the conditions that were given up because they left nothing."""
    context = session.context()
    result = await tool.run(step.arguments, context)
    assert session.turn.plan is not None
    rest = session.turn.plan.steps[number + 1 :]
    if tool is not FILTER or context.candidates == () or not _for_looking(session, rest):
        return result, ()
    asked: FilterArguments = tool.read(step.arguments)
    if asked.impossible:
        return result, ()
    if result.papers:
        of_a_subject = len(telling_words(asked)) > 1 and [step.tool for step in rest] == ["list"]
        few = of_a_subject and len(result.papers) < FEW
        return (await with_nearest(asked, result, context) if few else result), ()
    if context.candidates is not None and asked.phrases and asked.except_papers:
        # Who refuses what was shown and says what else it is about is not looking for one of the rest.
        context = replace(context, candidates=None)
        result = await tool.run(step.arguments, context)
        if result.papers:
            return result, (ELSEWHERE,)
    soft = any(step.tool == "resemble" for step in rest)
    fewer = await relaxed(asked, context, result, soft)
    if len(telling_words(asked)) >= (LONG if fewer[0].papers else 2):
        return await best_matching(asked, context, alone=not fewer[0].papers) or fewer
    return fewer


def _for_looking(session: ConversationSession, rest: Sequence[Step]) -> bool:
    """Whether the steps that are left show papers, and change nothing."""
    tools = [session.tools.get(step.tool) for step in rest]
    return any(step.tool in SHOWS for step in rest) and not any(tool is None or tool.changes for tool in tools)


def _failed(number: int, tool: str, error: ToolError) -> StepDone:
    return StepDone(number, tool, error=str(error), unknown=error.name if isinstance(error, UnknownPaper) else "")
