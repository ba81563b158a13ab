"""Find the sentences of a question that state its subject; examples, asides and orders ("summarize …") are context."""

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from agents.builtin.arithmetic import reckons
from agents.builtin.question_parsing.lexicon import DOCUMENTS, FILLER
from agents.builtin.question_parsing.spans import Span
from agents.builtin.question_parsing.topic import topic_of
from agents.builtin.ranking.word_vectors import vector
from agents.builtin.text.sentences import ends_open
from agents.builtin.text.terms import terms
from connectors.query.stopwords import QUESTION_WORDS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_END = re.compile(r"(?<=[.!?])[\"'”]?\s+(?=[\"'“(]?[^\W\d_a-z])|(?<=[a-z]{3}[.!?])(?=[A-Z][a-z]+\s)")
"""End of a sentence, even without a space after it."""
_EXAMPLE = r"(?:for (?:example|instance)|e\.\s?g\.|i\.\s?e\.|such as)"
_ASIDES = re.compile(
    rf"\((?:{_EXAMPLE})[^()]*\)|,\s*(?:for (?:example|instance)|e\.\s?g\.),?[^.?!;]*"
    r"|(?:^|(?<=[.?!]\s))[^.?!]*?,(?=\s+so\s+(?:how|what|why|which|where|when|can|could|should)\b)",
    re.IGNORECASE,
)
"""Examples, and what is said before a question: "X relies on Y, so how can Z be improved?"."""
_BEGINS_CONTEXT = re.compile(
    r"\s*(?:for (?:example|instance)|examples?:|no|not|nothing|because|since(?!\s+(?:\w+\s+)?['0-9]))(?!\w)",
    re.IGNORECASE,
)
_FIRST_WORDS = re.compile(r"\s*([^\W\d_]+)\s+([^\W\d_]+)")
_CLEARLY = 0.2
"""Margin by which a sentence without the form of an order must be closer to phrases of asking than to the rest."""


def sentence_spans(text: str) -> list[Span]:
    """Split `text` into sentences, as spans that cover all of it."""
    starts = [0]
    for gap in _END.finditer(text):
        if not ends_open(text[starts[-1] : gap.start()]):
            starts.append(gap.end())
    return [Span(start, end) for start, end in zip(starts, [*starts[1:], len(text)], strict=True) if text[start:end]]


def examples(text: str) -> list[Span]:
    """Return the examples, asides and exclusions in `text`; none if the text has nothing else."""
    asides = [Span(*match.span()) for match in _ASIDES.finditer(text)]
    sentences = [span for span in sentence_spans(text) if _BEGINS_CONTEXT.match(text, span.start, span.end)]
    return [*asides, *sentences] if len(sentences) < len(sentence_spans(text)) else asides


@reckons
def orders(text: str) -> list[Span]:
    """Return the sentences that ask for an answer but name no subject: "Provide an analysis with research papers".

    By word vectors they are closer to phrases of asking than to the other sentences; by a clear margin, unless they
    have the form of an order.
    """
    left, found = [span for span in sentence_spans(text) if terms(text[span.start : span.end])], list[Span]()
    while len(left) > 1:
        asking = [span for span in left if _only_asks(text, span, left)]
        if not asking:
            break
        most = max(asking, key=lambda span: _likeness(text[span.start : span.end]))
        left.remove(most)
        found.append(most)
    return found


def _likeness(sentence: str) -> tuple[bool, float]:
    """Return a sort key: how much `sentence` resembles an order."""
    return _is_order(sentence), _toward_asking(sentence)


def _only_asks(text: str, span: Span, sentences: list[Span]) -> bool:
    """Whether a sentence is closer to phrases of asking than to the other sentences."""
    sentence = text[span.start : span.end]
    said = topic_of(sentence) or sentence
    rest = _vector(" ".join(text[other.start : other.end] for other in sentences if other != span))
    return _toward_asking(said) - float(_vector(said) @ rest) > (0.0 if _is_order(sentence) else _CLEARLY)


def _is_order(sentence: str) -> bool:
    """Whether `sentence` begins like an order: with a content word in its base form, and a function word."""
    match = _FIRST_WORDS.match(sentence)
    if match is None:
        return False
    first, second = match[1].lower(), match[2].lower()
    return first == "please" or (
        first not in FILLER - QUESTION_WORDS and second in FILLER and not first.endswith(("ing", "ed", "s"))
    )


def _toward_asking(sentence: str) -> float:
    """Return the similarity of `sentence` to phrases of asking for papers."""
    return float(_vector(sentence) @ _asking())


@cache
def _asking() -> "Floats":
    return _vector(" ".join(sorted(QUESTION_WORDS | DOCUMENTS)))


def _vector(text: str) -> "Floats":
    return vector(Counter(terms(text)))
