"""Authority and timeliness of papers (SPAR §3.3), from 0 to 1, by their records alone.

Authority is relative to the other papers of the search, so no list of venues or people is needed: it combines the
paper's citations per year with those of the other papers of its venue and of its authors.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from math import exp, fsum

from connectors.paper import Paper, WorkId
from connectors.records.matching import family_key, title_key

UNKNOWN = 0.5
_CITATIONS, _VENUE, _AUTHORS = 0.6, 0.25, 0.15
_OLDEST = 100
_CENTRE, _STEEPNESS = 7.0, 0.7
"""At this age in years a paper is half as timely as a new one (the constants of Ai2's Paper Finder)."""


def citations_a_year(paper: Paper, year: int) -> float | None:
    """Return the citations of `paper` per year of its age, including the year of publication; None if unknown."""
    if paper.citation_count is None or paper.year is None:
        return None
    return paper.citation_count / (max(year - paper.year, 0) + 1)


def timeliness(paper: Paper, year: int) -> float:
    """Return near 1 for a paper of this year, 0.5 at seven years."""
    if paper.year is None:
        return UNKNOWN
    age = min(max(year - paper.year, 0), _OLDEST)
    return 1 / (1 + exp(_STEEPNESS * (age - _CENTRE)))


def authority(papers: Mapping[WorkId, Paper], year: int) -> dict[WorkId, float]:
    """Return the authority of each of `papers` relative to the others; 0.5 for unknown parts."""
    rates = {work: rate for work, paper in papers.items() if (rate := citations_a_year(paper, year)) is not None}
    own = _shares(rates)
    venues = _shares(_means(papers, rates, lambda paper: [title_key(paper.venue)] if paper.venue else []))

    def people_of(paper: Paper) -> list[Hashable]:
        return [(family_key(author.family), author.given[:1].lower()) for author in paper.authors[:20]]

    people = _shares(_means(papers, rates, people_of))
    return {
        work: _CITATIONS * own.get(work, UNKNOWN)
        + _VENUE * venues.get(work, UNKNOWN)
        + _AUTHORS * people.get(work, UNKNOWN)
        for work in papers
    }


def _means(
    papers: Mapping[WorkId, Paper], rates: Mapping[WorkId, float], keys_of: Callable[[Paper], Sequence[Hashable]]
) -> dict[WorkId, float]:
    """Return for each paper the best mean rate of the other papers that share a key with it."""
    sharing: dict[Hashable, list[WorkId]] = defaultdict(list)
    for work in rates:
        for key in keys_of(papers[work]):
            sharing[key].append(work)
    means: dict[WorkId, float] = {}
    for work, paper in papers.items():
        others = [[rates[other] for other in sharing[key] if other != work] for key in keys_of(paper) if key in sharing]
        # `fsum` rounds once, so equal means stay equal in any order of the papers.
        if shares := [fsum(shared) / len(shared) for shared in others if shared]:
            means[work] = max(shares)
    return means


def _shares(values: Mapping[WorkId, float]) -> dict[WorkId, float]:
    """Return for each value the share of values below it; ties count half."""
    ordered: Sequence[float] = sorted(values.values())
    twice = 2 * len(ordered)
    return {
        work: (bisect_left(ordered, value) + bisect_right(ordered, value)) / twice for work, value in values.items()
    }
