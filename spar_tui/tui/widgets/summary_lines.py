"""The status lines of a summary and of an answer."""

from textual.content import Content

from agents.run.runner import Status
from agents.summary.state import SummaryState
from agents.summary.tree import level
from spar_tui.phrases import counted, papers_text
from spar_tui.tui.models.summary_rows import STEPS, step_of
from spar_tui.tui.widgets.status_lines import Steps, cost_told, status_line
from spar_tui.tui.widgets.text import QUIET, plain

_ANSWER_STEPS = ("evidence", "answer")


def summary_line(state: SummaryState, status: Status, seconds: float, width: int) -> Content:
    """Return the progress of a summary, its result so far, its duration and its cost."""
    step, done, whole = step_of(state)
    deepest = max(map(level, state.facets), default=0)
    after = [plain(f"level {deepest}", QUIET)] if deepest > 1 and step != "write" else []
    steps = Steps(STEPS, STEPS.index(step), f" {done}/{whole}" if whole > 1 else "", after)
    cost = cost_told(state.findings, seconds)
    return status_line(status, steps, _came_to(state), cost, width, state.findings.troubled)


def answer_line(state: SummaryState, status: Status, seconds: float, width: int) -> Content:
    """Return the progress of an answer, the number of cited papers, its duration and its cost."""
    steps = Steps(_ANSWER_STEPS, int(state.evidence is not None), "", [])
    read = state.evidence.read if state.evidence else 0
    counts = [plain(f"{papers_text(len(state.cited))} cited", "bold"), plain(f"{read:,} looked through", QUIET)]
    return status_line(status, steps, counts, cost_told(state.findings, seconds), width, state.findings.troubled)


def _came_to(state: SummaryState) -> list[Content]:
    planned, made = len(state.facets), len(state.nodes) - 1
    cited = len(state.cited)
    counts = [plain(f"{counted(made, 'facet')} of {planned:,} planned", "bold")]
    if cited:
        counts.append(plain(f"{papers_text(cited)} cited", "bold"))
    counts.append(plain(f"{len(state.findings.found):,} found", QUIET))
    return counts
