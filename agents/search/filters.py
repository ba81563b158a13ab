"""The person's hard conditions, applied again here whatever the sources made of them."""

from collections.abc import Iterable, Mapping

from agents.run.retrieval.queries import within
from agents.search.events import QuestionUnderstood
from connectors.paper import Paper, WorkId
from connectors.records.matching import title_key

_ABBREVIATED = {
    "neurips": "neural information processing systems",
    "nips": "neural information processing systems",
    "icml": "international conference on machine learning",
    "iclr": "international conference on learning representations",
    "acl": "association for computational linguistics",
    "emnlp": "empirical methods in natural language processing",
    "cvpr": "computer vision and pattern recognition",
    "sigir": "research and development in information retrieval",
    "kdd": "knowledge discovery and data mining",
    "jmlr": "journal of machine learning research",
    "nejm": "new england journal of medicine",
    "pnas": "proceedings of the national academy of sciences",
    "bmj": "british medical journal",
}
"""Venues whose full name does not hold their abbreviation."""


def admitted(papers: Mapping[WorkId, Paper], understood: QuestionUnderstood) -> tuple[dict[WorkId, Paper], list[str]]:
    """The works that meet every condition of the question.

    Dates are always insisted on. A venue, a number of citations, open access or an author that no paper found can
    show is dropped, with a sentence: a question misread must not end in an empty list.
    """
    left = {work: paper for work, paper in papers.items() if within(paper, understood.since, understood.until)}
    dropped = []
    for wording, condition in _conditions(understood):
        meeting = {work: paper for work, paper in left.items() if condition(paper)}
        if meeting or not left:
            left = meeting
        else:
            dropped.append(f"No paper found is {wording}, so that was not insisted on.")
    return left, dropped


def _conditions(understood: QuestionUnderstood):  # type: ignore[no-untyped-def]  # pairs of a text and a predicate
    if understood.authors:
        names = " or ".join(understood.authors)
        yield f"by {names}", lambda paper: written_by(paper, understood.authors)
    if understood.venue:
        venue = understood.venue
        yield f"from {venue}", lambda paper: appeared_in(paper, venue)
    if understood.min_citations:
        least = understood.min_citations
        yield f"known to be cited {least:,} times", lambda paper: (paper.citation_count or 0) >= least
    if understood.open_access:
        yield "known to be free to read", lambda paper: paper.pdf is not None


def written_by(paper: Paper, names: Iterable[str]) -> bool:
    """Whether one of `names` is an author: the family name, and the first letter of the given name where both have
    one."""
    return any(_same_person(name.split(), author.family, author.given) for name in names for author in paper.authors)


def _same_person(name: list[str], family: str, given: str) -> bool:
    if not name or _bare(name[-1]) != _bare(family.split()[-1] if family.split() else ""):
        return False
    return len(name) == 1 or not given or _bare(name[0])[:1] == _bare(given)[:1]


def appeared_in(paper: Paper, venue: str) -> bool:
    """Whether a version of `paper` appeared in `venue`, written out or abbreviated."""
    names = {title_key(venue), _ABBREVIATED.get(venue.casefold(), "")} - {""}
    venues = [paper.venue, *(version.venue for version in (paper.preprint, paper.published) if version)]
    known = [f" {title_key(known_name)} " for known_name in venues if known_name]
    return any(f" {name} " in known_name for name in names for known_name in known)


def _bare(name: str) -> str:
    return title_key(name)
