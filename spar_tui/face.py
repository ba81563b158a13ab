"""What can be done with papers here beside the table of tools: bibliographies, checks, and summaries to be read."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agents.tools.tool import AnyTool


@dataclass(frozen=True, slots=True)
class TextFace:
    """Papers as bibliographies, runs as Markdown. With `noting` an export goes into the reading history.

    It is there whenever sources are opened, so it imports what it needs when it is used."""

    noting: bool = True

    @property
    def tools(self) -> "tuple[AnyTool, ...]":
        from spar_tui.bibliography.tools import CHECK, export_tool

        return (export_tool(self.noting), CHECK)

    def document(self, kind: str, state: Any) -> str:
        """A summary as Markdown, an answer as plain text; other runs come to papers alone, ""."""
        if kind == "answer":
            from spar_tui.reports.answer import answer_lines
            from spar_tui.terminal import Style

            return "\n".join([*answer_lines(state, Style()), ""])
        if kind != "summary":
            return ""
        from spar_tui.reports.summary_markdown import markdown

        return "\n".join([*markdown(state), ""])
