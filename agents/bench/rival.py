"""The strongest plain ranking of a collection: BM25, expanded by feedback, plus links to the top documents.

It has no judge and no rounds and orders the whole collection; the gain of a search by those must show against it. On
the tuning halves of the open collections no other constants were better on all of them.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from agents.builtin import lazy_numpy as np
from agents.builtin.ranking.bm25 import Bm25Index, best
from agents.builtin.text.terms import terms

FEEDBACK_PAPERS, FEEDBACK_TERMS = 10, 20
OWN_SHARE = 0.6
"""Weight of the question's own terms in the expanded query; the rest goes to terms of the top documents."""
LINKED = 50
"""Number of top documents whose links count."""
LINKS = 0.5
"""Maximum weight of links; words weigh at most 1."""
CITES, TOGETHER = 0.5, 0.5
"""Weight of a link to a top document, and of a reference or citing paper shared with one, relative to a link from
one."""


@dataclass(frozen=True, slots=True)
class RivalLibrary:
    """The data that the rival reads: an index, texts and links by number, without `hidden` documents."""

    index: Bm25Index
    texts: Sequence[str]
    references: Sequence[Sequence[int]]
    citations: Sequence[Sequence[int]]
    hidden: "np.Mask"


def scores(library: RivalLibrary, question: str) -> "np.Floats":
    """Return the score of every document for `question`, by number; 0 for unrelated documents."""
    own = _shares(Counter(terms(question)))
    first = _visible(library, library.index.weighted(own))
    documents = [(float(first[number]), terms(library.texts[number])) for number in best(first, FEEDBACK_PAPERS)]
    words = _visible(library, library.index.weighted(expanded(own, documents)))
    highest = words.max(initial=0)
    if not highest:
        return words
    words = words / highest
    leading = {number: float(words[number]) for number in best(words, LINKED)}
    return _visible(library, words + LINKS * linked(library, leading))


def expanded(own: Mapping[str, float], documents: Iterable[tuple[float, Sequence[str]]]) -> dict[str, float]:
    """Return the terms of the query and of feedback `documents`, weighted (RM3, Abdul-Jaleel and others 2004)."""
    model: defaultdict[str, float] = defaultdict(float)
    for weight, document in documents:
        for term, share in _shares(Counter(document)).items():
            model[term] += weight * share
    likeliest = sorted(model, key=lambda term: (-model[term], term))[:FEEDBACK_TERMS]
    shares = _shares({term: model[term] for term in likeliest})
    if not shares:
        return dict(own)
    return {
        term: OWN_SHARE * own.get(term, 0.0) + (1 - OWN_SHARE) * shares.get(term, 0.0)
        for term in dict.fromkeys((*own, *shares))
    }


def linked(library: RivalLibrary, leading: Mapping[int, float]) -> "np.Floats":
    """Return how closely links connect each document with the `leading` ones, at most 1.

    Counted are: being cited by them, divided by citation count; citing them, divided by the length of the list; sharing
    references with them (Kessler 1963); being cited together with them (Small 1973).
    """
    scores = np.zeros(library.index.size)
    for number, weight in leading.items():
        for cited in _seen(library, library.references[number]):
            citing = _seen(library, library.citations[cited])
            scores[cited] += weight / sqrt(1 + len(citing))
            _share_out(scores, citing, number, TOGETHER * weight / (1 + len(citing)))
        for citing_one in _seen(library, library.citations[number]):
            cited_too = _seen(library, library.references[citing_one])
            scores[citing_one] += CITES * weight / sqrt(1 + len(cited_too))
            _share_out(scores, cited_too, number, TOGETHER * weight / (1 + len(cited_too)))
    highest = scores.max(initial=0)
    return scores / highest if highest else scores


def _share_out(scores: "np.Floats", numbers: Sequence[int], but: int, worth: float) -> None:
    for number in numbers:
        if number != but:
            scores[number] += worth


def _seen(library: RivalLibrary, numbers: Sequence[int]) -> list[int]:
    return [number for number in numbers if not library.hidden[number]]


def _visible(library: RivalLibrary, scores: "np.Floats") -> "np.Floats":
    scores[library.hidden] = 0
    return scores


def _shares(counts: Mapping[str, float]) -> dict[str, float]:
    whole = sum(counts.values())
    return {term: count / whole for term, count in counts.items()} if whole else {}
