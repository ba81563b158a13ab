"""Pausing, stopping and going on: the same on every screen that shows a run."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from spar_tui.screens.paper_keys import PaperKeys

if TYPE_CHECKING:
    from spar_tui.screens.live_run import AnyRun, Standing

_WHEN: "Mapping[str, Sequence[Standing]]" = {
    "pause": ("running",),
    "stop": ("running", "paused"),
    "cut": ("running", "paused", "stopping"),
    "resume": ("paused", "cut off", "failed"),
}
"""How a run must stand for it to be paused, stopped, stopped at once, or gone on with."""


class RunKeys(PaperKeys):
    """A screen looks at `live`, and shows what it is now when told to `_flush`."""

    live: "AnyRun"

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Which commands make sense as the run stands."""
        if action in _WHEN:
            return self.live.standing in _WHEN[action]
        return super().check_action(action, parameters)

    def action_pause(self) -> None:
        """Ask nobody anything; what was asked already still comes in."""
        self.live.control.pause()
        self._flush()

    def action_resume(self) -> None:
        """Let a paused or cut-off run go on."""
        self.live.control.go_on()
        self.live.start(self.app.desk_for)
        self._flush()

    def action_stop(self) -> None:
        """Finish with what is here."""
        self.live.control.stop()
        self._flush()

    async def action_cut(self) -> None:
        """Stop at once."""
        await self.live.cut_off()
        self._flush()

    @abstractmethod
    def _flush(self) -> None:
        """Bring the screen up to date with the run."""
