"""Choose and order the candidates: hard and soft conditions, ranking, storing and fetching (InteRecAgent §3.1)."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, Field

from agents.tools import nearness
from agents.tools.filter_arguments import FILTER_ARGUMENTS, FilterArguments, Papers
from agents.tools.paper_names import named_papers
from agents.tools.tool import PAGE, Arguments, NoArguments, Tool, ToolContext, ToolError, ToolResult
from cache import papers
from cache.conditions import library, orders
from cache.conditions.filters import Filter, filter_by
from cache.store import PaperId


class ResembleArguments(Arguments):
    """`share` is how near a paper must be, as a share of how near the nearest are."""

    papers: Papers = ()
    words: str = Field("", max_length=1_000)
    unlike: Papers = ()
    unlike_words: str = Field("", max_length=1_000)
    share: float = Field(0.3, gt=0, le=1)


def _order(name: str) -> str:
    try:
        orders.named(name)
    except KeyError:
        raise ValueError(f"input should be one of {', '.join(orders.ORDERS)}") from None
    return name


class RankArguments(Arguments):
    """`by` is an order of `cache.conditions.orders`, `reverse` the other way round. `words` are for relevance; `prefer`
    and `unwanted` are papers that count for the taste in addition to the history."""

    by: Annotated[str, AfterValidator(_order), Field(json_schema_extra={"enum": list(orders.ORDERS)})]
    reverse: bool = False
    words: str = Field("", max_length=1_000)
    prefer: Papers = ()
    unwanted: Papers = ()


class TakeArguments(Arguments):
    papers: Papers = Field(min_length=1)


class ListArguments(Arguments):
    """`first` is the position of the first paper to show, from 1."""

    first: int = Field(1, ge=1)
    limit: int = Field(PAGE, ge=1, le=100)


async def _filter(arguments: FilterArguments, context: ToolContext) -> ToolResult:
    excluded = set(await _called(arguments.except_papers, context))
    matches = await asyncio.to_thread(library.matching, context.store, arguments.wanted, context.candidates)
    numbers = tuple(number for number in matches if number not in excluded)
    before = None if context.candidates is None else len(context.candidates)
    unsure = await asyncio.to_thread(library.perhaps_outside, context.store, arguments.wanted, numbers)
    notes = undated(unsure, len(numbers))
    unsaved = await asyncio.to_thread(_unsaved, context, numbers) if before is None else 0
    if 0 < unsaved < len(numbers):
        notes = (f"{unsaved:,} of them {'is' if unsaved == 1 else 'are'} not on your shelf.", *notes)
    elif unsaved and arguments.given.get("saved") is not False:
        notes = (f"{'It is not' if unsaved == 1 else 'None of them is'} on your shelf.", *notes)
    return ToolResult(numbers, values={"found": len(numbers), "of": before}, notes=notes)


def undated(unsure: int, count: int) -> tuple[str, ...]:
    """Say that the dates of `unsure` of the `count` papers are known less precisely than the filter requires."""
    if not unsure:
        return ()
    if count == 1:
        return ("Its exact date is not known, so it may be outside these dates.",)
    subject = "all of them" if unsure == count else f"{unsure:,} of them"
    return (f"The exact dates of {subject} are not known, so they may be outside these dates.",)


async def _resemble(arguments: ResembleArguments, context: ToolContext) -> ToolResult:
    liked, unliked = await _called(arguments.papers, context), await _called(arguments.unlike, context)
    if not (liked or arguments.words or unliked or arguments.unlike_words):
        raise ToolError("Give papers or words that the result should be like.")
    likeness = nearness.Likeness(liked, arguments.words, unliked, arguments.unlike_words)
    of = None if context.candidates is None else len(context.candidates)
    paper_ids = await asyncio.to_thread(nearness.alike, context.store, likeness, context.candidates, arguments.share)
    return ToolResult(tuple(paper_ids), values={"found": len(paper_ids), "of": of})


async def _rank(arguments: RankArguments, context: ToolContext) -> ToolResult:
    candidates = await _candidates(context)
    prefer, unwanted = await _called(arguments.prefer, context), await _called(arguments.unwanted, context)
    notes: tuple[str, ...] = ()
    by = orders.named(arguments.by, arguments.reverse)
    match by.order.needs:
        case "words":
            if not (arguments.words or prefer):
                raise ToolError(f"To order by {by.order.name}, give words or papers to compare with.")
            likeness = nearness.Likeness(prefer, arguments.words, unwanted)
            order: Sequence[PaperId] = await asyncio.to_thread(
                nearness.nearest_first, context.store, likeness, candidates
            )
        case "taste":
            order, why = await asyncio.to_thread(
                nearness.by_preference,
                context.store,
                context.now,
                candidates,
                prefer,
                unwanted,
                arguments.words,
                context.noted,
            )
            notes = (why,) if why else ()
        case _:
            order = await asyncio.to_thread(library.ordered, context.store, candidates, arguments.by, arguments.reverse)
    if by.order.name == "citations" and order:
        unknown = await asyncio.to_thread(library.uncounted, context.store, order)
        if unknown == len(order):
            raise ToolError("None of them has a known number of citations, so this order is not possible.")
        notes = (_uncounted(unknown, by.words),) if unknown else ()
    if by.order.needs == "shelf" and order:
        unsaved = await asyncio.to_thread(_unsaved, context, order)
        notes = (_not_saved(unsaved, len(order)),) if unsaved else ()
    return ToolResult(
        tuple(order), values={"found": len(order), "by": arguments.by, "reverse": arguments.reverse}, notes=notes
    )


async def _candidates(context: ToolContext) -> tuple[PaperId, ...]:
    """Return the papers under consideration, by default the whole library."""
    if context.candidates is not None:
        return context.candidates
    return tuple(await asyncio.to_thread(library.matching, context.store, Filter()))


def _unsaved(context: ToolContext, papers: Sequence[PaperId]) -> int:
    saved = set(library.matching(context.store, filter_by(saved=True)))
    return sum(number not in saved for number in papers)


def _not_saved(unsaved: int, of: int) -> str:
    if unsaved == of:
        return "None of them is on your shelf, so this order changes nothing."
    predicate = "is not on your shelf and comes" if unsaved == 1 else "are not on your shelf and come"
    return f"{unsaved:,} of them {predicate} last."


def _uncounted(unknown: int, first: str) -> str:
    first = f"T{first[1:].replace(' first', ' come first')}"
    if unknown == 1:
        return f"{first}; 1 of them has no known number of citations and comes last."
    return f"{first}; {unknown:,} of them have no known number of citations and come last."


async def _take(arguments: TakeArguments, context: ToolContext) -> ToolResult:
    paper_ids = await asyncio.to_thread(named_papers, arguments.papers, context)
    return ToolResult(paper_ids, values={"found": len(paper_ids)})


async def _list(arguments: ListArguments, context: ToolContext) -> ToolResult:
    candidates = await _candidates(context)
    numbers = candidates[arguments.first - 1 : arguments.first - 1 + arguments.limit]
    if candidates and not numbers:
        raise ToolError(f"There is no paper {arguments.first}: the list has {len(candidates):,}.")
    values: dict[str, object] = {"first": arguments.first, "shown": len(numbers), "of": len(candidates)}
    if len(numbers) == 1:
        values["title"] = "".join(paper.title for paper in papers.by_ids(context.store, numbers))
    return ToolResult(candidates, numbers, values)


async def _undo(arguments: NoArguments, context: ToolContext) -> ToolResult:
    if not context.earlier:
        raise ToolError("There is no earlier list to go back to.")
    before = context.earlier[-1]
    if before is None:
        before = tuple(await asyncio.to_thread(library.matching, context.store, Filter()))
    return ToolResult(before, values={"found": len(before)})


async def _called(names: Sequence[str], context: ToolContext) -> tuple[PaperId, ...]:
    return await asyncio.to_thread(named_papers, names, context)


FILTER = Tool("filter", "Keep those candidates that meet hard conditions.", FILTER_ARGUMENTS, _filter)
RESEMBLE = Tool("resemble", "Keep those candidates that are like papers or words, and not like others.",
                ResembleArguments, _resemble)  # fmt: skip
RANK = Tool("rank", "Order the candidates, the best first.", RankArguments, _rank)
TAKE = Tool("take", "Let these papers, and no others, be the candidates.", TakeArguments, _take)
LIST = Tool("list", "Show a part of the candidates.", ListArguments, _list)
UNDO = Tool("undo", "Go back to the candidates before the last change of them.", NoArguments, _undo)
