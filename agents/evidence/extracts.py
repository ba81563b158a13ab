"""Sentences on papers that together say most about a question, for all parts of a text at once.

What a text says is what its sentences cover of the terms that matter, each time less when a term comes again: a
submodular gain, taken greedily by what a sentence adds for its length (Lin & Bilmes 2011, "A class of submodular
functions for document summarization"). What matters are the terms of the question and of a part's heading by their
rarity, and those that the part's first papers share (a relevance model, Lavrenko & Croft 2001). How much a sentence
tells by itself is told as for quotes (`choosing.worth`).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Generic, NamedTuple, TypeVar

from agents.builtin.ranking.bm25 import idf
from agents.builtin.ranking.topic_coverage import Asked
from agents.builtin.text.excerpts import DOES
from agents.builtin.text.terms import terms
from agents.evidence.choosing import ON_PAGE, Line, lines, may_be_quoted, worth
from cache.passages import Passage
from connectors.paper import Paper, WorkId

_SHARED = 8
"""What the first papers share weighs as much as so many terms of the question: beside a long request, which says itself
what it is about, little (Dirichlet smoothing, Zhai & Lafferty 2004)."""
_HEADING = 0.1
"""What the terms of a part's heading weigh among those."""
_AGAIN = 0.75
"""What a term is worth each time it was said once more."""
_EVEN = 10
"""How far down a list papers hardly differ in what they share."""
_JOINED = 0.5
"""What a sentence is worth that goes on from another one."""
_OWN_WORK = 0.85
_LENGTH = 0.3
"""To which power of its words a sentence is dearer the longer it is. Half the cost of its words (1) would be paid back
by sentences that say two things at once."""
_TOO_LONG = 1.5
_SHORTEST, _LEAST_WORDS = 40, 7
"""Letters and words of a sentence that says enough beside others."""
A_PAPER = 5
"""Sentences that one paper may give to one part of a text."""
_LEANING = re.compile(
    r"(?:(?:to|by|with|for|in|from|on|under|beyond|based on|given|using|despite|towards?) )?(?:all )?"
    r"(?:this|these|those|such)\b(?! (?:paper|article|study|work|survey|review|thesis|report|tutorial|chapter|as)\b)"
    r"|(?:it|its|they|their)\b",
    re.IGNORECASE,
)
"""How a sentence begins that is understood only after the one before it."""
_POINTING = re.compile(
    r"\b(?:this|these|such)\b(?! (?:paper|article|study|work|survey|review|thesis|report|tutorial|chapter|an?|as)\b)"
    r" \w",
    re.IGNORECASE,
)
"""What may mean something outside the sentence, wherever it stands."""
_GOING_ON = re.compile(
    r"(?:then|both|however|moreover|furthermore|therefore|thus|hence|also|additionally|finally|instead|meanwhile|"
    r"second(?:ly)?|third(?:ly)?|in addition|in contrast|as a result|specifically|besides|for (?:example|instance)|"
    r"in particular|nonetheless|nevertheless|on the other hand|in turn|similarly|consequently|accordingly|likewise|"
    r"otherwise|rather|indeed|yet|but|and|so|further|we also)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Extract:
    """A sentence exactly as it stands in the abstract of the paper `work`, on the `page` of its PDF, or in want of an
    abstract in spar's note on it."""

    work: WorkId
    text: str
    page: int | None = None


NO_PASSAGES: Mapping[WorkId, Sequence[Passage]] = {}


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text on a question: the papers it is made of (the most telling first), with sentences of their pages
    that may be chosen as well, its heading, and how many words and sentences it may have.

    A part with a bound of sentences is a list, in which each stands alone.
    """

    papers: Mapping[WorkId, Paper]
    heading: str = ""
    words: float = inf
    most: float = inf
    passages: Mapping[WorkId, Sequence[Passage]] = field(default_factory=dict)


Key = TypeVar("Key", bound=Hashable)


def extracts(
    question: str,
    papers: Mapping[WorkId, Paper],
    words: float = inf,
    written: Sequence[str] = (),
    most: float = inf,
    a_paper: float = A_PAPER,
    passages: Mapping[WorkId, Sequence[Passage]] = NO_PASSAGES,
) -> list[Extract]:
    """About `words` words in at most `most` sentences out of `papers` (the most telling paper first), oldest first.
    `passages` are sentences of their pages that may be chosen as well.

    A paper gives at most `a_paper` of them. What comes is on the question and differs from what is `written` already.
    Papers of which nothing is told, and those whose text gives orders, say nothing.
    """
    only = {"": Part(papers, most=most, passages=passages)}
    return _chosen(question, only, words, a_paper, written)[""]


def shared_out(question: str, parts: Mapping[Key, Part], words: float, least: int) -> dict[Key, list[Extract]]:
    """About `words` words for all `parts` of a text, each sentence once, where it adds most; oldest first in each.

    Of a text that has no room left, a part with fewer than `least` words is given up for the others. A list, and the
    last of the other parts, stay.
    """
    left = dict(parts)
    while True:
        chosen = _chosen(question, left, words)
        lengths = {key: _words(chosen[key]) for key, part in left.items() if part.most == inf}
        weakest = min(lengths, key=lambda key: lengths[key], default=None)
        full = _words([extract for some in chosen.values() for extract in some]) >= words - least
        if weakest is None or len(lengths) == 1 or lengths[weakest] >= least or not full:
            return {key: chosen.get(key, []) for key in parts}
        del left[weakest]


def _words(some: Sequence[Extract]) -> int:
    return sum(len(extract.text.split()) for extract in some)


@dataclass(frozen=True, slots=True)
class _Candidate(Generic[Key]):
    """A sentence for a part of the text; `after` is the sentence it is understood only after."""

    part: Key
    work: WorkId
    text: str
    page: int | None
    after: str
    worth: float


def _chosen(
    question: str, parts: Mapping[Key, Part], words: float, a_paper: float = A_PAPER, written: Sequence[str] = ()
) -> dict[Key, list[Extract]]:
    """The sentences of each part, by what each adds to all that is said for its length; lists choose first."""
    passages_by_part = {key: list(_told(part)) for key, part in parts.items()}
    counted = {one.line.text: tuple(sorted(one.line.own)) for some in passages_by_part.values() for one in some}
    having = Counter(term for stems in counted.values() for term in stems)
    rarity = {term: idf(number, len(counted), 0, gentle=True) for term, number in having.items()}
    weights = {
        key: _weights(question, part, passages_by_part[key], counted, rarity, having) for key, part in parts.items()
    }
    left = [
        candidate
        for key, part in parts.items()
        for candidate in _candidates(key, part, question, passages_by_part[key])
        if not {*terms(question), *terms(part.heading)}.isdisjoint(counted[candidate.text])
    ]
    fresh = dict.fromkeys(having, 1.0)
    for other in written:
        _say(terms(other), fresh)
    chosen: dict[Key, list[Extract]] = {key: [] for key in parts}
    written_texts, room = set(written), words

    def gain(candidate: _Candidate[Key]) -> float:
        weight = weights[candidate.part]
        return candidate.worth * sum(weight.get(term, 0.0) * fresh[term] for term in counted[candidate.text])

    def fits(one: _Candidate[Key]) -> bool:
        there, part, length = chosen[one.part], parts[one.part], len(one.text.split())
        return (
            one.text not in written_texts
            and len(there) < part.most
            and _words(there) < part.words
            and sum(other.work == one.work for other in there) < a_paper
            and (room == words or length <= _TOO_LONG * room)
            and (not one.after or any(other.text == one.after for other in there))
        )

    def first(one: _Candidate[Key]) -> tuple[bool, float, str]:
        return parts[one.part].most < inf, gain(one), one.text

    while room > 0 and (best := max(filter(fits, left), key=first, default=None)):
        chosen[best.part].append(Extract(best.work, best.text, best.page))
        written_texts.add(best.text)
        _say(counted[best.text], fresh)
        room -= len(best.text.split())
        left = [candidate for candidate in left if candidate.text != best.text]
    return {key: _in_order(some, parts[key].papers) for key, some in chosen.items()}


def _say(stems: Collection[str], fresh: dict[str, float]) -> None:
    """Make what was said worth less when it is said again."""
    for term in set(stems) & fresh.keys():
        fresh[term] *= _AGAIN


class _Told(NamedTuple):
    """A sentence of a paper that may be quoted, and the one before it in the abstract."""

    work: WorkId
    line: Line
    before: str


def _told(part: Part) -> Iterator[_Told]:
    """The sentences on the papers of a part that may be quoted, each once."""
    for work, paper in part.papers.items():
        own = {line.text: line for line in lines(paper.about)}
        pages = [Line(passage.text, passage.page, frozenset(terms(passage.text)), frozenset(), ON_PAGE)
                 for passage in part.passages.get(work, ()) if passage.text not in own]  # fmt: skip
        before = ""
        for line in (*own.values(), *pages):
            if len(line.text) >= _SHORTEST and len(line.text.split()) >= _LEAST_WORDS and may_be_quoted(line.text):
                yield _Told(work, line, before if line.page is None else "")
            before = line.text


def _candidates(key: Key, part: Part, question: str, passages: Sequence[_Told]) -> Iterator[_Candidate[Key]]:
    """The sentences that may stand in a part: what leans on the sentence before it stands after that one or nowhere."""
    question_terms = Asked(question)
    titles = {work: frozenset(terms(paper.title)) for work, paper in part.papers.items()}
    whole = {work: titles[work] | set(terms(paper.about)) for work, paper in part.papers.items()}
    for work, line, before in passages:
        text = line.text
        after = before if leans(text) else ""
        alone = not (leans(text) or (part.most < inf and _POINTING.search(text)))
        if alone or (after and part.most == inf):
            telling = worth(question_terms, line, titles[work], whole[work]) * _standing(text)
            yield _Candidate(key, work, text, line.page, after, telling / len(text.split()) ** _LENGTH)


def leans(text: str) -> bool:
    """Whether a sentence is understood only after the one before it."""
    return bool(_LEANING.match(text))


def _standing(text: str) -> float:
    """How well a sentence stands alone."""
    joined = leans(text) or _GOING_ON.match(text)
    return (_JOINED if joined else 1.0) * (_OWN_WORK if DOES.search(text) else 1.0)


def _weights(
    question: str,
    part: Part,
    passages: Sequence[_Told],
    counted: Mapping[str, Sequence[str]],
    rarity: Mapping[str, float],
    having: Mapping[str, int],
) -> dict[str, float]:
    """What each term is worth in a part, all together 1."""
    places = {work: index for index, work in enumerate(part.papers)}
    shared: dict[str, float] = defaultdict(float)
    for work, line, _ in passages:
        for term in counted[line.text]:
            if having[term] > 1:
                shared[term] += rarity[term] / (_EVEN + places[work])
    heading = _HEADING if part.heading else 0.0
    own = len(set(terms(question)))
    own_share = own / (own + _SHARED)
    question_weights, named = (
        {term: rarity.get(term, 0.0) for term in terms(text)} for text in (question, part.heading)
    )
    weights: dict[str, float] = {}
    shares = ((question_weights, own_share * (1 - heading)), (named, own_share * heading), (shared, 1 - own_share))
    for some, share in shares:
        whole = sum(some[term] for term in sorted(some)) or 1.0
        for term in sorted(some):
            weights[term] = weights.get(term, 0.0) + share * some[term] / whole
    return weights


def _in_order(some: Sequence[Extract], papers: Mapping[WorkId, Paper]) -> list[Extract]:
    """Oldest paper first, the sentences of each as they stand there."""
    places = {work: index for index, work in enumerate(papers)}

    def key(extract: Extract) -> tuple[int, int, int, int]:
        paper = papers[extract.work]
        return paper.year or 0, places[extract.work], extract.page or 0, paper.about.find(extract.text)

    return sorted(some, key=key)
