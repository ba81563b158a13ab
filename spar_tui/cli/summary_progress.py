"""A summary as it grows, on standard error: a line for each thing that happens to a node of the tree."""

from agents.run.events import SourceAnswered
from agents.run.outcomes import outcome_of, tally_of
from agents.summary.events import (
    ROOT,
    FacetDropped,
    FacetsMerged,
    FacetsPlanned,
    NodeRetrieved,
    NodeWritten,
    SummaryEvent,
    SummaryFinished,
)
from agents.summary.state import SummaryState
from agents.summary.tree import child, level
from spar_tui.cli.running import COLOURS, MARKS, Progress
from spar_tui.phrases import counted, papers_text, source_text
from spar_tui.terminal import Style, report


class SummaryProgress(Progress[SummaryState, SummaryEvent]):
    """Tells how the tree grows and how it is written."""

    def __init__(self, style: Style | None) -> None:
        super().__init__(style)
        self._named: set[str] = set()

    def _going_on(self, state: SummaryState, style: Style) -> None:
        report(style.paint("going on with", "bold") + " " + style.paint(state.topic, "cyan"))
        for node in state.nodes[1:]:
            report(self._node("•", node, state, style))

    def _show(self, event: SummaryEvent, state: SummaryState, style: Style) -> None:
        match event:
            case SourceAnswered(source) if event.state != "ok":
                tally = tally_of(event)
                line, outcome = f"{source} {source_text(tally)}", outcome_of(tally)
                if line not in self._named:  # the reason is mostly the same for each query
                    report(style.paint(f"  {MARKS[outcome]} {line}", COLOURS[outcome]))
                self._named.add(line)
            case NodeRetrieved(node, works):
                report(self._node("↓", node, state, style, papers_text(len(works))))
            case FacetsPlanned(node, facets):
                for place, _ in enumerate(facets, start=1):
                    report(self._node("+", child(node, place), state, style))
            case FacetDropped(node, _, reason):
                report(self._node("✗", node, state, style, reason, dropped=True))
            case FacetsMerged(_, gone, reason):
                report(self._node("=", gone, state, style, reason, dropped=True))
            case NodeWritten(node, sentences):
                report(self._node("✓", node, state, style, counted(len(sentences), "sentence")))
            case SummaryFinished(seconds, ending):
                self._ended(seconds, ending, style)

    def _node(
        self, mark: str, node: str, state: SummaryState, style: Style, told: str = "", dropped: bool = False
    ) -> str:
        """A node on one line, as far to the right as it lies below the root; one that is dropped is struck out."""
        title = state.title(node)
        shown = "".join(f"{letter}\u0336" for letter in title) if dropped and style.coloured else title
        before = f"{'  ' * level(node)}  {mark} {node or 'topic'}{'.' if node != ROOT else ''} "
        line = before + style.paint(shown, "dim" if dropped else "cyan")
        return line + (style.paint(f"  {told}", "yellow" if dropped else "dim") if told else "")
