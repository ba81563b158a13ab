"""Information query: SQL over read-only views of the library (InteRecAgent §3.1)."""

import asyncio

from pydantic import Field

from agents.tools.tool import Arguments, Tool, ToolContext, ToolError, ToolResult
from cache.errors import SqlRefused
from cache.sql.reading import read_sql
from cache.store import PaperId

PAPER = "paper"
"""A column of this name holds papers by their numbers."""


class QueryArguments(Arguments):
    """One SELECT over the views (`cache.sql.views`)."""

    sql: str = Field(min_length=1, max_length=10_000)


async def _query(given: QueryArguments, context: ToolContext) -> ToolResult:
    try:
        found = await asyncio.to_thread(read_sql, context.store, given.sql)
    except SqlRefused as error:
        raise ToolError(str(error)) from None
    named = [row[found.columns.index(PAPER)] for row in found.rows] if PAPER in found.columns else []
    numbers = tuple(dict.fromkeys(PaperId(number) for number in named if isinstance(number, int)))
    values = {"columns": list(found.columns), "rows": [list(row) for row in found.rows], "cut": found.cut}
    return ToolResult(numbers if PAPER in found.columns else None, numbers, {**values, "papers": list(numbers)})


QUERY = Tool("query", "Read facts of the library by one SQL SELECT over its views.", QueryArguments, _query)
