"""A recommendation as it is made, on standard error."""

from agents.recommendation.events import (
    CandidatesRecalled,
    ContextRead,
    RecommendationEvent,
    RecommendationFinished,
)
from agents.recommendation.state import RecommendationState
from agents.run.events import Spent, Warned
from agents.run.outcomes import outcome_of
from spar_tui.cli.search_progress import COLOURS, MARKS
from spar_tui.phrases import counted, papers_text, source_text
from spar_tui.recommendation_trace import recalled_text, who_reasoned
from spar_tui.terminal import Style, note, report

_ENDINGS = {"complete": "finished", "stopped": "stopped", "budget": "out of time"}


class RecommendationProgress:
    """Tells what the agents do; silent but for warnings without a terminal."""

    def __init__(self, style: Style | None) -> None:
        self._style = style
        self._after = "after"
        self._told: set[str] = set()

    def take_up(self, state: RecommendationState) -> None:
        """Tell of a recommendation that goes on from `state`."""
        self._after = "after going on for"
        self._told.update(who_reasoned(state))
        if self._style and state.started and not state.finished:
            report(self._style.paint("going on", "bold"))
            if state.recalled:
                report(self._style.paint(f"  {recalled_text(state.recalled)}", "dim"))

    def show(self, event: RecommendationEvent, state: RecommendationState) -> None:
        """Tell of `event`; `state` is the recommendation with it."""
        if isinstance(event, Warned):
            note(f"spar: {event.sentence}")
        if self._style and not isinstance(event, Spent):
            self._show(event, state, self._style)

    def _show(self, event: RecommendationEvent, state: RecommendationState, style: Style) -> None:
        match event:
            case ContextRead(papers=papers, groups=groups, lines=lines):
                told = [f"{papers_text(papers)} of your history"]
                told += [counted(len(groups), "subject")] if groups else []
                told += [f"{counted(len(lines), 'line')} of your own"] if lines else []
                report(style.paint(", ".join(told), "bold"))
            case CandidatesRecalled():
                for name, tally in state.findings.sources.items():
                    outcome = outcome_of(tally)
                    report(style.paint(f"  {MARKS[outcome]} {name} {source_text(tally)}", COLOURS[outcome]))
                for line in style.wrapped(recalled_text(event), "  "):
                    report(line)
            case RecommendationFinished(seconds, ending):
                landmarks = state.started and state.started.field  # about which nothing was to be reasoned
                for told_by in () if landmarks else who_reasoned(state):
                    if told_by not in self._told:
                        report(style.paint(f"  {told_by}", "dim"))
                report(style.paint(f"{_ENDINGS[ending]} {self._after} {seconds:.1f} s", "dim"))
