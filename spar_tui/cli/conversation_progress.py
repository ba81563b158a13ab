"""A turn of a conversation as it is worked on, on standard error."""

from agents.assistant.events import (
    AnswerDrafted,
    ConversationEvent,
    StepDone,
    TurnAnswered,
    TurnCriticized,
    TurnPlanned,
)
from agents.assistant.state import ConversationState
from spar_tui.cli.running import Progress
from spar_tui.conversation_phrases import DRAFT, draft_lines, outcome_text, taken_back, with_drafted
from spar_tui.terminal import DraftBlock, Style, note, report


class ConversationProgress(Progress[ConversationState, ConversationEvent]):
    """Tells what is being done; silent but for warnings without a terminal. What a model writes of the answer is shown
    as it comes, and taken away again: the answer is printed when it was checked."""

    def __init__(self, style: Style | None) -> None:
        super().__init__(style)
        self._draft = DraftBlock(style)
        self._seen: frozenset[str] = frozenset()

    def take_up(self, state: ConversationState) -> None:
        """Tell of a conversation that goes on from `state`."""
        if self._style and state.turns:
            last = state.turns[-1].message
            report(self._style.paint(f"going on after {len(state.turns):,} turns, the last: {last[:80]}", "dim"))

    def show(self, event: ConversationEvent, state: ConversationState) -> None:
        """Tell of `event`; `state` is the conversation with it."""
        if isinstance(event, AnswerDrafted):
            if self._draft.tell(DRAFT, draft_lines(event.sentences)):
                self._seen = with_drafted(self._seen, event.sentences)
            return
        self.end()
        super().show(event, state)

    def _show(self, event: ConversationEvent, state: ConversationState, style: Style) -> None:
        if not state.turns:
            return
        turn = state.turns[-1]
        match event:
            case TurnPlanned(steps) if steps:
                report(style.paint("  " + " → ".join(step.tool for step in steps), "dim"))
            case TurnCriticized(faults) if faults:
                report(style.paint(f"  the critic finds {', '.join(faults)}", "dim"))
            case StepDone(tool=tool) if len(turn.plan.steps if turn.plan else ()) > 1:
                report(style.paint(f"  {tool}: {outcome_text(event, turn)}", "dim"))
            case TurnAnswered(text):
                if gone := taken_back(self._seen, text):
                    note(f"spar: {gone}")
                self._seen = frozenset()

    def end(self) -> None:
        """Take away what was being written."""
        self._draft.take_away()
