"""Apply the person's hard conditions again, however sources treated them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agents.run.retrieval.queries import within
from agents.search.events import QuestionUnderstood
from cache.conditions.filters import Filter, FilterTerm, chosen, filter_by, subject_of
from cache.conditions.venue_names import keys_of
from cache.conditions.wording import listed
from connectors.paper import Paper, WorkId
from connectors.source import Preferred


def admitted(
    papers: Mapping[WorkId, Paper], interpretation: QuestionUnderstood
) -> tuple[dict[WorkId, Paper], list[str]]:
    """Return the works that meet every condition of the question, and a sentence for each dropped condition.

    Dates always count. A venue, a number of citations, open access or an author that no paper meets is dropped: a
    misread question must not end in an empty list.
    """
    candidates = {
        work: paper for work, paper in papers.items() if within(paper, interpretation.since, interpretation.until)
    }
    met_conditions = ["on the topic", *(["within the dates"] if interpretation.since or interpretation.until else [])]
    sentences = []
    for term in conditions_of(interpretation).terms:
        meeting = dict(chosen(list(candidates.items()), Filter((term,)), lambda pair: subject_of(pair[1])))
        if meeting or not candidates:
            candidates = meeting
            met_conditions.append(f"with {term.phrase}" if term.row.has else term.phrase)
        else:
            verb = "has" if term.row.has else "is"
            sentences.append(
                f"No paper {listed(met_conditions)} {verb} {term.phrase}; showing papers without this condition."
            )
    return candidates, sentences


def conditions_of(interpretation: QuestionUnderstood) -> Filter:
    """Return the question's conditions on papers, except subject and dates, as a filter."""
    own = filter_by(
        any_authors=interpretation.authors,
        venues=interpretation.all_venues,
        min_citations=interpretation.min_citations or None,
        open_access=interpretation.open_access or None,
    )
    return own & interpretation.other_conditions


def preferred(interpretation: QuestionUnderstood) -> Preferred:
    """Return the conditions that a source may prefer but not require, because they may be dropped."""
    venues = frozenset[str]().union(*map(keys_of, interpretation.all_venues))
    return Preferred(tuple(sorted(venues)), interpretation.open_access, interpretation.min_citations or 0)


def insisted_on(interpretation: QuestionUnderstood, admitted: Sequence[Paper]) -> tuple[FilterTerm, ...]:
    """Return the question's conditions, except dates, that all `admitted` papers meet; the others were dropped."""
    return tuple(
        term
        for term in conditions_of(interpretation).terms
        if admitted and len(chosen(admitted, Filter((term,)), subject_of)) == len(admitted)
    )


def conditions_unmet(paper: Paper, interpretation: QuestionUnderstood, insisted: Sequence[FilterTerm]) -> list[str]:
    """Return the dates and `insisted` conditions that `paper` does not meet, as clauses."""
    unmet = []
    if not within(paper, interpretation.since, interpretation.until):
        unmet = [f"it was published {interpretation.outside}" if paper.date else "it has no date"]
    return unmet + [
        f"it {'has' if term.row.has else 'is'} {replace(term, negated=not term.negated).phrase}"
        for term in insisted
        if not chosen([paper], Filter((term,)), subject_of)
    ]
