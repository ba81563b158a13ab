"""Looking at a run, pausing, stopping and going on: the same on every screen that shows one."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from spar_tui.tui.screens.paper_actions import PaperActions
from spar_tui.tui.widgets.status_lines import sources_line
from spar_tui.tui.widgets.text import Line, plain

if TYPE_CHECKING:
    from agents.run.findings import Findings
    from agents.run.runner import AnyRun, Status

_WHEN: "Mapping[str, Sequence[Status]]" = {
    "pause": ("running",),
    "stop": ("running", "paused"),
    "cut": ("running", "paused", "stopping"),
    "resume": ("paused", "cut off", "failed"),
}
"""The status a run must have to be paused, stopped, stopped at once, or gone on with."""


class RunActions(PaperActions):
    """A screen looks at `live`, once it is told to `_watch` it, and shows what it is now."""

    live: "AnyRun"
    _seen: "tuple[object, Status] | None" = None

    # What is shown

    def _watch(self) -> None:
        self.set_interval(self.app.flush_seconds, self._tick)

    def _tick(self) -> None:
        """Bring the screen up to date unless that has just been costly."""
        # A screen behind it would use up the pace, and this one might never be drawn.
        if self.is_current and self.app.pace.due():
            self._flush()

    def _flush(self) -> None:
        """Bring the screen up to date with the run."""
        if not self.is_current:
            return
        state, status = self.live.state, self.live.status
        self._show_lines()
        if self._seen is not None and self._seen[0] is state and self._seen[1] == status:
            return
        self._seen = (state, status)
        self._show_run()
        self.refresh_bindings()

    async def library_changed(self) -> None:
        """Show what another process has added to the run."""
        await self.live.catch_up()
        self._flush()

    @abstractmethod
    def _show_lines(self) -> None:
        """Show what goes on though no event tells of it: the seconds pass."""

    def show_sources(self, findings: "Findings") -> None:
        """Show what each source did, or why the run failed."""
        problem, over = self.live.problem, self.live.state.finished is not None
        line = plain(problem, "$error") if problem else lambda width: sources_line(findings, width, over)
        self.query_one("#sources", Line).show(line)

    @abstractmethod
    def _show_run(self) -> None:
        """Show what the events have told."""

    # What the keys do

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Which commands make sense as the run stands."""
        if action in _WHEN:
            return self.live.status in _WHEN[action]
        return super().check_action(action, parameters)

    def action_pause(self) -> None:
        """Ask nobody anything; what was asked already still comes in."""
        self.live.control.pause()
        self._flush()

    def action_resume(self) -> None:
        """Let a paused or cut-off run go on."""
        self.live.control.go_on()
        self.live.start(self.app.resources_for)
        self._flush()

    def action_stop(self) -> None:
        """Finish with what is here."""
        self.live.control.stop()
        self._flush()

    async def action_cut(self) -> None:
        """Stop at once."""
        await self.live.cut_off()
        self._flush()
