"""Papers by how near they are to other papers, to words, and to the person's taste. All of it blocks."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from agents.builtin.ranking.bm25 import idf
from agents.builtin.ranking.word_vectors import vector
from agents.builtin.text.terms import terms
from agents.taste.comparison import Comparison
from agents.taste.context import UserContext, read_context
from agents.taste.scoring import scored
from agents.tools.tool import Noted
from cache import fulltext, papers
from cache.conditions.filters import Filter, asked
from cache.conditions.library import matching
from cache.profile import Line
from cache.store import PaperId, Store
from connectors.paper import Paper

if TYPE_CHECKING:
    from agents.builtin.ranking.word_vectors import Floats as Vector
    from agents.builtin.taste.catalogue import Floats

MOST = 50
"""Papers that are chosen from the whole library at most; of fewer candidates, as many as are near enough."""
NEAREST = 3
"""How near the nearest are is told from so many."""
MOST_WORDS = 16
"""Words of a text that papers are looked up by."""
WEIGHED = 300
"""Candidates that are weighed one by one against the history; those behind are ordered by similarity alone."""
PREFERRED = 1.0
"""What a paper that the person names in so many words says of their taste."""


class Wanted(NamedTuple):
    """What papers should be like, and unlike."""

    papers: tuple[PaperId, ...] = ()
    words: str = ""
    unlike: tuple[PaperId, ...] = ()
    unlike_words: str = ""


def alike(store: Store, wanted: Wanted, among: Sequence[PaperId] | None, share: float) -> list[PaperId]:
    """The candidates that are near what is wanted, the nearest first: at least a `share` as near as the nearest of
    them, and nearer to it than to what they should be unlike. With nothing but that, all others in their order."""
    comparison, near, far = _compared(store, wanted)
    named = {*wanted.papers, *wanted.unlike}
    candidates = [number for number in (comparison.numbers if among is None else among) if number in comparison.index]
    if not (wanted.papers or wanted.words):
        most = _level([float(far[comparison.index[number]]) for number in candidates])
        return [
            number
            for number in candidates
            if number not in named and far[comparison.index[number]] < max(share * most, 1e-9)
        ]
    scores = {number: float(near[comparison.index[number]]) for number in candidates if number not in named}
    least = share * _level(list(scores.values()))
    kept = [
        number
        for number, score in scores.items()
        if score > 0 and score >= least and score > float(far[comparison.index[number]])
    ]
    kept.sort(key=lambda number: -scores[number])
    return kept[:MOST] if among is None else kept


def nearest_first(store: Store, wanted: Wanted, among: Sequence[PaperId]) -> list[PaperId]:
    """The candidates, the nearest to what is wanted first; equals keep their order. What is told by words alone is
    ranked as a plain query is (BM25)."""
    if wanted.words and not (wanted.papers or wanted.unlike or wanted.unlike_words):
        position = {number: position for position, number in enumerate(by_words(store, wanted.words, among).order)}
        return sorted(among, key=lambda number: position.get(number, len(position)))
    comparison, near, far = _compared(store, wanted)
    return sorted(among, key=lambda number: -_at(comparison, near, number) + _at(comparison, far, number))


class ByWords(NamedTuple):
    """Papers by the words of a text. `share` is what of it each has, by how rare the words are, from 0 to 1, `order`
    those that have any, the best first; `known` are its words that some paper has, `unknown` the others."""

    order: list[PaperId]
    share: Mapping[PaperId, float]
    known: list[str]
    unknown: list[str]


def by_words(store: Store, text: str, among: Sequence[PaperId] | None = None) -> ByWords:
    """The papers that have words of `text` in title, abstract or keywords, whatever their endings: by BM25 over title
    and abstract, as a plain query ranks them."""
    words = fulltext.words_of(text)[:MOST_WORDS]
    having = {word: set(matching(store, asked(words=(word,)))) for word in words}
    known_words = [word for word in words if having[word]]
    total = len(matching(store, Filter()))
    weight = {word: idf(len(having[word]), total) for word in known_words}
    whole = sum(weight.values())
    allowed = None if among is None else set(among)
    share: dict[PaperId, float] = {}
    for word in known_words:
        for number in having[word] if allowed is None else having[word] & allowed:
            share[number] = share.get(number, 0.0) + weight[word] / whole
    ranked = matching(store, asked(any_words=tuple(known_words))) if known_words else []
    order = [number for number in ranked if number in share]
    return ByWords(order, share, known_words, [word for word in words if word not in known_words])


class Meanings:
    """Papers of one library by what words mean, without a model. The vector of each paper is computed once."""

    NEAR = 0.26
    """Least cosine of a paper that is near: one in a hundred texts of other fields is as near to two to four words (the
    titles of three collections with the texts of one another)."""

    def __init__(self) -> None:
        self._vectors: dict[PaperId, Vector] = {}

    def near(self, store: Store, text: str, among: Sequence[PaperId]) -> list[PaperId]:
        """Return those of `among` that are near `text` in meaning, the nearest first. Raises `CacheError`."""
        missing = [number for number in among if number not in self._vectors]
        for number, paper in papers.numbered(store, missing).items():
            self._vectors[PaperId(number)] = vector(Counter(terms(f"{paper.title} {paper.about}")))
        wanted = vector(Counter(terms(text)))
        cosines = {number: float(self._vectors[number] @ wanted) for number in among if number in self._vectors}
        return sorted((n for n in cosines if cosines[n] >= self.NEAR), key=lambda number: -cosines[number])


def by_preference(
    store: Store,
    now: datetime,
    among: Sequence[PaperId],
    prefer: Sequence[PaperId],
    unwanted: Sequence[PaperId],
    words: str,
    noted: Sequence[Noted] = (),
) -> tuple[list[PaperId], str]:
    """The candidates, those first that fit the person best: their history, what they named just now, and what they
    `noted` before. The sentence says what that could not be told from, or what of it counted, "" if it was the history
    alone."""
    context = read_context(store, now)
    context = replace(context, lines=(*context.lines, *_lines(noted, now)))
    prefer = (*prefer, *(PaperId(raw) for facet, _, named in noted if facet != "dislike" for raw in named))
    unwanted = (*unwanted, *(PaperId(raw) for facet, _, named in noted if facet == "dislike" for raw in named))
    context = replace(
        context,
        wanted={**context.wanted, **dict.fromkeys(prefer, PREFERRED)},
        unwanted={**context.unwanted, **dict.fromkeys(unwanted, PREFERRED)},
    )
    if context.empty and not words:
        return list(among), "Nothing says yet what you like, so the order is as it was."
    others = [Paper(words)] if words else []
    comparison = Comparison(store, context, others)
    wanted = {**comparison.wanted, **({comparison.place_of_other(0): PREFERRED} if words else {})}
    comparison.wanted = wanted
    near = comparison.similarity(wanted)
    order = sorted(among, key=lambda number: -_at(comparison, near, number))
    weighed = [number for number in order if number in comparison.index][:WEIGHED]
    scores = scored(comparison, [comparison.index[number] for number in weighed], 0)
    score: Mapping[PaperId, float] = {number: of.score for number, of in zip(weighed, scores, strict=True)}
    return sorted(order, key=lambda number: -score.get(number, -1.0)), _counted(noted)


def _lines(noted: Sequence[Noted], now: datetime) -> Iterator[Line]:
    """What was said, as lines of the profile are; where papers are named, those count and not their names."""
    return (Line(0, facet, text, now) for facet, text, named in noted if text and not named)


def _counted(noted: Sequence[Noted]) -> str:
    reasons = [f"you {facet} “{text}”" for facet, text, _ in noted if text]
    pointed = sum(len(named) for _, text, named in noted if not text)
    reasons += [f"what you said of {pointed} {'paper' if pointed == 1 else 'papers'}"] if pointed else []
    if not reasons:
        return ""
    return f"In this order: those first that fit you best, also by what you said here: {'; '.join(reasons)}."


def _compared(store: Store, wanted: Wanted) -> "tuple[Comparison, Floats, Floats]":
    """The library compared with what is wanted and what is not: how near every paper is to either."""
    comparison = Comparison(store, UserContext())

    def near(numbers: Sequence[PaperId], text: str) -> "Floats":
        places = [comparison.index[number] for number in numbers if number in comparison.index]
        scores = comparison.similarity(dict.fromkeys(places, 1.0))
        return (scores * len(places) + comparison.similarity_to(text)) / (len(places) + 1) if text else scores

    return comparison, near(wanted.papers, wanted.words), near(wanted.unlike, wanted.unlike_words)


def _level(scores: Sequence[float]) -> float:
    """How near the nearest are."""
    best = sorted(scores, reverse=True)[:NEAREST]
    return sum(best) / len(best) if best else 0.0


def _at(comparison: Comparison, scores: "Floats", number: PaperId) -> float:
    return float(scores[comparison.index[number]]) if number in comparison.index else 0.0
