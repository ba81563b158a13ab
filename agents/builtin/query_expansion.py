"""New queries out of relevant papers without a model: pseudo-relevance feedback in SPAR's three directions (A.2).

The terms of the sentences that speak of methods, of applications or of limitations are what a direction adds to the
question's own terms.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from agents.builtin.ranking.bm25 import idf
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
_OWN_TERMS = 4
_NEW_TERMS = 3
_WORD = re.compile(r"[^\W\d_][\w-]*[^\W_]")


class Field:
    """The vocabulary of a search: how rare a term is among all papers found, and how often the best ones use it."""

    def __init__(self, found: Sequence[Paper], best: Sequence[Paper]) -> None:
        self._size = len(found)
        self._having = Counter(term for paper in found for term in vocabulary(paper))
        self._best = Counter(term for paper in best for term in vocabulary(paper))

    def rarity(self, term: str) -> float:
        """The inverse document frequency of a stemmed term."""
        return idf(self._having[term], self._size)

    def worth(self, term: str) -> float:
        """How much a term tells about what the best papers have in common; one that a single paper has tells little."""
        return (self._best[term] if self._best[term] > 1 else 0.1) * self.rarity(term)


@lru_cache(maxsize=4_096)
def vocabulary(paper: Paper) -> frozenset[str]:
    """The stemmed terms of a paper's title and of what it is about."""
    return frozenset(terms(f"{paper.title} {paper.about}"))


def evolved_queries(question: str, field: Field, seed: Paper) -> dict[Direction, str]:
    """A query in each direction that `seed` has something to say about."""
    asked = _by_term(question)
    own = sorted(asked, key=lambda term: (-field.worth(term), term))[:_OWN_TERMS]
    start = [word for term, word in asked.items() if term in own]
    found: dict[Direction, str] = {}
    taken = set(asked)
    for direction, cue in _CUES.items():
        telling = " ".join(sentence for sentence in sentences(seed.about) if cue.search(sentence))
        new = {term: word for term, word in _by_term(f"{seed.title} {telling}").items() if term not in taken}
        new = {term: word for term, word in new.items() if not cue.fullmatch(word)}
        best = sorted(new, key=lambda term: (-field.worth(term), term))[:_NEW_TERMS]
        if telling and best:
            found[direction] = " ".join([*start, *(new[term] for term in best)])
            taken |= set(best)
    return found


def _by_term(text: str) -> dict[str, str]:
    """The words of `text` that say something, by their stem, in order; the first form of each."""
    words: dict[str, str] = {}
    for word in _WORD.findall(text.lower()):
        if word not in STOP_WORDS and word not in QUESTION_WORDS:
            for term in terms(word)[:1]:
                words.setdefault(term, word)
    return words
