"""Sentences of papers that together say most about a question, for all parts of a text at once.

A text is worth the weight of the terms that its sentences cover, less for each repetition: a submodular gain, chosen
greedily by gain for length (Lin & Bilmes 2011, "A class of submodular functions for document summarization"). The terms
that count are those of the question and of a part's heading, weighted by rarity, and those that the part's first papers
share (a relevance model, Lavrenko & Croft 2001). A single sentence is scored as for quotes (`choosing.worth`), and more
if it reports a finding (`zones`).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Generic, NamedTuple, TypeVar

from agents.builtin.ranking.bm25 import idf
from agents.builtin.ranking.topic_coverage import TopicTerms
from agents.builtin.text.terms import terms
from agents.builtin.text.words import letters_of
from agents.builtin.text.zones import findings
from agents.evidence.choosing import ON_PAGE, SentenceTerms, lines, may_be_quoted, worth
from cache.passages import Passage
from connectors.paper import Paper, WorkId

_SHARED = 8
"""Weight of the terms shared by the first papers, as a number of terms of the question: for a long request, which
states its subject itself, they count little (Dirichlet smoothing, Zhai & Lafferty 2004)."""
_HEADING = 0.1
"""Share of the weight of the question that goes to the terms of a part's heading."""
_AGAIN = 0.75
"""Factor on a term's worth each time it is repeated."""
_EVEN = 10
"""Offset to ranks: the first papers of a list hardly differ in what they share."""
_JOINED = 0.5
"""Factor on a sentence that continues another one."""
_OTHER = 0.3
"""Worth of a sentence without a finding, relative to the 1.3 of one with a finding."""
_ON_PAGE = 0.5
"""Probability of a finding assumed for sentences on a page."""
_LENGTH = 0.3
"""Exponent of a sentence's length in its cost. With 1, sentences that say two things at once would earn back half of
their cost."""
_TOO_LONG = 1.5
_SHORTEST, _LEAST_WORDS = 40, 7
"""Minimum number of letters and words of a sentence that says enough beside others."""
A_PAPER = 5
"""Maximum number of sentences from one paper in one part of a text."""
_LEANING = re.compile(
    r"(?:(?:to|by|with|for|in|from|on|under|beyond|based on|given|using|despite|towards?) )?(?:all )?"
    r"(?:this|these|those|such)\b(?! (?:paper|article|study|work|survey|review|thesis|report|tutorial|chapter|as)\b)"
    r"|(?:it|its|they|their)\b",
    re.IGNORECASE,
)
"""Beginning of a sentence that is understood only after the one before it."""
_POINTING = re.compile(
    r"\b(?:this|these|such)\b(?! (?:paper|article|study|work|survey|review|thesis|report|tutorial|chapter|an?|as)\b)"
    r" \w",
    re.IGNORECASE,
)
"""Words that may refer to something outside the sentence."""
_GOING_ON = re.compile(
    r"(?:then|both|however|moreover|furthermore|therefore|thus|hence|also|additionally|finally|instead|meanwhile|"
    r"second(?:ly)?|third(?:ly)?|in addition|in contrast|as a result|specifically|besides|for (?:example|instance)|"
    r"in particular|nonetheless|nevertheless|on the other hand|in turn|similarly|consequently|accordingly|likewise|"
    r"otherwise|rather|indeed|yet|but|and|so|further|we also)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Extract:
    """A sentence, verbatim, from the abstract of the paper `work`, from the `page` of its PDF, or, without an abstract,
    from spar's note on it."""

    work: WorkId
    text: str
    page: int | None = None


NO_PASSAGES: Mapping[WorkId, Sequence[Passage]] = {}


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of a text on a question: its papers (best first), sentences of their pages that may be chosen too, its
    heading, and its maximum numbers of words and sentences.

    A part with a maximum number of sentences is a list, in which each sentence stands alone.
    """

    papers: Mapping[WorkId, Paper]
    heading: str = ""
    words: float = inf
    most: int | None = None
    passages: Mapping[WorkId, Sequence[Passage]] = field(default_factory=dict)


Key = TypeVar("Key", bound=Hashable)


def extracts(
    question: str,
    papers: Mapping[WorkId, Paper],
    words: float = inf,
    used_sentences: Sequence[str] = (),
    max_sentences: int | None = None,
    a_paper: float = A_PAPER,
    passages: Mapping[WorkId, Sequence[Passage]] = NO_PASSAGES,
) -> list[Extract]:
    """Return about `words` words in up to `max_sentences` sentences from `papers` (best first), the oldest paper first.
    `passages` are sentences of their pages that may be chosen too.

    A paper gives at most `a_paper` sentences. Each shares a term with the question and differs from the
    `used_sentences`. Papers without abstract, note and passages give none.
    """
    only = {"": TextPart(papers, most=max_sentences, passages=passages)}
    return _choose(question, only, words, a_paper, used_sentences)[""]


def shared_out(question: str, parts: Mapping[Key, TextPart], words: float, least: int) -> dict[Key, list[Extract]]:
    """Return about `words` words for all `parts` of a text, each sentence once, where it adds most; oldest paper first.

    If the text is full, parts with fewer than `least` words are dropped in favor of the others; lists and the last
    other part stay.
    """
    open_parts = dict(parts)
    while True:
        extracts_by_part = _choose(question, open_parts, words)
        lengths = {key: _words(extracts_by_part[key]) for key, part in open_parts.items() if part.most is None}
        weakest = min(lengths, key=lambda key: lengths[key], default=None)
        full = _words([extract for group in extracts_by_part.values() for extract in group]) >= words - least
        if weakest is None or len(lengths) == 1 or lengths[weakest] >= least or not full:
            return {key: extracts_by_part.get(key, []) for key in parts}
        del open_parts[weakest]


def _words(rows: Sequence[Extract]) -> int:
    return sum(len(extract.text.split()) for extract in rows)


@dataclass(frozen=True, slots=True)
class _Candidate(Generic[Key]):
    """A candidate for a part of the text; `after` is the sentence that it depends on, if any."""

    part: Key
    work: WorkId
    text: str
    page: int | None
    after: str
    worth: float


def _choose(
    question: str,
    parts: Mapping[Key, TextPart],
    words: float,
    a_paper: float = A_PAPER,
    used_sentences: Sequence[str] = (),
) -> dict[Key, list[Extract]]:
    """Choose the sentences of each part greedily by gain for their length; lists choose first."""
    passages_by_part = {key: list(_quotable(part)) for key, part in parts.items()}
    terms_by_line = {
        row.line.text: tuple(sorted(row.line.own)) for passages in passages_by_part.values() for row in passages
    }
    having = Counter(term for stems in terms_by_line.values() for term in stems)
    rarity = {term: idf(number, len(terms_by_line), 0, gentle=True) for term, number in having.items()}
    weights = {
        key: _weights(question, part, passages_by_part[key], terms_by_line, rarity, having)
        for key, part in parts.items()
    }
    candidates = [
        candidate
        for key, part in parts.items()
        for candidate in _candidates(key, part, question, passages_by_part[key])
        if not {*terms(question), *terms(part.heading)}.isdisjoint(terms_by_line[candidate.text])
    ]
    letters = {text: letters_of(text) for text in (*terms_by_line, *used_sentences)}  # a preprint has the same words
    used = {letters[sentence] for sentence in used_sentences}
    candidates = [candidate for candidate in candidates if letters[candidate.text] not in used]
    fresh = dict.fromkeys(having, 1.0)
    for sentence in used_sentences:
        _say(terms(sentence), fresh)
    extracts_by_part: dict[Key, list[Extract]] = {key: [] for key in parts}
    room = words

    def gain(candidate: _Candidate[Key]) -> float:
        weight = weights[candidate.part]
        return candidate.worth * sum(weight.get(term, 0.0) * fresh[term] for term in terms_by_line[candidate.text])

    def fits(candidate: _Candidate[Key]) -> bool:
        group, part, length = extracts_by_part[candidate.part], parts[candidate.part], len(candidate.text.split())
        return (
            (part.most is None or len(group) < part.most)
            and _words(group) < part.words
            and sum(extract.work == candidate.work for extract in group) < a_paper
            and (room == words or length <= _TOO_LONG * room)
            and (not candidate.after or any(extract.text == candidate.after for extract in group))
        )

    def first(candidate: _Candidate[Key]) -> tuple[bool, float, str]:
        return parts[candidate.part].most is not None, gain(candidate), candidate.text

    while room > 0 and (best := max(filter(fits, candidates), key=first, default=None)):
        extracts_by_part[best.part].append(Extract(best.work, best.text, best.page))
        _say(terms_by_line[best.text], fresh)
        room -= len(best.text.split())
        candidates = [candidate for candidate in candidates if letters[candidate.text] != letters[best.text]]
    return {key: _in_order(group, parts[key].papers) for key, group in extracts_by_part.items()}


def _say(stems: Collection[str], fresh: dict[str, float]) -> None:
    """Reduce the worth of terms that were used."""
    for term in set(stems) & fresh.keys():
        fresh[term] *= _AGAIN


class _Quotable(NamedTuple):
    """A sentence that may be quoted, the sentence before it in the abstract, and the probability that it reports a
    finding."""

    work: WorkId
    line: SentenceTerms
    before: str
    finding: float


def _quotable(part: TextPart) -> Iterator[_Quotable]:
    """Yield the sentences of a part's papers that may be quoted, each once."""
    for work, paper in part.papers.items():
        lines_by_text = {line.text: line for line in lines(paper.about)}
        finding_texts = dict(zip(lines_by_text, findings(list(lines_by_text)), strict=True))
        pages = [SentenceTerms(passage.text, passage.page, frozenset(terms(passage.text)), frozenset(), ON_PAGE)
                 for passage in part.passages.get(work, ()) if passage.text not in lines_by_text]  # fmt: skip
        before = ""
        for line in (*lines_by_text.values(), *pages):
            if len(line.text) >= _SHORTEST and len(line.text.split()) >= _LEAST_WORDS and may_be_quoted(line.text):
                yield _Quotable(work, line, before if line.page is None else "", finding_texts.get(line.text, _ON_PAGE))
            before = line.text


def _candidates(key: Key, part: TextPart, question: str, passages: Sequence[_Quotable]) -> Iterator[_Candidate[Key]]:
    """Yield the candidates of a part; a sentence that depends on the one before it may only follow that one."""
    question_terms = TopicTerms(question)
    titles = {work: frozenset(terms(paper.title)) for work, paper in part.papers.items()}
    terms_by_work = {work: titles[work] | set(terms(paper.about)) for work, paper in part.papers.items()}
    for work, line, before, finding in passages:
        text = line.text
        after = before if leans(text) else ""
        stands_alone = not (leans(text) or (part.most is not None and _POINTING.search(text)))
        if stands_alone or (after and part.most is None):
            telling = (
                worth(question_terms, line, titles[work], terms_by_work[work]) * _standing(text) * (_OTHER + finding)
            )
            yield _Candidate(key, work, text, line.page, after, telling / len(text.split()) ** _LENGTH)


def leans(text: str) -> bool:
    """Whether a sentence is understood only after the one before it."""
    return bool(_LEANING.match(text))


def _standing(text: str) -> float:
    """Return a factor for how well a sentence stands alone."""
    continues = leans(text) or _GOING_ON.match(text)
    return _JOINED if continues else 1.0


def _weights(
    question: str,
    part: TextPart,
    passages: Sequence[_Quotable],
    terms_by_line: Mapping[str, Sequence[str]],
    rarity: Mapping[str, float],
    having: Mapping[str, int],
) -> dict[str, float]:
    """Return the weight of each term in a part; they sum up to 1."""
    places = {work: index for index, work in enumerate(part.papers)}
    shared: dict[str, float] = defaultdict(float)
    for work, line, *_ in passages:
        for term in terms_by_line[line.text]:
            if having[term] > 1:
                shared[term] += rarity[term] / (_EVEN + places[work])
    heading = _HEADING if part.heading else 0.0
    question_size = len(set(terms(question)))
    own_share = question_size / (question_size + _SHARED)
    question_weights, title_weights = (
        {term: rarity.get(term, 0.0) for term in terms(text)} for text in (question, part.heading)
    )
    weights: dict[str, float] = {}
    shares = (
        (question_weights, own_share * (1 - heading)),
        (title_weights, own_share * heading),
        (shared, 1 - own_share),
    )
    for rarities, share in shares:
        total = sum(rarities[term] for term in sorted(rarities)) or 1.0
        for term in sorted(rarities):
            weights[term] = weights.get(term, 0.0) + share * rarities[term] / total
    return weights


def _in_order(rows: Sequence[Extract], papers: Mapping[WorkId, Paper]) -> list[Extract]:
    """Sort by year, then in the order of papers and sentences."""
    places = {work: index for index, work in enumerate(papers)}

    def key(extract: Extract) -> tuple[int, int, int, int]:
        paper = papers[extract.work]
        return paper.year or 0, places[extract.work], extract.page or 0, paper.about.find(extract.text)

    return sorted(rows, key=key)
