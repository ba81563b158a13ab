"""The kinds of runs. A kind entered here can be started, stored, watched, paused, stopped, resumed, replayed, listed
and forgotten from every interface, without further code."""

from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, NamedTuple, TypeVar

from agents.run.control import Control
from agents.run.errors import RunError
from agents.run.events import EventCodec
from agents.run.findings import Board, E, S
from agents.run.resources import Resources, RunOptions
from cache.runs import Event as Row
from cache.runs import StoredRank
from cache.store import Store
from connectors.entry_points import loaded
from connectors.paper import Paper

KINDS: Mapping[str, str] = {
    "search": "agents.search.kind:SEARCH",
    "summary": "agents.summary.kind:SUMMARY",
    "recommendation": "agents.recommendation.kind:RECOMMENDATION",
    "answer": "agents.summary.answering.kind:ANSWER",
    "conversation": "agents.assistant.kind:CONVERSATION",
}
"""The import path of each kind's `RunKind`, by stored name; the kernel loads a kind when it is needed."""


O = TypeVar("O", bound=RunOptions)  # noqa: E741  # options, in one letter like the others


class Result(NamedTuple):
    """The result of a run: figures for lists of runs, and the papers of its answer, in order."""

    figures: Mapping[str, Any]
    papers: Sequence[StoredRank]


def later(entry: str) -> Callable[..., AsyncGenerator[Any, None]]:
    """Return a function that imports `entry` when called, so that reading runs does not wait for the import."""
    return lambda *arguments: loaded(entry)(*arguments)


@dataclass(frozen=True)
class RunKind(Generic[S, E, O]):
    """One kind of run. `name` is stored with each of its runs; `verb` is the command that begins and resumes one.

    `carry_on` yields the events of a run, or of the rest of the run on the board. `finishing` is the class of the final
    event, which has the seconds of the session. `cut_off` returns events for a run that breaks off. `asks_sources` is
    whether live sources are asked. `settled` returns options whose meaning does not change with time; `prepared`
    returns the resources that the run may use. Both raise `RunError` or `CacheError` if something is missing. `check`
    raises `RunError` for a question with which no run can begin. `passed_on` returns the papers from which another run
    can be made; `meaning` returns the meaning of the question as one English sentence, if a model has stated it.
    """

    name: str
    verb: str
    codec: EventCodec[E]
    blank: Callable[[], S]
    options: type[O]
    finishing: type
    carry_on: Callable[[str, Resources, O, Board[S, E], Control], AsyncGenerator[E, None]]
    result: Callable[[S], Result]
    passed_on: Callable[[S], Sequence[Paper]]
    meaning: Callable[[S], str] = lambda state: ""
    cut_off: Callable[[S], Sequence[E]] = lambda state: ()
    asks_sources: Callable[[O], bool] = lambda options: True
    settled: Callable[["Store", O], O] = lambda store, options: options
    prepared: Callable[[Resources, "Store", O], Resources] = lambda resources, store, options: resources
    check: Callable[[str], object] = lambda question: None

    def board(self, keep: Callable[[E], object] = lambda event: None, so_far: Iterable[E] = ()) -> Board[S, E]:
        """Return a board with the events `so_far`."""
        return Board(self.blank(), keep, so_far)

    def equipped(self, resources: Resources, store: "Store", options: O) -> Resources:
        """Return the part of `resources` that a run with `options` may use, without models that it must not ask. Raises
        `RunError`, `CacheError`."""
        if not options.model:
            local = resources.embeddings is not None and resources.embeddings.encoder.local
            resources = replace(resources, model=None, embeddings=resources.embeddings if local else None)
        return self.prepared(resources, store, options)

    def events(self, rows: Iterable[Row]) -> list[E]:
        """Decode the events in `rows`, skipping kinds that this version does not know."""
        return [event for row in rows if (event := self.codec.decode(row.kind, row.content)) is not None]

    def folded(self, events: Iterable[E]) -> S:
        """The state after `events`."""
        state = self.blank()
        for event in events:
            state = state.apply(event)
        return state

    def replayed(self, rows: Iterable[Row]) -> S:
        """Return the state of the run stored in `rows`."""
        return self.folded(self.events(rows))


AnyKind = RunKind[Any, Any, Any]


def kind_named(name: str) -> AnyKind:
    """Return the kind of run stored as `name`. Raises `RunError` if this version does not know it."""
    if name not in KINDS:
        raise RunError(f"This version of spar does not know runs of the kind {name!r}; update it to see them.")
    kind: AnyKind = loaded(KINDS[name])
    return kind
