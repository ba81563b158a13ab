"""The profile as the program understands it: a line for each subject of the history, and one for each unwanted paper.

It is made anew from the history whenever it is shown; only what the person writes is kept (`cache.profile`).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from agents.taste.comparison import Comparison, heaviest
from agents.taste.interests import groups, words_for
from cache import papers
from cache.profile import Facet
from cache.store import PaperId, Store
from connectors.paper import Paper

NAMING = 60
"""Papers of a subject whose words name it."""
LEAST_PAPERS = 2
"""A single paper among many is no subject yet."""
MOST_DISLIKES = 5


@dataclass(frozen=True, slots=True)
class UnderstoodLine:
    """A line understood from the `papers` of the history, the weightiest first; `share` is their part of it."""

    facet: Facet
    text: str
    papers: tuple[PaperId, ...]
    share: float = 0.0


def understood_lines(
    store: Store, comparison: Comparison, subjects: Sequence[Sequence[int]] = (), claimed: Collection[int] = ()
) -> list[UnderstoodLine]:
    """What the history says of the person, the weightiest line first; `subjects` are the groups of the history by
    number if they are known already. Nothing is understood from the papers that are `claimed` by lines of the person's
    own. Raises `CacheError`."""
    context = comparison.context
    if not subjects:
        found = groups(comparison, comparison.history)
        subjects = [[number for place in group if (number := comparison.number(place)) is not None] for group in found]
    subjects = [[number for number in subject if number not in claimed] for subject in subjects]
    named = {index: papers.by_ids(store, subject[:NAMING]) for index, subject in enumerate(subjects)}
    everyone = [paper for some in named.values() for paper in some]
    total = sum(context.wanted.values()) or 1.0
    lines = [
        UnderstoodLine(
            "like",
            name_of(named[index], everyone),
            tuple(PaperId(number) for number in subject),
            sum(context.wanted.get(PaperId(number), 0.0) for number in subject) / total,
        )
        for index, subject in enumerate(subjects)
        if len(subject) >= min(LEAST_PAPERS, max(len(context.wanted), 1))
    ]
    unwanted = heaviest({number: weight for number, weight in context.unwanted.items() if number not in claimed},
                        MOST_DISLIKES)  # fmt: skip
    lines += [
        UnderstoodLine("dislike", papers_like(paper), (number,))
        for number in unwanted
        for paper in papers.by_ids(store, [number])
    ]
    return lines


def name_of(some: Sequence[Paper], everyone: Sequence[Paper]) -> str:
    """A subject in words that stand in the titles of its papers; by the first of them where they share none."""
    words = words_for(some, everyone)
    return ", ".join(words) if words else (papers_like(some[0]) if some else "")


def papers_like(paper: Paper) -> str:
    """A subject that has no other name than a paper of it."""
    return f"papers like “{paper.title}”"
