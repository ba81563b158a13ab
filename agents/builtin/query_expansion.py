"""New queries from relevant papers without a model: pseudo-relevance feedback in SPAR's three directions (A.2).

Each direction adds to the question's terms those from sentences on methods, applications or limitations that
distinguish the best papers from the others and are near the question in meaning.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import log

from agents.builtin.ranking.bm25 import idf
from agents.builtin.ranking.features import Nearness, moved
from agents.builtin.text.sentences import sentences
from agents.builtin.text.terms import terms
from agents.run.events import Direction
from connectors.paper import Paper
from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS

_CUES: Mapping[Direction, re.Pattern[str]] = {
    "method": re.compile(
        r"\b(?:propos|introduc|present|develop|method|approach|algorithm|model|framework|architectur|techniqu|train|"
        r"assay|protocol|procedure|design|estimat|comput)\w*",
        re.IGNORECASE,
    ),
    "application": re.compile(
        r"\b(?:appl|task|use[ds]?\b|using|dataset|benchmark|experiment|practic|clinic|patient|system|domain|real-world|"
        r"implement|deploy|evaluat|improv)\w*",
        re.IGNORECASE,
    ),
    "limitation": re.compile(
        r"\b(?:however|limit|challeng|difficult|problem|fail|lack|despite|although|cost|bias|risk|unclear|poor|error|"
        r"trade-?off|drawback|adverse|resist)\w*",
        re.IGNORECASE,
    ),
}
FEEDBACK = 12
"""Number of best papers whose terms show the vocabulary of the field."""
TELLING = 5
"""Number of these whose sentences give new words to queries."""
_OWN_TERMS = 4
_NEW_TERMS = 4
_RARE = 0.001
"""Factor on the rarity of a term that does not distinguish the best papers."""
_WORD = re.compile(r"[^\W\d_][\w-]*[^\W_]")


class Vocabulary:
    """The vocabulary of a search: how well a term distinguishes the best papers, and how near it is to the question."""

    def __init__(self, question: str, papers: Sequence[Paper], relevance: Sequence[float]) -> None:
        """Take the papers of a search, best first, and the relevance of each."""
        self._size = len(papers)
        self._having = Counter(term for paper in papers for term in vocabulary(paper))
        best = list(zip(papers, relevance, strict=True))[:FEEDBACK]
        most = max((weight for _, weight in best), default=0.0) or 1.0
        self._best: defaultdict[str, float] = defaultdict(float)
        for paper, weight in best:
            for term in vocabulary(paper):
                self._best[term] += weight / most
        self._shared = Counter(term for paper, _ in best for term in vocabulary(paper))
        self._relevant = sum(weight for _, weight in best) / most
        toward = papers[:TELLING]
        self._near = Nearness(moved(question, toward, [1.0] * len(toward)))

    def worth(self, term: str) -> float:
        """Return how well a term distinguishes the best papers (the selection value of Robertson 1990), times its
        nearness to the question; next to nothing if fewer than two of the best have it."""
        relevant, having = self._best[term], max(self._having[term], self._best[term])
        without = self._size - having - self._relevant + relevant
        odds = (relevant + 0.5) * (without + 0.5) / ((having - relevant + 0.5) * (self._relevant - relevant + 0.5))
        if self._shared[term] > 1 and relevant > 0 and odds > 1:
            return self._near(term) * relevant * log(odds)
        return self._near(term) * _RARE * idf(self._having[term], self._size)


@lru_cache(maxsize=4_096)
def vocabulary(paper: Paper) -> frozenset[str]:
    """Return the stemmed terms of a paper's title and abstract (or spar's note)."""
    return frozenset(terms(f"{paper.title} {paper.about}"))


def evolved_queries(
    question: str, field: Vocabulary, best: Sequence[Paper], before: Sequence[str] = ()
) -> dict[Direction, str]:
    """Return a query for each direction on which the `best` papers have new words. No new word is in a query `before`,
    or in two of these."""
    by_term = _by_term(question)
    own = sorted(by_term, key=lambda term: (-field.worth(term), term))[:_OWN_TERMS]
    start = [word for term, word in by_term.items() if term in own]
    queries: dict[Direction, str] = {}
    used_terms = set(terms(" ".join([question, *before])))  # both words of “retrieval-augmented”
    for direction, cue in _CUES.items():
        new = {
            term: word
            for term, word in _by_term(" ".join(_telling(paper, cue) for paper in best[:TELLING])).items()
            if term not in used_terms and not cue.fullmatch(word)
        }
        if chosen := sorted(new, key=lambda term: (-field.worth(term), term))[:_NEW_TERMS]:
            queries[direction] = " ".join([*start, *(new[term] for term in chosen)])
            used_terms |= set(chosen)
    return queries


def _telling(paper: Paper, cue: re.Pattern[str]) -> str:
    """Return the title and the sentences with the cue; "" if there is no such sentence."""
    telling = " ".join(sentence for sentence in sentences(paper.about) if cue.search(sentence))
    return f"{paper.title} {telling}" if telling else ""


def _by_term(text: str) -> dict[str, str]:
    """Map the stems of the content words of `text`, in order, to the first form of each."""
    words: dict[str, str] = {}
    for word in _WORD.findall(text.lower()):
        if word not in STOP_WORDS and word not in QUESTION_WORDS:
            for term in terms(word)[:1]:
                words.setdefault(term, word)
    return words
