"""Show, pause, stop and resume a run: the same on every screen of a run."""

import asyncio
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from spar_tui.tui.models.library_records import records_of_person, with_records
from spar_tui.tui.research_app import deleted_text
from spar_tui.tui.screens.paper_actions import PaperActions
from spar_tui.tui.widgets.status_lines import sources_line
from spar_tui.tui.widgets.text import Line, plain

if TYPE_CHECKING:
    from textual.content import Content

    from agents.run.findings import Findings
    from agents.run.runner import AnyRun, Status
    from connectors.paper import Paper, WorkId

_WHEN: "Mapping[str, Sequence[Status]]" = {
    "pause": ("running",),
    "stop": ("running", "paused"),
    "cut": ("running", "paused", "stopping"),
    "resume": ("paused", "cut off", "failed"),
}
"""The statuses in which a run can be paused, stopped, stopped at once, or resumed."""


class RunActions(PaperActions):
    """A screen of the run `live`, which it follows from `_watch` on."""

    live: "AnyRun"
    _seen: "tuple[object, Status] | None" = None
    _records: "Mapping[WorkId, Paper]" = {}  # noqa: RUF012  # replaced, never changed
    """The library's records of papers that the person has edited or merged."""
    gone = False
    """Whether the run was deleted by another process."""
    _drawn: tuple[object, object, Any] = (None, None, None)

    def _watch(self) -> None:
        self.set_interval(self.app.flush_seconds, self._tick)

    def _tick(self) -> None:
        """Update the screen, unless the last update was costly and recent."""
        # A hidden screen would use up the pace, so that this one might never be drawn.
        if self.is_current and self.app.pace.due():
            self._flush()

    def _flush(self) -> None:
        """Update the screen from the run."""
        if not self.is_current:
            return
        state, status = self.live.state, self.live.status
        self._show_lines()
        if self._seen is not None and self._seen[0] is state and self._seen[1] == status:
            return
        self._seen = (state, status)
        self._show_run()
        self.refresh_bindings()

    @property
    def from_run(self) -> str | None:
        return self.live.run

    def on_screen_resume(self) -> None:
        self._flush()

    async def library_changed(self) -> None:
        await self.catch_up()
        await self._read_saved()

    async def catch_up(self) -> None:
        """Show what another process has added to the run, and how the person has edited its papers."""
        await self.live.catch_up()
        gone = not (self.live.under_way or await asyncio.to_thread(self.app.has_run, self.live.run))
        papers = dict(self.live.state.findings.papers)
        records = await asyncio.to_thread(records_of_person, self.app.store, papers)
        if (records, gone) != (self._records, self.gone):
            self._records, self.gone, self._seen = records, gone, None
        self._flush()

    @property
    def drawn_state(self) -> Any:
        """The state of the run with the person's edits and merges of its papers."""
        state = self.live.state
        if self._drawn[0] is not state or self._drawn[1] is not self._records:
            self._drawn = state, self._records, with_records(state, self._records)
        return self._drawn[2]

    @abstractmethod
    def _show_lines(self) -> None:
        """Show what changes without an event, such as the seconds."""

    @property
    def why_lost(self) -> str:
        """Why the run stores nothing any more; "" if it does."""
        return deleted_text(self.live.kind.name) if self.gone else ""

    def show_sources(self, findings: "Findings") -> None:
        """Show what each source did, or why the run failed or stores nothing."""
        problem = self.why_lost or self.live.problem
        line = plain(problem, "$error") if problem else lambda width: self.sources_told(findings, width)
        below = self.query_one("#sources", Line)
        below.display = bool(self.live.under_way or problem or self.sources_told(findings, self.size.width - 2))
        below.show(line)

    def sources_told(self, findings: "Findings", width: int) -> "Content":
        """Return what each source did, in `width` columns."""
        return sources_line(findings, width, self.live.state.finished is not None)

    @abstractmethod
    def _show_run(self) -> None:
        """Show what the events have changed."""

    def action_back(self) -> None:
        """Remove the marks; without marks, go back. The run goes on."""
        if not self.drop_marks():
            self.app.action_back_out()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in _WHEN:
            return self.live.status in _WHEN[action] and not (self.gone and action == "resume")
        return super().check_action(action, parameters)

    def action_pause(self) -> None:
        """Send no more requests; answers to earlier requests still arrive."""
        self.live.control.pause()
        self._flush()

    def action_resume(self) -> None:
        """Resume a paused or interrupted run."""
        self.live.control.go_on()
        self.live.start(self.app.resources_for)
        self._flush()

    def action_stop(self) -> None:
        self.live.control.stop()
        self._flush()

    async def action_cut(self) -> None:
        """Stop at once."""
        await self.live.cut_off()
        self._flush()
