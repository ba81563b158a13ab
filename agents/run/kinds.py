"""The kinds of runs. Whatever is entered here can be started, recorded, watched, paused, stopped, resumed, replayed,
listed and forgotten, by every face and without another line."""

from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from agents.run.control import Control
from agents.run.errors import RunError
from agents.run.events import EventCodec
from agents.run.findings import Board, E, S, nobody_keeps
from cache.runs import Event as Row
from cache.runs import Ranked
from connectors.entry_points import loaded
from connectors.paper import Paper

if TYPE_CHECKING:
    from agents.run.resources import Resources
    from cache.store import Store


KINDS: Mapping[str, str] = {
    "search": "agents.search.kind:SEARCH",
    "summary": "agents.summary.kind:SUMMARY",
    "recommendation": "agents.recommendation.kind:RECOMMENDATION",
    "answer": "agents.summary.answering.kind:ANSWER",
    "conversation": "agents.assistant.kind:CONVERSATION",
}
"""Where the `RunKind` of each stored name stands: the kernel knows the names alone, and loads a kind when it is
asked for."""


class RunOptions(Protocol):
    """What every run may be given: its live sources (None: not known), whether a language model is asked where the
    person has one, and budgets (None: no bound)."""

    @property
    def sources(self) -> tuple[str, ...] | None: ...

    @property
    def model(self) -> bool: ...

    @property
    def calls(self) -> int | None: ...

    @property
    def usd(self) -> float | None: ...

    @property
    def seconds(self) -> float | None: ...


O = TypeVar("O", bound=RunOptions)  # noqa: E741  # options, in one letter like the others


class Result(NamedTuple):
    """What a run came to: figures for lists of runs, and the papers of its answer in their order."""

    figures: Mapping[str, Any]
    papers: Sequence[Ranked]


def later(entry: str) -> Callable[..., AsyncGenerator[Any, None]]:
    """The function that `entry` names, imported when it is called: whoever only looks at runs need not wait for it."""
    return lambda *arguments: loaded(entry)(*arguments)


def _as_given(store: "Store", options: O) -> O:
    return options


def _all_sources(resources: "Resources", store: "Store", options: object) -> "Resources":
    return resources


def _any_question(question: str) -> None:
    """Every question can be read."""


@dataclass(frozen=True)
class RunKind(Generic[S, E, O]):
    """One kind of run. `name` is stored with every run of it; `verb` is the command that begins and resumes one.

    `carry_on` gives the events of a run, or of what is left of the one on the board. `finishing` is the class of the
    event that ends it, with the seconds it took. `cut_off` are events for a run that does not come to its end.
    `asks_sources` says whether live sources are asked at all. `settled` gives options that mean the same later on;
    `prepared` gives what the run may use. Both raise `RunError` or `CacheError` for what is not there.
    `check` raises `RunError` for a question that no run can begin with.
    `passed_on` are the papers that another run can be made from, `meaning` is what its question means, in one English
    sentence, where somebody has said it.
    """

    name: str
    verb: str
    codec: EventCodec[E]
    blank: Callable[[], S]
    options: type[O]
    finishing: type
    carry_on: Callable[[str, "Resources", O, Board[S, E], Control], AsyncGenerator[E, None]]
    result: Callable[[S], Result]
    passed_on: Callable[[S], Sequence[Paper]]
    meaning: Callable[[S], str] = lambda state: ""
    cut_off: Callable[[S], Sequence[E]] = lambda state: ()
    asks_sources: Callable[[O], bool] = lambda options: True
    settled: Callable[["Store", O], O] = _as_given
    prepared: Callable[["Resources", "Store", O], "Resources"] = _all_sources
    check: Callable[[str], object] = _any_question

    def board(self, keep: Callable[[E], None] = nobody_keeps, so_far: Iterable[E] = ()) -> Board[S, E]:
        """The board of a run that has the events `so_far`."""
        return Board(self.blank(), keep, so_far)

    def equipped(self, resources: "Resources", store: "Store", options: O) -> "Resources":
        """What a run with `options` may use of `resources`: `prepared`, and no model that it must not ask. Raises
        `RunError`, `CacheError`."""
        if not options.model:
            local = resources.embeddings is not None and resources.embeddings.encoder.local
            resources = replace(resources, model=None, embeddings=resources.embeddings if local else None)
        return self.prepared(resources, store, options)

    def events(self, rows: Iterable[Row]) -> list[E]:
        """The events that are stored in `rows`, without those that this version does not know."""
        return [event for row in rows if (event := self.codec.decode(row.kind, row.content)) is not None]

    def folded(self, events: Iterable[E]) -> S:
        """The state after `events`."""
        state = self.blank()
        for event in events:
            state = state.apply(event)
        return state

    def replayed(self, rows: Iterable[Row]) -> S:
        """The state of a run that is stored in `rows`."""
        return self.folded(self.events(rows))


AnyKind = RunKind[Any, Any, Any]


def kind_named(name: str) -> AnyKind:
    """The kind of run that is stored as `name`. Raises `RunError` for one that this version does not know."""
    if name not in KINDS:
        raise RunError(f"This version of spar knows no runs of the kind {name!r}; update it to see them.")
    kind: AnyKind = loaded(KINDS[name])
    return kind
