"""Tools that change the shelf or the profile. None of them runs without the person's consent."""

from collections.abc import Callable, Sequence
from typing import Literal

from pydantic import Field

from agents.tools import profile_actions, shelf_changes
from agents.tools.change_phrases import step_lines
from agents.tools.filter_arguments import Papers, Phrases
from agents.tools.paper_names import SHOWN, named_papers, the_paper
from agents.tools.tool import Arguments, Tool, ToolContext, ToolError, ToolResult, in_thread
from cache import papers as library
from cache.errors import NotOnShelf
from cache.reading_history import Feedback
from cache.store import PaperId, Store
from cache.taking_back import StepBack, take_back_last

Mark = Literal["read", "unread", "like", "dislike", "unrated", "dismiss"]


class SaveArguments(Arguments):
    papers: Papers = (SHOWN,)
    tags: Phrases = ()


class PapersArguments(Arguments):
    papers: Papers = (SHOWN,)


class TagArguments(Arguments):
    papers: Papers = (SHOWN,)
    add: Phrases = ()
    remove: Phrases = ()


class NoteArguments(Arguments):
    """An empty text erases the note."""

    paper: str = Field(min_length=1, max_length=500)
    text: str = Field(max_length=100_000)


class MarkArguments(Arguments):
    papers: Papers = (SHOWN,)
    mark: Mark = Field(alias="as")


class TakeBackArguments(Arguments):
    """The papers that the last change was about when the person agreed; none if not asked."""

    papers: tuple[str, ...] = ()


class RememberArguments(Arguments):
    """A line of the profile: what the person likes, dislikes or expects, in their own words."""

    facet: Literal["like", "dislike", "expect"]
    text: str = Field(min_length=1, max_length=1_000)


class WatchArguments(Arguments):
    """A question for which new papers are looked for from time to time."""

    question: str = Field(min_length=1, max_length=2_000)


def _done(
    names: Sequence[str], context: ToolContext, do: Callable[[Sequence[PaperId]], dict[str, object]]
) -> ToolResult:
    """Apply `do` to the papers called `names`; it returns facts for the answer."""
    numbers = named_papers(names, context)
    if not numbers:
        raise ToolError("That names no paper, so nothing was changed.")
    papers = library.by_ids(context.store, numbers)
    try:
        values = do(numbers)
    except NotOnShelf as error:
        raise ToolError(f"Nothing was changed: {error}") from None
    titles = [paper.title for paper in papers[:3]]
    focus = numbers if len(numbers) == 1 else ()  # "it" means this paper from now on
    return ToolResult(shown=focus, values={"papers": len(papers), "titles": titles, **values})


@in_thread
def _save(arguments: SaveArguments, context: ToolContext) -> ToolResult:
    def do(numbers: Sequence[PaperId]) -> dict[str, object]:
        new = len(shelf_changes.save(context.store, numbers, tags=arguments.tags).new)
        return {"new": new, "there": len(numbers) - new, "tags": list(arguments.tags)}

    return _done(arguments.papers, context, do)


@in_thread
def _unsave(arguments: PapersArguments, context: ToolContext) -> ToolResult:
    return _done(
        arguments.papers, context, lambda numbers: {"gone": len(shelf_changes.take_off(context.store, numbers).gone)}
    )


@in_thread
def _tag(arguments: TagArguments, context: ToolContext) -> ToolResult:
    if not (arguments.add or arguments.remove):
        raise ToolError("Say which tag to add or remove.")

    def do(numbers: Sequence[PaperId]) -> dict[str, object]:
        change = shelf_changes.tag(context.store, numbers, arguments.add, arguments.remove, saving=bool(arguments.add))
        return {"new": len(change.new), "add": list(arguments.add), "remove": list(arguments.remove)}

    return _done(arguments.papers, context, do)


@in_thread
def _note(arguments: NoteArguments, context: ToolContext) -> ToolResult:
    number, paper = the_paper(arguments.paper, context)
    change = shelf_changes.note(context.store, number, arguments.text, saving=True)
    return ToolResult(shown=(number,), values={"title": paper.title, "new": len(change.new), "note": arguments.text})


@in_thread
def _mark(arguments: MarkArguments, context: ToolContext) -> ToolResult:
    def do(numbers: Sequence[PaperId]) -> dict[str, object]:
        match arguments.mark:
            case "read" | "unread":
                shelf_changes.mark_read(context.store, numbers, arguments.mark == "read", saving=True)
            case "like" | "dislike" | "unrated":
                rating: Feedback = 1 if arguments.mark == "like" else -1 if arguments.mark == "dislike" else 0
                shelf_changes.rate(context.store, numbers, rating, context.run)
            case "dismiss":
                shelf_changes.dismiss(context.store, numbers, context.run)
        return {"as": arguments.mark}

    return _done(arguments.papers, context, do)


@in_thread
def _take_back(arguments: TakeBackArguments, context: ToolContext) -> ToolResult:
    agreed = set(named_papers(arguments.papers, context))
    step = last_change(context.store)
    if agreed and agreed != step.papers.keys():
        raise ToolError("Something else was changed meanwhile, so nothing was undone.")
    step = take_back_last(context.store) or step
    kept_changes = step.papers.keys() - step.back
    return ToolResult(values={"back": step_lines(step, step.back), "left": step_lines(step, kept_changes)})


def last_change(store: Store) -> StepBack:
    """Return the change that undo would revert. Raises `ToolError` if there is none."""
    if step := take_back_last(store, only_look=True):
        return step
    raise ToolError("There is nothing to undo.")


@in_thread
def _remember(arguments: RememberArguments, context: ToolContext) -> ToolResult:
    try:
        change = profile_actions.add(context.store, arguments.facet, arguments.text, context.now)
    except ValueError as error:
        raise ToolError(f"Nothing was written: {error}.") from None
    [line] = change.after
    against = [
        other.text
        for contradiction in change.contradictions
        for other in contradiction.lines
        if other.text != line.text
    ]
    facts = {"facet": line.facet, "text": line.text, "there": bool(change.before)}
    return ToolResult(
        values=facts, notes=tuple(f"It contradicts your line “{text}”, so neither counts." for text in against)
    )


@in_thread
def _watch(arguments: WatchArguments, context: ToolContext) -> ToolResult:
    from agents.tools.watching import watch_question

    name = watch_question(context.store, arguments.question, context.now)
    return ToolResult(values={"name": name, "question": arguments.question})


SAVE = Tool("save", "Save papers to the shelf.", SaveArguments, _save, changes=True)
UNSAVE = Tool("unsave", "Remove saved papers, with their tags and notes.", PapersArguments, _unsave, changes=True)
TAG = Tool("tag", "Give saved papers tags, or take tags off them.", TagArguments, _tag, changes=True)
NOTE = Tool("note", "Write the note about a paper, in place of what it was.", NoteArguments, _note, changes=True)
MARK = Tool("mark", "Mark papers as read, unread, liked, disliked, unrated or not for the person.",
            MarkArguments, _mark, changes=True)  # fmt: skip
TAKE_BACK = Tool("take_back", "Undo the last change of papers: saving, tags, notes, marks, corrections, merges.",
                 TakeBackArguments, _take_back, changes=True)  # fmt: skip
REMEMBER = Tool("remember", "Write a line of the person's profile.", RememberArguments, _remember, changes=True)
WATCH = Tool(
    "watch", "Watch for new papers on a question; `spar watch` shows them.", WatchArguments, _watch, changes=True
)
