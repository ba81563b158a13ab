"""The facets of a field without a model: phrases that papers share and the topic does not have, and the papers each
of them gathers.

Labels come first and clusters after them (Osiński & Weiss 2005, "A concept-driven algorithm for clustering search
results"), so that every facet is called what its papers call it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import log, sqrt

from agents.builtin.question_parsing.lexicon import tells
from agents.builtin.ranking.bm25 import idf
from agents.builtin.ranking.topic_coverage import Asked
from agents.builtin.text.sentences import sentences
from agents.builtin.text.terms import terms
from connectors.paper import Paper
from connectors.query.stopwords import QUESTION_WORDS, STOP_WORDS

LEAST_PAPERS = 2
"""A phrase that fewer papers share names no facet."""
_LONGEST = 4
_MEANT = 0.75
"""From this share of the papers with a phrase on, they mean the longer phrase that it is a part of."""
_WIDEST = 0.6
"""A phrase that a larger share of the papers has says no more than the topic."""
_TITLE = 2.0
_FAR = 0.2
"""What a paper is worth to a facet whose phrase it has where nothing is said of the topic, beside one that speaks of
both in one sentence: what is only found along with the topic is no facet of it."""
_AGAIN = 0.15
"""What a paper is worth to a facet when another facet has it already."""
_SINGLE = 0.3
"""What a single word is worth beside a phrase: people call few things by one."""
_TITLES = 3
"""A single word that is no name of its own ("BERT") names a facet if so many titles have it."""
_WHOLE = 0.5
"""A phrase that ends less often where its clause ends is a part of a longer one: "generative adversarial"."""
_ASKS_A_VERB = frozenset("to can could may might will would should must that which who we they it not and or".split())
_ADDED = 2
_NO_NOUN = re.compile(r"(?:ing|ed|ic|al|ive|ous|able|ible|ly|ary)$|(?<![suc])s$")
"""How a single word ends that is rather done or a quality, or the plural of what everybody writes of."""
_NO_END = re.compile(r"(?:[^e]ed|(?<!anoma)(?<!assemb)(?<!fami)ly|efficient|effective|robust|aware|based|across)$")
"""How the last word of a phrase ends that goes on: "computationally efficient", "framework based"."""
_NUMBERS = frozenset(
    "one two three four five six seven eight nine ten hundred hundreds thousand thousands million millions".split()
)
_CLAIMS = frozenset(
    """achieves affects allows boosts enables enhances hurts improves outperforms predicts prevents promotes reduces
    requires reveals shows suggests""".split()
)
"""Verbs that stand between names: "pruning improves recall" is none."""
_OF_WHAT = frozenset(
    """algorithm annotation architecture attention baseline benchmark classification classifier comprehension corpus
    dataset decision embedding encoder generation guideline inference language learner metric network optimisation
    optimization planning policy prediction prompt protocol query ranking reasoning recommendation representation
    retrieval segmentation statement text training translation user workflow""".split()
)
"""Words that name something only together with others: a benchmark of what?"""
_COMPOUND = re.compile(r"\b[^\W_]+-(?:of|in|to|on|by|and)-[^\W_]+\b", re.IGNORECASE)
"""A name with a small word in it, which ends a phrase where it is written without the hyphens."""
_PIECE = re.compile(r"[^\W_]+(?:[-'’/][^\W_]+)*|[.,;:?!()\[\]\"]")

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cluster:
    """A facet: its label, the papers gathered under it (by place, best first), and words that set them apart."""

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
    """At most `most` facets of `papers`, whose `weights` say how much each of them counts.

    `taken` are labels that name other facets already; no label repeats one of them or the topic. Each facet has a paper
    that weighs `least` or more.
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
    gathered = _gathered(field, chosen)
    return [
        Cluster(field.label(key), gathered[key], field.telling(key, gathered[key], topic_terms))
        for key in chosen
        if len(gathered[key]) >= LEAST_PAPERS
    ]


class _Field:
    """The phrases of some papers: which paper has which, and how it is written.

    A facet is called by what some title has: elsewhere a run of words may be half a sentence.
    """

    def __init__(self, topic: str, papers: Sequence[Paper], weights: Sequence[float], least: float) -> None:
        self.size, self.weights, self._least = len(papers), weights, least
        self.having: dict[Key, dict[int, float]] = defaultdict(dict)
        self._written: dict[Key, Counter[str]] = defaultdict(Counter)
        self._titled: Counter[Key] = Counter()
        self._ending: Counter[Key] = Counter()
        self._doing: Counter[Key] = Counter()
        compounds = _compounds(papers)
        topic_terms = Asked(topic)
        for number, paper in enumerate(papers):
            titled: set[Key] = set()
            for text, worth in ((paper.title, _TITLE), *((sentence, 1.0) for sentence in sentences(paper.about))):
                worth *= _FAR + (1 - _FAR) * topic_terms.coverage(frozenset(terms(text)))
                for key, written, ends, does in _grams(compounds.sub(_hyphened, text)):
                    if text is paper.title:
                        titled.add(key)
                    self.having[key][number] = max(self.having[key].get(number, 0.0), worth)
                    self._written[key][written] += 1
                    self._ending[key] += ends
                    self._doing[key] += does
            self._titled.update(titled)
        self.having = {key: had for key, had in self.having.items() if len(had) >= LEAST_PAPERS}

    def candidates(self, topic_terms: set[str], others: Sequence[set[str]]) -> Iterator[Key]:
        """Keys that say something new: beyond the topic, and not mostly what another label says."""
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
        """How much of the papers a facet would gather that no other has, longer and rarer phrases before others."""
        had = self.having[key]
        gain = sum(
            worth * self.weights[number] * (_AGAIN if number in covered else 1.0) for number, worth in had.items()
        )
        return gain * idf(len(had), self.size, 0, gentle=True) * (sqrt(len(key)) if len(key) > 1 else _SINGLE)

    def _is_whole(self, key: Key) -> bool:
        """Whether the phrase stands for itself: mostly not cut off, and no verb."""
        times = self._written[key].total()
        if 2 * self._doing[key] >= times or self._ending[key] < _WHOLE * times:
            return False
        return len(key) > 1 or _is_own_name(self.surface(key)) or self._titled[key] >= _TITLES

    def surface(self, key: Key) -> str:
        """The phrase as papers write it most often, rather as a name ("fine-tuning …") than as a verb."""

        def rank(pair: tuple[str, int]) -> tuple[bool, int, int, str]:
            written, times = pair
            first, _, rest = written.partition(" ")
            return bool(rest) and _is_third_person(first), -times, sum(map(str.isupper, written)), written

        return min(self._written[key].items(), key=rank)[0]

    def label(self, key: Key) -> str:
        """What papers call it: the longer phrase that most of them mean where they write a part of it."""
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
        """Further words that the members have and the other papers have less."""
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
    """What some of `papers` write with hyphens, where it is written without: "chain of thought"."""
    hyphened = {compound.lower() for paper in papers for compound in _COMPOUND.findall(f"{paper.title} {paper.about}")}
    spaced = "|".join(re.escape(compound.replace("-", " ")) for compound in sorted(hyphened))
    return re.compile(rf"\b(?:{spaced or '(?!)'})\b", re.IGNORECASE)


def _hyphened(match: re.Match[str]) -> str:
    return match[0].replace(" ", "-")


def _grams(text: str) -> Iterator[tuple[Key, str, bool, bool]]:
    """Runs of up to four neighbouring words that say something: stemmed, as written, whether nothing follows that
    belongs to it, and whether it begins where a verb is to be expected."""
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
    """Whether a phrase names something: no "zero-shot" alone, no "improving …", no "training …" of what is known."""
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


def _gathered(field: _Field, chosen: Sequence[Key]) -> dict[Key, tuple[int, ...]]:
    """The papers of each facet, those that have its phrase in their title first, then the heavier ones."""
    return {
        key: tuple(
            sorted(field.having[key], key=lambda number: (-field.having[key][number], -field.weights[number], number))
        )
        for key in chosen
    }
