"""The line that says where a summary is."""

from textual.content import Content

from agents.run.runner import Status
from agents.summary.state import SummaryState
from agents.summary.tree import level
from spar_tui.phrases import counted, papers_text
from spar_tui.tui.models.summary_rows import STEPS, step_of
from spar_tui.tui.widgets.status_lines import Steps, cost_told, standing_line
from spar_tui.tui.widgets.text import QUIET, plain


def summary_line(state: SummaryState, standing: Status, seconds: float, width: int) -> Content:
    """How far the summary is, how long it took and what it cost."""
    step, done, whole = step_of(state)
    deepest = max(map(level, state.facets), default=0)
    after = [plain(f"level {deepest}", QUIET)] if deepest > 1 and step != "write" else []
    steps = Steps(STEPS, STEPS.index(step), f" {done}/{whole}" if whole > 1 else "", after)
    return standing_line(standing, steps, _came_to(state), cost_told(state.findings, seconds), width)


def _came_to(state: SummaryState) -> list[Content]:
    planned, standing = len(state.facets), len(state.nodes) - 1
    cited = len(state.cited)
    told = [plain(f"{counted(standing, 'facet')} of {planned:,} planned", "bold")]
    if cited:
        told.append(plain(f"{papers_text(cited)} cited", "bold"))
    told.append(plain(f"{len(state.findings.found):,} found", QUIET))
    return told
