"""Find the facets of a field without a model: phrases that papers share beyond the topic, with their papers.

Labels come first and clusters after them (Osiński & Weiss 2005, "A concept-driven algorithm for clustering search
results"), so that every facet has a name that its papers use.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import log, sqrt

from agents.builtin.question_parsing.lexicon import tells
from agents.builtin.ranking.bm25 import idf
from agents.builtin.ranking.topic_coverage import TopicTerms
from agents.builtin.text.sentences import sentences
from agents.builtin.text.terms import terms
from connectors.paper import Paper
from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS

LEAST_PAPERS = 2
"""Minimum number of papers that share the phrase of a facet."""
_LONGEST = 4
_MEANT = 0.75
"""Share of the papers with a phrase from which the facet gets the name of the longer phrase."""
_WIDEST = 0.6
"""Largest share of papers with the phrase of a facet; a more common phrase is as general as the topic."""
_TITLE = 2.0
_FAR = 0.2
"""Weight of a phrase in a sentence without the topic's terms, relative to one with all of them: a phrase that is only
found beside the topic is not a facet of it."""
_AGAIN = 0.15
"""Factor on a paper's worth to a facet if another facet has it already."""
_SINGLE = 0.3
"""Factor on the worth of a single word, relative to a phrase: few subjects have one-word names."""
_TITLES = 3
"""Number of titles that must have a single word, other than a name such as "BERT", for it to name a facet."""
_WHOLE = 0.5
"""Least share of occurrences in which a phrase is not continued, unlike "generative adversarial"."""
_ASKS_A_VERB = frozenset("to can could may might will would should must that which who we they it not and or".split())
_ADDED = 2
_NO_NOUN = re.compile(r"(?:ing|ed|ic|al|ive|ous|able|ible|ly|ary)$|(?<![suc])s$")
"""Ending of a single word that is more likely a verb, a quality, or a common plural."""
_NO_END = re.compile(r"(?:[^e]ed|(?<!anoma)(?<!assemb)(?<!fami)ly|efficient|effective|robust|aware|based|across)$")
"""Ending of a last word after which a phrase continues: "computationally efficient", "framework based"."""
_NUMBERS = frozenset(
    "one two three four five six seven eight nine ten hundred hundreds thousand thousands million millions".split()
)
_CLAIMS = frozenset(
    """achieves affects allows boosts enables enhances hurts improves outperforms predicts prevents promotes reduces
    requires reveals shows suggests""".split()
)
"""Verbs between names: "pruning improves recall" is not a name."""
_OF_WHAT = frozenset(
    """algorithm annotation architecture attention baseline benchmark classification classifier comprehension corpus
    dataset decision embedding encoder generation guideline inference language learner metric network optimisation
    optimization planning policy prediction prompt protocol query ranking reasoning recommendation representation
    retrieval segmentation statement text training translation user workflow""".split()
)
"""Words that name a facet only together with others: a benchmark of what?"""
_COMPOUND = re.compile(r"\b[^\W_]+-(?:of|in|to|on|by|and)-[^\W_]+\b", re.IGNORECASE)
"""A name with a small word inside, which would end the phrase where it is written without hyphens."""
_PIECE = re.compile(r"[^\W_]+(?:[-'’/][^\W_]+)*|[.,;:?!()\[\]\"]")

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cluster:
    """A facet: its label, its papers (by index, best first), and words that distinguish them."""

    label: str
    papers: tuple[int, ...]
    words: tuple[str, ...]


def clusters(
    topic: str,
    papers: Sequence[Paper],
    weights: Sequence[float],
    most: int,
    taken: Collection[str] = (),
    least: float = 0.0,
) -> list[Cluster]:
    """Return at most `most` facets of `papers`, which count by their `weights`.

    `taken` are labels of other facets; no label repeats one of them or the topic. Each facet has a paper with a weight
    of at least `least`.
    """
    field = _Field(topic, papers, weights, least)
    topic_terms = set(terms(topic))
    chosen: list[Key] = []
    others = [set(terms(label)) for label in taken]
    covered: set[int] = set()
    while len(chosen) < most:
        best = max(
            field.candidates(topic_terms, others), key=lambda key: (field.worth(key, covered), key), default=None
        )
        if best is None or field.worth(best, covered) <= 0:
            break
        chosen.append(best)
        others.append(set(best))
        covered |= field.having[best].keys()
    gathered = {}
    for key in chosen:  # first the papers with the phrase in the title, then by weight
        had = field.having[key]
        gathered[key] = tuple(sorted(had, key=lambda number: (-had[number], -weights[number], number)))
    return [
        Cluster(field.label(key), gathered[key], field.telling(key, gathered[key], topic_terms))
        for key in chosen
        if len(gathered[key]) >= LEAST_PAPERS
    ]


class _Field:
    """The phrases of some papers: which papers have each, and its spellings.

    Labels must be in some title: elsewhere a run of words may be half a sentence.
    """

    def __init__(self, topic: str, papers: Sequence[Paper], weights: Sequence[float], least: float) -> None:
        self.size, self.weights, self._least = len(papers), weights, least
        self.having: dict[Key, dict[int, float]] = defaultdict(dict)
        self._written: dict[Key, Counter[str]] = defaultdict(Counter)
        self._titled: Counter[Key] = Counter()
        self._ending: Counter[Key] = Counter()
        self._doing: Counter[Key] = Counter()
        compounds = _compounds(papers)
        topic_terms = TopicTerms(topic)
        for number, paper in enumerate(papers):
            titled: set[Key] = set()
            for text, worth in ((paper.title, _TITLE), *((sentence, 1.0) for sentence in sentences(paper.about))):
                worth *= _FAR + (1 - _FAR) * topic_terms.coverage(frozenset(terms(text)))
                for key, written, ends, does in _grams(compounds.sub(lambda match: match[0].replace(" ", "-"), text)):
                    if text is paper.title:
                        titled.add(key)
                    self.having[key][number] = max(self.having[key].get(number, 0.0), worth)
                    self._written[key][written] += 1
                    self._ending[key] += ends
                    self._doing[key] += does
            self._titled.update(titled)
        self.having = {key: had for key, had in self.having.items() if len(had) >= LEAST_PAPERS}

    def candidates(self, topic_terms: set[str], others: Sequence[set[str]]) -> Iterator[Key]:
        """Yield keys that say something beyond the topic and differ from other labels."""
        for key, had in self.having.items():
            new = set(key) - topic_terms
            if (
                new
                and key in self._titled
                and len(had) <= max(_WIDEST * self.size, LEAST_PAPERS)
                and any(self.weights[number] >= self._least for number in had)
                and self._is_whole(key)
                and _is_name(self.surface(key), new)
                and all(2 * len(new & other) < len(new) or not new & other for other in others)
            ):
                yield key

    def worth(self, key: Key, covered: set[int]) -> float:
        """Return the weight of the papers that a facet adds to those `covered`, more for longer and rarer phrases."""
        had = self.having[key]
        gain = sum(
            worth * self.weights[number] * (_AGAIN if number in covered else 1.0) for number, worth in had.items()
        )
        return gain * idf(len(had), self.size, 0, gentle=True) * (sqrt(len(key)) if len(key) > 1 else _SINGLE)

    def _is_whole(self, key: Key) -> bool:
        """Whether the phrase is mostly complete, not a verb and, if a single word, a name or in several titles."""
        times = self._written[key].total()
        if 2 * self._doing[key] >= times or self._ending[key] < _WHOLE * times:
            return False
        return len(key) > 1 or _is_own_name(self.surface(key)) or self._titled[key] >= _TITLES

    def surface(self, key: Key) -> str:
        """Return the most frequent spelling, preferably as a name ("fine-tuning …") and not as a verb."""

        def rank(pair: tuple[str, int]) -> tuple[bool, int, int, str]:
            written, times = pair
            first, _, rest = written.partition(" ")
            return bool(rest) and _is_third_person(first), -times, sum(map(str.isupper, written)), written

        return min(self._written[key].items(), key=rank)[0]

    def label(self, key: Key) -> str:
        """Return the name of a facet: the longer phrase of which the key is a part in most papers, if any."""
        longer = [
            (len(other), len(had), other)
            for other, had in self.having.items()
            if len(other) > len(key)
            and other in self._titled
            and _holds(other, key)
            and len(had) >= _MEANT * len(self.having[key])
            and _is_name(self.surface(other), set(other))
        ]
        return self.surface(max(longer)[2]) if longer else self.surface(key)

    def telling(self, key: Key, members: Sequence[int], topic_terms: set[str]) -> tuple[str, ...]:
        """Return further words that are more frequent in the members than in the other papers."""
        inside = set(members)

        def contrast(word: Key) -> float:
            had = self.having[word]
            own = sum(number in inside for number in had)
            return (own / (len(inside) or 1)) * log((own + 0.5) * self.size / ((len(had) + 0.5) * (len(inside) or 1)))

        single = [word for word in self.having if len(word) == 1 and word[0] not in topic_terms and word[0] not in key]
        best = sorted(single, key=lambda word: (-contrast(word), word))[:_ADDED]
        return tuple(self.surface(word) for word in best if contrast(word) > 0)


def _holds(other: Key, key: Key) -> bool:
    return any(other[start : start + len(key)] == key for start in range(len(other) - len(key) + 1))


def _compounds(papers: Sequence[Paper]) -> re.Pattern[str]:
    """Return a pattern for names that some of `papers` hyphenate, as written without hyphens: "chain of thought"."""
    hyphened = {compound.lower() for paper in papers for compound in _COMPOUND.findall(f"{paper.title} {paper.about}")}
    spaced = "|".join(re.escape(compound.replace("-", " ")) for compound in sorted(hyphened))
    return re.compile(rf"\b(?:{spaced or '(?!)'})\b", re.IGNORECASE)


def _grams(text: str) -> Iterator[tuple[Key, str, bool, bool]]:
    """Yield runs of up to four neighboring content words: stems, spelling, whether the run ends there, and whether it
    begins where a verb is likely."""
    run: list[tuple[str, str]] = []
    before = ""
    for piece in [*_PIECE.findall(text), "."]:
        stems = terms(piece) if piece[0].isalnum() and not _is_empty(piece) else []
        if stems:
            run.append((" ".join(stems), piece if _has_capitals(piece) else piece.lower()))
            continue
        for start in range(len(run)):
            for end in range(start + 1, min(start + _LONGEST, len(run)) + 1):
                words = run[start:end]
                does = start == 0 and (
                    before in _ASKS_A_VERB or (not before.isalnum() and _is_third_person(words[0][1]))
                )
                key = tuple(stem for stems, _ in words for stem in stems.split())
                yield key, " ".join(word for _, word in words), end == len(run), does
        run, before = [], piece.lower()


def _is_third_person(word: str) -> bool:
    """Whether a word at the beginning of a clause may be a verb without its subject, as in "Trains a model"."""
    return word.endswith("s") and not word.endswith(("ss", "us", "is", "ics"))


def _is_empty(word: str) -> bool:
    lower = word.lower()
    empty = lower in STOP_WORDS or lower in QUESTION_WORDS or lower in _CLAIMS
    return empty or word.isdigit() or len(word) == 1


def _is_name(phrase: str, new: set[str]) -> bool:
    """Whether a phrase is a name: not "zero-shot" alone, "improving …", or "training …" with known words."""
    words = phrase.split()
    if len(words) == 1:
        lower = phrase.lower()
        named = tells(lower) and lower not in _OF_WHAT and "-" not in phrase and not _NO_NOUN.search(phrase)
        return _is_own_name(phrase) or named
    if _NUMBERS.issuperset(map(str.lower, words)):
        return False
    doing = words[0].endswith("ing") and (set(terms(words[0])) >= new or not tells(words[0].lower()))
    return not doing and not _NO_END.search(words[-1].lower()) and any(tells(word.lower()) for word in words)


def _is_own_name(word: str) -> bool:
    return _has_capitals(word) or any(map(str.isdigit, word))


def _has_capitals(word: str) -> bool:
    return any(letter.isupper() for letter in word[1:])
