"""The subjects of a reading history: groups of papers that are near each other, and words for each.

A person with two subjects is not one with their mean. Two papers are akin if they are near to the same papers of the
library: so two on one subject need not share a word. They are joined group by group, the nearest two first (average
linkage), as long as papers of the two groups are nearly as akin as those within each of them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import log
from typing import TYPE_CHECKING

from agents.builtin.arithmetic import reckons
from agents.builtin.text.terms import terms
from agents.taste.compared import EXACT, Compared
from agents.taste.comparison import SAMPLE, heaviest
from connectors.paper import Paper
from connectors.query.terms import is_filler

if TYPE_CHECKING:
    from agents.builtin.taste.catalogue import Floats

MOST_GROUPS = 7
"""Subjects that are told apart at most."""
APART = 0.25
"""Groups are different subjects if their papers are on average less akin than this …"""
RATHER_APART = 0.8
"""… or less than so much of how akin the papers within each of the two are."""
LANDMARKS = 300
"""Papers of the library by whose nearness two papers of the history are akin."""
WORDS = 3
_SEEN = 60
"""Papers of a group whose words name it."""


@reckons
def groups(comparison: Compared, wanted: Mapping[int, float]) -> list[list[int]]:
    """The places of `wanted` by subject, the weightiest subject first and the weightiest paper first in each."""
    import numpy as np

    some = heaviest(wanted, SAMPLE)
    if len(some) < 2:
        return [some] if some else []
    near = _bearings(comparison, some)
    found = _joined(near @ near.T)
    rest = [place for place in heaviest(wanted, len(wanted)) if place not in set(some)]
    for start in range(0, len(rest), 1_000):
        part = rest[start : start + 1_000]
        to = near @ _bearings(comparison, part).T
        means = np.array([to[[member for member in members if member < len(near)]].mean(axis=0) for members in found])
        for place, group in zip(part, means.argmax(axis=0), strict=True):
            found[group].append(len(some))
            some.append(place)
    placed = [[some[member] for member in members] for members in found]
    return sorted(placed, key=lambda group: (-round(sum(wanted[place] for place in group), EXACT), group[0]))


def _bearings(comparison: Compared, places: Sequence[int]) -> "Floats":
    """Where papers lie (rows): how near each is to some papers of the library (columns), as far as that is more or less
    than usual for it; of length one. Two papers on one subject need not share a word to lie near each other."""
    import numpy as np

    catalogue = comparison.catalogue
    landmarks = range(0, catalogue.size, max(catalogue.size // LANDMARKS, 1))
    near = catalogue.nearness(places, landmarks)
    near -= near.mean(axis=1, keepdims=True)
    lengths = np.sqrt((near**2).sum(axis=1, keepdims=True))
    bearings: Floats = near / np.maximum(lengths, 1e-9)
    return bearings


def _joined(near: "Floats") -> list[list[int]]:
    """Rows of a matrix of nearness by group."""
    import numpy as np

    size = len(near)
    members: dict[int, list[int]] = {row: [row] for row in range(size)}
    between = near.copy()
    np.fill_diagonal(between, -1.0)
    counts, inside = np.ones(size), np.zeros(size)
    while len(members) > 1:
        first, second = sorted(map(int, np.unravel_index(between.argmax(), between.shape)))
        closest, pairs = float(between[first, second]), counts[[first, second]] * (counts[[first, second]] - 1) / 2
        within = float((inside[[first, second]] / np.maximum(pairs, 1)).mean()) if pairs.all() else 0.0
        if closest < max(APART, RATHER_APART * within) and len(members) <= MOST_GROUPS:
            break
        total = counts[first] + counts[second]
        row = (between[first] * counts[first] + between[second] * counts[second]) / total
        between[first], between[:, first] = row, row
        between[first, first] = -1.0
        between[second], between[:, second] = -1.0, -1.0
        inside[first] += inside[second] + closest * counts[first] * counts[second]
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
    stems = [[] if is_filler(word.lower()) else terms(word) for word in words]
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
