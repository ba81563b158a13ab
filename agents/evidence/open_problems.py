"""Sentences of abstracts that name an open problem, and whether papers leave a question open."""

import re
from collections.abc import Callable, Mapping

from agents.builtin.ranking.topic_coverage import Asked
from agents.builtin.text.excerpts import DOES
from agents.builtin.text.pages import Pages
from agents.builtin.text.sentences import LONGEST_QUOTE, sentences
from agents.builtin.text.terms import terms
from agents.builtin.text.words import NEGATIONS, placed_words
from agents.evidence.choosing import evidence, may_be_quoted
from connectors.paper import Paper

_OPEN = re.compile(
    r"\b(?:(?:remains?|is still|are still|still) (?:an? )?(?:largely |mostly |very )?"
    r"(?:open|unclear|unknown|unsolved|unresolved|challenging|elusive|poorly understood|under-?explored|a challenge)"
    r"|open (?:problems?|questions?|challenges?|issues?)"
    r"|(?:future|further) (?:work|research|studies|study|investigation)"
    r"|(?:little|less|not much) is known|(?:poorly|not (?:yet )?(?:well|fully)) understood|yet to be|not yet been"
    r"|under-?explored|(?:is|are) lacking|no consensus|more research|unsolved)\b",
    re.IGNORECASE,
)
_LEAST_WORDS = 7
_NEARLY_ALL = 0.9
"""Least share of a question, weighted by rarity, in a sentence that answers it."""


def open_problem(text: str) -> str:
    """Return the last sentence of `text` that names an open problem, verbatim; "" if none does.

    Sentences before one on the paper's own work are skipped, because the paper may solve their problem.
    """
    for sentence in reversed(sentences(text)):
        if (
            _OPEN.search(sentence)
            and len(sentence.split()) >= _LEAST_WORDS
            and len(sentence) <= LONGEST_QUOTE
            and may_be_quoted(sentence)
        ):
            return sentence
        if DOES.search(sentence):
            break
    return ""


def is_answered(question: str, papers: Mapping[str, Paper], pages: Callable[[Paper], Pages]) -> bool:
    """Whether a sentence of `papers` has nearly all words of `question` and neither denies it nor leaves it open."""
    question_terms = Asked(question)
    return any(
        question_terms.share(frozenset(terms(piece.text))) >= _NEARLY_ALL
        and not _OPEN.search(piece.text)
        and NEGATIONS.isdisjoint(word.letters for word in placed_words(piece.text))
        for piece in evidence(question, papers, pages)
    )
