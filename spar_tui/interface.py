"""The tools of text interfaces beside the table of tools: bibliographies, checks, and summaries as text."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agents.tools.tool import AnyTool


@dataclass(frozen=True, slots=True)
class TextInterface:
    """An interface with papers as bibliographies and runs as Markdown. With `noting`, exports go into the reading
    history. It exists whenever sources are open, so it imports what it needs on use."""

    noting: bool = True

    @property
    def tools(self) -> "tuple[AnyTool, ...]":
        from spar_tui.bibliography.tools import CHECK, export_tool

        return (export_tool(self.noting), CHECK)

    def document(self, kind: str, state: Any) -> str:
        """Return a summary as Markdown, an answer as plain text; "" for other runs, whose results are only papers."""
        if kind == "answer":
            from spar_tui.reports.answer import answer_lines
            from spar_tui.terminal import Style

            return "\n".join([*answer_lines(state, Style()), ""])
        if kind != "summary":
            return ""
        from spar_tui.reports.summary_markdown import markdown

        return "\n".join([*markdown(state), ""])
