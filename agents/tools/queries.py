"""Information query: SQL over read-only views of the library (InteRecAgent §3.1)."""

import asyncio
import re

from pydantic import Field

from agents.tools.tool import Arguments, Tool, ToolContext, ToolError, ToolResult
from cache.errors import SqlRefused
from cache.sql.reading import read_sql
from cache.store import PaperId

PAPER = "paper"
"""A column of this name holds papers by their numbers."""


LINKS_KNOWN = "Which paper cites which is known only as far as your library has both and their reference lists."
_OF_LINKS = re.compile(r"\b(?:from|join)\s+citations\b", re.IGNORECASE)


class QueryArguments(Arguments):
    """One SELECT over the views (`cache.sql.views`)."""

    sql: str = Field(min_length=1, max_length=10_000)


async def _query(given: QueryArguments, context: ToolContext) -> ToolResult:
    try:
        sql_rows = await asyncio.to_thread(read_sql, context.store, given.sql)
    except SqlRefused as error:
        raise ToolError(str(error)) from None
    named = [row[sql_rows.columns.index(PAPER)] for row in sql_rows.rows] if PAPER in sql_rows.columns else []
    numbers = tuple(dict.fromkeys(PaperId(number) for number in named if isinstance(number, int)))
    notes = (LINKS_KNOWN,) if _OF_LINKS.search(given.sql) else ()
    values = {"columns": list(sql_rows.columns), "rows": [list(row) for row in sql_rows.rows], "cut": sql_rows.cut}
    return ToolResult(
        numbers if PAPER in sql_rows.columns else None, numbers, {**values, "papers": list(numbers)}, notes=notes
    )


QUERY = Tool("query", "Read facts of the library by one SQL SELECT over its views.", QueryArguments, _query)
