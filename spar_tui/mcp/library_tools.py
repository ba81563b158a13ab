"""The tools for other programs only: one search of the library in its filter language, one whole paper, and the
selection in the app."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from pydantic import Field

from agents.tools.candidates import RANK, RESEMBLE, undated
from agents.tools.filter_arguments import Papers
from agents.tools.paper_names import named_papers, the_paper
from agents.tools.tool import Arguments, Tool, ToolContext, ToolError, ToolResult
from cache import fulltext, papers
from cache.conditions import library
from cache.conditions.filters import Filter, parsed
from cache.conditions.orders import OF_LIBRARY
from cache.conditions.scopes import LIBRARY
from cache.store import PaperId
from spar_tui.mcp.answers import record_with_shelf
from spar_tui.open_selection import read_selection

LIVE_SEARCH = "search_sources"
"""The tool that finds papers outside the library."""
SORTS = (*OF_LIBRARY, "preference")
"""The orders that need only the library and the person's history."""


class LibraryArguments(Arguments):
    where: str = Field("", max_length=10_000)
    like: Papers = ()
    among: Papers | None = Field(None, min_length=1)
    sort: str | None = Field(None, json_schema_extra={"enum": list(SORTS)})
    reverse: bool = False


class GetPaperArguments(Arguments):
    paper: str = Field(min_length=1, max_length=500)


async def _search_library(arguments: LibraryArguments, context: ToolContext) -> ToolResult:
    condition = parsed(arguments.where, LIBRARY)
    if condition.problems:
        raise ToolError(f"`where` cannot be read: {'; '.join(condition.problems)}.")
    if arguments.sort is not None and arguments.sort not in SORTS:
        raise ToolError(f"`sort` is one of {', '.join(SORTS)}.")
    numbers = await asyncio.to_thread(_meeting, condition, arguments.among, context)
    unsure = await asyncio.to_thread(library.perhaps_outside, context.store, condition, numbers)
    notes = undated(unsure, len(numbers))
    if arguments.like:
        alike = await RESEMBLE.run({"papers": arguments.like}, replace(context, candidates=numbers))
        numbers = alike.papers or ()
    if arguments.sort not in (None, "relevance"):
        sorting = {"by": arguments.sort, "reverse": arguments.reverse}
        ranked = await RANK.run(sorting, replace(context, candidates=numbers))
        numbers, notes = ranked.papers or (), (*notes, *ranked.notes)
    elif arguments.reverse:
        numbers = numbers[::-1]
    if not numbers:
        notes = (f"No paper of the library matches. Use fewer conditions, or {LIVE_SEARCH} to ask sources.",)
    return ToolResult(numbers, values={"found": len(numbers)}, notes=notes)


def _meeting(condition: Filter, among: Sequence[str] | None, context: ToolContext) -> tuple[PaperId, ...]:
    """Return the papers (of those called `among`) that meet `condition`, most relevant first; without words, newest in
    the library first."""
    candidates = None if among is None else set(named_papers(among, context))
    numbers = fulltext.chosen_numbers(context.store, condition)
    return tuple(number for number in numbers if candidates is None or number in candidates)


async def _get_paper(arguments: GetPaperArguments, context: ToolContext) -> ToolResult:
    def look() -> ToolResult:
        number, _ = the_paper(arguments.paper, context)
        record = record_with_shelf(context.store, number)
        return ToolResult(values={name: value for name, value in record.items() if name != "rank"})

    return await asyncio.to_thread(look)


class SelectionArguments(Arguments):
    """Nothing is asked for."""


async def _selection(arguments: SelectionArguments, context: ToolContext) -> ToolResult:
    selection = await asyncio.to_thread(read_selection, context.store.path.parent)
    if selection is None:
        return ToolResult((), notes=("The app is not open, or no paper is selected in it.",))
    there = await asyncio.to_thread(papers.by_ids, context.store, selection.numbers)
    notes = () if there else ("No paper is selected in the app.",)
    how = "marked" if selection.marked else "under the cursor"
    return ToolResult(tuple(map(PaperId, selection.numbers)) if there else (), values={"selected": how}, notes=notes)


SEARCH_LIBRARY = Tool("search_library", "Search the library.", LibraryArguments, _search_library)
GET_PAPER = Tool("get_paper", "Show the record of one paper.", GetPaperArguments, _get_paper)
SELECTION = Tool("get_selection", "List what is selected in the open app.", SelectionArguments, _selection)
