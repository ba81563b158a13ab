"""Find the paper and page of the library from which a quote is, even if the quote is inexact."""

from collections.abc import Iterator
from math import fsum, log
from typing import NamedTuple

from agents.builtin.ranking.topic_coverage import rarity
from agents.builtin.text.terms import terms
from agents.builtin.text.words import letters_of, placed_words, respelled
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
_BESIDE = 30
"""Letters beside the matching stretch, in which a word may be that the alignment missed."""
_WORLD = 10_000
"""Minimum number of texts among which a quote must identify one: other papers on the subject are not in the library."""
_NEARLY = 0.85
_EDGE = 1_000
"""Letters of the pages before and after, in which a quote may begin or end."""


class Origin(NamedTuple):
    """The origin of a quote: the paper; `where`: title, abstract or page; the true words; `marks`, the spans where the
    quote differs; the differences; the share of the quote found; and whether a difference reverses the meaning."""

    number: PaperId
    paper: Paper
    where: str
    page: int | None
    text: str
    marks: tuple[tuple[int, int], ...]
    differences: tuple[WordDifference, ...]
    share: float
    turns: bool


def whence(store: Store, quote: str) -> list[Origin]:
    """Return the origins of `quote` in the library, best first; empty if no paper has it. Raises `CacheError`.

    If several papers have nearly as much of the words as the best, all are returned; an abstract comes before a page.
    """
    quote, origins = mended(quote), dict[PaperId, Origin]()
    for origin in sorted(_origins(store, quote), key=lambda origin: (-origin.share, origin.page is not None)):
        origins.setdefault(origin.number, origin)
    best = next(iter(origins.values()), None)
    return [origin for origin in origins.values() if best and origin.share > best.share - _WORSE]


def certainty(origin: Origin) -> str:
    """Return how exact the quote is, in words for the person."""
    if not origin.differences:
        return "word for word"
    return "nearly word for word" if origin.share >= _NEARLY else "in other words in part"


def differences_text(origin: Origin) -> str:
    """Return a sentence such as `The quote has “raised” for “increased” and adds “very”`; "" if nothing differs."""
    parts = [
        f"has “{difference.quoted}” for “{difference.there}”" if difference.quoted and difference.there
        else f"adds “{difference.quoted}”" if difference.quoted else f"lacks “{difference.there}”"
        for difference in origin.differences
    ]  # fmt: skip
    turned = (
        " One difference is a number or a word such as “not” or “more”, so the quote may mean something else."
        if origin.turns
        else ""
    )
    return f"The quote {listed(parts)}.{turned}" if parts else ""


def _origins(store: Store, quote: str) -> Iterator[Origin]:
    """Yield the origins of a quote. Skip texts that lack so many of its words that another text is a better origin."""
    needed, best = log(max(number_of_texts(store), _WORLD)), 0.0
    texts = [text for likely in likely_texts(store, quote) for text in _texts(likely)]
    possible = [(possible_share(respelled(quote, text), text), likely, label, text) for likely, label, text in texts]
    for worth, likely, label, text in sorted(possible, key=lambda row: -row[0]):
        origin = _in(quote, likely, label, text, needed) if worth > best - _WORSE else None
        if origin:
            best = max(best, origin.share)
            yield origin


def _texts(likely: LikelyText) -> Iterator[tuple[LikelyText, str, str]]:
    """Yield the texts of a paper to look in; a page with the ends of its neighbors."""
    if likely.page is None:
        yield from ((likely, "abstract", likely.text), (likely, "title", likely.paper.title))
    else:
        yield likely, "page", "\n".join((likely.before[-_EDGE:], likely.text, likely.behind[:_EDGE]))


def _in(quote: str, likely: LikelyText, label: str, text: str, needed: float) -> Origin | None:
    """Return the origin of the quote if it is in `text` with more information than `needed` to identify one text;
    common words alone are in any text. A quote is on the page on which it begins."""
    alignment = aligned(respelled(quote, text), text)
    words = len(placed_words(quote))
    if not alignment or words * (1 - alignment.share) > _LOOSE * max(words - _FIRM, 0):
        return None
    if _information(alignment, text) < needed and letters_of(quote) != letters_of(text):
        return None
    marks = tuple((start - alignment.start, end - alignment.start) for start, end in alignment.marks)
    true = text[alignment.start : alignment.end]
    begin = len(likely.before[-_EDGE:])
    turned = (alignment.start > begin + len(likely.text) + 1) - (alignment.start < begin)
    page = likely.page + turned if likely.page else None
    return Origin(
        likely.number, likely.paper, label, page, true, marks, alignment.differences, alignment.share, alignment.turns,
    )  # fmt: skip


def _information(alignment: Alignment, text: str) -> float:
    """Return the information in the matching words of a quote, less that in its words that are not near them in `text`,
    by their rarity, in nats.

    Papers on one subject share the frames of sentences and differ in numbers, names and rare words. One of these may be
    a slip, but slips do not come together: each counts more, the more there are.
    """
    start, end, marks, differences, *_ = alignment
    matching = "".join(text[at] for at in range(start, end) if not any(first <= at < last for first, last in marks))
    near = text[max(0, start - _BESIDE) : end + _BESIDE]
    near_terms, rarest = {*terms(near), *(word.letters for word in placed_words(near))}, rarity("")
    words = [word for difference in differences for word in placed_words(difference.quoted)]
    far_terms = [
        rarest if any(map(str.isdigit, word.letters)) else fsum(map(rarity, {*terms(word.written)} - near_terms))
        for word in words
        if word.letters not in near_terms
    ]
    specific = sum(information >= rarest for information in far_terms)
    return fsum(map(rarity, terms(matching))) - fsum(far_terms) * (1 + specific)
