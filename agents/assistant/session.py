"""One conversation while a turn is answered: what its steps read and post to."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from agents.assistant.events import ConversationEvent, Row
from agents.assistant.options import CALLS, ConversationOptions
from agents.assistant.state import ConversationState, Turn
from agents.run.control import Control
from agents.run.events import FoundBy, PaperFound, WorksJoined
from agents.run.findings import Board
from agents.run.resources import Resources
from agents.run.retrieval.fetching import taken_in
from agents.run.session import RunSession
from agents.taste.context import Reader
from agents.tools.table import by_name
from agents.tools.tool import AnyTool, Face, ToolContext
from cache import papers
from cache.store import PaperId

LIBRARY = "library"
"""How a paper that is shown was found: in the library, by the message."""


class ConversationSession(RunSession[ConversationState, ConversationEvent]):
    """A conversation under way; the resources name the person it is with, and who shows them papers."""

    def __init__(
        self,
        resources: Resources,
        options: ConversationOptions,
        board: Board[ConversationState, ConversationEvent],
        control: Control,
    ) -> None:
        super().__init__(replace(resources, source_seconds=options.source_seconds), board, control)
        assert isinstance(resources.reader, Reader)
        self.reader = resources.reader
        self.store, self.now = self.reader.store, self.reader.now
        self.options = options
        self.seed, self.usd = options.seed, options.usd
        self.calls = CALLS if options.calls is None else options.calls
        self.face: Face | None = resources.face  # type: ignore[assignment]  # the kernel need not know it
        self.tools: Mapping[str, AnyTool] = by_name(self.face.tools if self.face else ())

    @property
    def turn(self) -> Turn:
        """The turn that is being answered."""
        return self.state.turns[-1]

    def context(self) -> ToolContext:
        """Where a tool works now."""
        state = self.state
        return ToolContext(
            self.store, self.resources, self.now, state.candidates, state.shown, state.focus, state.earlier,
            self.resources.run, self.face, tuple((one.facet, one.text, one.papers) for one in state.noted),
        )  # fmt: skip

    def shown(self, numbers: Iterable[PaperId]) -> tuple[tuple[Row, ...], list[PaperFound | WorksJoined]]:
        """The rows of papers that are to be shown, each with its place among the candidates, and the events that tell
        of the papers. One that the library does not have any more is left out."""
        place = {number: place for place, number in enumerate(self.state.candidates or (), start=1)}
        rows: list[Row] = []
        events: list[PaperFound | WorksJoined] = []
        for rank, number in enumerate(dict.fromkeys(numbers), start=1):
            for paper in papers.by_ids(self.store, [number]):
                found = taken_in(self.works, [(paper, FoundBy(LIBRARY, self.turn.message[:200], rank))])
                events += found
                assert isinstance(found[0], PaperFound)
                rows.append(Row(found[0].work, number, place.get(number, rank)))
        return tuple(rows), events
