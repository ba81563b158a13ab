"""The whole profile: the lines that the person has written, and those that are understood from the history, by names.

A line of the person's own is named by its number in the store, which is not used again. An understood line is named by
the papers that it rests on: when the history has changed so that it rests on others, its name is nobody's, and what the
person says of it cannot hit another line.
"""

from base64 import b32encode
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from agents.taste.comparison import Comparison, groups, heaviest, strangers, words_for
from agents.taste.context import Contradiction, UserContext, content_words, contradictions, read_context
from cache import papers
from cache.profile import Facet, Line
from cache.store import PaperId, Store
from connectors.paper import Paper
from connectors.starter.shelf import StarterShelf

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
        groups_found = groups(comparison, comparison.history)
        subjects = [
            [number for position in group if (number := comparison.number(position)) is not None]
            for group in groups_found
        ]
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


_LETTERS = 5
"""Of a name, behind its `h`: 25 bits, so that of two lines that are shown within a day hardly two have the same."""


@dataclass(frozen=True, slots=True)
class NamedLine:
    """A line of the profile: the person's `own` as the store keeps it, or one understood from its papers (None).

    Of an understood line `share` is the part of the history that it rests on. A line that does not count contradicts
    another.
    """

    name: str
    facet: Facet
    text: str
    papers: tuple[PaperId, ...] = ()
    own: Line | None = None
    share: float = 0.0
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Profile:
    """All that is thought of the person's taste: `papers` are those with which anything was done that counts.

    `against` pairs lines of the person's own with understood ones that say the opposite: there both count.
    """

    lines: tuple[NamedLine, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    against: tuple[tuple[NamedLine, NamedLine], ...] = ()
    papers: tuple[PaperId, ...] = ()


def read_profile(store: Store, now: datetime) -> Profile:
    """The profile at `now`: the person's own lines first. Blocks on the disk; asks nobody. Raises `CacheError`."""
    context = read_context(store, now)
    own = [own_line(line, line in context.lines)
           for line in sorted((*context.lines, *context.contradicting), key=lambda line: line.number)]  # fmt: skip
    understood = _understood(store, context)
    conflicts = contradictions([line.own for line in own if line.own], now.astimezone().date())
    return Profile((*own, *understood), tuple(conflicts), tuple(_against(own, understood)), tuple(sorted(context.acts)))


def own_line(line: Line, counts: bool = True) -> NamedLine:
    """A line of the person's own, by its name."""
    return NamedLine(str(line.number), line.facet, line.text, line.papers, line, counts=counts)


def name_of_papers(facet: Facet, papers: Iterable[int]) -> str:
    """What an understood line that rests on `papers` is called, such as `hk3x2f`."""
    digest = sha256(f"{facet} {sorted(papers)}".encode()).digest()
    return f"h{b32encode(digest).decode()[:_LETTERS].lower()}"


def _understood(store: Store, context: UserContext) -> list[NamedLine]:
    if not (context.wanted or context.unwanted):
        return []
    others = strangers(store, StarterShelf().papers())  # which a recommendation compares with as well
    # A line that is written or forgotten must not change what is understood, or lines would lose their names by it.
    comparison = Comparison(store, replace(context, lines=(), contradicting=()), others)
    return [
        NamedLine(name_of_papers(line.facet, line.papers), line.facet, line.text, line.papers, share=line.share)
        for line in understood_lines(store, comparison, claimed=context.claimed)
    ]


def _against(own: Sequence[NamedLine], understood: Sequence[NamedLine]) -> Iterable[tuple[NamedLine, NamedLine]]:
    """The lines of the person's own that count, each with what is understood of the same subject to the contrary."""
    for mine in own:
        for other in understood:
            subjects = {content_words(words) for words in (other.text, *other.text.split(", "))}
            opposed = (mine.facet == "dislike") != (other.facet == "dislike")
            if mine.counts and opposed and content_words(mine.text) in subjects:
                yield mine, other
