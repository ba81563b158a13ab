"""Whether a cited paper says what the sentence that cites it says, as far as words tell.

Words tell whether a paper speaks of the same thing, not whether it says the same: so without a model nothing is graded
better than `close`. How well they tell it is measured by `python -m tests.benchmarks.source_check`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from agents.builtin.ranking.topic_coverage import Asked
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
"""The worst first. `says too little` is of a sentence that claims nothing that could be looked for."""
COVERED = 0.11
"""A paper that has less of a sentence's terms, by their rarity, speaks of something else: so little had 1 % of the
cited papers on the half of the sentences by which it was chosen."""
LEAST_TERMS = 4
"""A sentence of fewer is mostly “see also …”: what share of it a paper has is chance."""
PASSAGES = 3
"""Passages of a paper that a model reads."""


@dataclass(frozen=True, slots=True)
class SourcePassage:
    """Words as they stand in the abstract of a paper, or on the `page` of its PDF."""

    text: str
    page: int | None = None


@dataclass(frozen=True, slots=True)
class SourceJudgement:
    """The grade, by words or by the `model`, the passages of the paper that are nearest to the sentence, the nearest
    first, and a `reason` where the grade needs one."""

    grade: SourceGrade
    passages: tuple[SourcePassage, ...] = ()
    reason: str = ""
    by_model: bool = False


def judged_by_words(sentence: str, paper: Paper, pages: Pages) -> SourceJudgement:
    """What words tell of `sentence`, which cites `paper`, of which `pages` are kept."""
    text = source_text(paper, pages)
    if len(set(terms(sentence))) < LEAST_TERMS:
        return SourceJudgement("says too little", reason="The sentence says too little by itself.")
    if not text:
        return SourceJudgement("no text here", reason="Neither its abstract nor its full text is here.")
    if not in_language_of(text, sentence):
        return SourceJudgement("no text here", reason="Its text is in another language than the sentence.")
    passages = _nearest(sentence, paper, pages)
    if covered(sentence, f"{paper.title} {text}") < COVERED:
        where = "Its full text has" if pages else "Its abstract has"
        return SourceJudgement("speaks of something else", passages, f"{where} next to none of the sentence's words.")
    return SourceJudgement("close", passages)


def covered(sentence: str, text: str) -> float:
    """The share of the terms of `sentence`, by their rarity, that `text` has."""
    return Asked(sentence).share(frozenset(terms(text)))


def source_text(paper: Paper, pages: Pages) -> str:
    """All that is here of what `paper` says; "" if that is its title alone."""
    return "\n".join(filter(None, (paper.abstract, *pages.values())))


def numbers_lacking(sentence: str, texts: Sequence[str], years: frozenset[int]) -> tuple[str, ...]:
    """The numbers of `sentence` that stand in none of `texts` and are none of `years`, each once."""
    return tuple({(one.value, one.unit): one.written for one in lacking(sentence, "\n".join(texts), years)}.values())


def _nearest(sentence: str, paper: Paper, pages: Pages) -> tuple[SourcePassage, ...]:
    pieces = evidence(sentence, {0: paper}, lambda _: pages, PASSAGES)
    if pieces:
        return tuple(SourcePassage(piece.text, piece.page) for piece in pieces)
    quote = best_quote(sentence, paper.title, paper.abstract)
    return (SourcePassage(quote),) if quote else ()
