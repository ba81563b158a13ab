"""The table of tools, from which the assistant plans and which the MCP server offers to other programs."""

from collections.abc import Iterable, Mapping

from agents.tools.begun_runs import ASK, RECOMMEND, SEARCH, SUMMARIZE
from agents.tools.candidates import FILTER, LIST, RANK, RESEMBLE, TAKE, UNDO
from agents.tools.changes import MARK, NOTE, REMEMBER, SAVE, TAG, TAKE_BACK, UNSAVE, WATCH
from agents.tools.papers import CITATIONS, FIND_QUOTE, PAPER, PROFILE, QUERY, REFERENCES, RUNS, SIMILAR
from agents.tools.tool import AnyTool

TOOLS: tuple[AnyTool, ...] = (
    QUERY, FILTER, RESEMBLE, RANK, TAKE, LIST, UNDO,
    PAPER, REFERENCES, CITATIONS, SIMILAR, FIND_QUOTE, RUNS, PROFILE,
    SEARCH, ASK, SUMMARIZE, RECOMMEND,
    SAVE, UNSAVE, TAG, NOTE, MARK, REMEMBER, WATCH, TAKE_BACK,
)  # fmt: skip
"""All tools that work without an interface that shows papers."""


def by_name(more: Iterable[AnyTool] = ()) -> Mapping[str, AnyTool]:
    """Return the tools by name, with `more` tools of the interface."""
    return {tool.name: tool for tool in (*TOOLS, *more)}
