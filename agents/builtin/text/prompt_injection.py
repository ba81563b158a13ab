"""Prompt injection: texts of papers that speak to the reader's machine instead of to the reader.

The judge of a search is asked about such a paper alone, so that it can only speak of itself. Every other step shows a
model the paper without the sentences that give orders, and without a title that does: a paper on prompt injection is
summed up and recommended like any other. The test may therefore be quick; of the abstracts of open test collections it
takes about one in two thousand.
"""

import base64
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from itertools import islice

from agents.builtin.text.sentences import sentences
from connectors.paper import Paper

_ORDERS = re.compile(
    r"""
    # Set the task aside, in some languages
    \b(?:ignor\w*|disregard\w*|forget|override|set\s+aside|oublie[rz]|vergiss|olvida)\b[^.]{0,40}
        \b(?:rubric|grille|instructions?|instrucciones|consignes|anweisung\w*|prompts?|(?:your|previous)\s+(?:rules|task))\b
  | 忽略|无视|(?:给|打)[^。]{0,12}分|игнорируй\w*|оценка\s*\d
    # Speak to a machine
  | \b(?:if\s+)?you\s+are\s+(?:now\s+)?(?:an?\s+)?(?:ai|assistant|language\s+model|llm|judge|helpful)\b
  | \bfor\s+(?:large\s+)?(?:language\s+models|llms|ais?)\s+only\b
  | \b(?:llms?|ais?|assistant|system|human|user)\s*:\s*(?:rate|score|give|answer|change|always|output|return|ok)\b
  | \bhuman\s*:.*\bassistant\s*: | \bSYSTEM\s+(?:score|rate|always|answer|prompt)\b
  | \b(?:reviewer|judge|evaluator|assistant|llm|ai)s?\s+(?:must|should|shall)\b[^.]{0,40}
        \b(?:score|rate|rank|accept|relevance)\b
  | \b(?:system|developer)\s+(?:prompt|message|instruction)s?\s*[:=] | \bnew\s+instructions?\s*:
  | (?<!\#)\#{2,}+\s*+(?:instruction|response|system)s?\b
  | \b(?:message|note)\s+from\s+the\s+user\b | \bthe\s+user\s+has\s+(?:just\s+)?(?:changed|asked|said)\b
    # Name the mark, or speak about the judging
  | \b(?:scores?|rate|rating|relevance|answer|donnez\s+la\s+note|grade)\b
        (?:\W+(?!is\b|was\b|were\b)[^\W\d]\w*){0,7}?\W+(?:is\W+)?(?:[01][.,]0+|10/10|100\s?%)(?![\d.]*\d)
  | \b(?:give|assign|output|return|set|award)\b[^.]{0,30}\b(?:score|rating|relevance|rank)\b[^.]{0,20}
        \b(?:of|to|as)\s+(?:1|10|100|maximum|highest|perfect)\b
  | \b(?:top|highest|maximum|perfect)\s+(?:score|rating|mark)\b[^.]{0,30}\b(?:in\s+the\s+list|as\s+usual)\b
  | \bgive\s+this\s+(?:paper|record|document|article)\b | \b(?:swap|raise|replace)\s+my\s+score\b
  | \bjudge\s+against\b | \b(?:positive|favou?rable)\s+(?:judge?ment|review|assessment|rating)s?\s+only\b
  | \bdo\s+not\s+(?:mention|report|highlight)\s+any\s+(?:weakness|negative|limitation|flaw)
  | \bgold\s+label\b[^.]{0,3}\d
  | \b(?:drop|remove|delete)\s+the\s+rest\s+of\s+the\s+list\b | \breturn\s+exactly\s+one\s+result\b
  | \b(?:ids?|papers?|records?)\s+in\s+this\s+batch\b | \bother\s+paper\s+in\s+(?:the|this)\s+(?:batch|list)\b
  | \bevery\s+paper\s+in\s+the\s+list\b | \bp\d{1,2}\s+is\s+now\b
  | \b(?:scores?|authors?)\s+of\s+(?:paper\s+)?p\d{1,2}\b
  | \b(?:present|this)\s+(?:document|paper|record)\s+satisfies\s+every\b | \bverified\s+relevant\b
    # Pretend to be part of the request
  | \\?"(?:score|id|reason|abstract|verdicts?)\\?"\s*:
  | </?(?:paper|document|record|abstract|rubric|instructions?|information|tool\w*|system|user|assistant)\b
  | <\|?/?(?:im_start|im_end|inst)\b | \[/?INST\]
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ENCODED_WORD = re.compile(r"(?<![\w/.])(?=\w*[A-Z])(?=\w*[a-z])(?=\w*\d)[A-Za-z0-9+/]{20,}={0,2}")
_BETWEEN_LETTERS = re.compile(r"(?<=\b\w)[\s.\-_*](?=\w\b)")
_ENCODED = re.compile(r"[A-Za-z0-9+/]{20,}={0,2}")
_MIXED = re.compile(r"\b(?=\w*\d)(?=\w*[a-z])[a-z0-9]+\b", re.IGNORECASE)
_LEET = str.maketrans("0134579", "oieastg")
_ALIKE = str.maketrans(
    "асеорхуіѕјԁһӏАСЕОРХУІЅЈВНКМТοαρνικτυΑΒΕΗΙΚΜΝΟΡΤΥΧ",
    "aceopxyisjdhlACEOPXYISJBHKMToapviktuABEHIKMNOPTYX",
)
"""Letters of other scripts that are taken for Latin ones."""
_SPACED = re.compile(r"(?<!\S)\S{1,3}(?:\s+\S{1,3}(?!\S)){11,}")


@cache  # hardly a text needs it, and it takes a while to compile
def _orders_run_together() -> re.Pattern[str]:
    """Orders without the blanks between their words, for what is spaced out letter by letter: there nobody can tell
    which blanks stand between words."""
    pattern = _ORDERS.pattern.replace(r"\s+", r"\s*").replace(r"\b", "").replace(r"\w*", r"\w{0,20}")
    return re.compile(pattern, _ORDERS.flags)


@lru_cache(maxsize=1_024)
def looks_injected(text: str) -> bool:
    """Whether `text` reads like an instruction to a model; common ways to disguise one do not hide it."""
    readings = dict.fromkeys(_readings(text))
    return any(_ORDERS.search(reading) or _run_together(reading) for reading in readings)


def _run_together(text: str) -> bool:
    together = (re.sub(r"\s", "", spaced) for spaced in _SPACED.findall(text))
    return any(
        _orders_run_together().search(run) or _orders_run_together().search(run.translate(_LEET)) for run in together
    )


def looks_disguised(text: str) -> bool:
    """Whether `text` holds what is no prose and could be an order that nobody reads here: letters spaced out, or a long
    word of letters and digits as encoded texts are. A paper with it may be about anything; it is only kept apart."""
    letter_by_letter = any(_is_letters(spaced.split()) for spaced in _SPACED.findall(text))
    return letter_by_letter or bool(_ENCODED_WORD.search(text))


def _is_letters(words: list[str]) -> bool:
    """Whether most of the words are single letters, as in no table of figures."""
    return 2 * sum(len(word) == 1 and word.isalpha() for word in words) > len(words)


def without_orders(paper: Paper) -> Paper:
    """`paper` as a model may read it and a text quote it beside others: without the sentences of its abstract, and of
    spar's note, that read like orders, and without a title that does. What is left may be no text at all."""
    if not looks_injected(f"{paper.title} {paper.abstract} {paper.described}"):
        return paper
    title = "" if looks_injected(paper.title) else paper.title
    return replace(
        paper, title=title, abstract=_harmless(paper.abstract, title), described=_harmless(paper.described, title)
    )


def is_readable(paper: Paper) -> bool:
    """Whether there is something of `paper` to read."""
    return bool(paper.title or paper.about)


def _harmless(text: str, title: str) -> str:
    """The sentences of `text` that give no orders; nothing if they do so together, or with the title before them."""
    left = " ".join(sentence for sentence in sentences(text) if not looks_injected(sentence))
    return "" if looks_injected(f"{title} {left}") else left


def _readings(text: str) -> Iterator[str]:
    """`text` as it stands, and with what may disguise an order undone: one thing, or several on top of each other."""
    plain = [text]
    if not text.isascii():
        letters = (letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
        plain += ["".join(letters)]
        plain += [plain[1].translate(_ALIKE)]
    for one in plain:  # what is decoded may be encoded itself
        plain += islice(_decoded(one), 8)
    for one in (*plain, *(one[::-1] for one in plain)):
        yield one
        yield _BETWEEN_LETTERS.sub("", one)
        yield _MIXED.sub(lambda word: word[0].translate(_LEET), one)


def _decoded(text: str) -> Iterator[str]:
    for encoded in _ENCODED.findall(text):
        try:
            yield base64.b64decode(encoded + "=" * (-len(encoded) % 4)).decode("ascii")
        except ValueError:
            continue
