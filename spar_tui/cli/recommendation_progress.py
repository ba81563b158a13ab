"""A recommendation as it is made, on standard error."""

from agents.recommendation.events import (
    CandidatesRecalled,
    ContextRead,
    RecommendationEvent,
    RecommendationFinished,
)
from agents.recommendation.state import RecommendationState
from agents.run.outcomes import outcome_of
from spar_tui.cli.running import COLOURS, MARKS, Progress
from spar_tui.phrases import counted, papers_text, source_text
from spar_tui.recommendation_trace import recalled_text, who_reasoned
from spar_tui.terminal import Style, report


class RecommendationProgress(Progress[RecommendationState, RecommendationEvent]):
    """Tells what the agents do."""

    def __init__(self, style: Style | None) -> None:
        super().__init__(style)
        self._told: set[str] = set()

    def take_up(self, state: RecommendationState) -> None:
        self._told.update(who_reasoned(state))
        super().take_up(state)

    def _going_on(self, state: RecommendationState, style: Style) -> None:
        report(style.paint("going on", "bold"))
        if state.recalled:
            report(style.paint(f"  {recalled_text(state.recalled)}", "dim"))

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
                self._ended(seconds, ending, style)
