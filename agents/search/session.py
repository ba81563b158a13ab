"""One search under way: the session that every step reads and posts to."""

from agents.run.control import Control
from agents.run.findings import Board
from agents.run.resources import Resources
from agents.run.session import RunSession
from agents.search.events import Event, QuestionUnderstood, RunStarted, Stage, StageChanged
from agents.search.options import Limits, SearchOptions
from agents.search.question.wanted import SearchIntent, wanted_by
from agents.search.state import SearchState

_ORDER: tuple[Stage, ...] = ("retrieving", "judging", "references", "judging references", "evolving")
_LAST_ROUND = 1_000


class Session(RunSession[SearchState, Event]):
    """A search under way."""

    def __init__(
        self,
        question: str,
        resources: Resources,
        options: SearchOptions,
        board: Board[SearchState, Event],
        control: Control,
    ) -> None:
        super().__init__(resources, board, control, options, options.limits.calls)
        self.question, self.options = question, options

    @property
    def limits(self) -> Limits:
        return self.options.limits

    @property
    def started(self) -> RunStarted:
        assert self.state.started is not None
        return self.state.started

    @property
    def understood(self) -> QuestionUnderstood:
        assert self.state.understood is not None
        return self.state.understood

    @property
    def wanted(self) -> SearchIntent:
        return wanted_by(self.question, self.understood, self.started.today)

    def enter(self, stage: Stage, round: int) -> bool:
        """Enter a stage; return False if an earlier session of the run has passed it."""
        at = self.state.stage
        if at is not None and _position(at) > _position(StageChanged(stage, round)):
            return False
        if at != StageChanged(stage, round):
            self.post(StageChanged(stage, round))
        return True


def _position(at: StageChanged) -> tuple[int, int]:
    """Return a sort key: where a stage comes in a search."""
    if at.stage == "understanding":
        return (0, 0)
    if at.stage == "reranking":
        return (_LAST_ROUND, 0)
    return (at.round, _ORDER.index(at.stage))
