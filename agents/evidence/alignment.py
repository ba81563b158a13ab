"""Where a quote stands in a text, though it was bent on its way: the alignment of its words with those of the text.

The cheapest way to turn a stretch of the text into the quote (Sellers 1980): a word may be another one, left out or too
much. Case, accents, ligatures, hyphens and line breaks cost nothing, nor does what an omission mark stands for.
Whether what was found is the quote its reader decides: a model copies nearly word for word, a person from memory.
"""

import re
from collections.abc import Collection, Sequence
from math import inf
from typing import NamedTuple

from agents.builtin.text.words import PlacedWord, decides, placed_words, written_as_one

_BROKEN = re.compile(r"(?<=[^\W\d_])[-‐]\s+(?=[^\W\d_])|\u00ad\s*")
"""A hyphen at the end of a line, or one that only shows there."""
OMISSION = re.compile(r"[\[(]?(?:…|\.\.\.+)[\])]?")
_OMITTED = 0.005
"""What each word costs that an omission mark stands for: the nearest words behind it are meant."""
_DIFFERENT = 0.1
"""What costs less is no difference."""
_ALIKE = 0.5
"""What another ending of a word costs; another word costs 1."""
_MISSPELLED = 0.05
"""What a letter too much or too few inside a long word costs."""
_LONG = 8
"""Letters from which on a word with one of them more or less is hardly another one."""
_JOINED = 4
"""So many words may be written as one, as “state-of-the-art” without its hyphens."""
_JOINING = frozenset(
    "a an the this that these those which who whose it its they them their he she his her we our i is are was were be "
    "been being has have had do does did of in on at by for from to with as and or into than then so if".split()
)
"""Articles, pronouns, conjunctions, prepositions and auxiliary verbs but those of possibility: left out, they change
nothing."""


class Difference(NamedTuple):
    """Words of the text, and what the quote has in their place; one of them may be ""."""

    there: str
    quoted: str


class Alignment(NamedTuple):
    """A stretch of a text: its place, where in the text its words stand that the quote has otherwise or not at all, the
    differences, the share of the quote that stands there, from 0 to 1, and how many words were slipped on, without end
    if one is another number or word."""

    start: int
    end: int
    marks: tuple[tuple[int, int], ...]
    differences: tuple[Difference, ...]
    share: float
    slips: float

    @property
    def turns(self) -> bool:
        """Whether a number differs, or a word that turns what is said around, such as “not”."""
        return any(
            decides(word.letters)
            for difference in self.differences
            for side in difference
            for word in placed_words(side)
        )


class _Pair(NamedTuple):
    """Words of the quote and of the text that go together, as slices of both; `cost` is 0 if they are the same."""

    copied: slice
    there: slice
    cost: float


def mended(quote: str) -> str:
    """Return `quote` with the words joined that were broken at the end of a line."""
    return _BROKEN.sub("", quote)


def may_be_misspelled(letters: str) -> bool:
    """Whether a word is so long that one letter more or less, or two exchanged, make no other word."""
    return len(letters) >= _LONG and not decides(letters)


def aligned(quote: str, text: str) -> Alignment | None:
    """Return where `quote` stands in `text` at the least cost; None if no word of it does."""
    copied, there = placed_words(quote), placed_words(text)
    letters, text_letters = [word.letters for word in copied], [word.letters for word in there]
    gaps = {sum(word.start < mark.start() for word in copied) for mark in OMISSION.finditer(quote)}
    pairs = _word_for_word(letters, text_letters) or _pairs(copied, there, gaps)
    alike = [
        index for index, pair in enumerate(pairs) if letters[pair.copied] and text_letters[pair.there] and pair.cost < 1
    ]
    if not alike:
        return None
    inside = pairs[alike[0] : alike[-1] + 1]
    first, last = there[inside[0].there.start], there[inside[-1].there.stop - 1]
    marks = [(word.start, word.end) for pair in inside if pair.cost > _DIFFERENT for word in there[pair.there]]
    share = 1 - sum(pair.cost for pair in pairs) / len(copied)
    slips = sum(_slip(letters[pair.copied], text_letters[pair.there]) for pair in pairs if pair.cost > _DIFFERENT)
    differences = _differences(pairs, copied, there, quote, text)
    return Alignment(first.start, last.end, tuple(marks), tuple(differences), max(share, 0.0), slips)


def _word_for_word(letters: Sequence[str], text_letters: Sequence[str]) -> list[_Pair]:
    """The pairs where all words stand in a row; nothing if they do not."""
    starts = (
        index
        for index in range(len(text_letters) - len(letters) + 1)
        if text_letters[index : index + len(letters)] == letters
    )
    first = next(starts, None)
    if first is None:
        return []
    return [_Pair(slice(at, at + 1), slice(first + at, first + at + 1), 0.0) for at in range(len(letters))]


def _pairs(copied: Sequence[PlacedWord], there: Sequence[PlacedWord], gaps: Collection[int]) -> list[_Pair]:
    """The cheapest pairs, in order; what stands in the text before and behind them costs nothing."""
    asked, text_letters = [word.letters for word in copied], [word.letters for word in there]
    split, glued = _joins(there, frozenset(asked)), _joins(copied, frozenset(text_letters))
    rows = [[0.0] * (len(text_letters) + 1)]
    ways: list[list[tuple[int, int]]] = [[(0, 0)] * (len(text_letters) + 1)]
    for index, word in enumerate(asked, start=1):
        left_out = _OMITTED if index in gaps else 1.0
        before, row = rows[-1], [float(index)]
        path: list[tuple[int, int]] = [(1, 0)]
        for number, letters in enumerate(text_letters, start=1):
            best, step = before[number - 1] + (0.0 if letters == word else _exchange(word, letters)), (1, 1)
            if before[number] + 1 < best:
                best, step = before[number] + 1, (1, 0)
            if row[number - 1] + left_out <= best:  # of the same cost: more words of the quote stand there
                best, step = row[number - 1] + left_out, (0, 1)
            for words, whole in split.get(number, ()):
                if whole == word and before[number - words] < best:
                    best, step = before[number - words], (1, words)
            for words, whole in glued.get(index, ()):
                if whole == letters and rows[-words][number - 1] < best:
                    best, step = rows[-words][number - 1], (words, 1)
            row.append(best)
            path.append(step)
        rows.append(row)
        ways.append(path)
    # Of two that cost the same the later one: it lacks a word where the other ends before one that both have.
    at, end = len(asked), min(range(len(text_letters) + 1), key=lambda number: (round(rows[-1][number], 6), -number))
    pairs: list[_Pair] = []
    while at:
        some, words = ways[at][end]
        cost = rows[at][end] - rows[at - some][end - words]
        pairs.append(_Pair(slice(at - some, at), slice(end - words, end), cost))
        at, end = at - some, end - words
    return pairs[::-1]


def _joins(words: Sequence[PlacedWord], others: Collection[str]) -> dict[int, list[tuple[int, str]]]:
    """By the place behind them, how many of `words` in a row are written as one word of `others`, and as which."""
    by_position: dict[int, list[tuple[int, str]]] = {}
    for end in range(2, len(words) + 1):
        for number in range(2, min(_JOINED, end) + 1):
            if (whole := written_as_one(words[end - number : end])) in others:
                by_position.setdefault(end, []).append((number, whole))
    return by_position


def _slip(copied: Sequence[str], there: Sequence[str]) -> float:
    """How much it counts that words are copied as others: 1 for an ending, or a joining word that is another one, too
    much or left out; without end for any other, for it may say the opposite, as “almost” left out does."""
    if any(map(decides, (*copied, *there))):
        return inf
    if copied and there and _exchange(copied[0], there[0]) == _ALIKE:
        return 1
    return max(len(copied), len(there)) if _JOINING.issuperset((*copied, *there)) else inf


def _exchange(copied: str, letters: str) -> float:
    """What it costs that one word is copied as another: half for another ending, next to nothing for one letter more or
    less, or two exchanged, inside a long word."""
    begun = next((index for index, (letter, other) in enumerate(zip(copied, letters, strict=False)) if letter != other),
                 min(len(copied), len(letters)))  # fmt: skip
    short, long = sorted((copied, letters), key=len)
    if 0 < begun < len(short) and may_be_misspelled(short):
        one_more = len(long) == len(short) + 1 and short[begun:] == long[begun + 1 :]
        turned = short[:begun] + short[begun : begun + 2][::-1] + short[begun + 2 :]
        if one_more or turned == long:
            return _MISSPELLED
    return _ALIKE if 2 * begun > max(len(copied), len(letters)) else 1.0


def _differences(
    pairs: Sequence[_Pair], copied: Sequence[PlacedWord], there: Sequence[PlacedWord], quote: str, text: str
) -> list[Difference]:
    """What differs, words in a row together."""
    differences: list[Difference] = []
    run: list[_Pair] = []
    for pair in (*pairs, _Pair(slice(0, 0), slice(0, 0), 0.0)):
        if pair.cost > _DIFFERENT:
            run.append(pair)
        elif run:
            sides = (there[run[0].there.start : run[-1].there.stop], copied[run[0].copied.start : run[-1].copied.stop])
            differences.append(
                Difference(*(_stretch(words, side) for words, side in zip(sides, (text, quote), strict=True)))
            )
            run = []
    return differences


def _stretch(words: Sequence[PlacedWord], text: str) -> str:
    return text[words[0].start : words[-1].end] if words else ""
