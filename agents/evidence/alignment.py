"""Find an inexact quote in a text: the alignment of its words with those of the text.

The result is the cheapest way to turn a stretch of the text into the quote (Sellers 1980), by replaced, missing and
added words. Case, accents, ligatures, hyphens, line breaks and omission marks cost nothing. The caller decides whether
the result is close enough: a model copies nearly word for word, a person quotes from memory.
"""

import re
from collections.abc import Collection, Sequence
from itertools import starmap
from math import inf
from typing import NamedTuple

from agents.builtin.text.polarity import denies
from agents.builtin.text.terms import terms
from agents.builtin.text.words import DIRECTIONS, PlacedWord, decides, letters_of, placed_words, written_as_one

_BROKEN = re.compile(r"(?<=[^\W\d_])[-‐]\s+(?=[^\W\d_])|\u00ad\s*")
"""A hyphen at the end of a line, or a soft hyphen."""
OMISSION = re.compile(r"[\[(]?(?:…|\.\.\.+)[\])]?")
_OMITTED = 0.005
"""Cost of each word that an omission mark replaces, so that the nearest words after it match."""
_DIFFERENT = 0.1
"""Cost up to which a pair does not count as different."""
_ALIKE = 0.5
"""Cost of another ending of a word; another word costs 1."""
_MISSPELLED = 0.05
"""Cost of one letter more or less inside a long word."""
_LONG = 8
"""Minimum number of letters of a word that stays recognizable with one letter more or less."""
_JOINED = 4
"""Maximum number of words that may be written as one, such as “state-of-the-art” without its hyphens."""
_BEGINNING = 3
"""Letters of the first of such words that stay the same."""
_JOINING = frozenset(
    "a an the this that these those which who whose it its they them their he she his her we our i is are was were be "
    "been being has have had do does did of in on at by for from to with as and or into than then so if".split()
)
"""Articles, pronouns, conjunctions, prepositions and auxiliary verbs, except those of possibility: leaving them out
does not change the meaning."""


class WordDifference(NamedTuple):
    """Words of the text, and what the quote has instead; either may be ""."""

    there: str
    quoted: str


class Alignment(NamedTuple):
    """A stretch of a text that matches a quote: its position; `marks`, the spans in the text that the quote lacks or
    changes; the differences; the share of the quote found, from 0 to 1; the number of slips, infinite if a number or a
    word of weight differs; and whether the quote is `altered`: it may leave out words, but has one of its own, or lacks
    a denial."""

    start: int
    end: int
    marks: tuple[tuple[int, int], ...]
    differences: tuple[WordDifference, ...]
    share: float
    slips: float
    altered: bool

    @property
    def turns(self) -> bool:
        """Whether a number differs, or a word that reverses the meaning, such as “not”."""
        return any(
            decides(word.letters)
            for difference in self.differences
            for side in difference
            for word in placed_words(side)
        )


class _Pair(NamedTuple):
    """Matching words of the quote and of the text, as slices of both; `cost` is 0 if they are the same."""

    copied: slice
    there: slice
    cost: float


def mended(quote: str) -> str:
    """Return `quote` with words joined that were hyphenated at the end of a line."""
    return _BROKEN.sub("", quote)


def may_be_misspelled(letters: str) -> bool:
    """Whether a word stays recognizable with one letter more or less, or with two exchanged."""
    return len(letters) >= _LONG and not decides(letters)


def possible_share(quote: str, text: str) -> float:
    """Return the most of `quote` that an alignment with `text` may find, from its words that the text lacks."""
    letters, words = letters_of(text), [word.letters for word in placed_words(quote)]
    return 1 - sum(_least_cost(word, letters) for word in words if word not in letters) / max(len(words), 1)


def _least_cost(word: str, text_letters: str) -> float:
    """Return the least cost of a word that a text lacks: a similar word has its first or last half."""
    half, is_long = len(word) // 2, may_be_misspelled(word)
    if word[:half] in text_letters:
        return _MISSPELLED if is_long else _ALIKE
    return _MISSPELLED if is_long and word[half + 1 :] in text_letters else 1.0


def aligned(quote: str, text: str) -> Alignment | None:
    """Return the cheapest alignment of `quote` with a stretch of `text`; None if no word matches."""
    copied, text_words = placed_words(quote), placed_words(text)
    letters, text_letters = [word.letters for word in copied], [word.letters for word in text_words]
    gaps = {sum(word.start < mark.start() for word in copied) for mark in OMISSION.finditer(quote)}
    pairs = _word_for_word(letters, text_letters) or _pairs(copied, text_words, gaps)
    candidates = [
        index for index, pair in enumerate(pairs) if letters[pair.copied] and text_letters[pair.there] and pair.cost < 1
    ]
    if not candidates:
        return None
    inside = pairs[candidates[0] : candidates[-1] + 1]
    first, last = text_words[inside[0].there.start], text_words[inside[-1].there.stop - 1]
    marks = [(word.start, word.end) for pair in inside if pair.cost > _DIFFERENT for word in text_words[pair.there]]
    share = 1 - sum(pair.cost for pair in pairs) / len(copied)
    changes = [(letters[pair.copied], text_letters[pair.there]) for pair in pairs if pair.cost > _DIFFERENT]
    slips, altered = sum(starmap(_slip, changes)), any(starmap(_alters, changes))
    differences = _differences(pairs, copied, text_words, quote, text)
    return Alignment(first.start, last.end, tuple(marks), tuple(differences), max(share, 0.0), slips, altered)


def _word_for_word(letters: Sequence[str], text_letters: Sequence[str]) -> list[_Pair]:
    """Return the pairs of an exact match, all words in a row; empty if there is none."""
    starts = (
        index
        for index in range(len(text_letters) - len(letters) + 1)
        if text_letters[index : index + len(letters)] == letters
    )
    first = next(starts, None)
    if first is None:
        return []
    return [_Pair(slice(at, at + 1), slice(first + at, first + at + 1), 0.0) for at in range(len(letters))]


def _pairs(copied: Sequence[PlacedWord], text_words: Sequence[PlacedWord], gaps: Collection[int]) -> list[_Pair]:
    """Return the cheapest pairs in order; words of the text before and after them cost nothing."""
    needle, text_letters = [word.letters for word in copied], [word.letters for word in text_words]
    split, glued = _joins(text_words, frozenset(needle)), _joins(copied, frozenset(text_letters))
    rows = [[0.0] * (len(text_letters) + 1)]
    paths: list[list[tuple[int, int]]] = [[(0, 0)] * (len(text_letters) + 1)]
    for index, word in enumerate(needle, start=1):
        left_out = _OMITTED if index in gaps else 1.0
        before, row = rows[-1], [float(index)]
        path: list[tuple[int, int]] = [(1, 0)]
        for number, letters in enumerate(text_letters, start=1):
            best, step = before[number - 1] + (0.0 if letters == word else _exchange(word, letters)), (1, 1)
            if before[number] + 1 < best:
                best, step = before[number] + 1, (1, 0)
            if row[number - 1] + left_out <= best:  # on a tie, match more words of the quote
                best, step = row[number - 1] + left_out, (0, 1)
            for words, compound in split.get(number, ()):
                if compound == word and before[number - words] < best:
                    best, step = before[number - words], (1, words)
            for words, compound in glued.get(index, ()):
                if compound == letters and rows[-words][number - 1] < best:
                    best, step = rows[-words][number - 1], (words, 1)
            row.append(best)
            path.append(step)
        rows.append(row)
        paths.append(path)
    # On a tie take the later end: the earlier one stops before a word that the quote and the text share.
    at, end = len(needle), min(range(len(text_letters) + 1), key=lambda number: (round(rows[-1][number], 6), -number))
    pairs: list[_Pair] = []
    while at:
        step_size, words = paths[at][end]
        cost = rows[at][end] - rows[at - step_size][end - words]
        pairs.append(_Pair(slice(at - step_size, at), slice(end - words, end), cost))
        at, end = at - step_size, end - words
    return pairs[::-1]


def _joins(words: Sequence[PlacedWord], spellings: Collection[str]) -> dict[int, list[tuple[int, str]]]:
    """Return, by end position, the number of `words` in a row that are one word of `spellings`, and that word."""
    by_position: dict[int, list[tuple[int, str]]] = {}
    beginnings = {spelling[:length] for spelling in spellings for length in range(1, _BEGINNING + 1)}
    for end in range(2, len(words) + 1):
        for number in range(2, min(_JOINED, end) + 1):
            may_begin = words[end - number].letters[:_BEGINNING] in beginnings
            if may_begin and (compound := written_as_one(words[end - number : end])) in spellings:
                by_position.setdefault(end, []).append((number, compound))
    return by_position


def _slip(copied: Sequence[str], letters: Sequence[str]) -> float:
    """Return the weight of a difference: 1 for another ending; the number of words if only joining words changed; else
    infinity, because other changes may reverse the meaning, as leaving out “almost” does."""
    if any(map(decides, (*copied, *letters))):
        return inf
    if copied and letters and _exchange(copied[0], letters[0]) == _ALIKE:
        return 1
    return max(len(copied), len(letters)) if _JOINING.issuperset((*copied, *letters)) else inf


def _alters(copied: Sequence[str], letters: Sequence[str]) -> bool:
    """Whether the quote has a word of its own for words of the text, other than a joining word or another ending, or
    leaves out a denial or a direction."""
    stems = terms(" ".join(letters))
    if any(map(decides, copied)) or denies(" ".join(letters)) or not DIRECTIONS.isdisjoint(letters):
        return True
    return not _JOINING.issuperset(copied) and not (stems and terms(" ".join(copied)) == stems)


def _exchange(copied: str, letters: str) -> float:
    """Return the cost of replacing a word: half for another ending; next to nothing for one letter more or less, or two
    exchanged, inside a long word."""
    pairs = enumerate(zip(copied, letters, strict=False))
    start = next((index for index, pair in pairs if pair[0] != pair[1]), min(len(copied), len(letters)))
    short, long = sorted((copied, letters), key=len)
    if 0 < start < len(short) and may_be_misspelled(short):
        one_more = len(long) == len(short) + 1 and short[start:] == long[start + 1 :]
        turned = short[:start] + short[start : start + 2][::-1] + short[start + 2 :]
        if one_more or turned == long:
            return _MISSPELLED
    return _ALIKE if 2 * start > max(len(copied), len(letters)) else 1.0


def _differences(
    pairs: Sequence[_Pair], copied: Sequence[PlacedWord], text_words: Sequence[PlacedWord], quote: str, text: str
) -> list[WordDifference]:
    """Return the differences; neighboring words form one."""
    differences: list[WordDifference] = []
    run: list[_Pair] = []
    for pair in (*pairs, _Pair(slice(0, 0), slice(0, 0), 0.0)):
        if pair.cost > _DIFFERENT:
            run.append(pair)
        elif run:
            sides = (
                text_words[run[0].there.start : run[-1].there.stop],
                copied[run[0].copied.start : run[-1].copied.stop],
            )
            differences.append(
                WordDifference(*(_stretch(words, side) for words, side in zip(sides, (text, quote), strict=True)))
            )
            run = []
    return differences


def _stretch(words: Sequence[PlacedWord], text: str) -> str:
    return text[words[0].start : words[-1].end] if words else ""
