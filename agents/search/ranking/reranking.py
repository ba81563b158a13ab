"""The order of the answer (SPAR §3.3 and A.4): relevance, then the needs met, then authority and timeliness.

A model is not asked for the order: its judgements of single papers rank better than its order of the best ten together
(nDCG@10 .956 before such a request and .937 after it, over six questions with a careful reader as the model).
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from math import exp, fsum
from statistics import fmean

from agents.search.events import PaperJudged, PapersRanked, Ranked
from agents.search.pool import assessed
from agents.search.question.wanted import MOST_NEEDS
from agents.search.session import Session
from agents.search.state import THRESHOLD, SearchState, is_relevant
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
    ascending: Sequence[float] = sorted(values.values())
    twice = 2 * len(ascending)
    return {
        work: (bisect_left(ascending, value) + bisect_right(ascending, value)) / twice for work, value in values.items()
    }


FIRST = 5
"""Number of first papers among which each need is met, if a relevant paper meets it."""
LEAST, PREFERRED = 0.015, 0.115
"""Weights of authority and timeliness: by default, and if renowned or recent work was requested. Relevance from 0.5 to
1 has all kept papers, so with a larger weight fame would outrank more likely papers."""
AMONG_EQUALS = 0.1
"""Weight of the order among equally relevant papers: by the needs that they meet if the model has read them, else by
the built-in assessment. It is smaller than the gap between two labels of the model."""
_STEPS = 8 * (MOST_NEEDS + 1)
LEAST_READ = 0.4 * AMONG_EQUALS / _STEPS
"""Like `LEAST`, for papers that the model has read; authority and timeliness together stay below one step."""


async def rerank(session: Session) -> None:
    """Post the answer's order."""
    if session.enter("reranking", 1):
        await assessed(session, at_last=True)
        session.post(PapersRanked(ranked(session.state, session.options.rerank)))


def ranked(state: SearchState, rerank: bool = True) -> tuple[Ranked, ...]:
    """Return every work within bounds as ranked now, best first; ties by name."""
    works = [work for work in state.assessed if work in state.found]
    papers = {work: state.found[work].paper for work in works}
    among_equals = {
        work: _of_needs(state.judged[work]) if state.read_by_model(work) else state.assessed[work] for work in works
    }
    content = {work: (1 - AMONG_EQUALS) * state.relevance(work) + AMONG_EQUALS * among_equals[work] for work in works}
    by_content = sorted(works, key=lambda work: (-content[work], papers[work].id))
    if not rerank:
        return tuple(Ranked(work, content[work], state.relevance(work)) for work in by_content)
    year = state.started.today.year if state.started else 0
    authorities = authority(papers, year)
    scores = _scores(state, papers, content, authorities, year)
    order = sorted(works, key=lambda work: (-scores[work], papers[work].id))
    now = {work: number for number, work in enumerate(order)}
    why = {work: _why(papers, authorities, year, by_content, now, before) for before, work in enumerate(by_content)}
    ranking = [Ranked(work, scores[work], state.relevance(work), why[work]) for work in order]
    needs = state.understood.needs if state.understood else ()
    return tuple(meeting_needs(ranking, {work: judgement.needs for work, judgement in state.judged.items()}, needs))


def meeting_needs(
    ranking: Sequence[Ranked], needs_met: Mapping[WorkId, Sequence[int]], needs: Sequence[str]
) -> list[Ranked]:
    """Return `ranking` with each of `needs` met among the first `FIRST`, if possible: the best paper that meets a need
    replaces the last of the first that is no more relevant and that no need depends on. `needs_met` has the numbers of
    the needs, from 1."""
    order = list(ranking)
    for need, words in enumerate(needs, start=1):
        offering = [index for index, entry in enumerate(order) if need in _met(entry, needs_met)]
        if not offering or offering[0] < FIRST:
            continue
        best = order[offering[0]]
        weaker = [index for index, entry in enumerate(order[:FIRST]) if entry.relevance <= best.relevance]
        spare = [index for index in weaker if not _missed_without(index, order, needs_met)]
        if spare:
            up = offering[0] - FIRST + 1
            moved, displaced = order.pop(offering[0]), order.pop(spare[-1])
            order[FIRST - 1 : FIRST - 1] = [replace(moved, why=f"up {up}: the best on “{words}”"), displaced]
    return [replace(entry, score=slot.score) for entry, slot in zip(order, ranking, strict=True)]


def _met(entry: Ranked, needs_met: Mapping[WorkId, Sequence[int]]) -> set[int]:
    return {*needs_met.get(entry.work, ())} if is_relevant(entry.relevance) else set()


def _missed_without(index: int, order: Sequence[Ranked], needs_met: Mapping[WorkId, Sequence[int]]) -> set[int]:
    """Return the needs that only the paper at `index` meets among the first."""
    others = (_met(entry, needs_met) for at, entry in enumerate(order[:FIRST]) if at != index)
    return _met(order[index], needs_met).difference(*others)


def _of_needs(judgement: PaperJudged) -> float:
    """Score a judgement by whether the model calls the paper one of the best; then by its needs: the question itself,
    then how many; then by whether a quote supports it. The last step is left for authority and timeliness."""
    needs = (MOST_NEEDS + 1) * (2 * judgement.best + (1 in judgement.needs)) + len(judgement.needs)
    return (2 * needs + judgement.proven) / _STEPS


def _scores(
    state: SearchState,
    papers: Mapping[WorkId, Paper],
    content: Mapping[WorkId, float],
    authorities: Mapping[WorkId, float],
    year: int,
) -> dict[WorkId, float]:
    # If nothing is relevant, authority and date must not outweigh the little relevance there is.
    trust = min(max(content.values(), default=0.0) / THRESHOLD, 1.0)
    scores = {}
    question = state.understood
    for work, paper in papers.items():
        least = LEAST_READ if state.read_by_model(work) else LEAST
        by_fame = PREFERRED if question and question.renowned else least
        by_date = PREFERRED if question and (question.recent or question.intent == "recent-advances") else least
        standing = by_fame * authorities[work] + by_date * timeliness(paper, year)
        scores[work] = round((1 - by_fame - by_date) * content[work] + trust * standing, 6)
    return scores


def _why(
    papers: Mapping[WorkId, Paper],
    authorities: Mapping[WorkId, float],
    year: int,
    by_content: Sequence[WorkId],
    now: Mapping[WorkId, int],
    before: int,
) -> str:
    """Return in what the paper at the rank `before` differs from the papers that it passed on the way to its rank
    `now`, or that passed it; "" if it did not move."""
    work = by_content[before]
    up = before - now[work]
    if not up:
        return ""
    beside = by_content[:before] if up > 0 else by_content[before + 1 :]
    others = [other for other in beside if (now[other] > now[work]) is (up > 0)]
    cited = authorities[work] - fmean(authorities[other] for other in others)
    new = timeliness(papers[work], year) - fmean(timeliness(papers[other], year) for other in others)
    dated = f"{'newer' if up > 0 else 'older'} ({papers[work].year})" if papers[work].year else "without a date"
    facts = ((cited, f"{'more' if up > 0 else 'fewer'} citations (paper, venue, authors)"), (new, dated))
    reasons = [fact for difference, fact in facts if difference * up > 0] or ["equal relevance"]
    return f"{'up' if up > 0 else 'down'} {abs(up)}: {', '.join(reasons)}"
