"""The facts that a simulated person knows about the paper they look for, from the paper itself, never its title."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from math import log
from typing import Literal, NamedTuple

from agents.bench.collections import Document
from agents.bench.judges import chance
from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS

HELD_BY = 3
"""Minimum number of documents with a word: a rarer word would be as good as the title."""
SHARE = 0.1
"""Maximum share of documents with a word: a more common word says nothing."""
_WORD = re.compile(r"[^\W\d_]{4,}")
_KEYWORD = re.compile(r"[^\W\d_]{4,}(?: [^\W\d_]{2,}){0,2}")


class Fact(NamedTuple):
    """One true statement about the paper; `like` names the paper of the history most similar to it."""

    kind: Literal["word", "keyword", "like", "year", "author"]
    text: str


class Telling:
    """Chooses the informative words of documents by document frequency."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._size = len(documents)
        self._having = Counter(word for document in documents for word in _words(document) | _keywords(document))

    def facts(self, target: Document, history: Sequence[Document], *draw: object) -> list[Fact]:
        """Return the facts about `target`, ordered by `draw`, with at most half of the words of its title."""
        title = {word for word in _WORD.findall(target.title.casefold()) if word not in _EMPTY}
        room = max(len(title) // 2, 1)
        words = [word for word in self._drawn(_words(target), *draw) if word not in title or (room := room - 1) >= 0]
        seen = set(words)
        keywords = [
            keyword
            for keyword in self._drawn(_keywords(target), *draw)
            if not seen.intersection(keyword.split()) and len(title.intersection(keyword.split())) <= len(title) // 2
        ]
        others = [Fact("like", nearest.title)] if (nearest := self._nearest(target, history)) else []
        others += [Fact("year", str(target.year))] if target.year else []
        others += [Fact("author", target.authors[0].split()[-1])] if target.authors else []
        others.sort(key=lambda fact: chance("fact", fact.kind, *draw))
        rows = zip_longest((Fact("word", word) for word in words), (Fact("keyword", word) for word in keywords), others)
        return [fact for fact in chain.from_iterable(rows) if fact is not None]

    def _drawn(self, words: set[str], *draw: object) -> list[str]:
        telling = [word for word in words if HELD_BY <= self._having[word] <= max(SHARE * self._size, HELD_BY)]
        return sorted(telling, key=lambda word: (chance("word", word, *draw), word))

    def _nearest(self, target: Document, history: Sequence[Document]) -> Document | None:
        """Return the document of the history that shares most with the target, weighting words by rarity."""
        theirs = _words(target) | _keywords(target)

        def shared(document: Document) -> float:
            common = theirs & (_words(document) | _keywords(document))
            return sum(log(self._size / self._having[word]) for word in common)

        best = max(history, key=shared, default=None)
        return best if best is not None and shared(best) > 0 else None


_EMPTY = frozenset((*STOP_WORDS, *QUESTION_WORDS))


def _words(document: Document) -> set[str]:
    words = _WORD.findall(f"{document.title} {document.abstract}".casefold())
    return {word for word in words if word not in _EMPTY}


def _keywords(document: Document) -> set[str]:
    return set(_whole(document.keywords))


def _whole(keywords: Sequence[str]) -> Iterator[str]:
    for keyword in keywords:
        plain = " ".join(keyword.casefold().split())
        if _KEYWORD.fullmatch(plain) and plain not in _EMPTY:
            yield plain
