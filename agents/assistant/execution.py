"""Doing a plan strictly, step by step: candidates flow through the bus, and every step leaves its trace (InteRecAgent
§3.2, §3.3)."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agents.assistant.events import Change, ChangeProposed, Step, StepDone
from agents.assistant.session import ConversationSession
from agents.assistant.wording.conditions import listed
from agents.assistant.wording.proposals import change_text, proposal
from agents.run.errors import RunError
from agents.tools.candidates import FILTER, FilterArguments
from agents.tools.paper_names import UnknownPaper, named_papers
from agents.tools.tool import AnyTool, ToolContext, ToolError, ToolResult
from cache import fulltext, papers
from cache.errors import CacheError

RELAXED = (
    "without_years", "without_tags", "without_types", "without_venues", "without_authors", "open_access",
    "has_abstract", "noted", "rating", "types", "read", "tags", "saved", "max_citations", "min_citations",
    "venues", "until", "since", "any_authors", "authors", "without", "any_words", "title_words", "words",
)  # fmt: skip
"""Conditions in the order in which they are given up where all together leave nothing: those first that say the least
of what is wanted."""
ELSEWHERE = "candidates"
"""What was given up where papers were found in the whole library, and not among those that were spoken of."""
SHOWS = frozenset({"list", "rank", "resemble"})
"""Steps that go on with papers to look at: before them, and only then, an empty choice is of no use to anybody."""


async def execute(session: ConversationSession) -> None:
    """Do the steps of the turn's plan that are left, until one fails or waits for the person's yes."""
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
            named = await asyncio.to_thread(named_papers, _names_in(given), session.context())
        except ToolError as error:
            session.post(_failed(number, step.tool, error))
            return
        changes.append(Change(number, named))
        told.append(change_text(tool.name, given, papers.by_ids(session.store, named)))
    session.post(ChangeProposed(tuple(changes), proposal(told)))


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
    if tool is not FILTER or result.papers or context.candidates == () or not _for_looking(session, rest):
        return result, ()
    asked: FilterArguments = tool.read(step.arguments)
    if asked.impossible:
        return result, ()
    if context.candidates is not None and asked.words and asked.except_papers:
        # Who refuses what was shown and says what else it is about is not looking for one of the rest.
        context = replace(context, candidates=None)
        result = await tool.run(step.arguments, context)
        if result.papers:
            return result, (ELSEWHERE,)
    soft = any(step.tool == "resemble" for step in rest)
    relaxed = await _relaxed(asked, context, result, soft)
    if len(words := _telling_words(asked)) >= (LONG if relaxed[0].papers else 3):
        return await _best_matching(asked, words, context, alone=not relaxed[0].papers) or relaxed
    return relaxed


LONG = 5
"""Words of a question that no paper can be expected to hold all."""


def _telling_words(given: FilterArguments) -> list[str]:
    """The words of the subject, each once."""
    return fulltext.words_of(" ".join(given.words))[:12] if given.words else []


async def _best_matching(
    given: FilterArguments, words: Sequence[str], context: ToolContext, *, alone: bool
) -> tuple[ToolResult, tuple[str, ...]] | None:
    """The papers that meet the other conditions and have at least half of the words of the subject: those with most of
    them first, and among these those that match best (BM25). None if there are none, or if a word is in none and this
    is not `alone`: other conditions could be given up."""
    others = {key: value for key, value in given.model_dump(exclude_defaults=True).items() if key != "words"}
    having = [set((await FILTER.run({**others, "words": (word,)}, context)).papers or ()) for word in words]
    if not (alone or all(having)):
        return None  # that a word is unknown says more
    least = max(2, (len(words) + 1) // 2)
    count = Counter(number for found in having for number in found)
    ranked = (await FILTER.run({"any_words": tuple(words)}, context)).papers or ()
    found = tuple(sorted((number for number in ranked if count[number] >= least), key=lambda number: -count[number]))
    if not found:
        return None
    held = [word for word, papers_with in zip(words, having, strict=True) if papers_with & set(found)]
    words_told = listed([f"“{word}”" for word in held])
    told = f"Each has at least {least} of the words {words_told}; those that match best come first."
    return ToolResult(found, values={"found": len(found), "of": None}, notes=(told,)), ("all_words",)


def _for_looking(session: ConversationSession, rest: Sequence[Step]) -> bool:
    """Whether the steps that are left show papers, and change nothing."""
    tools = [session.tools.get(step.tool) for step in rest]
    return any(step.tool in SHOWS for step in rest) and not any(tool is None or tool.changes for tool in tools)


async def _relaxed(
    given: FilterArguments, context: ToolContext, nothing: ToolResult, soft: bool
) -> tuple[ToolResult, tuple[str, ...]]:
    """The papers that are left when conditions are given up, one at a time, the least important first; of phrases one
    at a time too, down to one. `nothing` where that does not help, or where there is but one condition; that is given
    up as well where what is left is chosen by its likeness (`soft`)."""
    told = given.model_dump(exclude_defaults=True)
    given_up: list[str] = []
    for name in (name for name in RELAXED if name in told):
        phrases = told[name] if name in ("words", "title_words", "authors") else ()
        if len(phrases) > 1 and (left := await _fewer(told, name, phrases, context)):
            found, dropped = left
            return found, (*given_up, *(f"{name}: {phrase}" for phrase in dropped))
        without = {key: value for key, value in told.items() if key != name}
        if not without and not soft:
            break
        given_up.append(name)
        if (found := await FILTER.run(without, context)).papers:
            return found, tuple(given_up)
        told = without
    return nothing, ()


async def _fewer(
    told: Mapping[str, Any], name: str, phrases: Sequence[str], context: ToolContext
) -> tuple[ToolResult, list[str]] | None:
    """The papers that are left with fewer of the phrases, and those that were given up: one, if without it any are
    left; if that helps for none, the one that the fewest papers have, and so on. None if nothing has any of them."""
    having = {
        phrase: set((await FILTER.run({**told, name: (phrase,)}, context)).papers or ()) for phrase in phrases
    }  # fmt: skip
    kept, dropped = list(phrases), list[str]()
    while len(kept) > 1:
        helping = (one for one in kept if set.intersection(*(having[other] for other in kept if other != one)))
        worst = next(helping, None) or min(kept, key=lambda phrase: len(having[phrase]))
        kept.remove(worst)
        dropped.append(worst)
        if set.intersection(*(having[phrase] for phrase in kept)):
            return await FILTER.run({**told, name: tuple(kept)}, context), dropped
    return None


def _failed(number: int, tool: str, error: ToolError) -> StepDone:
    return StepDone(number, tool, error=str(error), unknown=error.name if isinstance(error, UnknownPaper) else "")
