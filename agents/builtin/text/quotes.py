"""Quotes that stand in the paper they are said to be from.

A model copies nearly: it mends a hyphen, leaves a word out, writes "…". What is told is always the paper's own span,
with the signs, brackets and units of its first and last word, and with a negation before it.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import NamedTuple

from connectors.paper import Paper
from connectors.records.letters import folded

LONGEST_QUOTE = 60
"""Words; whoever copies more quotes nothing in particular."""
WORDS_TO_A_SLIP = 6
"""Of so many copied words in a row one may be another, missing or too much."""
MOST_OMITTED = 20
"""Words between two parts of a quote that are told along with them."""
_OMISSION = re.compile(r"(?:(?<!\s)\s+)?[\[(]?(?:…|\.\.\.+)[\])]?\s*")
_WORD = re.compile(r"\d++(?:[.,·]\d++)*+[^\W_]*+|[^\W_]+")
"""A number with its separators, or letters and digits: 1.25 are not the figures of 12.5."""
_NEGATIONS = frozenset("no not nor neither never none without cannot hardly".split())
_DECIDING = _NEGATIONS | frozenset("less more fewer lower higher".split())
"""Words that may not be slipped on: they turn what is said around, as figures do."""
_SMALL = 3
"""Letters of a word that may be slipped on as one that only joins others."""
_BEFORE = 12
"""Words before a quote among which a negation is told along with it, if no pause is in between."""
_PAUSE = re.compile(r"[.,;:!?—–]")
_STOPS = ".,;:!?…"
_UNITS = "%‰°′″*+†‡)]}”’"
_RELATIONS = "<>≤≥≈~±$£€¥"
_HYPHENS, _JOINTS = "-‐‑–—/_", ",;:=([/"
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
_OPENING, _CLOSING = "([{“‘«", ")]}”’»"


def verbatim_quote(quote: str, paper: Paper) -> str:
    """The words of `quote` as they stand in the title or abstract of `paper`; "" if they do not stand there.

    Spaces, case, hyphens, ligatures and punctuation do not matter, and one word in six may be off, though no figure and
    no negation. Of a quote with omissions the whole span is told if it is short, else its longest part.
    """
    return standing(quote, paper.abstract, paper.title)


def noted_words(copied: str, paper: Paper) -> str:
    """The words of `copied` as they stand in spar's note on `paper`; "" if they do not, or its abstract is known.

    They are evidence, for a model may have been shown the note in want of an abstract; a quote they are not.
    """
    return "" if paper.abstract else standing(copied, paper.described)


def may_stand(copied: str, text: str) -> bool:
    """Whether it is worth looking for `copied` in `text`: each word of it that is not there is a slip. Quickly told."""
    there = letters_of(text)
    return all(
        _joined(part) in there or sum(word.letters not in there for word in part) <= len(part) // WORDS_TO_A_SLIP
        for part in _parts(copied)
    )


@lru_cache(maxsize=1_024)
def letters_of(text: str) -> str:
    """The letters and digits of `text` without case, accents, ligatures and what stands between."""
    return _joined(placed_words(text))


def standing(copied: str, *texts: str) -> str:
    """The words of `copied` as they stand in the first of `texts` that has them; "" if none does."""
    parts = _parts(copied)
    if not parts or sum(map(len, parts)) > LONGEST_QUOTE:
        return ""
    for text in texts:
        words = placed_words(text)
        if span := _told(parts, words):
            span = _with_negation(span, words, text)
            return _with_signs(text, words[span.first].start, words[span.last - 1].end)
    return ""


@lru_cache(maxsize=1_024)
def spaced_words(text: str) -> str:
    """The words of `text` that have letters, without case, accents and punctuation, each between spaces."""
    words = ("".join(word.letters for word in placed_words(one)) for one in text.split() if re.search(r"[^\W\d_]", one))
    return f" {' '.join(filter(None, words))} "


class PlacedWord(NamedTuple):
    """A word without case, accents and ligatures, and where it stands in its text."""

    letters: str
    start: int
    end: int


class _Span(NamedTuple):
    """Where something stands: from which word up to which, that one not included."""

    first: int
    last: int


def _with_negation(span: _Span, words: Sequence[PlacedWord], text: str) -> _Span:
    """`span` from a negation on that stands before it: without it the words would say the opposite."""
    least = max(0, span.first - _BEFORE, span.last - LONGEST_QUOTE)
    for first in range(span.first - 1, least - 1, -1):
        if _PAUSE.search(text, words[first].end, words[first + 1].start):
            break
        if words[first].letters in _NEGATIONS:
            return _Span(first, span.last)
    return span


def _with_signs(text: str, start: int, end: int) -> str:
    """The words of `text` from `start` to `end` with what is written to them: signs, relations, units, and brackets and
    quotation marks of which both are there."""
    first, last = start, end
    while first and not (text[first - 1].isalnum() or text[first - 1].isspace()):
        first -= 1
    while last < len(text) and not (text[last].isalnum() or text[last].isspace()):
        last += 1
    before, behind = text[first:start], text[end:last]
    if first and not text[first - 1].isspace():  # a word ends there: what joins it is no sign
        kept = before.lstrip(_JOINTS) if before.strip(_HYPHENS) else ""
        before = kept if before[:1] in _JOINTS or kept[:1] in _RELATIONS else ""
    if last < len(text) and not text[last].isspace():
        behind = behind[: len(behind) - len(behind.lstrip(_UNITS))]
    before, behind = before.lstrip(_STOPS), behind.rstrip(_STOPS)
    return _balanced(text[start - len(before) : end + len(behind)], len(before), len(behind))


def _balanced(told: str, before: int, behind: int) -> str:
    """`told` without those brackets among its first `before` and last `behind` characters that have no counterpart."""
    for opening, closing in zip(_OPENING, _CLOSING, strict=True):
        while before and told.count(opening) > told.count(closing) and opening in told[:before]:
            told, before = told[told.index(opening) + 1 :], before - told.index(opening) - 1
        while behind and told.count(closing) > told.count(opening) and closing in told[len(told) - behind :]:
            place = told.rindex(closing)
            told, behind = told[:place], behind - (len(told) - place)
    return told.strip()


def _parts(copied: str) -> list[list[PlacedWord]]:
    """The words between omissions."""
    return [part for text in _OMISSION.split(copied) if (part := placed_words(text))]


def placed_words(text: str) -> list[PlacedWord]:
    """The words and numbers of `text`."""
    return [PlacedWord(_plain(found[0]), found.start(), found.end()) for found in _WORD.finditer(text)]


def _plain(word: str) -> str:
    """A word without case, accents and ligatures; a number with a point before its decimals."""
    if not word.isalnum():
        word = _THOUSANDS.sub("", word).replace(",", ".").replace("·", ".")
    return "".join(letter for letter in folded(word) if letter.isalnum() or letter == ".") or word


def _joined(words: Sequence[PlacedWord]) -> str:
    """The letters of all of them: two that end and begin with a figure stay apart."""
    return "".join(_glue(before, word) + word.letters for before, word in pairwise((PlacedWord("", 0, 0), *words)))


def _glue(before: PlacedWord, word: PlacedWord) -> str:
    return " " if before.letters[-1:].isdigit() and word.letters[:1].isdigit() else ""


def _told(parts: Sequence[Sequence[PlacedWord]], words: Sequence[PlacedWord]) -> _Span | None:
    """Where all of `parts` stand one after the other; None if one of them does not."""
    spans: list[_Span] = []
    for part in parts:
        begin = spans[-1].last if spans else 0
        span = _copied(part, words, begin) or _nearly_copied(part, words, begin)
        if span is None:
            return None
        spans.append(span)
    whole = _Span(spans[0].first, spans[-1].last)
    omitted = max((after.first - before.last for before, after in pairwise(spans)), default=0)
    if omitted <= MOST_OMITTED and whole.last - whole.first <= LONGEST_QUOTE:
        return whole
    return max(spans, key=lambda span: span.last - span.first)


def _copied(part: Sequence[PlacedWord], words: Sequence[PlacedWord], begin: int) -> _Span | None:
    """Where the letters of `part` stand, however they are spaced and hyphenated."""
    asked = _joined(part)
    for first in range(begin, len(words)):
        left, last, letters = asked, first, words[first].letters
        while left and left.startswith(letters):
            left, last = left[len(letters) :], last + 1
            if last == len(words):
                break
            letters = _glue(words[last - 1], words[last]) + words[last].letters
        if not left:
            return _Span(first, last)
    return None


def _nearly_copied(part: Sequence[PlacedWord], words: Sequence[PlacedWord], begin: int) -> _Span | None:
    """Where the words of `part` stand with the fewest slips: the usual distance of edits, its beginning free."""
    allowed = len(part) // WORDS_TO_A_SLIP
    if not allowed:
        return None
    never = allowed + 1
    row = [(0, place) for place in range(begin, len(words) + 1)]
    held = [(word.letters, _slip(word)) for word in words[begin:]]
    for asked in part:
        deciding = _slip(asked)
        missing = deciding if len(asked.letters) <= _SMALL else LONGEST_QUOTE
        following = [(min(row[0][0] + missing, never), row[0][1])]
        for number, (letters, added) in enumerate(held, start=1):
            alike = 0 if letters == asked.letters else max(deciding, added, _exchange(asked.letters, letters))
            following.append(
                min(
                    (row[number - 1][0] + alike, row[number - 1][1]),
                    (row[number][0] + missing, row[number][1]),
                    (following[number - 1][0] + added, following[number - 1][1]),
                    key=lambda way: way[0],
                )
            )
        row = following
        if min(row)[0] > allowed:  # and no way becomes cheaper
            return None
    slips, place = min((way[0], number) for number, way in enumerate(row))
    return _Span(row[place][1], begin + place) if slips <= allowed and row[place][1] < begin + place else None


def _exchange(copied: str, letters: str) -> int:
    """How much it counts that one word is copied as another: nothing but a joining word or an ending may change, for a
    word that begins otherwise may say the opposite."""
    joins = max(len(copied), len(letters)) <= _SMALL
    begun = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(copied, letters, strict=False)))
    return 1 if joins or 2 * begun > max(len(copied), len(letters)) else LONGEST_QUOTE


def _slip(word: PlacedWord) -> int:
    """How much it counts that a word is off."""
    return LONGEST_QUOTE if decides(word) else 1


def decides(word: PlacedWord) -> bool:
    """Whether a word may not be slipped on: a number, or one that turns what is said around."""
    return word.letters in _DECIDING or any(map(str.isdigit, word.letters))
