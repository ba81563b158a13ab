"""A turn of a conversation as it is worked on, on standard error."""

from agents.assistant.events import ConversationEvent, StepDone, TurnCriticized, TurnPlanned
from agents.assistant.state import ConversationState
from agents.run.events import Warned
from spar_tui.conversation_phrases import outcome_text
from spar_tui.terminal import Style, note, report


class ConversationProgress:
    """Tells what is being done; silent but for warnings without a terminal."""

    def __init__(self, style: Style | None) -> None:
        self._style = style

    def take_up(self, state: ConversationState) -> None:
        """Tell of a conversation that goes on from `state`."""
        if self._style and state.turns:
            last = state.turns[-1].message
            report(self._style.paint(f"going on after {len(state.turns):,} turns, the last: {last[:80]}", "dim"))

    def show(self, event: ConversationEvent, state: ConversationState) -> None:
        """Tell of `event`; `state` is the conversation with it."""
        if isinstance(event, Warned):
            note(f"spar: {event.sentence}")
        if self._style is None or not state.turns:
            return
        turn = state.turns[-1]
        match event:
            case TurnPlanned(steps) if steps:
                report(self._style.paint("  " + " → ".join(step.tool for step in steps), "dim"))
            case TurnCriticized(faults) if faults:
                report(self._style.paint(f"  the critic finds {', '.join(faults)}", "dim"))
            case StepDone(tool=tool) if len(turn.plan.steps if turn.plan else ()) > 1:
                report(self._style.paint(f"  {tool}: {outcome_text(event, turn)}", "dim"))
