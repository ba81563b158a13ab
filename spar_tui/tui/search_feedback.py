"""The person's feedback on papers of a search: relevant, not relevant, or neither."""

from typing import TYPE_CHECKING

from cache.reading_history import Feedback
from connectors.paper import WorkId

if TYPE_CHECKING:
    from agents.run.runner import AnyRun, ResourcesFor
    from agents.search.events import Decision


class SearchFeedback:
    """Sends feedback to searches; a finished search resumes for it, with the resources from `resources_for`."""

    def __init__(self, resources_for: "ResourcesFor") -> None:
        self._resources_for = resources_for
        self._last: dict[tuple[str, WorkId], bool | None] = {}

    def mark(self, live: "AnyRun", work: WorkId) -> bool | None:
        """Whether the person marked `work` as relevant, counting a mark that the search has not handled yet."""
        feedback = live.state.called_relevant.get(work)
        return self._last.get((live.run, work), feedback) if live.under_way and live.control.requests.open else feedback

    def toggled(self, live: "AnyRun", work: WorkId, rating: Feedback) -> Feedback:
        """Return the rating to set when the person presses the key for `rating`: 0 if it is set already."""
        return 0 if self.mark(live, work) is (rating > 0) else rating

    def say(self, live: "AnyRun", work: WorkId, relevant: bool | None) -> None:
        """Mark `work` as relevant or not; None withdraws the mark."""
        live.request(self._resources_for, lambda control: control.feedback(work, relevant))
        self._last[live.run, work] = relevant

    def screen(self, live: "AnyRun", work: WorkId, decision: "Decision | None", reason: str = "") -> None:
        """Store a decision and mark the work to match it; an interrupted search does the latter when it resumes."""
        from agents.search.events import PaperScreened  # imported late, so that the app opens sooner

        before = self.mark(live, work)
        live.keep(PaperScreened(work, decision, reason))
        now: bool | None = live.state.called_relevant.get(work)
        if now is not before and (live.under_way or live.state.finished):
            self.say(live, work, now)
