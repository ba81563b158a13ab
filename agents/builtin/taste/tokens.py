"""What a paper is compared by: the words of its title and abstract, its keywords, and what it is linked to.

Each is a number of 32 bits, so that a library of 100,000 papers is compared in memory without its texts. Two different
words may share a number, once in some thousands of times: rankings bear that, and whatever is said of a paper in words
is read from the paper itself.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from struct import Struct
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from zlib import crc32

from agents.builtin.text.terms import terms
from connectors.identifiers import Identifier
from connectors.paper import Paper

if TYPE_CHECKING:
    from numpy import uint32
    from numpy.typing import NDArray

    Numbers = NDArray[uint32]

Key = TypeVar("Key", bound=int)
FIRST = 5
"""Each subject of the person has its share of the first few, if anything on it was recalled."""
LEAST_SHARE = 0.15
"""The part of the history that a subject has at least for that."""
LARGE_SHARE = 0.3
"""The same where a model, which was told the subjects, has put the candidates in order."""


def share_of(papers: Iterable[int], weights: Mapping[int, float]) -> float:
    """The part of a history that some of its papers are."""
    return sum(weights.get(paper, 0.0) for paper in papers) / (sum(weights.values()) or 1.0)


def weighty(groups: Sequence[Sequence[int]], weights: Mapping[int, float], least: float) -> list[list[int]]:
    """The groups that are so large a part of a history; smaller ones count as one, if they are so together. So do
    single papers beside groups of several: one paper is no subject yet."""
    least_papers = 2 if any(len(group) > 1 for group in groups) else 1

    def counts(papers: Sequence[int]) -> bool:
        return len(papers) >= least_papers and share_of(papers, weights) >= least

    rest = [paper for group in groups if not counts(group) for paper in group]
    large = [list(group) for group in groups if counts(group)]
    return [*large, rest] if counts(rest) else large


def subjects_of(supports: Mapping[Key, Mapping[int, float]], groups: Sequence[Sequence[int]]) -> dict[Key, int]:
    """The subject that most of each candidate's score rests on, by the `supports` of papers of the history; one that
    rests mostly on papers of no group is left out."""
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
    places: int,
    barred: Set[Key] = frozenset(),
) -> tuple[list[Key], list[Key]]:
    """`order` with one of each subject among the first few, and among the first `places` as many as its share of the
    history makes there in whole papers; and those that were raised for that. What is `barred` is never raised, and
    nothing gives way that its own subject is owed."""
    subject = {candidate: subject_of.get(candidate, -1) for candidate in order}
    order, raised = list(order), list[Key]()
    for number in (min(FIRST, places), places):
        first, rest = order[:number], [candidate for candidate in order[number:] if candidate not in barred]
        owed = {wanted: max(int(share * places), 1) if number == places else 1 for wanted, share in enumerate(shares)}
        for wanted, least in owed.items():
            best = (candidate for candidate in rest if subject[candidate] == wanted)
            while (there := Counter(map(subject.__getitem__, first)))[wanted] < least:
                spare = [candidate for candidate in first if candidate not in raised
                         and there[subject[candidate]] > owed.get(subject[candidate], 0)]  # fmt: skip
                if not spare or (chosen := next(best, None)) is None:
                    break
                first = [candidate for candidate in first if candidate != spare[-1]] + [chosen]
                raised.append(chosen)
        order = [*first, *(candidate for candidate in order if candidate not in set(first))]
    return order, raised


READER = 1
"""Grows when papers are read in another way: tokens that are kept are then made anew."""
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
"""Letters of Thai, Lao, Japanese and Chinese."""
_HEAD = Struct("<3I")
_WORD, _KEYWORD, _NAME = b"word ", b"keyword ", b"name "


class Tokens(NamedTuple):
    """The tokens of a paper, each once: of its `content`, of the works that it `cites`, and of its own `names`."""

    content: tuple[int, ...]
    cites: tuple[int, ...]
    names: tuple[int, ...]

    def packed(self) -> bytes:
        """All of them with their three counts, as little-endian words of 32 bits."""
        import numpy as np

        counts = (len(self.content), len(self.cites), len(self.names))
        return np.array([*counts, *self.content, *self.cites, *self.names], dtype="<u4").tobytes()


def is_packed(cell: object) -> bool:
    """Whether `cell` holds tokens as `Tokens.packed` writes them; a damaged cell does not."""
    return isinstance(cell, bytes) and len(cell) >= _HEAD.size and len(cell) == 4 * (3 + sum(_HEAD.unpack_from(cell)))


def tokens_of(paper: Paper, cited: Iterable[Identifier] = ()) -> Tokens:
    """What `paper` is compared by; `cited` are works that it is known to cite besides those its record names."""
    words = dict.fromkeys(_words(f"{paper.title} {paper.about}"))
    for keyword in paper.keywords:
        words |= dict.fromkeys(_words(keyword))
    content = [_number(_WORD, word) for word in words]
    content += [_number(_KEYWORD, keyword_of(keyword)) for keyword in paper.keywords]
    return Tokens(_once(content), _once(map(_name, (*paper.references, *cited))), _once(map(_name, paper.identifiers)))


def keyword_of(keyword: str) -> str:
    """What makes two keywords one: their terms, whatever their case and endings."""
    return " ".join(terms(keyword)) or keyword.casefold()


def _words(text: str) -> Iterator[str]:
    """The terms of `text`; of scripts that set no blanks between words, every two letters that stand together."""
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
