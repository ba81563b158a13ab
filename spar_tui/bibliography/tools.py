"""Bibliographies and their checks as tools, for the assistant and for other programs."""

import asyncio
from typing import Literal

from pydantic import Field

from agents.tools.filter_arguments import Papers
from agents.tools.paper_names import SHOWN
from agents.tools.tool import Arguments, Tool, ToolContext, ToolResult


class ExportArguments(Arguments):
    """`style` is for text alone. A .csl file is not taken: whoever asks for it might have any file read."""

    papers: Papers = (SHOWN,)
    format: Literal["bibtex", "biblatex", "ris", "csl-json", "markdown", "csv", "text"] = "biblatex"
    style: Literal["apa", "ieee", "nature", "vancouver", "chicago", "mla"] | None = None


class CheckArguments(Arguments):
    papers: Papers = Field((SHOWN,), min_length=1)


def export_tool(noting: bool) -> Tool[ExportArguments]:
    """The tool that writes a bibliography. With `noting` it goes into the reading history, as what `spar export` writes
    does: right where the person asked for it, wrong where another program may have."""

    async def export(given: ExportArguments, context: ToolContext) -> ToolResult:
        from spar_tui.bibliography.tool_runs import exported

        return await asyncio.to_thread(exported, given.papers, given.format, given.style or "", context, noting=noting)

    return Tool("export", "Write a bibliography of papers, as `spar export` does.", ExportArguments, export)


async def _check(given: CheckArguments, context: ToolContext) -> ToolResult:
    from spar_tui.bibliography.tool_runs import checked

    return await checked(given.papers, context)


CHECK = Tool("check", "Say what is wrong with papers: retracted, published meanwhile, fields missing.",
             CheckArguments, _check, asks=True)  # fmt: skip
