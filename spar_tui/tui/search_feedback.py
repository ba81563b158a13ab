"""What the person says of papers to a search: relevant, not relevant, or neither; wherever they say it."""

from typing import TYPE_CHECKING

from cache.reading_history import Feedback
from connectors.paper import WorkId

if TYPE_CHECKING:
    from agents.run.runner import AnyRun, ResourcesFor
    from agents.search.events import Decision

_RELEVANT: dict[Feedback, bool | None] = {
    1: True, -1: False, 0: None,
}  # fmt: skip


class SearchFeedback:
    """Tells searches; one that has ended goes on for it, with what `resources_for` gives."""

    def __init__(self, resources_for: "ResourcesFor") -> None:
        self._resources_for = resources_for
        self._last: dict[tuple[str, WorkId], bool | None] = {}

    def said(self, live: "AnyRun", work: WorkId) -> bool | None:
        """Whether `work` was called relevant, the last word counting though the search may not have met it yet."""
        feedback = live.state.called_relevant.get(work)
        return self._last.get((live.run, work), feedback) if live.under_way and live.control.requests.open else feedback

    def toggled(self, live: "AnyRun", work: WorkId, rating: Feedback) -> Feedback:
        """What to say when the person presses the key for `rating`: that, or nothing if it was said already."""
        return 0 if self.said(live, work) is (rating > 0) else rating

    def say(self, live: "AnyRun", work: WorkId, relevant: bool | None) -> None:
        """Say it; None takes back what was said."""
        live.request(self._resources_for, lambda control: control.feedback(work, relevant))
        self._last[live.run, work] = relevant

    def screen(self, live: "AnyRun", work: WorkId, decision: "Decision | None", reason: str = "") -> None:
        """Keep a decision with the search, and let it go by that; a search that was cut off does so when it goes on."""
        from agents.search.events import PaperScreened  # the app opens before it needs a search

        before = self.said(live, work)
        live.keep(PaperScreened(work, decision, reason))
        now: bool | None = live.state.called_relevant.get(work)
        if now is not before and (live.under_way or live.state.finished):
            self.say(live, work, now)

    def rate(self, live: "AnyRun", work: WorkId, rating: Feedback) -> None:
        """As `say`, by a rating."""
        self.say(live, work, _RELEVANT[rating])
