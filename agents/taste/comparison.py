"""Compare the whole library, and other candidates, with a person's context."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import compress
from math import log
from typing import TypeVar

from agents.builtin import lazy_numpy as np
from agents.builtin.arithmetic import reckons
from agents.builtin.ranking.bm25 import best
from agents.builtin.taste.catalogue import Catalogue, catalogue_of
from agents.builtin.taste.tokens import READER, is_packed, tokens_of
from agents.builtin.text.terms import terms
from agents.taste.context import UserContext
from cache import paper_tokens, papers
from cache.errors import UnreadableRow
from cache.profile import WrittenLine
from cache.store import PaperId, Store
from connectors.batches import in_batches
from connectors.identifiers import Identifier
from connectors.paper import Paper
from connectors.query.terms import is_filler
from connectors.records.matching import first_author, same_work

EXACT = 9
"""Number of decimals by which scores are compared."""


class Compared:
    """Papers by index, and the weights of those that count for candidates (`wanted`) and against them (`unwanted`).
    Indices from `candidates` on, and `closed` ones, cannot be recommended."""

    def __init__(
        self,
        catalogue: Catalogue,
        wanted: Mapping[int, float],
        unwanted: Mapping[int, float],
        closed: Collection[int],
        candidates: int,
    ) -> None:
        self.catalogue, self.wanted, self.unwanted = catalogue, wanted, unwanted
        self._open = np.arange(catalogue.size) < candidates
        self._open[list(closed)] = False

    def similarity(self, wanted: Mapping[int, float]) -> "np.Floats":
        """Return the weighted mean cosine of every paper with those of `wanted`, leaving out a paper's cosine with
        itself.

        It is rounded, because weights shrink a little each moment and equal papers must keep one order.
        """
        total = sum(wanted.values()) or 1.0
        shares = {index: weight / total for index, weight in wanted.items()}
        scores = self.catalogue.similarity(shares)
        for index, share in shares.items():
            scores[index] -= share
        return scores.round(EXACT).clip(min=0.0)

    def nearest(self, scores: "np.Floats", most: int, among: Collection[int] | None = None) -> list[int]:
        """Return the indices of the highest scores that can be recommended, best first."""
        if among is None:
            return best(scores, most, np.flatnonzero(self._open))
        positions = np.fromiter(among, dtype=np.int64, count=len(among))
        return best(scores, most, positions[self._open[positions]])


Key = TypeVar("Key", bound=int)
LINE_WORTH = {"like": 1.0, "expect": 0.5}
"""Weight of the person's own lines, relative to a paper saved just now."""
UNWANTED_LINE = 1.0
SAMPLE = 300
"""Maximum number of papers of the history that are compared with each other."""


class TasteComparison(Compared):
    """Papers by index: the library's, then `others` in their order, then the person's own lines. Construction reads
    the whole library and computes missing tokens: do it off the event loop."""

    def __init__(self, store: Store, context: UserContext, others: Sequence[Paper] = ()) -> None:
        self.numbers, packed = _library(store)
        self.others, self.context = tuple(others), context
        self.lines = list(context.lines)
        more = [*self.others, *(Paper(line.text) for line in self.lines)]
        self.store, self._papers = store, dict[int, Paper]()
        size = len(packed) + len(self.others)
        lines = list(enumerate(self.lines, start=size))
        super().__init__(
            catalogue_of([*packed, *map(_packed, more)]),
            wanted=self._places(context.wanted) | _worth(lines, LINE_WORTH),
            unwanted=self._places(context.unwanted) | _worth(lines, {"dislike": UNWANTED_LINE}),
            closed=[self.index[number] for number in context.closed if number in self.index],
            candidates=size,
        )

    @cached_property
    def index(self) -> Mapping[int, int]:
        """The indices of the library's papers, by number."""
        return {number: index for index, number in enumerate(self.numbers)}

    def similarity_to(self, text: str) -> "np.Floats":
        """Return the similarity of every paper to `text`."""
        return self.catalogue.similarity_to(tokens_of(Paper(text)).content).round(EXACT)

    def place_of_other(self, index: int) -> int:
        return len(self.numbers) + index

    def paper(self, index: int) -> Paper:
        """Return the paper at an index. Raises `CacheError`; `UnreadableRow` if a cell of it is damaged."""
        if index >= len(self.numbers):
            return self.others[index - len(self.numbers)]
        if index not in self._papers:
            number = self.numbers[index]
            if not (matches := papers.by_ids(self.store, [number])):
                raise UnreadableRow("papers", str(number))
            self._papers[index] = matches[0]
        return self._papers[index]

    def number(self, index: int) -> PaperId | None:
        """Return the library's number of the paper at an index; None if the library does not have it."""
        return self.numbers[index] if index < len(self.numbers) else None

    def line(self, index: int) -> str:
        """Return the person's own line at an index."""
        return self.lines[index - len(self.numbers) - len(self.others)].text

    @cached_property
    def history(self) -> Mapping[int, float]:
        """The wanted papers of the history, by index."""
        return self._places(self.context.wanted)

    def _places(self, weights: Mapping[PaperId, float]) -> dict[int, float]:
        return {self.index[number]: weight for number, weight in weights.items() if number in self.index}


def _library(store: Store) -> tuple[list[PaperId], list[bytes]]:
    """Return the numbers of the library's papers and their tokens, computing those that are missing or damaged."""
    numbers, packed = _kept(store)
    new = False
    for batch in paper_tokens.unread(store, numbers):
        fresh = [(entry.number, tokens_of(entry.paper, entry.cited).packed()) for entry in batch]
        paper_tokens.keep_tokens(store, READER, fresh)
        new = True
    return _kept(store) if new else (numbers, packed)


def _kept(store: Store) -> tuple[list[PaperId], list[bytes]]:
    numbers, packed = paper_tokens.kept_tokens(store, READER)
    whole = list(map(is_packed, packed))
    return list(compress(numbers, whole)), list(compress(packed, whole))


@lru_cache(maxsize=1_000)
def _packed(paper: Paper) -> bytes:
    """Return the packed tokens of a paper outside the library; cached, because the starter shelf's are needed
    repeatedly."""
    return tokens_of(paper).packed()


def _worth(lines: Sequence[tuple[int, WrittenLine]], worth: Mapping[str, float]) -> dict[int, float]:
    return {index: worth[line.facet] for index, line in lines if line.facet in worth}


def strangers(store: Store, candidates: Iterable[Paper]) -> list[Paper]:
    """Return the `candidates` that the library does not have, each work once."""
    others: list[Paper] = []
    some = list(candidates)
    numbers = dict(zip(map(id, some), papers.numbers_of(store, some), strict=True))
    by_trait: defaultdict[Identifier | str, list[Paper]] = defaultdict(list)
    for paper in some:
        # Records of one work share an identifier or the first author.
        traits: list[Identifier | str] = [*paper.identifiers, first_author(paper)]
        alike = (other for trait in traits for other in by_trait[trait])
        if numbers[id(paper)] is None and not any(same_work(paper, other) for other in alike):
            others.append(paper)
            for trait in traits:
                by_trait[trait].append(paper)
    return others


def heaviest(weights: Mapping[Key, float], most: int) -> list[Key]:
    """Return the keys with the highest weights, heaviest first; the lower key first among equals."""
    return sorted(weights, key=lambda index: (-round(weights[index], EXACT), index))[:most]


MOST_GROUPS = 7
"""Maximum number of subjects."""
APART = 0.25
"""Two groups are different subjects if the mean kinship of their papers is below this …"""
RATHER_APART = 0.8
"""… or below this share of the kinship within each group."""
LANDMARKS = 300
"""Number of library papers whose similarity to a paper of the history describes it."""
WORDS = 3
_SEEN = 60
"""Number of papers of a group whose words name it."""
_PHRASE = 3
"""Most words of a phrase that names a group."""
_PER_WORD = 1.6
"""How much more a phrase says with each further word."""


@reckons
def groups(comparison: Compared, weights: Mapping[int, float]) -> list[list[int]]:
    """Group the indices of `weights` by subject, the heaviest subject first and the heaviest paper first in each."""
    sample = heaviest(weights, SAMPLE)
    if len(sample) < 2:
        return [sample] if sample else []
    near = _bearings(comparison, sample)
    clusters = _joined(near @ near.T)
    remainder = [index for index in heaviest(weights, len(weights)) if index not in set(sample)]
    for part in in_batches(remainder, 1_000):
        to = near @ _bearings(comparison, part).T
        means = np.array(
            [to[[member for member in members if member < len(near)]].mean(axis=0) for members in clusters]
        )
        for index, group in zip(part, means.argmax(axis=0), strict=True):
            clusters[group].append(len(sample))
            sample.append(index)
    groups_of_sample = [[sample[member] for member in members] for members in clusters]
    return sorted(groups_of_sample, key=lambda group: (-round(sum(weights[index] for index in group), EXACT), group[0]))


def _bearings(comparison: Compared, positions: Sequence[int]) -> "np.Floats":
    """Return a unit vector for each paper (row): its similarity to some papers of the library (columns), centered.
    Two papers on one subject can be close without sharing a word."""
    catalogue = comparison.catalogue
    landmarks = range(0, catalogue.size, max(catalogue.size // LANDMARKS, 1))
    near = catalogue.nearness(positions, landmarks)
    near -= near.mean(axis=1, keepdims=True)
    lengths = np.sqrt((near**2).sum(axis=1, keepdims=True))
    bearings: np.Floats = near / np.maximum(lengths, 1e-9)
    return bearings


def _joined(near: "np.Floats") -> list[list[int]]:
    """Cluster the rows of a similarity matrix."""
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
    """Return the phrases in titles and keywords that distinguish `papers` from `all_papers`, most distinctive first.
    If they share no phrase, return the words that most of them have."""
    everywhere = Counter(term for paper in all_papers for term in _phrases_of(paper))
    spellings: defaultdict[str, list[str]] = defaultdict(list)
    for paper in papers[:_SEEN]:
        for term, phrase in _phrases_of(paper).items():
            spellings[term].append(phrase)
    size = len(papers[:_SEEN])
    shared = {term: len(spelled) for term, spelled in spellings.items() if len(spelled) >= min(2, size)}
    candidates = {term: count for term, count in shared.items() if " " in term}
    candidates = candidates or {term: count for term, count in shared.items() if count > size / 2}
    total = len(everywhere)

    def telling(term: str) -> float:
        outside = everywhere[term] - candidates[term]
        return candidates[term] * log(1 + total / (1 + outside)) * _PER_WORD ** term.count(" ")

    labels: list[str] = []
    for term in sorted(candidates, key=lambda term: (-telling(term), term)):
        if not any(set(term.split()) & set(other.split()) for other in labels):
            labels.append(term)
    return tuple(_spelling(spellings[term]) for term in labels[:WORDS])


def _spelling(phrases: Sequence[str]) -> str:
    """Return the most common spelling, of several the one with capitals; those with acronyms come first, because many
    sources write keywords small."""
    counts = Counter(phrases)

    def trusted(phrase: str) -> tuple[bool, int, int]:
        return any(map(str.isupper, re.sub(r"\b\w", "", phrase))), counts[phrase], sum(map(str.isupper, phrase))

    return max(counts, key=trusted)


def _phrases_of(paper: Paper) -> Mapping[str, str]:
    return {term: phrase for text in (*paper.keywords, paper.title) for term, phrase in _phrases(text).items()}


@lru_cache(maxsize=5_000)
def _phrases(title: str) -> Mapping[str, str]:
    """Return the meaningful words of a title or keyword and the phrases of them, in its spelling, by their terms. A
    phrase has neighboring words without punctuation between. First letters are capitals only if they stand within a
    text that has small ones."""
    title_words = title.split()
    words = [word.strip(".,:;?!()[]{}\"'“”‘’") for word in title_words]
    stems = [[] if is_filler(word.lower()) or len(word) < 3 else terms(word) for word in words]
    is_heading = not any(word[:1].islower() for word, stem in zip(words, stems, strict=True) if stem)
    spelled = [
        word.lower()
        if (title.isupper() and " " in title) or (word.istitle() and (is_heading or _begins(title_words, at)))
        else word
        for at, word in enumerate(words)
    ]
    by_term: dict[str, str] = {}
    for start in range(len(words)):
        for end in range(start + 1, min(start + _PHRASE, len(words)) + 1):
            stem = [term for some in stems[start:end] for term in some]
            is_parted = end > start + 1 and not title_words[end - 2].endswith(words[end - 2])
            if len(stems[end - 1]) != 1 or len(set(stem)) < end - start or is_parted:
                break
            if not words[start].isdigit():
                by_term.setdefault(" ".join(stem), " ".join(spelled[start:end]))
    return by_term


def _begins(words: Sequence[str], at: int) -> bool:
    """Whether a sentence begins at this word."""
    return at == 0 or words[at - 1].endswith((":", ".", "?", "!"))
