"""Apply the person's hard conditions again, however sources treated them."""

from collections.abc import Mapping, Sequence

from agents.run.retrieval.queries import within
from agents.search.events import QuestionUnderstood
from cache.conditions.filters import Filter, FilterTerm, chosen, filter_by, subject_of
from cache.conditions.venue_names import keys_of
from cache.conditions.wording import listed
from connectors.paper import Paper, WorkId
from connectors.source import Preferred


def admitted(papers: Mapping[WorkId, Paper], understood: QuestionUnderstood) -> tuple[dict[WorkId, Paper], list[str]]:
    """Return the works that meet every condition of the question, and a sentence for each dropped condition.

    Dates always count. A venue, a number of citations, open access or an author that no paper meets is dropped: a
    misread question must not end in an empty list.
    """
    left = {work: paper for work, paper in papers.items() if within(paper, understood.since, understood.until)}
    compared = ["on the topic", *(["within the dates"] if understood.since or understood.until else [])]
    dropped = []
    for term in conditions_of(understood).terms:
        meeting = dict(chosen(list(left.items()), Filter((term,)), lambda pair: subject_of(pair[1])))
        if meeting or not left:
            left = meeting
            compared.append(_phrase(term))
        else:
            dropped.append(f"No paper {listed(compared)} is {_phrase(term)}; showing papers without this condition.")
    return left, dropped


def conditions_of(understood: QuestionUnderstood) -> Filter:
    """Return the question's conditions on papers, except subject and dates, as a filter."""
    return filter_by(
        any_authors=understood.authors,
        venues=understood.all_venues,
        min_citations=understood.min_citations or None,
        open_access=understood.open_access or None,
    )


def preferred(understood: QuestionUnderstood) -> Preferred:
    """Return the conditions that a source may prefer but not require, because they may be dropped."""
    venues = frozenset[str]().union(*map(keys_of, understood.all_venues))
    return Preferred(tuple(sorted(venues)), understood.open_access, understood.min_citations or 0)


def insisted_on(understood: QuestionUnderstood, admitted: Sequence[Paper]) -> tuple[FilterTerm, ...]:
    """Return the question's conditions, except dates, that all `admitted` papers meet; the others were dropped."""
    return tuple(
        term
        for term in conditions_of(understood).terms
        if admitted and len(chosen(admitted, Filter((term,)), subject_of)) == len(admitted)
    )


def conditions_unmet(paper: Paper, understood: QuestionUnderstood, insisted: Sequence[FilterTerm]) -> list[str]:
    """Return the dates and `insisted` conditions that `paper` does not meet, as clauses."""
    unmet = []
    if not within(paper, understood.since, understood.until):
        bounds = " ".join(limit for limit in understood.limits if limit.startswith(("since ", "until ")))
        unmet = [f"it is not {bounds}" if paper.date else f"it has no date, so it is not known to be {bounds}"]
    return unmet + [
        f"it is {term.row.opposite or f'not {_phrase(term)}'}"
        for term in insisted
        if not chosen([paper], Filter((term,)), subject_of)
    ]


def _phrase(term: FilterTerm) -> str:
    return term.row.phrase(term.values, "or")
