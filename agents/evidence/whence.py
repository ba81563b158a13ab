"""Find the paper and page of the library from which a quote is, even if the quote is inexact.

A quote may leave out words of its paper. It has none of its own but joining words such as “the”, and no other number,
sign, unit, negation or direction: such a passage is only the `nearest`, because papers on one subject share the frames
of sentences and differ in a word.
"""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from math import fsum, log
from typing import NamedTuple

from agents.builtin.ranking.topic_coverage import rarity
from agents.builtin.ranking.word_vectors import is_known
from agents.builtin.text.numbers import has_signs_of
from agents.builtin.text.polarity import LONG, PREFIXES
from agents.builtin.text.terms import terms
from agents.builtin.text.words import PlacedWord, decides, letters_of, placed_words, respelled
from agents.evidence.alignment import Alignment, WordDifference, aligned, mended, possible_share
from cache.conditions.wording import listed
from cache.fulltext import LikelyText, likely_texts, number_of_texts
from cache.store import PaperId, Store
from connectors.paper import Paper

SHORTEST = 3
LONGEST = 120
"""Limits of a quote in words."""
_FIRM = 4
"""Number of words of a quote that must match exactly: similar ones with fewer are in many papers by chance."""
_LOOSE = 0.5
"""Share of its other words that may be changed, missing or added."""
_WORSE = 0.1
"""Margin in share of the quote: papers further behind the best one are not named."""
_WORLD = 10_000
"""Minimum number of texts among which a quote must identify one: other papers on the subject are not in the library."""
_NEARLY = 0.85
_SIGNS = 2
"""Letters beside the matching stretch, in which a sign of its first or last number may be."""
_NEAR = 6
"""Number of words beside a cut one by which it is found in a text."""
_EDGE = 1_000
"""Letters of the pages before and after, in which a quote may begin or end."""


class Origin(NamedTuple):
    """The origin of a quote: the paper; `where`: title, abstract or page; the true words; `marks`, the spans where the
    quote differs; the differences; the share of the quote found; whether a difference may reverse the meaning; and
    whether the quote is `altered`, so that it is not from this paper."""

    number: PaperId
    paper: Paper
    where: str
    page: int | None
    text: str
    marks: tuple[tuple[int, int], ...]
    differences: tuple[WordDifference, ...]
    share: float
    turns: bool
    altered: bool


def whence(store: Store, quote: str) -> list[Origin]:
    """Return the origins of `quote` in the library, best first; empty if no paper has it. Raises `CacheError`.

    If several papers have nearly as much of the words as the best, all are returned; an abstract comes before a page.
    """
    origins = dict[PaperId, Origin]()
    for origin in sorted(
        _passages(store, quote, altered=False), key=lambda origin: (-origin.share, origin.page is not None)
    ):
        origins.setdefault(origin.number, origin)
    best = next(iter(origins.values()), None)
    return [origin for origin in origins.values() if best and origin.share > best.share - _WORSE]


def nearest(store: Store, quote: str) -> Origin | None:
    """Return the passage of the library that is most like a quote that has no origin. Raises `CacheError`."""
    return max(_passages(store, quote, altered=True), key=lambda passage: passage.share, default=None)


def certainty(origin: Origin) -> str:
    """Return how exact the quote is, in words for the person."""
    if origin.altered:
        return "the nearest passage, but the quote is not from it"
    if not origin.differences:
        return "word for word"
    return "nearly word for word" if origin.share >= _NEARLY else "with words left out"


def differences_text(origin: Origin) -> str:
    """Return a sentence such as `The quote has “raised” for “increased” and adds “very”`; "" if nothing differs."""
    parts = [
        f"has “{difference.quoted}” for “{difference.there}”" if difference.quoted and difference.there
        else f"adds “{difference.quoted}”" if difference.quoted else f"lacks “{difference.there}”"
        for difference in origin.differences
    ]  # fmt: skip
    if origin.altered and not parts:
        parts = ["has another sign or unit of a number"]
    turned = " One difference is a number or a word such as “not” or “more”." if origin.turns else ""
    return f"The quote {listed(parts)}.{turned}" if parts else ""


def _passages(store: Store, quote: str, *, altered: bool) -> Iterator[Origin]:
    """Yield the passages like a quote, `altered` ones if wanted. Skip texts that lack so many of its words that another
    text is a better origin."""
    quote = mended(quote)
    needed, best = log(max(number_of_texts(store), _WORLD)), 0.0
    rows = [(_respelled(quote, text), likely, label, text)
            for found in likely_texts(store, quote) for likely, label, text in _texts(found)]  # fmt: skip
    possible = [(possible_share(copied, text), copied, likely, label, text) for copied, likely, label, text in rows]
    for worth, copied, likely, label, text in sorted(possible, key=lambda row: -row[0]):
        may_be = worth > best - _WORSE and not _lacks_much(copied, worth)
        passage = _in(copied, likely, label, text, needed) if may_be else None
        if passage and (altered or not passage.altered):
            best = max(best, passage.share)
            yield passage


def _respelled(quote: str, text: str) -> str:
    """Return the quote in the spelling of `text`, with its first and last word whole if they are cut there."""
    quote = respelled(quote, text)
    words, there = placed_words(quote), placed_words(text)
    if len(words) < SHORTEST:
        return quote
    first, last = _whole(words, there, _is_end), _whole(words[::-1], there[::-1], str.startswith)
    return f"{quote[: words[0].start]}{first}{quote[words[0].end : words[-1].start]}{last}{quote[words[-1].end :]}"


def _whole(words: Sequence[PlacedWord], there: Sequence[PlacedWord], is_part: Callable[[str, str], bool]) -> str:
    """Return the word of a text of which the first of `words` is a part, beside most of the words beside it; that word
    itself if there is none."""
    part, near = words[0], {word.letters for word in words[1:_NEAR]}
    wholes = [
        (
            len(near & {word.letters for word in there[index + 1 : index + 1 + _NEAR]}),
            whole.letters == part.letters,
            whole,
        )
        for index, whole in enumerate(there)
        if is_part(whole.letters, part.letters)
    ]
    shared, _, whole = max(wholes, key=lambda row: row[:2], default=(0, True, part))
    return part.written if decides(part.letters) or not shared else whole.written


def _is_end(word: str, end: str) -> bool:
    """Whether `end` is the end of a word, without being its opposite, as “symptomatic” of “asymptomatic”."""
    may_be_opposite = len(end) >= LONG and word.removesuffix(end) in PREFIXES
    return word.endswith(end) and not (may_be_opposite and all(map(is_known, terms(end))))


def _texts(likely: LikelyText) -> Iterator[tuple[LikelyText, str, str]]:
    """Yield the texts of a paper to look in; a page with the ends of its neighbors."""
    if likely.page is None:
        yield from ((likely, "abstract", likely.text), (likely, "title", likely.paper.title))
    else:
        yield likely, "page", "\n".join((likely.before[-_EDGE:], likely.text, likely.behind[:_EDGE]))


def _in(quote: str, likely: LikelyText, label: str, text: str, needed: float) -> Origin | None:
    """Return the origin of the quote if it is in `text` with more information than `needed` to identify one text;
    common words alone are in any text. A quote is on the page on which it begins."""
    alignment = aligned(quote, text)
    if not alignment or _lacks_much(quote, alignment.share):
        return None
    if _information(alignment, text) < needed and letters_of(quote) != letters_of(text):
        return None
    marks = tuple((start - alignment.start, end - alignment.start) for start, end in alignment.marks)
    true = text[alignment.start : alignment.end]
    begin = len(likely.before[-_EDGE:])
    turned = (alignment.start > begin + len(likely.text) + 1) - (alignment.start < begin)
    page = likely.page + turned if likely.page else None
    near = text[max(0, alignment.start - _SIGNS) : alignment.end + _SIGNS]
    altered = alignment.altered or not has_signs_of(_even(quote), _even(near))
    return Origin(
        likely.number, likely.paper, label, page, true, marks, alignment.differences, alignment.share, alignment.turns,
        altered,
    )  # fmt: skip


def _lacks_much(quote: str, share: float) -> bool:
    """Whether too many words of a quote are not in its `share` in a text."""
    words = len(placed_words(quote))
    return words * (1 - share) > _LOOSE * max(words - _FIRM, 0)


def _even(text: str) -> str:
    """Return a text without case and ligatures, which may be all that a quote changes."""
    return unicodedata.normalize("NFKC", text).lower()


def _information(alignment: Alignment, text: str) -> float:
    """Return the information in the matching words of a quote, by their rarity, in nats."""
    start, end, marks, *_ = alignment
    matching = "".join(text[at] for at in range(start, end) if not any(first <= at < last for first, last in marks))
    return fsum(map(rarity, terms(matching)))
