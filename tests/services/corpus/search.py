"""Term matching and relevance over the corpus, shared by the services that search."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

from tests.services.corpus.works import Work

STOP_WORDS = frozenset(
    "a an and are as at be by can do does for from has have how in into is it its of on or that the their this to using"
    " was we were what when where which who why will with".split()
)
_WORD = re.compile(r"\w+")
_MARKUP = re.compile(r"</?\w+>")


def words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


@cache
def stem(word: str) -> str:
    """The word without its commonest English endings: enough that plurals and -ing forms meet."""
    for ending, least in (
        ("ations", 5),
        ("ation", 5),
        ("ings", 4),
        ("ing", 4),
        ("ies", 3),
        ("ed", 4),
        ("es", 4),
        ("s", 3),
    ):
        if word.endswith(ending) and len(word) - len(ending) >= least and not word.endswith("ss"):
            return word[: -len(ending)].rstrip("e")
    return word.rstrip("e") if len(word) > 4 else word


def terms(text: str) -> list[str]:
    """The stemmed words of a text that carry meaning."""
    return [stem(word) for word in words(text) if word not in STOP_WORDS]


def text_of(work: Work) -> str:
    return f"{work.title} {work.abstract or ''}"


class Index:
    """Relevance of works to words: BM25 over title and abstract, the title counted three times."""

    def __init__(self, works: Iterable[Work]) -> None:
        self.works = {work.number: work for work in works}
        self._counts = {
            number: Counter(terms(f"{work.title} {work.title} {text_of(work)}")) for number, work in self.works.items()
        }
        self._mean = sum(count.total() for count in self._counts.values()) / max(len(self._counts), 1)
        self._found_in = Counter(term for count in self._counts.values() for term in count)

    def score(self, number: int, query: Iterable[str]) -> float:
        count = self._counts[number]
        length = 0.25 + 0.75 * count.total() / self._mean
        return sum(self._rarity(term) * count[term] * 2.2 / (count[term] + 1.2 * length) for term in set(query))

    def _rarity(self, term: str) -> float:
        found = self._found_in[term]
        return math.log(1 + (len(self._counts) - found + 0.5) / (found + 0.5))

    def matching(self, text: str, share: float = 1.0) -> list[tuple[Work, float]]:
        """Works that hold at least this share of the query's terms, the most relevant first, with their scores."""
        query = set(terms(text))
        if not query:
            return []
        need = max(1, math.ceil(share * len(query)))
        found = [number for number, count in self._counts.items() if sum(term in count for term in query) >= need]
        return self.ranked(found, query)

    def ranked(self, numbers: Iterable[int], query: Iterable[str]) -> list[tuple[Work, float]]:
        asked = set(query)
        scored = [(self.works[number], self.score(number, asked)) for number in numbers]
        return sorted(scored, key=lambda pair: (-pair[1], pair[0].number))


@cache
def index_of(works: tuple[Work, ...]) -> Index:
    """The index of these works, built once: tests start the services many times."""
    return Index(works)


def holds_phrase(text: str, phrase: str) -> bool:
    """Whether the words of `phrase` stand side by side in `text`, stemmed, in order."""
    want = [stem(word) for word in words(phrase)]
    have = [stem(word) for word in words(_MARKUP.sub("", text))]
    return bool(want) and any(have[at : at + len(want)] == want for at in range(len(have) - len(want) + 1))


def date_of(work: Work) -> str | None:
    """The date a service sorts and filters by: a bare year counts as 1 January."""
    return work.date or (f"{work.year}-01-01" if work.year else None)
