"""The person's hard conditions, applied again here whatever the sources made of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from agents.builtin.venue_names import keys_of
from agents.run.retrieval.queries import within
from agents.search.events import QuestionUnderstood
from cache.conditions import is_at
from connectors.paper import Paper, WorkId
from connectors.records.matching import title_key
from connectors.source import Preferred


def admitted(papers: Mapping[WorkId, Paper], understood: QuestionUnderstood) -> tuple[dict[WorkId, Paper], list[str]]:
    """The works that meet every condition of the question.

    Dates are always insisted on. A venue, a number of citations, open access or an author that none of the papers can
    show is dropped, with a sentence of which papers were asked for what: a question misread must not end in an empty
    list.
    """
    left = {work: paper for work, paper in papers.items() if within(paper, understood.since, understood.until)}
    compared = ["on the topic", *(["within the dates"] if understood.since or understood.until else [])]
    dropped = []
    for met, wanting, condition in _conditions(understood):
        meeting = {work: paper for work, paper in left.items() if condition(paper)}
        if meeting or not left:
            left = meeting
            compared.append(met)
        else:
            papers_compared = f"{len(left):,} paper{'' if len(left) == 1 else 's'} {_list(compared)}"
            dropped.append(f"Of the {papers_compared}, none {wanting}, so that was not insisted on.")
    return left, dropped


def preferred(understood: QuestionUnderstood) -> Preferred:
    """The conditions that a source can keep: what does not meet them is asked for too, for they may be dropped."""
    venues = frozenset[str]().union(*map(keys_of, understood.all_venues))
    return Preferred(tuple(sorted(venues)), understood.open_access, understood.min_citations or 0)


def conditions_unmet(paper: Paper, understood: QuestionUnderstood, admitted: Sequence[Paper]) -> list[str]:
    """The conditions, in words, that kept `paper` from the papers `admitted`; none if something else did.

    A condition that one of those does not meet was not insisted on.
    """
    unmet = []
    if not within(paper, understood.since, understood.until):
        bounds = " ".join(limit for limit in understood.limits if limit.startswith(("since ", "until ")))
        unmet = [f"it is not {bounds}" if paper.date else f"it has no date, so it is not known to be {bounds}"]
    return unmet + [
        f"it is not {met}"
        for met, _, condition in _conditions(understood)
        if not condition(paper) and admitted and all(map(condition, admitted))
    ]


class _Condition(NamedTuple):
    """A condition of the question: what papers are that meet it, what none does if none meets it, and the test."""

    met: str
    wanting: str
    test: Callable[[Paper], bool]


def _conditions(understood: QuestionUnderstood) -> Iterator[_Condition]:
    if understood.authors:
        names = " or ".join(understood.authors)
        yield _Condition(
            f"by {names}", f"names {names} among its authors", lambda paper: written_by(paper, understood.authors)
        )
    if understood.all_venues:
        names = " or ".join(understood.all_venues)
        yield _Condition(
            f"from {names}", f"names {names} as its venue", lambda paper: appeared_in(paper, understood.all_venues)
        )
    if understood.min_citations:
        least = understood.min_citations
        known = f"known to be cited {least:,} times"
        yield _Condition(known, f"is {known}", lambda paper: (paper.citation_count or 0) >= least)
    if understood.open_access:
        free = "known to be free to read"
        yield _Condition(free, f"is {free}", lambda paper: paper.pdf is not None)


def _list(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))


def written_by(paper: Paper, names: Iterable[str]) -> bool:
    """Whether one of `names` is an author: the family name, and the first letter of the given name where both have
    one."""
    return any(_same_person(name.split(), author.family, author.given) for name in names for author in paper.authors)


def _same_person(name: list[str], family: str, given: str) -> bool:
    if not name or _bare(name[-1]) != _bare(family.split()[-1] if family.split() else ""):
        return False
    return len(name) == 1 or not given or _bare(name[0])[:1] == _bare(given)[:1]


def appeared_in(paper: Paper, wanted: Iterable[str]) -> bool:
    """Whether a version of `paper` appeared in any of the venues `wanted`, written out or abbreviated."""
    names = frozenset[str]().union(*map(keys_of, wanted))
    venues = [paper.venue, *(version.venue for version in (paper.preprint, paper.published) if version)]
    return any(is_at(venue, name) for venue in venues if venue for name in names)


def _bare(name: str) -> str:
    return title_key(name)
