"""Score how well papers fit a person's taste, and name the papers of their history that explain it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.taste.comparison import Comparison
from agents.taste.context import Reader, history_papers
from agents.taste.grounds import ground
from agents.taste.records import Ground, HistoryPaper
from agents.taste.scoring import Scored, scored
from cache import papers
from cache.store import PaperId
from connectors.paper import Paper

GROUNDS = 2
"""Number of papers of the history that explain a paper's score, the heaviest."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A paper's score from 0 to 1 (`agents.taste.scoring`) and the papers of the history that explain it; the
    person's own lines are not among them. `against` is the closest paper that the person does not want, possibly
    this one."""

    score: float = 0.0
    grounds: tuple[Ground, ...] = ()
    against: Ground | None = None


def fits(reader: Reader, some: Sequence[Paper], among: Sequence[Paper] = ()) -> list[Fit]:
    """Score how well each of `some` fits the person; an unwanted paper scores 0. Rarity is measured over the library
    and `among`, which may include `some`. Reads the whole library: do it off the event loop. Raises `CacheError`."""
    if reader.context.empty:
        return [Fit() for _ in some]
    everyone = list(dict.fromkeys((*some, *among)))
    numbers = {paper: number for paper in everyone if (number := papers.number_of(reader.store, paper)) is not None}
    strangers = [paper for paper in everyone if paper not in numbers]
    comparison = Comparison(reader.store, reader.context, strangers)
    places = {paper: comparison.place_of_other(index) for index, paper in enumerate(strangers)}
    places |= {paper: comparison.index[number] for paper, number in numbers.items() if number in comparison.index}
    compared = [paper for paper in dict.fromkeys(some) if paper in places]
    scores = scored(comparison, [places[paper] for paper in compared], GROUNDS)
    by_paper = {paper: _fit(comparison, paper, score) for paper, score in zip(compared, scores, strict=True)}
    unwanted = {paper: number for paper, number in numbers.items() if number in reader.context.unwanted}
    by_paper |= {paper: Fit(against=Ground(number, 0.0)) for paper, number in unwanted.items()}
    return [by_paper.get(paper, Fit()) for paper in some]


def _fit(comparison: Comparison, paper: Paper, of: Scored) -> Fit:
    grounds = (_ground_at(comparison, index, share, paper) for index, share in of.shares)
    against = None if of.against is None else _ground_at(comparison, of.against, 0.0, paper)
    return Fit(of.score, tuple(filter(None, grounds)), against)


def _ground_at(comparison: Comparison, index: int, share: float, candidate: Paper) -> Ground | None:
    """Return what `candidate` shares with the paper of the history at `index`; None for the person's own lines."""
    number = comparison.number(index)
    return None if number is None else ground_of(comparison, number, share, candidate)


def ground_of(
    comparison: Comparison, number: int, share: float, candidate: Paper, mine: int | None = None
) -> Ground | None:
    """Return what `candidate` (number `mine`, if in the library) shares with the paper `number` of the history; None
    if that has left the library. Raises `CacheError`."""
    if number not in comparison.index:
        return None
    paper = comparison.paper(comparison.index[number])
    cited = papers.cited_names(comparison.store, mine) if mine is not None else ()
    return ground(number, share, candidate, paper, cited, papers.cited_names(comparison.store, number))


def named_in(reader: Reader, some: Iterable[Fit]) -> tuple[HistoryPaper, ...]:
    """Return the papers of the history that explain these scores, each once. Raises `CacheError`."""
    context = reader.context
    grounds = [ground for fit in some for ground in (*fit.grounds, *filter(None, [fit.against]))]
    numbers = [PaperId(number) for number in dict.fromkeys(ground.number for ground in grounds)]
    return tuple(history_papers(reader.store, numbers, {**context.wanted, **context.unwanted}, context.acts))
