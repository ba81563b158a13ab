"""A recommendation as it is made, on standard error."""

from agents.recommendation.events import RecommendationEvent, RecommendationFinished
from agents.recommendation.state import RecommendationState
from agents.run.events import Warned
from spar_tui.terminal import Style, note, report


class RecommendationProgress:
    """Tells what the agents do; silent but for warnings without a terminal."""

    def __init__(self, style: Style | None) -> None:
        self._style = style

    def take_up(self, state: RecommendationState) -> None:
        """Tell of a recommendation that goes on from `state`."""

    def show(self, event: RecommendationEvent, state: RecommendationState) -> None:
        """Tell of `event`; `state` is the recommendation with it."""
        if isinstance(event, Warned):
            note(f"spar: {event.sentence}")
        if self._style and isinstance(event, RecommendationFinished):
            report(self._style.paint(f"finished after {event.seconds:.1f} s", "dim"))
