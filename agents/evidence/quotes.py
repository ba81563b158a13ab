"""Find a quote in the paper that it is said to be from.

Models copy inexactly: they repair hyphens, leave out words, write "…". The result is always the paper's own text, with
the signs, brackets and units of its first and last word, and with a negation before it.
"""

import re
from collections.abc import Sequence

from agents.builtin.text.numbers import has_signs_of
from agents.builtin.text.pages import Pages, before_references, stretches
from agents.builtin.text.quantities import DASHES
from agents.builtin.text.sentences import sentences
from agents.builtin.text.words import NEGATIONS, PlacedWord, letters_of, placed_words, respelled
from agents.evidence.alignment import OMISSION, aligned, may_be_misspelled, mended
from connectors.paper import Paper
from connectors.records.clean import unescaped

LONGEST_QUOTE = 60
"""Maximum number of words of a quote."""
SHORTEST_QUOTE = 5
"""Minimum number of words of a quote from a page; shorter ones occur in many papers."""
_WORDS_TO_A_SLIP = 6
"""Words of a quote per allowed slip: a replaced, missing or added word."""
_BEFORE = 12
"""Words before a quote in which a negation, without a pause after it, is included."""
_PAUSE = re.compile(r"[.,;:!?—–]")
_STOPS = ".,;:…"
"""Marks around a quote that are left out, unless they are copied at its end; “?” and “!” are a part of it, because a
question asserts nothing."""
_UNITS = "%‰°′″*+†‡)]}”’"
_RELATIONS = "<>≤≥≈~±$£€¥"
_HYPHENS, _JOINTS = "-‐‑–—/_", ",;:=([/"
_OPENING, _CLOSING = "([{“‘«", ")]}”’»"


def verbatim_quote(quote: str, paper: Paper) -> str:
    """Return the words of `quote` as they stand in the title or abstract of `paper`; "" if they do not.

    Spaces, case, hyphens, ligatures and punctuation are ignored, and one word in six may differ, but no number and no
    negation. For a quote with omissions, return the whole span if it is short, else its longest part.
    """
    return _standing(quote, paper.abstract, paper.title)


def noted_words(copied: str, paper: Paper) -> str:
    """Return the words of `copied` as they stand in spar's note on `paper`; "" if they do not, or for one with an
    abstract.

    A model may get the note in place of an abstract, so its words are evidence, but they are not a quote.
    """
    return "" if paper.abstract else _standing(copied, paper.described)


def quoted(copied: str, paper: Paper, pages: Pages) -> tuple[str, int | None]:
    """Return the words of `copied` as they stand in the title or abstract of `paper`, else on one of `pages`, with that
    page; "" if in neither. The comparison is that of `verbatim_quote`."""
    if quote := verbatim_quote(copied, paper):
        return quote, None
    for page, text in before_references(pages):
        quote = _standing(copied, *stretches(text)) if _may_stand(copied, text) else ""
        if len(quote.split()) >= SHORTEST_QUOTE:
            return quote, page
    return "", None


def surroundings(quote: str, text: str, neighbors: int = 1) -> str:
    """Return the sentences of `text` that contain `quote`, with `neighbors` sentences on each side; "" if `quote` is
    not there."""
    start = text.find(quote)
    if start < 0:
        return ""
    spans, end = list[tuple[int, int]](), 0
    for sentence in sentences(text):
        begin = text.index(sentence, end)
        end = begin + len(sentence)
        spans.append((begin, end))
    having = [at for at, (begin, end) in enumerate(spans) if begin < start + len(quote) and start < end]
    first, last = max(0, having[0] - neighbors), min(having[-1] + neighbors, len(spans) - 1)
    return text[spans[first][0] : spans[last][1]]


def _may_stand(copied: str, text: str) -> bool:
    """Quick check whether `copied` may be in `text`: count its words that are not there."""
    words, letters_there = placed_words(copied), letters_of(text)
    misses = [word.letters for word in words if word.letters not in letters_there]
    slips = sum(not may_be_misspelled(letters) for letters in misses)
    return slips <= len(words) // _WORDS_TO_A_SLIP and 2 * len(misses) <= len(words)


def _standing(copied: str, *texts: str) -> str:
    """Return the words of `copied` as the first of `texts` that has them spells them; "" if none has them."""
    copied = mended(unescaped(copied))
    if 0 < len(placed_words(copied)) <= LONGEST_QUOTE:
        for text in texts:
            quote = respelled(copied, text)
            if _may_stand(quote, text) and (span := _span(quote, text)):
                start, end = _as_copied(quote, text, *span)
                if has_signs_of(quote, text[start:end]):
                    return _with_signs(text, start, end)
    return ""


def _span(copied: str, text: str) -> tuple[int, int] | None:
    """Return the span of `copied` in `text` (of its longest part if the parts are far apart); None if it is not
    there."""
    words = placed_words(text)
    if literal := re.search(rf"(?<![^\W_]){re.escape(copied.strip())}(?![^\W_])", text):
        start, end = literal.span()
    else:
        alignment = aligned(copied, text)
        if alignment is None or alignment.slips > len(placed_words(copied)) // _WORDS_TO_A_SLIP:
            return None
        start, end = alignment.start, alignment.end
    first = next(index for index, word in enumerate(words) if word.start >= start)
    last = next(index for index in reversed(range(len(words))) if words[index].end <= end)
    if last - first < LONGEST_QUOTE:
        return words[_negated(first, last, words, text)].start, words[last].end
    part = max(OMISSION.split(copied), key=len)
    return _span(part, text) if part != copied else None


def _negated(first: int, last: int, words: Sequence[PlacedWord], text: str) -> int:
    """Return the index of a negation before the words `first` to `last`, else `first`: a quote without it would say the
    opposite."""
    for index in range(first - 1, max(0, first - _BEFORE, last + 1 - LONGEST_QUOTE) - 1, -1):
        between = text[words[index].end : words[first].start]
        if _PAUSE.search(between) or between.count("(") > between.count(")"):
            break
        if words[index].letters in NEGATIONS:
            return index
    return first


def _as_copied(copied: str, text: str, start: int, end: int) -> tuple[int, int]:
    """Extend a span of `text` by the punctuation around it that `copied` has too, ignoring spaces."""
    words = placed_words(copied)
    at = start
    for sign in reversed(copied[: words[0].start]):
        before = len(text[:at].rstrip())
        if before and _is_same(sign, text[before - 1]):
            at = before - 1
            start = start if sign in _STOPS else at
    at = end
    for sign in copied[words[-1].end :]:
        after = len(text) - len(text[at:].lstrip())
        if after < len(text) and _is_same(sign, text[after]):
            at = end = after + 1
    return start, end


def _is_same(sign: str, sign_there: str) -> bool:
    return sign == sign_there or (sign in DASHES and sign_there in DASHES)


def _with_signs(text: str, start: int, end: int) -> str:
    """Return the words of `text` from `start` to `end` with attached signs, relations and units, and with complete
    pairs of brackets and quotation marks."""
    first, last = start, end
    while first and not (text[first - 1].isalnum() or text[first - 1].isspace()):
        first -= 1
    while last < len(text) and not (text[last].isalnum() or text[last].isspace()):
        last += 1
    before, after = text[first:start], text[end:last]
    if first and not text[first - 1].isspace():  # the word before is attached: the sign only joins the two
        prefix = before.lstrip(_JOINTS) if before.strip(_HYPHENS) else ""
        before = prefix if before[:1] in _JOINTS or prefix[:1] in _RELATIONS else ""
    if last < len(text) and not text[last].isspace():
        after = after[: len(after) - len(after.lstrip(_UNITS))]
    before, after = before.lstrip(_STOPS), after.rstrip(_STOPS)
    return _balanced(text[start - len(before) : end + len(after)], len(before), len(after))


def _balanced(text: str, before: int, after: int) -> str:
    """Remove unpaired brackets from the first `before` and last `after` characters of `text`."""
    for opening, closing in zip(_OPENING, _CLOSING, strict=True):
        while before and text.count(opening) > text.count(closing) and opening in text[:before]:
            text, before = text[text.index(opening) + 1 :], before - text.index(opening) - 1
        while after and text.count(closing) > text.count(opening) and closing in text[len(text) - after :]:
            index = text.rindex(closing)
            text, after = text[:index], after - (len(text) - index)
    return text.strip()
