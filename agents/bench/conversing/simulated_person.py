"""A simulated person (InteRecAgent §4.1), by rules: they look for one paper, refuse others, and reveal more about it.

They know facts about the paper, from the paper itself, but never its title. They write in several natural wordings,
drawn by the seed; none was chosen for being understood.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain, zip_longest
from math import log
from typing import Literal, NamedTuple

from agents.bench.collections import Document
from agents.bench.judges import chance
from cache.conditions.wording import listed, quoted
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


class FactChooser:
    """Chooses the informative words of documents by document frequency."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._size = len(documents)
        self._having = Counter(word for document in documents for word in _words(document) | _keywords(document))

    def facts(self, target: Document, history: Sequence[Document], *draw: object) -> list[Fact]:
        """Return the facts about `target`, ordered by `draw`, with at most half of the words of its title."""
        title = {word for word in _WORD.findall(target.title.casefold()) if word not in _EMPTY}
        title_words_left = max(len(title) // 2, 1)
        words = [
            word
            for word in self._drawn(_words(target), *draw)
            if word not in title or (title_words_left := title_words_left - 1) >= 0
        ]
        chosen_words = set(words)
        keywords = [
            keyword
            for keyword in self._drawn(_keywords(target), *draw)
            if not chosen_words.intersection(keyword.split())
            and len(title.intersection(keyword.split())) <= len(title) // 2
        ]
        others = [Fact("like", nearest.title)] if (nearest := self._nearest(target, history)) else []
        others += [Fact("year", str(target.year))] if target.year else []
        others += [Fact("author", target.authors[0].split()[-1])] if target.authors else []
        others.sort(key=lambda fact: chance("fact", fact.kind, *draw))
        rows = zip_longest((Fact("word", word) for word in words), (Fact("keyword", word) for word in keywords), others)
        return [fact for fact in chain.from_iterable(rows) if fact is not None]

    def _drawn(self, words: set[str], *draw: object) -> list[str]:
        informative = [word for word in words if HELD_BY <= self._having[word] <= max(SHARE * self._size, HELD_BY)]
        return sorted(informative, key=lambda word: (chance("word", word, *draw), word))

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
    plain = (" ".join(keyword.casefold().split()) for keyword in document.keywords)
    return {keyword for keyword in plain if _KEYWORD.fullmatch(keyword) and keyword not in _EMPTY}


TURNS = 5
AT_ONCE = 2
"""Maximum number of new facts per message."""
SHOWN = 5
"""Number of papers that the person looks at per answer."""
BEGINNINGS = (
    "Recommend me five papers.",
    "What should I read next? Five papers, please.",
    "I saved {saved}; recommend me five papers.",
    "Suggest five papers that fit what I have saved.",
)
FIRST_FACTS = (
    "None of these. I am looking for papers {new}.",
    "Not these. Show me five papers {new}.",
    "No, something {new}.",
    "These are not it. It is {new}.",
)
MORE_FACTS = (
    "None of these either. It is also {new}.",
    "Not these. Only those {new}.",
    "Still not it. I am looking for papers {all}.",
    "No. Show me five papers {all}.",
)
NO_MORE = "None of these. Show me five others."
NAMED = 3
"""Maximum number of saved papers that the person names."""


class SimulatedPerson:
    """A simulated person; `saved` is their history, `facts` is what they know of the target paper, in order."""

    def __init__(self, saved: Sequence[Document], facts: Sequence[Fact], *draw: object) -> None:
        self._saved, self._facts, self._draw = saved, facts, draw

    def message(self, turn: int) -> str:
        """Return the message of a turn, from 1; from the second on, the papers shown before were not the target."""
        if turn == 1:
            return drawn(BEGINNINGS, turn, *self._draw).format(
                saved=quoted([document.title for document in self._saved[-NAMED:]])
            )
        facts, before = self.facts_until(turn), self.facts_until(turn - 1)
        if facts == before:
            return NO_MORE
        wording = drawn(MORE_FACTS if before else FIRST_FACTS, turn, *self._draw)
        return wording.format(new=phrase(facts[len(before) :]), all=phrase(facts))

    def facts_until(self, turn: int) -> Sequence[Fact]:
        """Return the facts revealed up to and including a turn."""
        return self._facts[: AT_ONCE * (turn - 1)]


def drawn(wordings: Sequence[str], *draw: object) -> str:
    """Draw one of the wordings."""
    return wordings[int(chance("wording", *draw) * len(wordings))]


def phrase(facts: Sequence[Fact]) -> str:
    """Phrase facts, as in `about coral and sand from 2001 by Lovelace like “Reefs”`."""
    by_kind: dict[str, list[str]] = {}
    for fact in facts:
        by_kind.setdefault("about" if fact.kind in ("word", "keyword") else fact.kind, []).append(fact.text)
    parts = [f"about {listed(by_kind['about'])}"] if "about" in by_kind else []
    parts += [f"by {listed(by_kind['author'])}"] if "author" in by_kind else []
    parts += [f"from {listed(by_kind['year'])}"] if "year" in by_kind else []
    parts += [f"like {quoted(by_kind['like'])}"] if "like" in by_kind else []
    return " ".join(parts)
