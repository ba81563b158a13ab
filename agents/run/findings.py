"""What a run of any kind has found: papers, how sources did, what the model cost, what the person was warned of."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, NamedTuple, Protocol, Self, TypeVar

from rpds import HashTrieMap

from agents.run.events import (
    LINKS,
    AbstractFilled,
    FoundBy,
    PaperFound,
    QueryPlanned,
    SourceAnswered,
    SourceState,
    Spent,
    Warned,
    WorksJoined,
)
from connectors.paper import Paper, WorkId

LEFT_OUT = "was not asked: "
"""How the sentence on a source begins that does not suit the question."""
TOOK_OVER = "Built-in reasoning took over."
"""How the sentence ends that says that the model failed."""


@dataclass(frozen=True, slots=True)
class FoundPaper:
    """A work and every way it was found."""

    paper: Paper
    found_by: tuple[FoundBy, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceTally:
    """What a source did in the run; `outcome_of` says it in a word. `asked` counts the queries that went to it."""

    state: SourceState = "ok"
    asked: int = 0
    found: int = 0
    seconds: float = 0.0
    error: str | None = None
    notes: tuple[str, ...] = ()


class Records(NamedTuple):
    """What one way of finding papers gave: its distinct records, and how many its overlapping lists had together."""

    distinct: int
    returned: int


class PapersByWork(Mapping[WorkId, Paper]):
    """The papers of found works by their numbers, in the order in which the works were first found."""

    def __init__(self, by_work: "HashTrieMap[WorkId, FoundPaper]") -> None:
        self._found = by_work

    def __getitem__(self, work: WorkId) -> Paper:
        return self._found[work].paper

    def __iter__(self) -> Iterator[WorkId]:
        return iter(sorted(self._found))

    def __len__(self) -> int:
        return len(self._found)


@dataclass(frozen=True, slots=True)
class Findings:
    """The fold of the events that every kind of run has. `apply` gives the findings after one more event.

    Maps share what they have in common with those before, so that an event costs the same however much there is
    already; they have no order. Works are numbered as they are found: `works` is in that order.
    """

    planned: tuple[QueryPlanned, ...] = ()
    answered: "HashTrieMap[tuple[str, str], SourceAnswered]" = field(default_factory=HashTrieMap)
    """How the queries were answered, failed or were left out, by (source, query)."""
    found: "HashTrieMap[WorkId, FoundPaper]" = field(default_factory=HashTrieMap)
    joined: "HashTrieMap[WorkId, WorkId]" = field(default_factory=HashTrieMap)
    """The works that turned out to be others, by the number they had."""
    sources: Mapping[str, SourceTally] = field(default_factory=dict)
    spent: tuple[Spent, ...] = ()
    warnings: tuple[str, ...] = ()

    def apply(self, event: Any) -> Self:
        match event:
            case QueryPlanned():
                return replace(self, planned=(*self.planned, event))
            case SourceAnswered(source, query):
                tallies = {**self.sources, source: tallied(self.sources.get(source), event)}
                return replace(self, sources=tallies, answered=self.answered.insert((source, query), event))
            case PaperFound(work, paper, found_by):
                ways = self.found[work].found_by if work in self.found else ()
                ways = ways if found_by in ways else (*ways, found_by)
                return replace(self, found=self.found.insert(work, FoundPaper(paper, ways)))
            case WorksJoined(kept, gone):
                return self._join(kept, gone)
            case AbstractFilled(work, paper):
                return replace(self, found=self.found.insert(work, replace(self.found[work], paper=paper)))
            case Spent():
                return replace(self, spent=(*self.spent, event))
            case Warned(sentence):
                return replace(self, warnings=(*self.warnings, sentence))
        return self

    @property
    def works(self) -> list[WorkId]:
        """The numbers of the works found, in the order in which they were first found."""
        return sorted(self.found)

    @property
    def papers(self) -> PapersByWork:
        """The papers found, by the numbers of their works."""
        return PapersByWork(self.found)

    def work(self, number: WorkId) -> WorkId:
        """The work that `number` means today: itself, or the one it was joined to."""
        while number in self.joined:
            number = self.joined[number]
        return number

    @property
    def records(self) -> dict[str, Records]:
        """The records by the source that listed them, then those found by `references` and `citations`."""
        distinct: dict[str, set[tuple[WorkId, str]]] = {}
        returned = Counter[str]()
        for work, candidate in self.found.items():
            for finding in candidate.found_by:
                name = finding.link or finding.source
                distinct.setdefault(name, set()).add((work, finding.record))
                returned[name] += 1
        order = sorted(distinct, key=lambda name: (name in LINKS, name))
        return {name: Records(len(distinct[name]), returned[name]) for name in order}

    @property
    def cost(self) -> Spent:
        """What the language model cost in all; the price is known if it is known of every step that read or wrote."""
        prices = [step.usd for step in self.spent if step.input_tokens or step.output_tokens]
        known_prices = [price for price in prices if price is not None]
        return Spent(
            "all",
            sum(step.calls for step in self.spent),
            sum(step.input_tokens for step in self.spent),
            sum(step.output_tokens for step in self.spent),
            round(sum(known_prices), 6) if known_prices and len(known_prices) == len(prices) else None,
            sum(step.remembered for step in self.spent),
            tokens_estimated=any(step.tokens_estimated for step in self.spent),
            usd_estimated=any(step.usd_estimated for step in self.spent if step.usd),
        )

    @property
    def calls(self) -> dict[str, int]:
        """How often each step has asked the language model."""
        steps = Counter[str]()
        for spent in self.spent:
            steps[spent.step] += spent.calls
        return dict(steps)

    @property
    def failed_sources(self) -> dict[str, str]:
        """The sources that failed, were stopped or answered in part, with their sentences."""
        return failures(self.sources)

    @property
    def not_chosen(self) -> tuple[str, ...]:
        """The live sources that were left out because they do not suit the question."""
        return tuple(name for name in self._left_out if not self._was_planned(name))

    @property
    def not_askable(self) -> tuple[str, ...]:
        """The sources that were chosen and can take no query of this run, so that none was sent to them."""
        return tuple(name for name in self._left_out if self._was_planned(name))

    @property
    def _left_out(self) -> list[str]:
        tallies = self.sources.items()
        return [name for name, tally in tallies if not tally.asked and (tally.error or "").startswith(LEFT_OUT)]

    def _was_planned(self, source: str) -> bool:
        return any(plan.source == source for plan in self.planned)

    @property
    def model_failures(self) -> tuple[str, ...]:
        """The sentences that say how the model failed; none if it answered, or was not asked."""
        return tuple(sentence for sentence in self.warnings if sentence.endswith(TOOK_OVER))

    @property
    def failed(self) -> int:
        """How many of those that were asked failed: sources, be it in part, and the model. To stop is no failure."""
        return sum(self.sources[name].state != "stopped" for name in self.failed_sources) + bool(self.model_failures)

    @property
    def troubled(self) -> bool:
        """Whether something failed that was asked."""
        return self.failed > 0

    def _join(self, kept: WorkId, gone: WorkId) -> Self:
        ways = (*self.found[kept].found_by, *self.found[gone].found_by)
        merged = replace(self.found[kept], found_by=tuple(dict.fromkeys(ways)))
        return replace(self, found=self.found.remove(gone).insert(kept, merged), joined=self.joined.insert(gone, kept))


def failures(tallies: Mapping[str, SourceTally]) -> dict[str, str]:
    """The sources among `tallies` that failed, were stopped or answered in part, with their sentences."""
    return {
        name: tally.error or "answered only in part."
        for name, tally in tallies.items()
        if tally.state in ("failed", "stopped", "partial")
    }


def tallied(so_far: SourceTally | None, event: SourceAnswered) -> SourceTally:
    """What a source did, with one more answer."""
    count = int(event.asked and event.state != "skipped")
    if so_far is None:
        return SourceTally(event.state, count, event.found, event.seconds, event.error, event.notes)
    return SourceTally(
        _together(so_far.state, event.state),
        so_far.asked + count,
        so_far.found + event.found,
        max(so_far.seconds, event.seconds),
        so_far.error if so_far.error and not count else event.error or so_far.error,
        tuple(dict.fromkeys((*so_far.notes, *event.notes))),
    )


def _together(before: SourceState, now: SourceState) -> SourceState:
    """What a source has been in two answers: a question it was spared says nothing, good and bad is in part, and one
    that was stopped never failed."""
    if "skipped" in (before, now):
        return now if before == "skipped" else before
    if "stopped" in (before, now) and "failed" not in (before, now):
        return "stopped"
    return before if before == now else "partial"


class RunState(Protocol):
    """What a run is after some events. `started` names its sources, `finished` says how it ended; `apply` gives what
    it is after one more event."""

    @property
    def started(self) -> Any: ...

    @property
    def finished(self) -> Any: ...

    @property
    def findings(self) -> Findings: ...

    def apply(self, event: Any, /) -> Self: ...


S = TypeVar("S", bound=RunState)
E = TypeVar("E")


def nobody_keeps(event: object) -> None:
    """A board that nobody keeps."""


class Board(Generic[S, E]):
    """The events of one run so far, as a state; `keep` is told each event before anyone else sees it.

    A run that goes on begins with the events `so_far`, which are kept already; `blank` is the state before any.
    """

    def __init__(self, blank: S, keep: Callable[[E], None] = nobody_keeps, so_far: Iterable[E] = ()) -> None:
        self.state = blank
        self._keep = keep
        for event in so_far:
            self.state = self.state.apply(event)

    def post(self, event: E) -> E:
        """Keep `event`, fold it, and hand it on."""
        self._keep(event)
        return self.tell(event)

    def tell(self, event: E) -> E:
        """Fold `event` and hand it on, but keep it nowhere."""
        self.state = self.state.apply(event)
        return event


Outcome = Literal["answered", "empty", "partial", "failed", "stopped", "not asked", "waiting"]
"""It answered with records, or with none; in part; it failed; it was stopped before it answered; it was never asked; or
its answer is still to come."""
HERE = ("library", "starter")
"""What is on this machine anyway: it always answers, and cannot know what sources know today."""


def outcome_of(tally: SourceTally | None) -> Outcome:
    """What came of a source in a run; None is one that was to be asked and of which nothing has come yet."""
    if tally is None:
        return "waiting"
    if not tally.asked:
        return "not asked"
    if tally.state in ("failed", "partial", "stopped"):
        return tally.state
    return "answered" if tally.found else "empty"  # "skipped", but asked: it answered that it does not know the paper


def services_of(tallies: Mapping[str, SourceTally]) -> dict[str, SourceTally]:
    """Return the tallies of the sources that the run meant to ask, without what is on this machine anyway."""
    return {name: tally for name, tally in tallies.items() if name not in HERE and tally.state != "skipped"}


def any_answered(tallies: Mapping[str, SourceTally]) -> bool:
    """Return whether any of these sources answered, at least in part."""
    return any(tally.found or (tally.state in ("ok", "partial") and tally.asked) for tally in tallies.values())


def none_answered(tallies: Mapping[str, SourceTally]) -> bool:
    """Return whether the run meant to ask sources and none of them answered."""
    services = services_of(tallies)
    return bool(services) and not any_answered(services)


def tally_of(answer: SourceAnswered | None) -> SourceTally | None:
    """What a source did with a single query."""
    return None if answer is None else tallied(None, answer)
