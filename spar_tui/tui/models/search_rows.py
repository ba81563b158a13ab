"""What of a search is shown in its list: rows and their order, out of its state. No clock and no terminal."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, get_args

from agents.search.events import PaperJudged
from agents.search.state import THRESHOLD, SearchState
from connectors.paper import Paper, WorkId
from spar_tui.phrases import reason_text

MOST_ROWS = 1_000
"""More rows than this make a list slow, and nobody reads them."""


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A paper in the list, known there by `key`: its work in a search. `score` is None before anyone judged it;
    `waiting` for the judge that was asked."""

    key: int
    title: str
    score: float | None
    byline: str
    venue: str
    reason: str
    waiting: bool = False
    retracted: bool = False
    scored: bool = True
    """Whether papers of this list are given scores at all."""

    @property
    def relevant(self) -> bool:
        return self.score is not None and self.score >= THRESHOLD


def waiting_works(state: SearchState) -> frozenset[WorkId]:
    """The works that the judge has been given and has not judged yet."""
    if state.finished:
        return frozenset()
    chosen: set[WorkId] = set().union(*(one.works for one in state.candidates))
    return frozenset(work for work in map(state.work, chosen) if state.judgement(work) is None)


def row(state: SearchState, work: WorkId, waiting: Collection[WorkId] = ()) -> PaperRow:
    """The row of `work`."""
    paper, judged = state.found[work].paper, state.judgement(work)
    cited = f"cited {paper.citation_count:,}" if paper.citation_count else ""
    return PaperRow(
        work,
        paper.title,
        state.relevance(work) if judged or work in state.assessed else None,
        f"{_byline(paper)} {paper.year or 'no date'}".lstrip(),
        " · ".join(filter(None, [paper.venue, cited])),
        reason_text(judged.reason, judged.proven) if judged else "",
        work in waiting,
        paper.retracted,
    )


def row_of(key: int, paper: Paper) -> PaperRow:
    """The row of a paper outside of any search, known by its index in a list."""
    cited = f"cited {paper.citation_count:,}" if paper.citation_count else ""
    venue = " · ".join(filter(None, [paper.venue, cited]))
    return PaperRow(key, paper.title, None, f"{_byline(paper)} {paper.year or 'no date'}".lstrip(), venue,
                    "", retracted=paper.retracted, scored=False)  # fmt: skip


def _byline(paper: Paper) -> str:
    """`One`, `One & Two`, or `One et al.`: as papers are cited in running text."""
    names = [author.family for author in paper.authors[:3]]
    return " & ".join(names) if len(names) < 3 and not (names and paper.et_al) else f"{names[0]} et al."


def by_relevance(state: SearchState) -> list[WorkId]:
    """Every work: as ranked, then by relevance, then as they came."""
    place = {one.work: number for number, one in enumerate(state.ranking)}
    return sorted(state.found, key=lambda work: (place.get(work, len(place)), -state.relevance(work), work))


Order = Literal["score", "year", "citations", "found"]
ORDERS: tuple[Order, ...] = get_args(Order)
ORDER_TITLES: dict[Order, str] = {
    "score": "by score", "year": "by year", "citations": "by citations", "found": "newest found first",
}  # fmt: skip


def ordered(state: SearchState, order: Order) -> list[WorkId]:
    """Every work by `order`: the newest, the most cited first, those of which it is not known last; of equals the more
    relevant comes first."""
    best_first = by_relevance(state)
    match order:
        case "score":
            return best_first
        case "found":
            return sorted(best_first, reverse=True)
        case "year":
            return sorted(best_first, key=lambda work: -(state.found[work].paper.year or 0))
        case "citations":
            return sorted(best_first, key=lambda work: -_known(state.found[work].paper.citation_count))


def _known(number: int | None) -> int:
    return -1 if number is None else number


def carried_on(order: Sequence[WorkId], state: SearchState) -> list[WorkId]:
    """`order` as it was, with works that turned out to be one joined, and new works at its end."""
    kept = list(dict.fromkeys(one for work in order if (one := state.work(work)) in state.found))
    known = set(kept)
    return [*kept, *(work for work in state.works if work not in known)]


def misplaced(places: Sequence[WorkId], state: SearchState, order: Order = "score") -> int:
    """How many works would move up if the list were sorted by `order` now; by score, of those that are relevant."""
    now = {work: place for place, work in enumerate(places)}
    return sum(
        now.get(work, len(now)) > place and (order != "score" or state.relevance(work) >= THRESHOLD)
        for place, work in enumerate(ordered(state, order))
    )


@dataclass(frozen=True, slots=True)
class _Made:
    """A row, and what it was made of."""

    paper: Paper
    judged: PaperJudged | None
    told: tuple[float | None, bool]
    row: PaperRow


class Rows:
    """Makes the rows of a search that goes on; a row whose work is as it was is the one made before."""

    def __init__(self) -> None:
        self._made: dict[WorkId, _Made] = {}

    def __call__(self, state: SearchState, order: Iterable[WorkId], waiting: Collection[WorkId]) -> list[PaperRow]:
        """The rows of `order`, at most `MOST_ROWS`."""
        return [self._row(state, work, waiting) for work in islice(order, MOST_ROWS)]

    def _row(self, state: SearchState, work: WorkId, waiting: Collection[WorkId]) -> PaperRow:
        paper, judged = state.found[work].paper, state.judgement(work)
        told = (state.assessed.get(work), work in waiting)
        before = self._made.get(work)
        # Compared by identity: to compare papers would take longer than to make the row.
        if before is None or before.paper is not paper or before.judged is not judged or before.told != told:
            before = self._made[work] = _Made(paper, judged, told, row(state, work, waiting))
        return before.row
