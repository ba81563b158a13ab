"""Choosing and ordering the candidates: hard and soft conditions, ranking, storing and fetching (InteRecAgent §3.1)."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from agents.builtin.venue_names import keys_of
from agents.tools import nearness
from agents.tools.paper_names import named_papers
from agents.tools.tool import Arguments, NoArguments, Tool, ToolContext, ToolError, ToolResult
from cache import conditions, papers
from cache.conditions import Conditions
from cache.store import PaperId
from connectors.paper import PaperType

PAGE = 10
"""Papers that are shown at once."""


def _as_date(given: object) -> object:
    return str(given) if isinstance(given, int) else given


Day = Annotated[str, BeforeValidator(_as_date), Field(pattern=r"^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$")]
"""A date of the precision that is known: 2023, 2023-05, 2023-05-17."""
Year = Annotated[str, BeforeValidator(_as_date), Field(pattern=r"^[0-9]{4}$")]
Phrases = Annotated[tuple[Annotated[str, Field(max_length=300)], ...], Field(max_length=20)]
Papers = Annotated[tuple[Annotated[str, Field(max_length=500)], ...], Field(max_length=500)]


class FilterArguments(Arguments):
    """Hard conditions, as `cache.conditions.Conditions` means them; `except_papers` are left out whatever they are."""

    words: Phrases = ()
    any_words: Phrases = ()
    without: Phrases = ()
    title_words: Phrases = ()
    authors: Phrases = ()
    any_authors: Phrases = ()
    venues: Phrases = ()
    since: Day | None = None
    until: Day | None = None
    min_citations: int | None = Field(None, ge=0)
    max_citations: int | None = Field(None, ge=0)
    min_authors: int | None = Field(None, ge=1)
    max_authors: int | None = Field(None, ge=1)
    types: tuple[PaperType, ...] = ()
    open_access: bool | None = None
    retracted: bool | None = None
    has_abstract: bool | None = None
    saved: bool | None = None
    read: bool | None = None
    noted: bool | None = None
    saved_since: Day | None = None
    saved_until: Day | None = None
    rating: Literal[-1, 0, 1] | None = None
    without_rating: Literal[-1, 1] | None = None
    tags: Phrases = ()
    without_authors: Phrases = ()
    without_venues: Phrases = ()
    without_types: tuple[PaperType, ...] = ()
    without_tags: Phrases = ()
    without_years: tuple[Year, ...] = ()
    except_papers: Papers = ()

    @property
    def impossible(self) -> str:
        """Why no paper whatever can meet them, "" if one could."""
        if self.since and self.until and self.since[: len(self.until)] > self.until:
            return f"be from {self.since} or later and from {self.until} or earlier at once"
        if self.saved_since and self.saved_until and self.saved_since[: len(self.saved_until)] > self.saved_until:
            return f"be saved on {self.saved_since} or later and on {self.saved_until} or earlier at once"
        if self.min_citations and self.max_citations is not None and self.min_citations > self.max_citations:
            return f"be cited at least {self.min_citations:,} times and at most {self.max_citations:,} times"
        if self.min_authors and self.max_authors is not None and self.min_authors > self.max_authors:
            return f"have at least {self.min_authors:,} authors and at most {self.max_authors:,}"
        return ""

    @property
    def conditions(self) -> Conditions:
        """The conditions, with the other names that venues go by."""
        told = self.model_dump(exclude={"except_papers"})
        return Conditions(**{**told, **{name: _all_names(told[name]) for name in ("venues", "without_venues")}})


def _all_names(venues: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for venue in venues for name in (venue, *keys_of(venue))))


class ResembleArguments(Arguments):
    """`share` is how near a paper must be, as a share of how near the nearest are."""

    papers: Papers = ()
    words: str = Field("", max_length=1_000)
    unlike: Papers = ()
    unlike_words: str = Field("", max_length=1_000)
    share: float = Field(0.3, gt=0, le=1)


class RankArguments(Arguments):
    """`words` are for relevance; `prefer` and `unwanted` are papers that taste is read from beside the history."""

    by: Literal[
        "citations", "newest", "oldest", "title", "fewest_citations", "last_saved", "first_saved", "relevance",
        "similarity", "preference"
    ]  # fmt: skip
    words: str = Field("", max_length=1_000)
    prefer: Papers = ()
    unwanted: Papers = ()


class TakeArguments(Arguments):
    papers: Papers = Field(min_length=1)


class ListArguments(Arguments):
    """`first` is the place of the first paper that is shown, from 1."""

    first: int = Field(1, ge=1)
    limit: int = Field(PAGE, ge=1, le=100)


async def _filter(given: FilterArguments, context: ToolContext) -> ToolResult:
    refused = set(await _called(given.except_papers, context))
    found = await asyncio.to_thread(conditions.matching, context.store, given.conditions, context.candidates)
    kept = tuple(number for number in found if number not in refused)
    before = None if context.candidates is None else len(context.candidates)
    unsure = await asyncio.to_thread(conditions.perhaps_outside, context.store, given.conditions, kept)
    notes = (_undated(unsure, len(kept)),) if unsure else ()
    return ToolResult(kept, values={"found": len(kept), "of": before}, notes=notes)


def _undated(unsure: int, found: int) -> str:
    """What is said where a time is asked for more closely than the dates of some papers are known."""
    if found == 1:
        return "When exactly it appeared is not known, so it may be from before or after that."
    those = "all of them" if unsure == found else f"{unsure:,} of them"
    return f"When exactly {those} appeared is not known, so they may be from before or after that."


async def _resemble(given: ResembleArguments, context: ToolContext) -> ToolResult:
    liked, unliked = await _called(given.papers, context), await _called(given.unlike, context)
    if not (liked or given.words or unliked or given.unlike_words):
        raise ToolError("To choose what is alike, name papers or words that it should be like.")
    wanted = nearness.Wanted(liked, given.words, unliked, given.unlike_words)
    found = await asyncio.to_thread(nearness.alike, context.store, wanted, context.candidates, given.share)
    return ToolResult(tuple(found), values={"found": len(found), "of": _size(context)})


async def _rank(given: RankArguments, context: ToolContext) -> ToolResult:
    candidates = context.candidates
    if candidates is None:
        candidates = tuple(await asyncio.to_thread(conditions.matching, context.store, Conditions()))
    prefer, unwanted = await _called(given.prefer, context), await _called(given.unwanted, context)
    notes: tuple[str, ...] = ()
    match given.by:
        case "citations" | "fewest_citations" | "newest" | "oldest" | "title" | "last_saved" | "first_saved":
            order: Sequence[PaperId] = await asyncio.to_thread(conditions.ordered, context.store, candidates, given.by)
        case "relevance" | "similarity":
            if not (given.words or prefer):
                raise ToolError(f"To order by {given.by}, say to what: words, or papers to be near to.")
            wanted = nearness.Wanted(prefer, given.words, unwanted)
            order = await asyncio.to_thread(nearness.nearest_first, context.store, wanted, candidates)
        case "preference":
            order, why = await asyncio.to_thread(
                nearness.by_preference,
                context.store,
                context.now,
                candidates,
                prefer,
                unwanted,
                given.words,
                context.noted,
            )
            notes = (why,) if why else ()
    if given.by in ("citations", "fewest_citations") and order:
        unknown = await asyncio.to_thread(conditions.uncounted, context.store, order)
        notes = (_uncounted(unknown, len(order), given.by),) if unknown else ()
    if given.by in ("last_saved", "first_saved") and order:
        unsaved = await asyncio.to_thread(_unsaved, context, order)
        notes = (_not_saved(unsaved, len(order)),) if unsaved else ()
    return ToolResult(tuple(order), values={"found": len(order), "by": given.by}, notes=notes)


def _unsaved(context: ToolContext, papers: Sequence[PaperId]) -> int:
    saved = set(conditions.matching(context.store, Conditions(saved=True)))
    return sum(number not in saved for number in papers)


def _not_saved(unsaved: int, of: int) -> str:
    if unsaved == of:
        return "None of them is on your shelf, so the order says nothing."
    told = "is not on your shelf and stands" if unsaved == 1 else "are not on your shelf and stand"
    return f"{unsaved:,} of them {told} at the end."


def _uncounted(unknown: int, of: int, by: str) -> str:
    if unknown == of:
        return "Of none of them is it known how often it was cited, so the order says nothing."
    first = "The most cited stand first" if by == "citations" else "The least cited stand first"
    if unknown == 1:
        return f"{first}; of 1 of them it is not known how often it was cited, so it stands at the end."
    return f"{first}; of {unknown:,} of them it is not known how often they were cited, so they stand at the end."


async def _take(given: TakeArguments, context: ToolContext) -> ToolResult:
    found = await asyncio.to_thread(named_papers, given.papers, context)
    return ToolResult(found, values={"found": len(found)})


async def _list(given: ListArguments, context: ToolContext) -> ToolResult:
    candidates = context.candidates
    if candidates is None:
        candidates = tuple(await asyncio.to_thread(conditions.matching, context.store, Conditions()))
    shown = candidates[given.first - 1 : given.first - 1 + given.limit]
    if candidates and not shown:
        raise ToolError(f"There is no paper {given.first}: the list has {len(candidates):,}.")
    values: dict[str, object] = {"first": given.first, "shown": len(shown), "of": len(candidates)}
    if len(shown) == 1:
        values["title"] = "".join(paper.title for paper in papers.by_ids(context.store, shown))
    return ToolResult(candidates, shown, values)


async def _undo(given: NoArguments, context: ToolContext) -> ToolResult:
    if not context.earlier:
        raise ToolError("There is nothing to go back to: no choice was made before.")
    before = context.earlier[-1]
    if before is None:
        before = tuple(await asyncio.to_thread(conditions.matching, context.store, Conditions()))
    return ToolResult(before, values={"found": len(before)})


async def _called(names: Sequence[str], context: ToolContext) -> tuple[PaperId, ...]:
    return await asyncio.to_thread(named_papers, names, context)


def _size(context: ToolContext) -> int | None:
    return None if context.candidates is None else len(context.candidates)


FILTER = Tool("filter", "Keep those candidates that meet hard conditions.", FilterArguments, _filter, narrows=True)
RESEMBLE = Tool("resemble", "Keep those candidates that are like papers or words, and not like others.",
                ResembleArguments, _resemble, narrows=True)  # fmt: skip
RANK = Tool("rank", "Order the candidates, the best first.", RankArguments, _rank, narrows=True)
TAKE = Tool("take", "Let these papers, and no others, be the candidates.", TakeArguments, _take)
LIST = Tool("list", "Show a part of the candidates.", ListArguments, _list)
UNDO = Tool("undo", "Go back to the candidates before the last change of them.", NoArguments, _undo)
