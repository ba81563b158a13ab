"""What of a search is shown in its list: rows and their order, out of its state. No clock and no terminal."""

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
"""More rows than this make a list slow, and nobody reads them."""


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A paper in the list, known there by `key`: its work in a search. `score` is what the list is ordered by, None
    before anyone weighed it; `waiting` for the judge that was asked. A `reason` takes the place of the facts."""

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
    """Whether a model judged others of the search and was not shown this one."""
    scored: bool = True
    """Whether papers of this list are given scores at all."""
    decided: Decision | None = None
    """What the person decided of the paper in this search."""
    rule: str = ""
    """What stands in a line above the row, because something else begins with it."""

    @property
    def byline(self) -> str:
        return f"{self.authors} {self.year}".lstrip()


def waiting_works(state: SearchState) -> frozenset[WorkId]:
    """The works that the judge has been given and has not judged yet."""
    if state.finished:
        return frozenset()
    chosen: set[WorkId] = set().union(*(candidate.works for candidate in state.candidates))
    return frozenset(work for work in map(state.work, chosen) if state.judgement(work) is None)


def row(state: SearchState, work: WorkId, waiting: Collection[WorkId] = ()) -> PaperRow:
    """The row of `work`."""
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
    """Whether the model has not read `work` and will not."""
    return state.finished is not None and work in state.assessed and state.unread(work)


def _decided(state: SearchState, work: WorkId) -> Decision | None:
    screened = state.screened.get(work)
    return screened.decision if screened else None


def _weighed(state: SearchState, work: WorkId, ranked: float | None) -> tuple[float | None, bool]:
    """The score of `work`, that of its place once it is `ranked`; and whether it counts as relevant."""
    if not (state.judgement(work) or work in state.assessed):
        return None, False
    relevance = state.relevance(work)
    return relevance if ranked is None else ranked, is_relevant(relevance)


def row_of(key: int, paper: Paper) -> PaperRow:
    """The row of a paper that stands in no search."""
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
    """`rows` with a rule above the first that was weighed and does not count as relevant, where all that do stand
    before it. Where none does, that is said once the search has `finished`."""
    first = next((index for index, paper_row in enumerate(rows) if not paper_row.relevant), len(rows))
    if first == len(rows) or rows[first].score is None or any(row.relevant for row in rows[first:]):
        return list(rows)
    rule = LESS_SURE if first else NEAREST if finished else ""
    return [*rows[:first], replace(rows[first], rule=rule), *rows[first + 1 :]]


def _authors(paper: Paper) -> str:
    """`One`, `One & Two`, or `One et al.`: as papers are cited in running text."""
    names = [author.family for author in paper.authors[:3]]
    return " & ".join(names) if len(names) < 3 and not (names and paper.et_al) else f"{names[0]} et al."


def by_relevance(state: SearchState) -> list[WorkId]:
    """Every work: the relevant ones first; as ranked, then by relevance, then by what the sources' lists say of those
    that nobody has weighed yet."""
    rank = {candidate.work: number for number, candidate in enumerate(state.ranking)}

    def key(work: WorkId) -> tuple[bool, int, float, float, WorkId]:
        relevance = state.relevance(work)
        listed = 0.0 if work in state.assessed else _listed(state, work)
        return not is_relevant(relevance), rank.get(work, len(rank)), -relevance, -listed, work

    return sorted(state.found, key=key)


def _listed(state: SearchState, work: WorkId) -> float:
    """What the places of `work` in the lists of the sources are worth together."""
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
    """`order` as it was, with works that turned out to be one joined, and new works at its end."""
    kept = list(dict.fromkeys(work_id for work in order if (work_id := state.work(work)) in state.found))
    work_ids = set(kept)
    return [*kept, *(work for work in state.works if work not in work_ids)]


def misplaced(places: Sequence[WorkId], state: SearchState, order: str = "relevance") -> int:
    """How many works would move up if the list were sorted by `order` now; by score, while the search runs, of those
    that are relevant."""
    now = {work: index for index, work in enumerate(places)}
    every = order != "relevance" or state.finished is not None
    return sum(
        now.get(work, len(now)) > index and (every or is_relevant(state.relevance(work)))
        for index, work in enumerate(ordered(state, order))
    )


@dataclass(frozen=True, slots=True)
class _Made:
    """A row, and what it was made of."""

    found: FoundPaper
    told: tuple[float | None, bool, bool, bool, Decision | None]
    row: PaperRow


class Rows:
    """Makes the rows of a search that goes on; a row whose work is as it was is the one made before."""

    def __init__(self) -> None:
        self._made: dict[WorkId, _Made] = {}
        self._ranking: tuple[Ranked, ...] = ()
        self._scores: dict[WorkId, float] = {}

    def __call__(self, state: SearchState, order: Iterable[WorkId], waiting: Collection[WorkId]) -> list[PaperRow]:
        """The rows of `order`, at most `MOST_ROWS`."""
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
        # Compared by identity: to compare papers would take longer than to make the row.
        if before is None or before.found is not candidate or before.told != facts:
            before = self._made[work] = _Made(candidate, facts, _row(state, work, waiting, ranked))
        return before.row
