"""The tokens by which papers are compared: words of title and abstract, keywords, and links.

Each is a number of 32 bits, so that a library of 100,000 papers is compared in memory without its texts. Once in some
thousands of times two words share a number: rankings tolerate that, and sentences about a paper are based on the paper
itself.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from struct import Struct
from typing import NamedTuple, TypeVar
from zlib import crc32

from agents.builtin import lazy_numpy as np
from agents.builtin.text.terms import terms
from connectors.identifiers import Identifier
from connectors.paper import Paper

Key = TypeVar("Key", bound=int)
FIRST = 5
"""Number of first papers among which each subject of the person has one, if any was recalled."""
LEAST_SHARE = 0.15
"""Least share of the history for a subject that gets a share of the list."""
LARGE_SHARE = 0.3
"""The same if a model, which knew the subjects, ordered the candidates."""


def share_of(papers: Iterable[int], weights: Mapping[int, float]) -> float:
    """Return the share of a history, by weight, that `papers` have."""
    return sum(weights.get(paper, 0.0) for paper in papers) / (sum(weights.values()) or 1.0)


def weighty(groups: Sequence[Sequence[int]], weights: Mapping[int, float], least: float) -> list[list[int]]:
    """Return the groups with at least the share `least` of the history. Smaller ones form one group, if together they
    are large enough; so do single papers, if any group has several."""
    least_papers = 2 if any(len(group) > 1 for group in groups) else 1

    def counts(papers: Sequence[int]) -> bool:
        return len(papers) >= least_papers and share_of(papers, weights) >= least

    rest = [paper for group in groups if not counts(group) for paper in group]
    large = [list(group) for group in groups if counts(group)]
    return [*large, rest] if counts(rest) else large


def subjects_of(supports: Mapping[Key, Mapping[int, float]], groups: Sequence[Sequence[int]]) -> dict[Key, int]:
    """Return for each candidate the group with the most support for it, by the `supports` of papers of the history;
    candidates supported mostly by papers outside all groups are left out."""
    group_of = {paper: index for index, group in enumerate(groups) for paper in group}
    subjects: dict[Key, int] = {}
    for candidate, papers in supports.items():
        resting: defaultdict[int | None, float] = defaultdict(float)
        for paper, support in papers.items():
            resting[group_of.get(paper)] += support
        most = max(resting, key=lambda group: resting[group], default=None)
        if most is not None:
            subjects[candidate] = most
    return subjects


def with_shares(
    order: Sequence[Key],
    subject_of: Mapping[Key, int],
    shares: Sequence[float],
    slots: int,
    barred: Set[Key] = frozenset(),
) -> tuple[list[Key], list[Key]]:
    """Return `order` with one paper of each subject among the first few, and among the first `slots` its share in
    whole papers; and the papers that were raised. Papers `barred` are never raised, and no paper is replaced that its
    own subject needs."""
    subject = {candidate: subject_of.get(candidate, -1) for candidate in order}
    order, promotions = list(order), list[Key]()
    for number in (min(FIRST, slots), slots):
        first, remainder = order[:number], [candidate for candidate in order[number:] if candidate not in barred]
        quotas = {
            subject_number: max(int(share * slots), 1) if number == slots else 1
            for subject_number, share in enumerate(shares)
        }
        for subject_number, quota in quotas.items():
            best = (candidate for candidate in remainder if subject[candidate] == subject_number)
            while (counts := Counter(map(subject.__getitem__, first)))[subject_number] < quota:
                spare = [candidate for candidate in first if candidate not in promotions
                         and counts[subject[candidate]] > quotas.get(subject[candidate], 0)]  # fmt: skip
                if not spare or (promoted := next(best, None)) is None:
                    break
                first = [candidate for candidate in first if candidate != spare[-1]] + [promoted]
                promotions.append(promoted)
        order = [*first, *(candidate for candidate in order if candidate not in set(first))]
    return order, promotions


READER = 1
"""Increase when papers are tokenized differently: stored tokens are then computed again."""
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
"""Letters of Thai, Lao, Japanese and Chinese."""
_HEAD = Struct("<3I")
_WORD, _KEYWORD, _NAME = b"word ", b"keyword ", b"name "


class Tokens(NamedTuple):
    """The distinct tokens of a paper: of its `content`, of the works that it `cites`, and of its own `names`."""

    content: tuple[int, ...]
    cites: tuple[int, ...]
    names: tuple[int, ...]

    def packed(self) -> bytes:
        """Return the three counts and all tokens as little-endian 32-bit words."""
        counts = (len(self.content), len(self.cites), len(self.names))
        return np.array([*counts, *self.content, *self.cites, *self.names], dtype="<u4").tobytes()


def is_packed(cell: object) -> bool:
    """Whether `cell` has the format of `Tokens.packed`; a damaged one does not."""
    return isinstance(cell, bytes) and len(cell) >= _HEAD.size and len(cell) == 4 * (3 + sum(_HEAD.unpack_from(cell)))


def tokens_of(paper: Paper, cited: Iterable[Identifier] = ()) -> Tokens:
    """Return the tokens of `paper`; `cited` are works that it cites besides those in its record."""
    words = dict.fromkeys(_words(f"{paper.title} {paper.about}"))
    for keyword in paper.keywords:
        words |= dict.fromkeys(_words(keyword))
    content = [_number(_WORD, word) for word in words]
    content += [_number(_KEYWORD, keyword_of(keyword)) for keyword in paper.keywords]
    return Tokens(_once(content), _once(map(_name, (*paper.references, *cited))), _once(map(_name, paper.identifiers)))


def keyword_of(keyword: str) -> str:
    """Return the key under which keywords are equal: their terms, ignoring case and endings."""
    return " ".join(terms(keyword)) or keyword.casefold()


def _words(text: str) -> Iterator[str]:
    """Yield the terms of `text`; in scripts without spaces between words, every pair of neighboring letters."""
    for term in terms(text):
        if _UNSPACED.search(term) and len(term) > 2:
            yield from (term[at : at + 2] for at in range(len(term) - 1))
        else:
            yield term


def _name(name: Identifier) -> int:
    return _number(_NAME, f"{name.scheme}:{name.value}")


def _number(kind: bytes, text: str) -> int:
    return crc32(kind + text.encode("utf-8", "surrogatepass"))


def _once(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(numbers))
