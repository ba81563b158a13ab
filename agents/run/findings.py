"""The findings of a run of any kind: papers, source results, model costs, warnings."""

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
"""Beginning of the sentence about a source that does not suit the question."""
TOOK_OVER = "Built-in rules took over."
"""End of the sentence about a failure of the model."""


@dataclass(frozen=True, slots=True)
class FoundPaper:
    """A work and every way in which it was found."""

    paper: Paper
    found_by: tuple[FoundBy, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceTally:
    """Results of a source in the run, summed up by `outcome_of`. `asked` is the number of queries sent to it."""

    state: SourceState = "ok"
    asked: int = 0
    found: int = 0
    seconds: float = 0.0
    error: str | None = None
    notes: tuple[str, ...] = ()


class RecordCounts(NamedTuple):
    """The records from one source or kind of link: the number of distinct records, and the total over its overlapping
    lists."""

    distinct: int
    returned: int


class PapersByWork(Mapping[WorkId, Paper]):
    """The papers of found works by number, in the order of their finding."""

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
    """The fold of the events that every kind of run has; `apply` returns the findings after one more event.

    The maps are persistent and unordered: each event costs the same, however many came before. `works` gives the
    numbers of the works in the order of their finding.
    """

    planned: tuple[QueryPlanned, ...] = ()
    answered: "HashTrieMap[tuple[str, str], SourceAnswered]" = field(default_factory=HashTrieMap)
    """The answer to each query, by (source, query)."""
    found: "HashTrieMap[WorkId, FoundPaper]" = field(default_factory=HashTrieMap)
    joined: "HashTrieMap[WorkId, WorkId]" = field(default_factory=HashTrieMap)
    """Works merged into others: old number to new number."""
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
                methods = self.found[work].found_by if work in self.found else ()
                methods = methods if found_by in methods else (*methods, found_by)
                return replace(self, found=self.found.insert(work, FoundPaper(paper, methods)))
            case WorksJoined(survivor, duplicate):
                return self._join(survivor, duplicate)
            case AbstractFilled(work, paper):
                return replace(self, found=self.found.insert(work, replace(self.found[work], paper=paper)))
            case Spent():
                return replace(self, spent=(*self.spent, event))
            case Warned(sentence):
                return replace(self, warnings=(*self.warnings, sentence))
        return self

    @property
    def works(self) -> list[WorkId]:
        """The numbers of the works, in the order of their finding."""
        return sorted(self.found)

    @property
    def papers(self) -> PapersByWork:
        """The papers found, by the numbers of their works."""
        return PapersByWork(self.found)

    def work(self, number: WorkId) -> WorkId:
        """Return the current number of the work `number`, which may have been joined to another."""
        while number in self.joined:
            number = self.joined[number]
        return number

    @property
    def records(self) -> dict[str, RecordCounts]:
        """Count the records by the source that listed them, then those found by `references` and `citations`."""
        distinct: dict[str, set[tuple[WorkId, str]]] = {}
        returned = Counter[str]()
        for work, candidate in self.found.items():
            for finding in candidate.found_by:
                name = finding.link or finding.source
                distinct.setdefault(name, set()).add((work, finding.record))
                returned[name] += 1
        order = sorted(distinct, key=lambda name: (name in LINKS, name))
        return {name: RecordCounts(len(distinct[name]), returned[name]) for name in order}

    @property
    def cost(self) -> Spent:
        """The total cost of the language model; priced only if every step that used tokens has a price."""
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
        """The number of calls to the language model, by step."""
        steps = Counter[str]()
        for spent in self.spent:
            steps[spent.step] += spent.calls
        return dict(steps)

    @property
    def failed_sources(self) -> dict[str, str]:
        """The sources that failed, stopped or answered in part, each with its sentence."""
        return failures(self.sources)

    @property
    def not_chosen(self) -> tuple[str, ...]:
        """The live sources that were skipped because they do not fit the question."""
        return tuple(name for name in self._left_out if not self._was_planned(name))

    @property
    def not_askable(self) -> tuple[str, ...]:
        """The chosen sources that were sent nothing, because they can take no query of this run."""
        return tuple(name for name in self._left_out if self._was_planned(name))

    @property
    def off(self) -> tuple[str, ...]:
        """The live sources that were sent nothing because the person's settings turn them off."""
        unasked = [name for name, tally in self.sources.items() if tally.state == "skipped" and not tally.asked]
        return tuple(name for name in unasked if name not in self._left_out)

    @property
    def _left_out(self) -> list[str]:
        tallies = self.sources.items()
        return [name for name, tally in tallies if not tally.asked and (tally.error or "").startswith(LEFT_OUT)]

    def _was_planned(self, source: str) -> bool:
        return any(plan.source == source for plan in self.planned)

    @property
    def model_failures(self) -> tuple[str, ...]:
        """The warnings about failures of the model; none if it answered or was not asked."""
        return tuple(sentence for sentence in self.warnings if sentence.endswith(TOOK_OVER))

    @property
    def failed(self) -> int:
        """Number of failures: sources that failed fully or in part, and the model. A stopped source has not failed."""
        return sum(self.sources[name].state != "stopped" for name in self.failed_sources) + bool(self.model_failures)

    @property
    def troubled(self) -> bool:
        """Whether a source or the model failed."""
        return self.failed > 0

    def _join(self, survivor: WorkId, duplicate: WorkId) -> Self:
        methods = (*self.found[survivor].found_by, *self.found[duplicate].found_by)
        merged = replace(self.found[survivor], found_by=tuple(dict.fromkeys(methods)))
        return replace(
            self,
            found=self.found.remove(duplicate).insert(survivor, merged),
            joined=self.joined.insert(duplicate, survivor),
        )


def failures(tallies: Mapping[str, SourceTally]) -> dict[str, str]:
    """Return the sources in `tallies` that failed, stopped or answered in part, each with its sentence."""
    return {
        name: tally.error or "answered only in part."
        for name, tally in tallies.items()
        if tally.state in ("failed", "stopped", "partial")
    }


def tallied(so_far: SourceTally | None, event: SourceAnswered) -> SourceTally:
    """Return the tally of a source after one more answer."""
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
    """Return the joint state of two answers of a source. "skipped" gives way to the other state, "stopped" to "failed";
    other differences make "partial"."""
    if "skipped" in (before, now):
        return now if before == "skipped" else before
    if "stopped" in (before, now) and "failed" not in (before, now):
        return "stopped"
    return before if before == now else "partial"


class RunState(Protocol):
    """The state of a run after some events. `started` names its sources, `finished` says how it ended; `apply` returns
    the state after one more event."""

    @property
    def started(self) -> Any: ...

    @property
    def finished(self) -> Any: ...

    @property
    def findings(self) -> Findings: ...

    def apply(self, event: Any, /) -> Self: ...


S = TypeVar("S", bound=RunState)
E = TypeVar("E")


class Board(Generic[S, E]):
    """The events of one run, folded into a state; `keep` stores each event before others see it.

    A resumed run begins with the events `so_far`, which are already stored; `blank` is the state before any event.
    """

    def __init__(self, blank: S, keep: Callable[[E], object] = lambda event: None, so_far: Iterable[E] = ()) -> None:
        self.state = blank
        self._keep = keep
        for event in so_far:
            self.state = self.state.apply(event)

    def post(self, event: E) -> E:
        """Store `event`, fold it, and return it."""
        self._keep(event)
        return self.tell(event)

    def tell(self, event: E) -> E:
        """Fold `event` and return it without storing it."""
        self.state = self.state.apply(event)
        return event


Outcome = Literal["answered", "empty", "partial", "failed", "stopped", "not asked", "waiting"]
"""The result of a source: it answered with records, without any, or in part; it failed; it was stopped; it was not
asked; or its answer is still to come."""
HERE = ("library", "starter")
"""Sources on this machine: they always answer but do not know new papers."""


def outcome_of(tally: SourceTally | None) -> Outcome:
    """Return the outcome of a source in a run; `tally` None means that nothing has arrived yet."""
    if tally is None:
        return "waiting"
    if not tally.asked:
        return "not asked"
    if tally.state in ("failed", "partial", "stopped"):
        return tally.state
    return "answered" if tally.found else "empty"  # "skipped" but asked: the source does not know the paper


def services_of(tallies: Mapping[str, SourceTally]) -> dict[str, SourceTally]:
    """Return the tallies of the sources that the run meant to ask, without those on this machine."""
    return {name: tally for name, tally in tallies.items() if name not in HERE and tally.state != "skipped"}


def any_answered(tallies: Mapping[str, SourceTally]) -> bool:
    """Return whether any of these sources answered, at least in part."""
    return any(tally.found or (tally.state in ("ok", "partial") and tally.asked) for tally in tallies.values())


def none_answered(tallies: Mapping[str, SourceTally]) -> bool:
    """Return whether the run meant to ask sources and none of them answered."""
    services = services_of(tallies)
    return bool(services) and not any_answered(services)


def tally_of(answer: SourceAnswered | None) -> SourceTally | None:
    """Return the tally of one answer; None without an answer."""
    return None if answer is None else tallied(None, answer)
