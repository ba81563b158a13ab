"""The whole profile: the lines that the person wrote, and those understood from the history, each with a name.

The person's own line is named by its number in the store, which is not reused. An understood line is named by its
papers: when the history changes so that it rests on others, its old name names nothing, so no command can hit another
line.
"""

from base64 import b32encode
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from agents.taste.comparison import TasteComparison, groups, heaviest, strangers, words_for
from agents.taste.context import Contradiction, UserContext, content_words, contradictions, read_context
from cache import papers
from cache.profile import Facet, WrittenLine
from cache.store import PaperId, Store
from connectors.paper import Paper
from connectors.starter.shelf import StarterShelf

NAMING = 60
"""Number of papers of a subject whose words name it."""
LEAST_PAPERS = 2
"""Minimum number of papers of a subject."""
MOST_DISLIKES = 5


_LETTERS = 5
"""Letters of a name after its `h`: 25 bits, so that two lines hardly ever have the same name."""


@dataclass(frozen=True, slots=True)
class NamedLine:
    """A line of the profile: the person's `own` as stored, or one understood from its papers (`own` is None).

    `share` is the share of the history on which an understood line rests. A line that does not count contradicts
    another.
    """

    name: str
    facet: Facet
    text: str
    papers: tuple[PaperId, ...] = ()
    own: WrittenLine | None = None
    share: float = 0.0
    counts: bool = True


def understood_lines(
    store: Store, comparison: TasteComparison, subjects: Sequence[Sequence[int]] = (), claimed: Collection[int] = ()
) -> list[NamedLine]:
    """Return the lines understood from the history, heaviest first; `subjects` are its groups by number, if known
    already. Papers `claimed` by the person's own lines are left out. Raises `CacheError`."""
    context = comparison.context
    if not subjects:
        groups_found = groups(comparison, comparison.history)
        subjects = [
            [number for position in group if (number := comparison.number(position)) is not None]
            for group in groups_found
        ]
    unclaimed = [[PaperId(number) for number in subject if number not in claimed] for subject in subjects]
    groups_of_papers = [papers.by_ids(store, subject[:NAMING]) for subject in unclaimed]
    everyone = [paper for some in groups_of_papers for paper in some]
    total = sum(context.wanted.values()) or 1.0
    likes = [
        _line("like", name_of(some, everyone), subject, sum(context.wanted.get(of, 0.0) for of in subject) / total)
        for subject, some in zip(unclaimed, groups_of_papers, strict=True)
        if len(subject) >= min(LEAST_PAPERS, max(len(context.wanted), 1))
    ]
    unwanted = {number: weight for number, weight in context.unwanted.items() if number not in claimed}
    dislikes = [
        _line("dislike", papers_like(paper), [number])
        for number in heaviest(unwanted, MOST_DISLIKES)
        for paper in papers.by_ids(store, [number])
    ]
    return likes + dislikes


def _line(facet: Facet, text: str, of: Sequence[PaperId], share: float = 0.0) -> NamedLine:
    return NamedLine(name_of_papers(facet, of), facet, text, tuple(of), share=share)


def name_of(some: Sequence[Paper], everyone: Sequence[Paper]) -> str:
    """Name a subject by words in the titles of its papers; by its first paper if they share none."""
    words = words_for(some, everyone)
    return ", ".join(words) if words else (papers_like(some[0]) if some else "")


def papers_like(paper: Paper) -> str:
    """Name a subject by one of its papers."""
    return f"papers like “{paper.title}”"


@dataclass(frozen=True, slots=True)
class Profile:
    """The person's taste; `papers` are those with interactions that count. `against` pairs own lines with understood
    lines that say the opposite; both count."""

    lines: tuple[NamedLine, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    against: tuple[tuple[NamedLine, NamedLine], ...] = ()
    papers: tuple[PaperId, ...] = ()


def read_profile(store: Store, now: datetime) -> Profile:
    """Return the profile at `now`, the person's own lines first. Blocks on the disk; sends no requests. Raises
    `CacheError`."""
    context = read_context(store, now)
    own = [own_line(line, line in context.lines)
           for line in sorted((*context.lines, *context.contradicting), key=lambda line: line.number)]  # fmt: skip
    inferred = _understood(store, context)
    conflicts = contradictions([line.own for line in own if line.own], now.astimezone().date())
    return Profile((*own, *inferred), tuple(conflicts), tuple(_against(own, inferred)), tuple(sorted(context.acts)))


def own_line(line: WrittenLine, counts: bool = True) -> NamedLine:
    """Return the person's own line with its name."""
    return NamedLine(str(line.number), line.facet, line.text, line.papers, line, counts=counts)


def name_of_papers(facet: Facet, papers: Iterable[int]) -> str:
    """Return the name of an understood line that rests on `papers`, such as `hk3x2f`."""
    digest = sha256(f"{facet} {sorted(papers)}".encode()).digest()
    return f"h{b32encode(digest).decode()[:_LETTERS].lower()}"


def _understood(store: Store, context: UserContext) -> list[NamedLine]:
    if not (context.wanted or context.unwanted):
        return []
    others = strangers(store, StarterShelf().papers())  # recommendations compare with these as well
    # Own lines must not change what is understood, or understood lines would change their names.
    comparison = TasteComparison(store, replace(context, lines=(), contradicting=()), others)
    return understood_lines(store, comparison, claimed=context.claimed)


def _against(own: Sequence[NamedLine], inferred: Sequence[NamedLine]) -> Iterable[tuple[NamedLine, NamedLine]]:
    """Yield the person's own lines that count, each with an understood line that says the opposite of the same
    subject."""
    for mine in own:
        for other in inferred:
            subjects = {content_words(words) for words in (other.text, *other.text.split(", "))}
            opposed = (mine.facet == "dislike") != (other.facet == "dislike")
            if mine.counts and opposed and content_words(mine.text) in subjects:
                yield mine, other
