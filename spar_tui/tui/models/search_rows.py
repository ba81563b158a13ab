"""The rows of a search's list, and their order. No clock and no terminal."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from agents.builtin.arithmetic import fused
from agents.run.findings import FoundPaper
from agents.search.events import Decision, Ranked
from agents.search.question.matching import is_no_match
from agents.search.state import SearchState, is_relevant
from cache.conditions import orders
from connectors.paper import Paper, WorkId
from spar_tui.math_text import title_text
from spar_tui.phrases import LESS_SURE, NEAREST, NO_MATCH

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
    return _row(state, work, waiting, ranked.score if ranked else None)


def _row(state: SearchState, work: WorkId, waiting: Collection[WorkId], ranked: float | None) -> PaperRow:
    score, relevant = _weighed(state, work, ranked)
    plain = row_of(work, state.found[work].paper)
    decided = _decided(state, work)
    if state.started and is_no_match(state.started.question, state.found[work]):
        plain = replace(plain, reason=NO_MATCH)
    return replace(
        plain,
        score=score,
        relevant=relevant,
        waiting=work in waiting,
        unread=_unread(state, work),
        scored=True,
        decided=decided,
    )


def _unread(state: SearchState, work: WorkId) -> bool:
    """Whether the model has not read `work` and will not do so."""
    return state.finished is not None and work in state.assessed and state.unread(work)


def _decided(state: SearchState, work: WorkId) -> Decision | None:
    screened = state.screened.get(work)
    return screened.decision if screened else None


def _weighed(state: SearchState, work: WorkId, ranked: float | None) -> tuple[float | None, bool]:
    """Return the score of `work`, or its `ranked` score once it has one, and whether it is relevant."""
    if not (state.judgement(work) or work in state.assessed):
        return None, False
    relevance = state.relevance(work)
    return relevance if ranked is None else ranked, is_relevant(relevance)


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
ORDER_TITLES = {name: orders.ORDERS[name].title() for name in ORDERS} | {"relevance": "by score"}


def ordered(state: SearchState, order: str) -> list[WorkId]:
    """Return every work by `order`, the more relevant first among equals."""
    best_first = by_relevance(state)
    if order == "relevance":
        return best_first
    if order == "found":
        return sorted(best_first, reverse=True)
    return orders.ordered(best_first, order, lambda work: orders.sortable(state.found[work].paper))


def carried_on(order: Sequence[WorkId], state: SearchState) -> list[WorkId]:
    """Return `order` with joined works merged, and with new works at its end."""
    kept = list(dict.fromkeys(work_id for work in order if (work_id := state.work(work)) in state.found))
    work_ids = set(kept)
    return [*kept, *(work for work in state.works if work not in work_ids)]


def misplaced(places: Sequence[WorkId], state: SearchState, order: str = "relevance") -> int:
    """Return how many works would move up if the list were sorted by `order` now. By score, only relevant works count
    while the search runs."""
    now = {work: index for index, work in enumerate(places)}
    every = order != "relevance" or state.finished is not None
    return sum(
        now.get(work, len(now)) > index and (every or is_relevant(state.relevance(work)))
        for index, work in enumerate(ordered(state, order))
    )


@dataclass(frozen=True, slots=True)
class _Made:
    """A row, and what it was made from."""

    found: FoundPaper
    facts: tuple[float | None, bool, bool, bool, Decision | None]
    row: PaperRow


class Rows:
    """Makes the rows of a search in progress; reuses the rows of unchanged works."""

    def __init__(self) -> None:
        self._made: dict[WorkId, _Made] = {}
        self._ranking: tuple[Ranked, ...] = ()
        self._scores: dict[WorkId, float] = {}

    def __call__(self, state: SearchState, order: Iterable[WorkId], waiting: Collection[WorkId]) -> list[PaperRow]:
        """Return the rows of `order`, at most `MOST_ROWS`."""
        if state.ranking is not self._ranking:
            self._ranking, self._scores = (
                state.ranking,
                {candidate.work: candidate.score for candidate in state.ranking},
            )
        return [self._row(state, work, waiting) for work in islice(order, MOST_ROWS)]

    def _row(self, state: SearchState, work: WorkId, waiting: Collection[WorkId]) -> PaperRow:
        candidate, ranked = state.found[work], self._scores.get(work)
        facts = (*_weighed(state, work, ranked), work in waiting, _unread(state, work), _decided(state, work))
        before = self._made.get(work)
        # Compared by identity: comparing papers would take longer than making the row.
        if before is None or before.found is not candidate or before.facts != facts:
            before = self._made[work] = _Made(candidate, facts, _row(state, work, waiting, ranked))
        return before.row
