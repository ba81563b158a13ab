"""Check by words whether a cited paper supports the sentence that cites it.

Words show whether a paper speaks of the same subject, not whether it says the same, so the best grade without a model
is `close`. `python -m tests.benchmarks.source_check` measures how well this works.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from agents.builtin.ranking.topic_coverage import TopicTerms
from agents.builtin.text.languages import in_language_of
from agents.builtin.text.numbers import lacking
from agents.builtin.text.pages import Pages
from agents.builtin.text.terms import terms
from agents.evidence.choosing import best_quote, evidence
from connectors.paper import Paper

SourceGrade = Literal[
    "contradicts", "speaks of something else", "no text here", "close", "says so", "says too little"
]  # fmt: skip
SOURCE_GRADES: tuple[SourceGrade, ...] = get_args(SourceGrade)
"""The grades, worst first. `says too little`: the sentence claims nothing that can be checked."""
COVERED = 0.11
"""Least share of a sentence's terms, weighted by rarity, in a paper on the same subject: 1 % of the cited papers had
less, on the half of the sentences used to choose it."""
LEAST_TERMS = 4
"""Minimum number of terms of a sentence that is checked; shorter ones mostly say “see also …”, and match by chance."""
PASSAGES = 3
"""Number of a paper's passages that a model reads."""


@dataclass(frozen=True, slots=True)
class SourcePassage:
    """Words, verbatim, from the abstract of a paper or the `page` of its PDF."""

    text: str
    page: int | None = None


@dataclass(frozen=True, slots=True)
class SourceJudgement:
    """The grade, by words or by the model; the passages of the paper nearest to the sentence, best first; and a
    `reason` if the grade needs one."""

    grade: SourceGrade
    passages: tuple[SourcePassage, ...] = ()
    reason: str = ""
    by_model: bool = False


def judged_by_words(sentence: str, paper: Paper, pages: Pages) -> SourceJudgement:
    """Judge `sentence`, which cites `paper`, by the words of the paper and of its stored `pages`."""
    text = source_text(paper, pages)
    if len(set(terms(sentence))) < LEAST_TERMS:
        return SourceJudgement("says too little", reason="The sentence claims too little to check.")
    if not text:
        return SourceJudgement("no text here", reason="The library has neither its abstract nor its full text.")
    if not in_language_of(text, sentence):
        return SourceJudgement("no text here", reason="Its text is in another language than the sentence.")
    passages = _nearest(sentence, paper, pages)
    if covered(sentence, f"{paper.title} {text}") < COVERED:
        subject = "Its full text has" if pages else "Its abstract has"
        return SourceJudgement("speaks of something else", passages, f"{subject} almost none of the sentence's words.")
    return SourceJudgement("close", passages)


def covered(sentence: str, text: str) -> float:
    """Return the share of the terms of `sentence`, weighted by rarity, that are in `text`."""
    return TopicTerms(sentence).share(frozenset(terms(text)))


def source_text(paper: Paper, pages: Pages) -> str:
    """Return the abstract and pages of `paper`; "" if only its title is known."""
    return "\n".join(filter(None, (paper.abstract, *pages.values())))


def numbers_lacking(sentence: str, texts: Sequence[str], years: frozenset[int]) -> tuple[str, ...]:
    """Return the distinct numbers of `sentence` that are neither in `texts` nor among `years`."""
    numbers = lacking(sentence, "\n".join(texts), years)
    return tuple(
        {(number.value, number.sign, number.factor, number.per): number.written for number in numbers}.values()
    )


def _nearest(sentence: str, paper: Paper, pages: Pages) -> tuple[SourcePassage, ...]:
    pieces = evidence(sentence, {0: paper}, lambda _: pages, PASSAGES)
    if pieces:
        return tuple(SourcePassage(piece.text, piece.page) for piece in pieces)
    quote = best_quote(sentence, paper.title, paper.abstract)
    return (SourcePassage(quote),) if quote else ()
