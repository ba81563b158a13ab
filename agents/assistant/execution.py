"""Run a plan strictly step by step: candidates flow through the bus, and every step posts its result (InteRecAgent
§3.2, §3.3)."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agents.assistant.events import AnswerRow, ChangeProposed, ConversationEvent, ProposedChange, Step, StepDone
from agents.assistant.options import CALLS, ConversationOptions
from agents.assistant.state import ConversationState, Turn
from agents.assistant.wording.outcomes import NAMED, papers_text
from agents.run.control import Control
from agents.run.errors import RunError
from agents.run.events import FoundBy, PaperFound, WorksJoined
from agents.run.findings import Board
from agents.run.resources import Resources
from agents.run.retrieval.fetching import taken_in
from agents.run.session import RunSession
from agents.taste.context import ReaderContext
from agents.tools import nearness
from agents.tools.candidates import FILTER
from agents.tools.change_phrases import step_lines
from agents.tools.changes import (
    SAVE,
    TAKE_BACK,
    UNSAVE,
    MarkArguments,
    NoteArguments,
    RememberArguments,
    SaveArguments,
    TagArguments,
    WatchArguments,
    last_change,
)
from agents.tools.filter_arguments import FilterArguments
from agents.tools.paper_names import UnknownPaper, named_papers
from agents.tools.table import by_name
from agents.tools.tool import AnyTool, Interface, ToolContext, ToolError, ToolResult
from cache import fulltext, papers
from cache.conditions.wording import listed, quoted
from cache.errors import CacheError
from cache.journal import as_one_step
from cache.shelf import numbers_on_shelf, tags_of
from cache.store import PaperId
from cache.taking_back import StepBack
from connectors.paper import Paper

LIBRARY = "library"
"""Source name of papers that a message found in the library."""


class ConversationSession(RunSession[ConversationState, ConversationEvent]):
    """A conversation under way; its resources name the person's library and the interface that shows papers."""

    def __init__(
        self,
        resources: Resources,
        options: ConversationOptions,
        board: Board[ConversationState, ConversationEvent],
        control: Control,
    ) -> None:
        super().__init__(replace(resources, source_seconds=options.source_seconds), board, control, options, CALLS)
        assert isinstance(resources.reader, ReaderContext)
        self.reader = resources.reader
        self.store, self.now = self.reader.store, self.reader.now
        self.options = options
        self.interface: Interface | None = resources.interface  # type: ignore[assignment]  # the kernel need not know it
        self.tools: Mapping[str, AnyTool] = by_name(self.interface.tools if self.interface else ())

    @property
    def turn(self) -> Turn:
        """The current turn."""
        return self.state.turns[-1]

    def context(self) -> ToolContext:
        """Return the context in which tools run now."""
        state = self.state
        return ToolContext(
            self.store, self.resources, self.now, state.candidates, state.shown, state.focus, state.earlier,
            self.resources.run, self.interface, tuple((note.facet, note.text, note.papers) for note in state.noted),
        )  # fmt: skip

    def shown(self, numbers: Iterable[PaperId]) -> tuple[tuple[AnswerRow, ...], list[PaperFound | WorksJoined]]:
        """Return the rows to show, each with its position among the candidates, and the events that report their
        papers. Omits papers that are no longer in the library. Where some are saved, rows name those that are not."""
        position = {number: position for position, number in enumerate(self.state.candidates or (), start=1)}
        reasons = {key: text for done in self.turn.outcomes for key, text in done.values.get("said", {}).items()}
        numbers = tuple(dict.fromkeys(numbers))
        unsaved = set(numbers) - set(numbers_on_shelf(self.store))
        reasons = dict.fromkeys(map(str, unsaved if len(unsaved) < len(numbers) else ()), _NOT_SAVED) | reasons
        rows: list[AnswerRow] = []
        events: list[PaperFound | WorksJoined] = []
        for rank, number in enumerate(numbers, start=1):
            for paper in papers.by_ids(self.store, [number]):
                taken = taken_in(self.works, [(paper, FoundBy(LIBRARY, self.turn.message[:200], rank))])
                events += taken
                assert isinstance(taken[0], PaperFound)
                rows.append(AnswerRow(taken[0].work, number, position.get(number, rank), reasons.get(str(number), "")))
        return tuple(rows), events


_NOT_SAVED = "Not on your shelf."
_MARKS = {
    "read": "mark {} as read",
    "unread": "mark {} as not read",
    "like": "note that you like {}",
    "dislike": "note that you do not like {}",
    "unrated": "note that you neither like nor dislike {}",
    "dismiss": "note that {} {be} not for you",
}


def proposal(changes: Sequence[str]) -> str:
    """Return the question whether to do all of `changes`."""
    return f"This would {listed(changes)}. Shall I? (yes or no)"


def change_text(arguments: object, papers: Sequence[Paper], undone: StepBack | None = None) -> str:
    """Return what a tool with `arguments` would do to these papers, or which step it would undo, as the words
    after "would"."""
    if undone:
        lines = step_lines(undone, undone.papers)
        return "undo this: " + (listed(lines) if len(lines) <= NAMED else f"a change of {papers_text(len(lines))}")
    these = (
        listed([f"“{paper.title}”" for paper in papers]) if len(papers) <= NAMED else f"these {len(papers):,} papers"
    )
    match arguments:
        case SaveArguments(tags=tags):
            return f"save {these}" + (f" with the {_tags(tags)}" if tags else "")
        case TagArguments(add=add, remove=remove):
            parts = [
                f"add the {_tags(add)} to {these}" if add else "",
                f"remove the {_tags(remove)} from {these}" if remove else "",
            ]
            return listed(list(filter(None, parts)))
        case NoteArguments(text=""):
            return f"erase the note about {these}"
        case NoteArguments(text=text):
            return f"write this note about {these}, in place of any other: “{text}”"
        case MarkArguments(mark=mark):
            return _MARKS[mark].replace("{be}", "is" if len(papers) == 1 else "are").replace("{}", these)
        case WatchArguments(question=question):
            return f"watch for new papers on “{question}”; `spar watch` shows them"
        case RememberArguments(facet=facet, text=text):
            return f"write into your profile, as what you {facet}: “{text}”"
    return f"remove {these} from your shelf, with tags and notes"


def _tags(tags: Sequence[str]) -> str:
    return f"{'tag' if len(tags) == 1 else 'tags'} {listed([f'“{tag}”' for tag in tags])}"


RELAXED = (
    "years", "without_years", "without_rating", "without_tags", "without_types", "without_venues", "without_authors",
    "open_access", "has_abstract", "noted", "saved_since", "saved_until", "rating", "types", "read", "tags", "tagged",
    "saved", "max_authors", "min_authors", "max_citations", "min_citations", "venues", "until", "since", "any_authors",
    "authors", "none_of", "any_of", "without", "any_words", "title_words", "words",
)  # fmt: skip
"""Conditions in the order in which they are given up if no paper meets all of them, the least important first."""
TELLING = frozenset({"words", "title_words", "any_words", "authors", "any_authors", "venues", "tags", "since", "until",
                     "years", "types", "read", "rating", "any_of"})  # fmt: skip
"""Conditions of which at least one must remain: papers that meet none of them are no answer."""
LONG = 5
"""From this number of words on, no paper can be expected to have all words of a subject."""
FEW = 5
"""Fewer papers than this are no answer to a request for the papers on a subject."""
_BEHIND = 10
"""Maximum number of partial matches behind the papers that have all words of the subject."""
_SHARE = 0.5
"""Minimum share of the subject's words, weighted by rarity, for a paper behind full matches; without full matches,
minimum fraction of the best match's share."""
_STRANGE = 0.25
"""Give up other conditions, not words, if more than this share of the subject's words is in no paper."""
_LEAST = 0.3
"""Minimum share of the subject's words that the best match must have."""


def telling_words(arguments: FilterArguments) -> list[str]:
    """Return the words of the subject, each once."""
    return fulltext.words_of(" ".join(arguments.phrases)) if arguments.phrases else []


async def with_nearest(arguments: FilterArguments, result: ToolResult, context: ToolContext) -> ToolResult:
    """Add, behind the few papers that have all words of the subject, those that have most of them."""
    strict = result.papers or ()
    near = await _nearest(arguments, context)
    behind = tuple(number for number in near.order if number not in strict and near.share[number] >= _SHARE)
    if not behind[:_BEHIND]:
        return result
    behind = behind[:_BEHIND]
    after = "1 paper has" if len(behind) == 1 else f"{len(behind)} papers have"
    text = f"After that, {after} some of these words: {quoted(near.known)}; the best match comes first."
    return ToolResult((*strict, *behind), values=result.values, notes=(*result.notes, text))


async def best_matching(
    arguments: FilterArguments, context: ToolContext, *, alone: bool
) -> tuple[ToolResult, tuple[str, ...]] | None:
    """Return the papers that meet the other conditions, the one with most words of the subject first. None if none has
    enough, or if too many words are in no paper and this is not `alone`: other conditions could be given up."""
    near = await _nearest(arguments, context)
    strange = len(near.unknown) > _STRANGE * (len(near.known) + len(near.unknown))
    if not near.order or (strange and not alone):
        return None  # giving up conditions says more
    best = max(near.share.values())
    paper_ids = tuple(number for number in near.order if near.share[number] >= best * _SHARE)
    if best < _LEAST:
        return None
    text = f"Each has some of these words: {quoted(near.known)}; the best match comes first."
    lacking = (f"No paper has {quoted(near.unknown, 'or')}.",) if near.unknown else ()
    return ToolResult(paper_ids, values={"found": len(paper_ids), "of": None}, notes=(*lacking, text)), ("all_words",)


async def _nearest(arguments: FilterArguments, context: ToolContext) -> nearness.ByWords:
    """Rank the papers that meet the other conditions by their words of the subject."""
    others = {key: value for key, value in arguments.model_dump(exclude_defaults=True).items() if key != "words"}
    among = (await FILTER.run(others, context)).papers if others else context.candidates
    return nearness.by_words(context.store, " ".join(arguments.phrases), among)


async def relaxed(
    arguments: FilterArguments, context: ToolContext, nothing: ToolResult, soft: bool
) -> tuple[ToolResult, tuple[str, ...]]:
    """Give up conditions one at a time, in the order of `RELAXED`, until papers are left; return these and what was
    given up, or `nothing` and () if that fails. Of several phrases, keep as many as possible. Keep at least one
    condition of `TELLING`, unless a later step chooses by likeness (`soft`)."""
    conditions = arguments.model_dump(exclude_defaults=True)
    given_up: list[str] = []
    for name in (name for name in RELAXED if name in conditions):
        phrases = conditions[name] if name in ("words", "title_words", "authors") else ()
        if len(phrases) > 1 and (fewer := await _fewer(conditions, name, phrases, context)):
            tool_result, dropped = fewer
            return tool_result, (*given_up, *(f"{name}: {phrase}" for phrase in dropped))
        without = {key: value for key, value in conditions.items() if key != name}
        if not soft and not (without.keys() & TELLING):
            break
        given_up.append(name)
        if (tool_result := await FILTER.run(without, context)).papers:
            return tool_result, tuple(given_up)
        conditions = without
    return nothing, ()


async def _fewer(
    conditions: Mapping[str, Any], name: str, phrases: Sequence[str], context: ToolContext
) -> tuple[ToolResult, list[str]] | None:
    """Drop phrases until some papers have all the others; return these papers and the dropped phrases. Drop a phrase
    that suffices alone, otherwise the one in the fewest papers, and repeat. None if no paper has any phrase."""
    having = {
        phrase: set((await FILTER.run({**conditions, name: (phrase,)}, context)).papers or ()) for phrase in phrases
    }  # fmt: skip
    kept, dropped = list(phrases), list[str]()
    while len(kept) > 1:
        helping = (
            left_out for left_out in kept if set.intersection(*(having[other] for other in kept if other != left_out))
        )
        worst = next(helping, None) or min(kept, key=lambda phrase: len(having[phrase]))
        kept.remove(worst)
        dropped.append(worst)
        if set.intersection(*(having[phrase] for phrase in kept)):
            return await FILTER.run({**conditions, name: tuple(kept)}, context), dropped
    return None


ELSEWHERE = "candidates"
"""Entry of `relaxed` if papers were found in the whole library instead of among those mentioned before."""
SHOWS = frozenset({"list", "rank", "resemble"})
"""Steps that show papers: only before them are conditions given up when no paper meets all."""


async def execute(session: ConversationSession) -> None:
    """Do the remaining steps of the turn's plan until one fails or needs the person's yes. One undo reverts all their
    changes."""
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
    """Post what the next steps would change, or why one of them cannot be done."""
    plan = session.turn.plan
    changes: list[ProposedChange] = []
    lines: list[str] = []
    for number, step in enumerate(plan.steps if plan else ()):
        tool = session.tools.get(step.tool)
        if number < first:
            continue
        if tool is None or not tool.changes:
            break  # later steps may be about other papers
        try:
            arguments = tool.read(step.arguments)
            undone = await asyncio.to_thread(last_change, session.store) if tool is TAKE_BACK else None
            numbers = await asyncio.to_thread(named_papers, _names_in(arguments), session.context())
            numbers = tuple(undone.papers) if undone else numbers
            if not numbers and _names_in(arguments):
                raise ToolError("No paper matches that. Nothing was changed.")
            numbers = _concerned(session, tool, numbers, arguments)
        except ToolError as error:
            session.post(_failed(number, step.tool, error))
            return
        changes.append(ProposedChange(number, numbers))
        lines.append(change_text(arguments, papers.by_ids(session.store, numbers), undone))
    session.post(ChangeProposed(tuple(changes), proposal(lines)))


def _concerned(
    session: ConversationSession, tool: AnyTool, numbers: tuple[PaperId, ...], arguments: object
) -> tuple[PaperId, ...]:
    """Return those of `numbers` that the tool would change: of papers to take off the shelf those on it, of papers to
    save without a tag those that are not, of papers to take a tag off those that have it. Raises `ToolError` if there
    is none."""
    if isinstance(arguments, TagArguments) and arguments.remove and not arguments.add:
        unwanted = {tag.casefold() for tag in arguments.remove}
        there = tags_of(session.store, numbers)
        concerned = tuple(n for n in numbers if unwanted & {tag.casefold() for tag in there.get(n, ())})
        if not concerned:
            raise ToolError(f"No such paper is tagged {quoted(arguments.remove, 'or')}. Nothing was changed.")
        return concerned
    if tool not in (SAVE, UNSAVE) or not numbers or getattr(arguments, "tags", False):
        return numbers
    saved = numbers_on_shelf(session.store)
    if concerned := tuple(paper for paper in numbers if (paper in saved) is (tool is UNSAVE)):
        return concerned
    [title, *others] = [paper.title for paper in papers.by_ids(session.store, numbers)]
    if tool is UNSAVE:
        what = f"None of these {len(numbers):,} papers" if others else f"“{title}”"
        raise ToolError(f"{what} is {'' if others else 'not '}on your shelf, so there is nothing to remove.")
    what = f"These {len(numbers):,} papers are" if others else f"“{title}” is"
    raise ToolError(f"{what} already on your shelf. Nothing was changed.")


def _names_in(arguments: object) -> list[str]:
    """Return the names of papers in arguments."""
    return [name for name in (*getattr(arguments, "papers", ()), getattr(arguments, "paper", "")) if name]


def settled(step: Step, change: ProposedChange) -> Step:
    """Return the step with the papers for which it was proposed, whatever is shown now."""
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
    """Return the result of a step, and the conditions given up because no paper met all."""
    context = session.context()
    result = await tool.run(step.arguments, context)
    assert session.turn.plan is not None
    rest = session.turn.plan.steps[number + 1 :]
    if tool is not FILTER or context.candidates == () or not _for_looking(session, rest):
        return result, ()
    filter_arguments: FilterArguments = tool.read(step.arguments)
    if filter_arguments.impossible:
        return result, ()
    if result.papers:
        of_a_subject = len(telling_words(filter_arguments)) > 1 and [step.tool for step in rest] == ["list"]
        few = of_a_subject and len(result.papers) < FEW
        return (await with_nearest(filter_arguments, result, context) if few else result), ()
    if context.candidates is not None and filter_arguments.phrases and filter_arguments.except_papers:
        # A person who rejects the papers shown and names a subject wants other papers, not the rest of the list.
        context = replace(context, candidates=None)
        result = await tool.run(step.arguments, context)
        if result.papers:
            return result, (ELSEWHERE,)
    soft = any(step.tool == "resemble" for step in rest)
    fewer = await relaxed(filter_arguments, context, result, soft)
    if len(telling_words(filter_arguments)) >= (LONG if fewer[0].papers else 2):
        return await best_matching(filter_arguments, context, alone=not fewer[0].papers) or fewer
    return fewer


def _for_looking(session: ConversationSession, rest: Sequence[Step]) -> bool:
    """Whether the remaining steps show papers and change nothing."""
    tools = [session.tools.get(step.tool) for step in rest]
    return any(step.tool in SHOWS for step in rest) and not any(tool is None or tool.changes for tool in tools)


def _failed(number: int, tool: str, error: ToolError) -> StepDone:
    return StepDone(number, tool, error=str(error), unknown=error.name if isinstance(error, UnknownPaper) else "")
