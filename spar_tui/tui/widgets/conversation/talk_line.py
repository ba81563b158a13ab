"""The status line of a conversation."""

from textual.content import Content

from agents.assistant.state import ConversationState
from agents.run.runner import Status
from spar_tui.phrases import counted, papers_text
from spar_tui.tui.widgets.status_lines import cost_told
from spar_tui.tui.widgets.text import QUIET, fitting, plain

_STATUS: dict[Status, tuple[str, str]] = {
    "running": ("● answering", "$accent"),
    "stopping": ("■ stopping", "$warning"),
    "paused": ("‖ paused", "$warning"),
    "finished": ("✔ answered", "$success"),
    "cut off": ("■ stopped, p resumes", "$warning"),
    "failed": ("✘ failed, p tries again", "$error"),
}


def talk_line(state: ConversationState, status: Status, seconds: float, width: int) -> Content:
    """Return the status of the answer, the number of candidate papers and turns, the duration and the cost."""
    cost = cost_told(state.findings, seconds)
    unanswered = status == "finished" and state.turn is not None
    now = Content.styled("■ not answered", "$warning") if unanswered else Content.styled(*_STATUS[status])
    spoken_of = "the whole library" if state.candidates is None else papers_text(len(state.candidates))
    pieces = [now, plain(f"{spoken_of} at hand", "bold"), plain(counted(len(state.turns), "turn"), QUIET)]
    where = fitting(pieces, width - cost.cell_length - 3)
    return Content.assemble(where, " " * max(width - where.cell_length - cost.cell_length, 1), cost)
