"""Rank papers by closeness to other papers, to words and to the person's taste. All functions block."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from agents.builtin import lazy_numpy as np
from agents.builtin.ranking.bm25 import idf
from agents.builtin.ranking.word_vectors import vector
from agents.builtin.text.terms import terms
from agents.taste.comparison import TasteComparison
from agents.taste.context import UserContext, read_context
from agents.taste.scoring import scored
from agents.tools.tool import Preference
from cache import fulltext, papers
from cache.conditions.filters import Filter, filter_by
from cache.conditions.library import matching
from cache.profile import WrittenLine
from cache.store import PaperId, Store
from connectors.paper import Paper

MOST = 50
"""Maximum number of papers chosen from the whole library; from fewer candidates, all that are close enough."""
NEAREST = 3
"""Number of closest papers whose mean sets the level for "close"."""
MOST_WORDS = 16
"""Maximum number of words of a text to look papers up by."""
WEIGHED = 300
"""Number of candidates scored one by one against the history; later ones are ordered by similarity alone."""
PREFERRED = 1.0
"""Weight of a paper that the person names as an example of their taste."""


class Likeness(NamedTuple):
    """What papers should and should not resemble."""

    papers: tuple[PaperId, ...] = ()
    words: str = ""
    unlike: tuple[PaperId, ...] = ()
    unlike_words: str = ""


def alike(store: Store, likeness: Likeness, among: Sequence[PaperId] | None, share: float) -> list[PaperId]:
    """Return the candidates close to what is wanted, closest first: at least `share` times as close as the closest,
    and closer to it than to what is unwanted. With nothing wanted, return all that are not close to the unwanted, in
    their order."""
    comparison, near, far = _compared(store, likeness)
    references = {*likeness.papers, *likeness.unlike}
    candidates = [number for number in (comparison.numbers if among is None else among) if number in comparison.index]
    if not (likeness.papers or likeness.words):
        most = _level([float(far[comparison.index[number]]) for number in candidates])
        return [
            number
            for number in candidates
            if number not in references and far[comparison.index[number]] < max(share * most, 1e-9)
        ]
    scores = {number: float(near[comparison.index[number]]) for number in candidates if number not in references}
    least = share * _level(list(scores.values()))
    numbers = [
        number
        for number, score in scores.items()
        if score > 0 and score >= least and score > float(far[comparison.index[number]])
    ]
    numbers.sort(key=lambda number: -scores[number])
    return numbers[:MOST] if among is None else numbers


def nearest_first(store: Store, likeness: Likeness, among: Sequence[PaperId]) -> list[PaperId]:
    """Order the candidates by closeness to what is wanted; ties keep their order. With words alone, use BM25 as a
    plain query does."""
    if likeness.words and not (likeness.papers or likeness.unlike or likeness.unlike_words):
        position = {number: position for position, number in enumerate(by_words(store, likeness.words, among).order)}
        return sorted(among, key=lambda number: position.get(number, len(position)))
    comparison, near, far = _compared(store, likeness)
    return sorted(among, key=lambda number: -_at(comparison, near, number) + _at(comparison, far, number))


class ByWords(NamedTuple):
    """Papers by the words of a text. `share` is how much of the text each paper has, from 0 to 1, weighted by
    rarity; `order` lists the papers with any word, best first; `known` are the words that some paper has, `unknown`
    the others."""

    order: list[PaperId]
    share: Mapping[PaperId, float]
    known: list[str]
    unknown: list[str]


def by_words(store: Store, text: str, among: Sequence[PaperId] | None = None) -> ByWords:
    """Find papers with words of `text` in title, abstract or keywords, ignoring endings. `order` ranks them by BM25
    over title and abstract, as a plain query does."""
    words = fulltext.words_of(text)[:MOST_WORDS]
    papers_with = {word: set(matching(store, filter_by(words=(word,)))) for word in words}
    known_words = [word for word in words if papers_with[word]]
    total = len(matching(store, Filter()))
    weight = {word: idf(len(papers_with[word]), total) for word in known_words}
    whole = sum(weight.values())
    among_set = None if among is None else set(among)
    share: dict[PaperId, float] = {}
    for word in known_words:
        for number in papers_with[word] if among_set is None else papers_with[word] & among_set:
            share[number] = share.get(number, 0.0) + weight[word] / whole
    ranked = matching(store, filter_by(any_words=tuple(known_words))) if known_words else []
    order = [number for number in ranked if number in share]
    return ByWords(order, share, known_words, [word for word in words if word not in known_words])


class Meanings:
    """The papers of one library by meaning, without a model. The vector of each paper is computed once."""

    NEAR = 0.26
    """Minimum cosine of a close paper: one in a hundred texts of other fields is this close to two to four words
    (titles of three collections against each other's texts)."""

    def __init__(self) -> None:
        self._vectors: dict[PaperId, np.Floats32] = {}

    def near(self, store: Store, text: str, among: Sequence[PaperId]) -> list[PaperId]:
        """Return the papers of `among` that are close to `text` in meaning, closest first. Raises `CacheError`."""
        missing = [number for number in among if number not in self._vectors]
        for number, paper in papers.numbered(store, missing).items():
            self._vectors[PaperId(number)] = vector(Counter(terms(f"{paper.title} {paper.about}")))
        query = vector(Counter(terms(text)))
        cosines = {number: float(self._vectors[number] @ query) for number in among if number in self._vectors}
        return sorted((n for n in cosines if cosines[n] >= self.NEAR), key=lambda number: -cosines[number])


def by_preference(
    store: Store,
    now: datetime,
    among: Sequence[PaperId],
    prefer: Sequence[PaperId],
    unwanted: Sequence[PaperId],
    words: str,
    preferences: Sequence[Preference] = (),
) -> tuple[list[PaperId], str]:
    """Order the candidates by fit to the person: history, papers named now, and the `preferences` stated before. Also
    return a sentence that says which of these could not be used or counted beside the history; "" if only the
    history counted."""
    context = read_context(store, now)
    # A note that names papers counts by its papers only.
    lines = (WrittenLine(0, facet, text, now) for facet, text, papers_named in preferences if text and not papers_named)
    context = replace(context, lines=(*context.lines, *lines))
    prefer = (
        *prefer,
        *(PaperId(raw) for facet, _, papers_named in preferences if facet != "dislike" for raw in papers_named),
    )
    unwanted = (
        *unwanted,
        *(PaperId(raw) for facet, _, papers_named in preferences if facet == "dislike" for raw in papers_named),
    )
    context = replace(
        context,
        wanted={**context.wanted, **dict.fromkeys(prefer, PREFERRED)},
        unwanted={**context.unwanted, **dict.fromkeys(unwanted, PREFERRED)},
    )
    if context.empty and not words:
        return list(among), "spar does not know yet what you like, so the order is unchanged."
    others = [Paper(words)] if words else []
    comparison = TasteComparison(store, context, others)
    weights = {**comparison.wanted, **({comparison.place_of_other(0): PREFERRED} if words else {})}
    comparison.wanted = weights
    near = comparison.similarity(weights)
    order = sorted(among, key=lambda number: -_at(comparison, near, number))
    ranked_numbers = [number for number in order if number in comparison.index][:WEIGHED]
    scores = scored(comparison, [comparison.index[number] for number in ranked_numbers], 0)
    score: Mapping[PaperId, float] = {number: of.score for number, of in zip(ranked_numbers, scores, strict=True)}
    return sorted(order, key=lambda number: -score.get(number, -1.0)), _counted(preferences)


def _counted(preferences: Sequence[Preference]) -> str:
    reasons = [f"you {facet} “{text}”" for facet, text, _ in preferences if text]
    pointed = sum(len(papers_named) for _, text, papers_named in preferences if not text)
    reasons += [f"what you said about {pointed} {'paper' if pointed == 1 else 'papers'}"] if pointed else []
    if not reasons:
        return ""
    return f"In this order: the best for your taste first, including what you said here: {'; '.join(reasons)}."


def _compared(store: Store, likeness: Likeness) -> "tuple[TasteComparison, np.Floats, np.Floats]":
    """Compare the library with what is wanted and unwanted; return the comparison and each paper's closeness to
    both."""
    comparison = TasteComparison(store, UserContext())

    def near(numbers: Sequence[PaperId], text: str) -> "np.Floats":
        positions = [comparison.index[number] for number in numbers if number in comparison.index]
        scores = comparison.similarity(dict.fromkeys(positions, 1.0))
        return (scores * len(positions) + comparison.similarity_to(text)) / (len(positions) + 1) if text else scores

    return comparison, near(likeness.papers, likeness.words), near(likeness.unlike, likeness.unlike_words)


def _level(scores: Sequence[float]) -> float:
    best = sorted(scores, reverse=True)[:NEAREST]
    return sum(best) / len(best) if best else 0.0


def _at(comparison: TasteComparison, scores: "np.Floats", number: PaperId) -> float:
    return float(scores[comparison.index[number]]) if number in comparison.index else 0.0
