"""Finding where words are from."""

import asyncio

from pydantic import Field

from agents.builtin.text.words import placed_words
from agents.evidence.whence import LONGEST, SHORTEST, certainty, differences_text, whence
from agents.tools.tool import Arguments, Tool, ToolContext, ToolError, ToolResult


class FindQuoteArguments(Arguments):
    quote: str = Field(min_length=1, max_length=5_000)


async def _find_quote(given: FindQuoteArguments, context: ToolContext) -> ToolResult:
    number = len(placed_words(given.quote))
    if not SHORTEST <= number <= LONGEST:
        raise ToolError(f"The quote has {number} words; {SHORTEST} to {LONGEST} are taken.")
    found = await asyncio.to_thread(whence, context.store, given.quote)
    rows = [
        {"paper": f"#{one.number}", "title": one.paper.title,
         "where": f"page {one.page}" if one.page else one.where, "text": one.text,
         "certainty": certainty(one), "differences": differences_text(one)}
        for one in found
    ]  # fmt: skip
    notes = () if found else ("No title, abstract or kept full text of the library has these words.",)
    return ToolResult(tuple(one.number for one in found), values={"origins": rows}, notes=notes)


FIND_QUOTE = Tool("find_quote", "Find the paper and page that a quote is from.", FindQuoteArguments, _find_quote)
