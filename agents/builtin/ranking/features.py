"""Features of relevance, computed over the papers of one search: words, neighbors, links, lists.

All are relative to the pool of papers found so far, so no knowledge of other papers is needed: a term is rare if few
papers of the pool have it. The columns of the matrix are `FEATURES`; `weights.json` has their weights.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import fsum, log, sqrt
from typing import TypeVar

from agents.builtin import lazy_numpy as np
from agents.builtin.arithmetic import medians, reciprocal_rank, reckons
from agents.builtin.question_parsing.lexicon import tells
from agents.builtin.ranking.bm25 import bm25, idf
from agents.builtin.ranking.topic_coverage import ENOUGH, coverages, rarity
from agents.builtin.ranking.word_vectors import vector
from agents.builtin.text.terms import terms
from connectors.paper import Paper

FEATURES = {
    "title": "share of the question's terms, by rarity, that the title has",
    "phrases": "share of the question's neighbouring terms that are side by side in title or abstract",
    "words": "similarity of the paper's and the question's terms (tf-idf cosine)",
    "feedback": "similarity to the centre of the papers that match best (Rocchio 1971)",
    "topics": "similarity to the question in the pool's latent topics (local latent semantic indexing, Hull 1994)",
    "neighbours": "how well the papers most like it match (score regularisation, Diaz 2005)",
    "first list": "place in the lists that sources gave for the question itself",
    "lists": "places in all lists together (reciprocal-rank fusion)",
    "cited by best": "links from the best papers, divided by fame",
    "cites best": "links to the best papers, divided by the length of its reference list",
    "co-cited": "how often it is cited together with the best papers (Small 1973)",
    "cited here": "how many papers of the pool cite it",
    "bare": "1 if only its title is known",
}
MEANING = "meaning"
"""One more feature if there is an encoder: the cosine of question and paper, for the first `NEAR` papers by the others.
It is separate because the other weights depend on it."""
NEAR = 100
WORD_VECTORS = ("word vectors", "word vectors of the best")
"""Two more features if neither a model judges nor meanings are compared: the cosine of the paper, by a table of word
vectors, to the question, and to the question moved toward the best papers by the other features (Rocchio 1971). They
are separate too: the papers that a model sees first were evaluated without them."""
LINKS = slice(8, 12)
"""The columns of `FEATURES` that count links. The last one is lowest if no paper of the pool cites a paper."""
LINKS_ALONE, LINKS_MOST = 32.0, 2.0
"""Extra weight of links in a pool where half of the titles have all terms of the question, so that words distinguish
few papers, and every paper is cited by another; otherwise less, in proportion to both. Links count at most three times:
beyond that, papers that all others cite hide those on the question's rarer words. Whichever open collection is left
out, the others choose three times or more."""
OTHER_LISTS = 0.3
"""Weight of a list for another query, relative to one for the question itself."""
FUSION_K = 20
"""Smaller than where fusion decides alone: here it is one of several features, and the weights were fitted with the
first ranks standing out this much."""
_BEST = 8
_LINKED = 50
_TOPICS = 60
_NEIGHBOURS = 15
_HEAD = 5
"""Number of best papers toward which the question is moved."""
_QUESTION = 0.6
"""Share of the moved question that stays its own."""
_WORD = re.compile(r"[^\W_]+")
Part = TypeVar("Part", str, tuple[str, str])


@dataclass(frozen=True, slots=True)
class Pool:
    """The papers of a search, as input of the features. `lists` are the sources' lists for the question itself,
    `other_lists` those for other queries: indexes into `papers`, best first. `judged` are known scores. `cosines` are
    the similarities of meaning to the question, for the papers compared."""

    question: str
    papers: Sequence[Paper]
    lists: Sequence[Sequence[int]] = ()
    other_lists: Sequence[Sequence[int]] = ()
    judged: Mapping[int, float] | None = None
    cosines: Mapping[int, float] | None = None


@reckons
def features(pool: Pool) -> "np.Floats32":
    """Return one row per paper with a column for each of `FEATURES`, from 0 to 1, except that the extra weight of
    `LINKS` moves these away from their means."""
    size = len(pool.papers)
    if not size:
        return np.zeros((0, len(FEATURES)), np.float32)
    texts = [_text(paper.title, paper.about) for paper in pool.papers]
    frequency = Counter(term for text in texts for term in text.counts)
    rarity = {term: idf(document_frequency, size) for term, document_frequency in frequency.items()}
    question_terms = terms(pool.question)
    weights = {term: count * rarity.get(term, 0.0) for term, count in Counter(question_terms).items()}
    phrases = {pair: sum(rarity.get(term, 0.0) for term in pair) for pair in pairwise(question_terms)}
    vectors, query = _vectors(texts, Counter(question_terms), rarity)
    words = vectors @ query
    fused = _fusion(size, pool.lists, pool.other_lists)
    base = _scaled(np.array(bm25(weights, [text.counts for text in texts]), np.float32)) + fused
    for paper, score in (pool.judged or {}).items():
        base[paper] = 2 * score
    order = np.argsort(-base, kind="stable")
    similar = vectors @ vectors.T
    best = np.zeros(size, np.float32)
    best[order[:_LINKED]] = base[order[:_LINKED]] / (base[order[0]] or 1)
    columns = [
        _share(weights, [text.title for text in texts]),
        _share(phrases, [text.pairs for text in texts]),
        words,
        _centre(vectors, base, order[:_BEST]),
        _topics(similar, words),
        _neighbours(similar, _scaled(base)),
        _first(size, pool.lists),
        fused,
        *_links(pool.papers, best, _support(pool)),
        [0.0 if text.about else 1.0 for text in texts],
    ]
    rows: np.Floats32 = np.clip(np.array(columns, np.float32).T, 0, 1)
    linked = rows[:, LINKS]
    extra = min(LINKS_ALONE * medians(rows[:, :1])[0] * (linked[:, -1] > 0).mean(), LINKS_MOST)
    rows[:, LINKS] += extra * (linked - linked.mean(axis=0))
    return rows


def meanings(pool: Pool) -> "np.Floats32":
    """Return the column `MEANING`. Papers that were not compared get the mean of the farthest quarter."""
    cosines = pool.cosines or {}
    farther = sorted(cosines.values())[: max(len(cosines) // 4, 1)]
    usual = sum(farther) / len(farther) if farther else 0.0
    column = [cosines.get(paper, usual) for paper in range(len(pool.papers))]
    return np.clip(np.array(column, np.float32), 0, 1)


def by_word_vectors(pool: Pool, evidence: "np.Floats32") -> "np.Floats32":
    """Return the columns `WORD_VECTORS`; `evidence` are the log-odds of each paper by the other features."""
    if not pool.papers:
        return np.zeros((0, len(WORD_VECTORS)), np.float32)
    papers = np.array([_meant(paper.title, paper.about) for paper in pool.papers])
    question_vector = vector(_telling(pool.question))
    best = np.argsort(-evidence, kind="stable")[:_HEAD]
    shares = np.exp((evidence[best] - evidence[best[0]]) / 2)
    nearer = moved(pool.question, [pool.papers[paper] for paper in best], shares)
    columns: np.Floats32 = np.clip(papers @ np.array([question_vector, nearer]).T, 0, 1).astype(np.float32)
    return columns


@reckons
def moved(question: str, papers: Sequence[Paper], shares: "Sequence[float] | np.Floats32") -> "np.Floats32":
    """Return the vector of `question`, of length 1, moved toward `papers`, weighted by `shares` (Rocchio 1971)."""
    question_vector = vector(_telling(question))
    if not papers:
        return question_vector
    centre = np.asarray(shares, np.float32) @ np.array([_meant(paper.title, paper.about) for paper in papers])
    return _unit(_QUESTION * question_vector + (1 - _QUESTION) * _unit(centre))


@lru_cache(maxsize=4_096)
def _meant(title: str, about: str) -> "np.Floats32":
    return vector(_text(title, about).counts)


def _telling(question: str) -> Counter[str]:
    """Count the terms of content words of a question, without words of asking and numbers, which have vectors too."""
    words = [word for word in _WORD.findall(question.lower()) if tells(word) and not word.isdigit()]
    return Counter(terms(" ".join(words)))


def _unit(row: "np.Floats32") -> "np.Floats32":
    unit: np.Floats32 = row / (float(np.linalg.norm(row)) or 1)
    return unit


class _Text:
    """The terms of a paper; those of the title count twice."""

    __slots__ = ("about", "counts", "pairs", "title")

    def __init__(self, title: str, about: str) -> None:
        self.title, self.about = terms(title), terms(about)
        self.counts = Counter(self.title * 2 + self.about)
        self.pairs = frozenset((*pairwise(self.title), *pairwise(self.about)))


_text = lru_cache(maxsize=4_096)(_Text)
"""cached: a search assesses its papers again as it finds more"""


def _vectors(
    texts: Sequence[_Text], question_counts: Counter[str], rarity: Mapping[str, float]
) -> tuple["np.Floats32", "np.Floats32"]:
    """Return unit tf-idf vectors of the papers and of the question.

    Terms of a single paper that are not in the question only count for the length, because nothing else has them.
    """
    document_frequency = Counter(term for text in texts for term in text.counts)
    column = {
        term: number
        for number, term in enumerate(t for t, n in document_frequency.items() if n > 1 or t in question_counts)
    }
    vectors = np.zeros((len(texts), max(len(column), 1)), np.float32)
    for row, text in enumerate(texts):
        length = 0.0
        for term, count in text.counts.items():
            weight = (1 + log(count)) * rarity[term]
            length += weight * weight
            if term in column:
                vectors[row, column[term]] = weight
        vectors[row] /= sqrt(length) or 1
    query = np.zeros(vectors.shape[1], np.float32)
    for term, count in question_counts.items():
        if term in column:
            query[column[term]] = (1 + log(count)) * rarity[term]
    norm = float(np.linalg.norm(query))
    return vectors, query / (norm or 1)


def _share(weights: Mapping[Part, float], parts_of_papers: Iterable[Iterable[Part]]) -> list[float]:
    """Return the share of all `weights` that each text has."""
    whole = sum(weights.values()) or 1
    return [fsum(weights[part] for part in weights.keys() & set(parts)) / whole for parts in parts_of_papers]


def _centre(vectors: "np.Floats32", base: "np.Floats32", best: Iterable[int]) -> "np.Floats32":
    nearest = np.array(list(best))
    centre = base[nearest] @ vectors[nearest]
    return _scaled(vectors @ centre)


def _topics(similar: "np.Floats32", words: "np.Floats32") -> "np.Floats32":
    """Return the cosine to the question in the space of the pool's first singular vectors.

    With S = V Vᵀ = U Λ Uᵀ, the papers are U √Λ and the question folded in is Λ^-½ Uᵀ (V q).
    """
    values, basis = _leading(similar, _TOPICS)
    papers = basis * np.sqrt(values)
    query = (basis.T @ words) / np.sqrt(values)
    norms = np.linalg.norm(papers, axis=1) * np.linalg.norm(query)
    cosines: np.Floats32 = ((papers @ query) / np.where(norms > 0, norms, 1)).astype(np.float32)
    return cosines


def _leading(matrix: "np.Floats32", most: int) -> tuple["np.Floats32", "np.Floats32"]:
    """Return about the `most` largest eigenvalues of a positive matrix and their vectors, by subspace iteration (Halko,
    Martinsson, Tropp 2011, algorithm 4.4) with a fixed start."""
    size = len(matrix)
    block = np.random.default_rng(0).standard_normal((size, min(most + 10, size))).astype(np.float32)
    for _ in range(4):
        block, _ = np.linalg.qr(matrix @ block)
    values, inner = np.linalg.eigh(block.T @ matrix @ block)
    values, basis = values[-most:], (block @ inner)[:, -most:]
    large = values > 1e-4
    return values[large], basis[:, large]


def _neighbours(similar: "np.Floats32", base: "np.Floats32") -> "np.Floats32":
    others = similar.copy()
    np.fill_diagonal(others, 0)
    most = min(_NEIGHBOURS, len(base) - 1)
    if most < 1:
        return np.zeros(len(base), np.float32)
    nearest = np.argpartition(-others, most - 1, axis=1)[:, :most]
    weights = np.take_along_axis(others, nearest, axis=1)
    smoothed: np.Floats32 = (weights * base[nearest]).sum(axis=1) / (weights.sum(axis=1) + 1e-9)
    return _scaled(smoothed)


def _first(size: int, lists: Sequence[Sequence[int]]) -> "np.Floats32":
    scores = np.zeros(size, np.float32)
    for ranked in lists:
        for rank, paper in enumerate(ranked):
            scores[paper] = max(scores[paper], 1 / (1 + rank / 10))
    return scores


def _fusion(size: int, lists: Sequence[Sequence[int]], other_lists: Sequence[Sequence[int]]) -> "np.Floats32":
    """Fuse the lists; lists for other queries than the question count less."""
    scores = np.zeros(size, np.float32)
    for share, group in ((1.0, lists), (OTHER_LISTS, other_lists)):
        for ranked in group:
            for rank, paper in enumerate(ranked, start=1):
                scores[paper] += share * reciprocal_rank(rank, FUSION_K)
    return _scaled(scores)


def _scaled(scores: "np.Floats32") -> "np.Floats32":
    highest = scores.max() if len(scores) else 0
    return scores / highest if highest > 0 else scores


def _support(pool: Pool) -> "np.Floats32":
    """Return how much says that each paper is on the question, from 0 to 1: its coverage, where `ENOUGH` of the highest
    one counts as 1, or its judged score."""
    covered = np.array(coverages(pool.question, pool.papers), np.float32)
    support = np.minimum(covered / (ENOUGH * covered.max() or 1), 1)
    for paper, score in (pool.judged or {}).items():
        support[paper] = max(support[paper], score)
    return support if support.any() else np.ones_like(support)


def _links(papers: Sequence[Paper], best: "np.Floats32", support: "np.Floats32") -> list["np.Floats32"]:
    """Return the columns `LINKS`. `best` are the scores of the best papers, 0 for others. A link counts by the support
    of the paper at its other end: links between papers on another subject tell nothing about this one. It is compared
    with the highest count if all papers had full support."""
    number = {name: number_of_paper for number_of_paper, paper in enumerate(papers) for name in paper.identifiers}
    reference_sets = [
        {number.get(name, name) for name in paper.references} - {number_of_paper}
        for number_of_paper, paper in enumerate(papers)
    ]
    cites = np.zeros((len(papers), len(papers)), np.float32)
    for number_of_paper, works in enumerate(reference_sets):
        cites[number_of_paper, [work for work in works if isinstance(work, int)]] = 1
    citing = cites.sum(axis=0)
    fame = np.maximum([paper.citation_count or 0 for paper in papers], citing)

    def columns(weights: "np.Floats32") -> list["np.Floats32"]:
        cited = cites @ weights
        together = cites.T @ cited - citing * weights  # a paper is not co-cited with itself
        lengths = np.array([len(works) for works in reference_sets])
        return [cites.T @ weights / np.sqrt(1 + fame), cited / np.sqrt(1 + lengths), together / np.sqrt(1 + citing)]

    counts = zip(columns(best * support), columns(best), strict=True)
    return [*(supported / (full.max() or 1) for supported, full in counts), np.log1p(cites.T @ support) / 5]


_LEAST = 0.02
"""Least nearness of a term, because the table may not have it."""


class Nearness:
    """The cosine of a term with `meant`, a vector of length 1; at least `_LEAST`."""

    def __init__(self, vector: "np.Floats32") -> None:
        self._meant = vector

    @reckons
    def __call__(self, term: str) -> float:
        return max(float(vector({term: 1}) @ self._meant), _LEAST)

    @reckons
    def content(self, word: str) -> float:
        """Return how much `word` says of the subject of the text: the nearness of its terms times their rarity in
        science; rarity alone for a term without a vector."""
        return max((rarity(term) * (self(term) if vector({term: 1}).any() else 1.0) for term in terms(word)), default=0)


def nearness(text: str) -> Nearness:
    """Return a function for the nearness of stemmed terms to `text`."""
    return Nearness(moved(text, [], []))
