"""The table of tools: what the assistant plans with, and what the MCP server offers to other programs."""

from collections.abc import Iterable, Mapping

from agents.tools.begun_runs import ASK, RECOMMEND, SEARCH, SUMMARIZE
from agents.tools.candidates import FILTER, LIST, RANK, RESEMBLE, TAKE, UNDO
from agents.tools.changes import MARK, NOTE, REMEMBER, SAVE, TAG, TAKE_BACK, UNSAVE
from agents.tools.papers import CITATIONS, FIND_QUOTE, PAPER, PROFILE, REFERENCES, RUNS, SHELF, SIMILAR
from agents.tools.queries import QUERY
from agents.tools.tool import AnyTool

TOOLS: tuple[AnyTool, ...] = (
    QUERY, FILTER, RESEMBLE, RANK, TAKE, LIST, UNDO,
    PAPER, REFERENCES, CITATIONS, SIMILAR, FIND_QUOTE, SHELF, RUNS, PROFILE,
    SEARCH, ASK, SUMMARIZE, RECOMMEND,
    SAVE, UNSAVE, TAG, NOTE, MARK, REMEMBER, TAKE_BACK,
)  # fmt: skip
"""Every tool that works without a face."""


def by_name(more: Iterable[AnyTool] = ()) -> Mapping[str, AnyTool]:
    """The tools by their names, with `more` of whoever shows papers to the person."""
    return {tool.name: tool for tool in (*TOOLS, *more)}
