"""The subjects of a reading history: groups of papers that are near each other, and words for each.

A person with two subjects is not one with their mean. Papers are joined group by group, the nearest two first (average
linkage), as long as two groups are clearly nearer to each other than papers of the history usually are.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import log
from typing import TYPE_CHECKING

from agents.builtin.text.terms import terms
from agents.taste.compared import EXACT, Compared
from agents.taste.comparison import SAMPLE, heaviest
from connectors.paper import Paper

if TYPE_CHECKING:
    from agents.builtin.taste.catalogue import Floats

MOST_GROUPS = 7
"""Subjects that are told apart at most."""
APART = 0.15
"""Groups are one subject if papers of the two are on average at least so near to each other, as a share of how near
papers within them are."""
WORDS = 3
_SEEN = 60
"""Papers of a group whose words name it."""


def groups(comparison: Compared, wanted: Mapping[int, float]) -> list[list[int]]:
    """The places of `wanted` by subject, the weightiest subject first and the weightiest paper first in each."""
    import numpy as np

    some = heaviest(wanted, SAMPLE)
    if len(some) < 2:
        return [some] if some else []
    near = comparison.catalogue.support(some, some)
    near = (near + near.T) / 2
    found = _joined(near)
    rest = [place for place in heaviest(wanted, len(wanted)) if place not in set(some)]
    for start in range(0, len(rest), 1_000):
        part = rest[start : start + 1_000]
        to = comparison.catalogue.support(some, part)
        means = np.array([to[members].mean(axis=0) for members in found])
        for place, group in zip(part, means.argmax(axis=0), strict=True):
            found[group].append(len(some))
            some.append(place)
    placed = [[some[member] for member in members] for members in found]
    return sorted(placed, key=lambda group: (-round(sum(wanted[place] for place in group), EXACT), group[0]))


def _joined(near: "Floats") -> list[list[int]]:
    """Rows of a matrix of nearness by group."""
    import numpy as np

    size = len(near)
    members: dict[int, list[int]] = {row: [row] for row in range(size)}
    between = near.copy()
    np.fill_diagonal(between, -1.0)
    counts = np.ones(size)
    inner = float(np.sort(between, axis=1)[:, -min(3, size - 1) :].mean())
    while len(members) > 1:
        first, second = sorted(map(int, np.unravel_index(between.argmax(), between.shape)))
        if between[first, second] < APART * inner and len(members) <= MOST_GROUPS:
            break
        total = counts[first] + counts[second]
        row = (between[first] * counts[first] + between[second] * counts[second]) / total
        between[first], between[:, first] = row, row
        between[first, first] = -1.0
        between[second], between[:, second] = -1.0, -1.0
        counts[first] = total
        members[first] += members.pop(second)
    return [sorted(rows) for rows in members.values()]


def words_for(papers: Sequence[Paper], all_papers: Iterable[Paper]) -> tuple[str, ...]:
    """What sets `papers` apart from `all_papers`: words or pairs of words as they stand in titles, the most telling
    first."""
    everywhere = Counter(term for paper in all_papers for term in _phrases(paper.title))
    here: Counter[str] = Counter()
    spelled: dict[str, Counter[str]] = {}
    for paper in papers[:_SEEN]:
        for term, phrase in _phrases(paper.title).items():
            here[term] += 1
            spelled.setdefault(term, Counter())[phrase] += 1
    size = max(len(papers[:_SEEN]), 1)
    total = sum(1 for _ in everywhere) or 1

    def telling(term: str) -> float:
        share = here[term] / size
        return share * log(1 + total / (1 + everywhere[term] - here[term])) * (1.6 if " " in term else 1.0)

    chosen: list[str] = []
    for term in sorted(here, key=lambda term: (-telling(term), term)):
        if here[term] < min(2, size):
            continue
        if not any(set(term.split()) & set(other.split()) for other in chosen):
            chosen.append(term)
        if len(chosen) == WORDS:
            break
    return tuple(spelled[term].most_common(1)[0][0] for term in chosen)


@lru_cache(maxsize=5_000)
def _phrases(title: str) -> Mapping[str, str]:
    """The words and pairs of neighbouring words of a title that say something, by their terms, as they stand there."""
    words = [word.strip(".,:;?!()[]{}\"'“”‘’") for word in title.split()]
    stems = [terms(word) for word in words]
    found: dict[str, str] = {}
    for at, (word, stem) in enumerate(zip(words, stems, strict=True)):
        if len(stem) != 1 or len(word) < 3 or word.isdigit():
            continue
        found.setdefault(stem[0], word.lower() if word.istitle() else word)
        if at + 1 < len(words) and len(stems[at + 1]) == 1 and len(words[at + 1]) > 2 and stem != stems[at + 1]:
            after = words[at + 1]
            found.setdefault(
                f"{stem[0]} {stems[at + 1][0]}",
                " ".join(part.lower() if part.istitle() else part for part in (word, after)),
            )
    return found
