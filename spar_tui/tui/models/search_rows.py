"""The rows of a search's list, and their order. No clock and no terminal."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import Any

from agents.builtin.arithmetic import fused
from agents.run.findings import FoundPaper
from agents.search.events import Decision, Ranked
from agents.search.question.matching import is_no_match
from agents.search.state import SearchState, is_relevant
from cache.conditions import orders
from cache.conditions.filters import Filter, ShelvedPaper, chosen, subject_of
from cache.conditions.orders import NamedOrder
from cache.conditions.table import CheckedPaper
from connectors.paper import Paper, WorkId
from spar_tui.math_text import title_text
from spar_tui.phrases import LESS_SURE, NEAREST, NO_MATCH


@dataclass(frozen=True, slots=True)
class _Sifted:
    """What a filter checks, and what that was made from."""

    paper: Paper
    kept: ShelvedPaper | None
    in_search: frozenset[str]
    subject: CheckedPaper


class Sieve:
    """Filters the works of a search in progress; reuses the subjects of unchanged works."""

    def __init__(self) -> None:
        self._made: dict[WorkId, _Sifted] = {}

    def __call__(
        self, state: SearchState, order: Sequence[WorkId], kept: Mapping[WorkId, ShelvedPaper], wanted: Filter
    ) -> Sequence[WorkId]:
        """Return the works of `order` that match `wanted`; `kept` has the shelf's data on saved works."""
        return chosen(order, wanted, lambda work: self._subject(state, work, kept.get(work)))

    def _subject(self, state: SearchState, work: WorkId, kept: ShelvedPaper | None) -> CheckedPaper:
        paper, in_search = state.found[work].paper, states_in(state, work)
        before = self._made.get(work)
        # Compared by identity: comparing papers would take longer than making the subject.
        if before is None or before.paper is not paper or (before.kept, before.in_search) != (kept, in_search):
            before = self._made[work] = _Sifted(paper, kept, in_search, subject_of(paper, kept, in_search))
        return before.subject


def states_in(state: SearchState, work: WorkId) -> frozenset[str]:
    """Return the search's states of a work: whether it is relevant, and the person's decision."""
    return _states(is_judged_relevant(state, work), _decided(state, work))


@cache
def _states(relevant: bool, decision: Decision | None) -> frozenset[str]:
    judged: frozenset[str] = frozenset({"relevant"} if relevant else ())
    return judged | {decision} if decision else judged


def is_judged_relevant(state: SearchState, work: WorkId) -> bool:
    """Whether the work was judged or assessed, and is relevant."""
    return _is_weighed(state, work) and is_relevant(state.relevance(work))


def _is_weighed(state: SearchState, work: WorkId) -> bool:
    return state.judgement(work) is not None or work in state.assessed


def _decided(state: SearchState, work: WorkId) -> Decision | None:
    screened = state.screened.get(work)
    return screened.decision if screened else None


MOST_ROWS = 1_000
"""A longer list is slow, and nobody reads it."""


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A paper in a list, which knows it by `key`: its work in a search. `score` orders the list, None before any
    judgement; `waiting` for the judge that has received it. A `reason` replaces the facts."""

    key: int
    title: str
    score: float | None
    authors: str
    year: str
    venue: str
    cited: int | None = None
    reason: str = ""
    relevant: bool = False
    waiting: bool = False
    open_access: bool = False
    retracted: bool = False
    unread: bool = False
    """Whether a model judged other papers of the search but not this one."""
    scored: bool = True
    """Whether papers of this list get scores at all."""
    decided: Decision | None = None
    """The person's decision on the paper in this search."""
    rated: bool | None = None
    """True if the person wants more like it, False if they called it not relevant, None without a rating or after a
    decision."""
    rule: str = ""
    """Text of a line above the row, where another section begins."""

    @property
    def byline(self) -> str:
        return f"{self.authors} {self.year}".lstrip()


def waiting_works(state: SearchState) -> frozenset[WorkId]:
    """Return the works that the judge has received and not judged yet."""
    if state.finished:
        return frozenset()
    chosen: set[WorkId] = set().union(*(candidate.works for candidate in state.candidates))
    return frozenset(work for work in map(state.work, chosen) if state.judgement(work) is None)


def row(state: SearchState, work: WorkId, waiting: Collection[WorkId] = ()) -> PaperRow:
    """Return the row of `work`."""
    ranked = state.ranked(work)
    return _row(state, work, _facts(state, work, ranked.score if ranked else None, waiting))


def _row(state: SearchState, work: WorkId, facts: Mapping[str, Any]) -> PaperRow:
    started, candidate = state.started, state.found[work]
    reason = NO_MATCH if started and is_no_match(started.question, candidate) else ""
    return replace(row_of(work, candidate.paper), reason=reason, scored=True, **facts)


def _facts(state: SearchState, work: WorkId, ranked: float | None, waiting: Collection[WorkId]) -> dict[str, Any]:
    """Return what the row of `work` shows of the search; `ranked` is its ranked score, once it has one."""
    weighed, relevance, decided = _is_weighed(state, work), state.relevance(work), _decided(state, work)
    feedback = None if decided else state.feedback.get(work)
    return {
        "score": None if not weighed else relevance if ranked is None else ranked,
        "relevant": weighed and is_relevant(relevance),
        "waiting": work in waiting,
        "unread": state.finished is not None and work in state.assessed and state.unread(work),
        "decided": decided,
        "rated": None if feedback is None else is_relevant(feedback.score),
    }


def row_of(key: int, paper: Paper) -> PaperRow:
    """Return the row of a paper outside any search."""
    return PaperRow(
        key,
        title_text(paper),
        None,
        _authors(paper),
        str(paper.year or "no date"),
        paper.venue,
        paper.citation_count,
        open_access=paper.pdf is not None,
        retracted=paper.retracted,
        scored=False,
    )


def ruled(rows: Sequence[PaperRow], finished: bool) -> list[PaperRow]:
    """Return `rows` with a rule above the first assessed row that is not relevant, if all relevant rows precede it. If
    no row is relevant, add the rule only once the search has `finished`."""
    first = next((index for index, paper_row in enumerate(rows) if not paper_row.relevant), len(rows))
    if first == len(rows) or rows[first].score is None or any(row.relevant for row in rows[first:]):
        return list(rows)
    rule = LESS_SURE if first else NEAREST if finished else ""
    return [*rows[:first], replace(rows[first], rule=rule), *rows[first + 1 :]]


def _authors(paper: Paper) -> str:
    """Return `One`, `One & Two`, or `One et al.`, as citations in running text do."""
    names = [author.family for author in paper.authors[:3]]
    return " & ".join(names) if len(names) < 3 and not (names and paper.et_al) else f"{names[0]} et al."


def by_relevance(state: SearchState) -> list[WorkId]:
    """Return every work: the relevant ones first; by rank, then by relevance, then by the sources' lists for works that
    are not assessed yet."""
    rank = {candidate.work: number for number, candidate in enumerate(state.ranking)}

    def key(work: WorkId) -> tuple[bool, int, float, float, WorkId]:
        relevance = state.relevance(work)
        listed = 0.0 if work in state.assessed else _listed(state, work)
        return not is_relevant(relevance), rank.get(work, len(rank)), -relevance, -listed, work

    return sorted(state.found, key=key)


def _listed(state: SearchState, work: WorkId) -> float:
    """Return the fused score of the ranks of `work` in the sources' lists."""
    return fused(finding.rank for finding in state.found[work].found_by if finding.link is None and finding.rank > 0)


ORDERS = ("relevance", "year", "citations", "found")
"""Names of the orders in which a search can be listed."""
BY_SCORE = orders.named("relevance")


def order_title(order: NamedOrder) -> str:
    """Return the label of an order, below the list."""
    return "by score" if order == BY_SCORE else order.order.title(order.reverse)


def ordered(state: SearchState, order: NamedOrder) -> list[WorkId]:
    """Return every work by `order`, the more relevant first among equals."""
    best_first = by_relevance(state)
    if order.order is BY_SCORE.order:
        return best_first[::-1] if order.reverse else best_first
    if order.order.name == "found":
        return sorted(best_first, reverse=not order.reverse)
    return orders.ordered(
        best_first, order.order.name, lambda work: orders.sortable(state.found[work].paper), order.reverse
    )


def carried_on(order: Sequence[WorkId], state: SearchState) -> list[WorkId]:
    """Return `order` with joined works merged, and with new works at its end."""
    kept = list(dict.fromkeys(work_id for work in order if (work_id := state.work(work)) in state.found))
    work_ids = set(kept)
    return [*kept, *(work for work in state.works if work not in work_ids)]


def misplaced(places: Sequence[WorkId], state: SearchState, order: NamedOrder = BY_SCORE) -> int:
    """Return how many works would move up if the list were sorted by `order` now. By score, only relevant works count
    while the search runs."""
    now = {work: index for index, work in enumerate(places)}
    every = order.order is not BY_SCORE.order or state.finished is not None
    return sum(
        now.get(work, len(now)) > index and (every or is_relevant(state.relevance(work)))
        for index, work in enumerate(ordered(state, order))
    )


class Rows:
    """Makes the rows of a search in progress; reuses the rows of unchanged works."""

    def __init__(self) -> None:
        self._made: dict[WorkId, tuple[FoundPaper, Mapping[str, Any], PaperRow]] = {}
        self._ranking: tuple[Ranked, ...] = ()
        self._scores: dict[WorkId, float] = {}

    def __call__(self, state: SearchState, order: Iterable[WorkId], waiting: Collection[WorkId]) -> list[PaperRow]:
        """Return the rows of `order`, at most `MOST_ROWS`."""
        if state.ranking is not self._ranking:
            self._ranking, self._scores = state.ranking, {ranked.work: ranked.score for ranked in state.ranking}
        return [self._row(state, work, waiting) for work in islice(order, MOST_ROWS)]

    def _row(self, state: SearchState, work: WorkId, waiting: Collection[WorkId]) -> PaperRow:
        candidate, facts = state.found[work], _facts(state, work, self._scores.get(work), waiting)
        before = self._made.get(work)
        # Compared by identity: comparing papers would take longer than making the row.
        if before is None or before[0] is not candidate or before[1] != facts:
            before = self._made[work] = candidate, facts, _row(state, work, facts)
        return before[2]
