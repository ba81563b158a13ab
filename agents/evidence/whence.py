"""Which paper of the library some words are from, and which page, though they were bent on their way."""

from collections.abc import Iterator, Sequence
from math import fsum, log
from typing import NamedTuple

from agents.builtin.ranking.topic_coverage import rarity
from agents.builtin.text.terms import terms
from agents.builtin.text.words import letters_of, placed_words, respelled
from agents.evidence.alignment import Alignment, Difference, aligned, mended
from cache.conditions.wording import listed
from cache.likely_texts import LikelyText, likely_texts, number_of_texts
from cache.store import PaperId, Store
from connectors.paper import Paper

SHORTEST = 3
LONGEST = 120
"""Words that a quote may have."""
_FIRM = 4
"""Words of a quote that must stand in a paper as they are: of fewer nearly the same stand in many by chance."""
_LOOSE = 0.5
"""The share of its other words that may be changed, left out or too much."""
_WORSE = 0.1
"""A paper that has less of the quote than the best one by this is not named beside it."""
_NEARLY = 0.85
_EDGE = 1_000
"""Letters of the pages before and behind one, where a quote may begin and end."""


class Origin(NamedTuple):
    """Where a quote is from: the paper, `title`, `abstract` or `page`, the true words, where in them the quote differs,
    the differences, the share of the quote that stands there, whether a difference turns what is said, and where in its
    text it starts."""

    number: PaperId
    paper: Paper
    where: str
    page: int | None
    text: str
    marks: tuple[tuple[int, int], ...]
    differences: tuple[Difference, ...]
    share: float
    turns: bool
    start: int


def whence(store: Store, quote: str) -> list[Origin]:
    """Return where `quote` stands in the library, the best first; nothing if in none of its papers. Raises
    `CacheError`.

    Several papers are named if they have the words about as well, and of each the abstract before a page.
    """
    quote, origins = mended(quote), dict[PaperId, Origin]()
    for origin in sorted(_origins(store, quote), key=lambda one: (-one.share, one.page is not None)):
        origins.setdefault(origin.number, origin)
    best = next(iter(origins.values()), None)
    return [one for one in origins.values() if best and one.share > best.share - _WORSE]


def certainty(origin: Origin) -> str:
    """How nearly a quote stands there."""
    if not origin.differences:
        return "word for word"
    return "nearly word for word" if origin.share >= _NEARLY else "in other words in part"


def differences_text(origin: Origin) -> str:
    """`The quote has “raised” for “increased”, lacks “highly” and adds “very”`; "" if nothing differs."""
    parts = [
        f"has “{difference.quoted}” for “{difference.there}”" if difference.quoted and difference.there
        else f"adds “{difference.quoted}”" if difference.quoted else f"lacks “{difference.there}”"
        for difference in origin.differences
    ]  # fmt: skip
    turned = " A number or a word such as “not” is among them: it may say something else." if origin.turns else ""
    return f"The quote {listed(parts)}.{turned}" if parts else ""


def _origins(store: Store, quote: str) -> Iterator[Origin]:
    needed = log(max(number_of_texts(store), 1))
    for likely in likely_texts(store, quote):
        if likely.page is None:
            yield from _in(quote, likely, "abstract", likely.text, needed)
            yield from _in(quote, likely, "title", likely.paper.title, needed)
        else:
            yield from _on_page(quote, likely, likely.page, needed)


def _on_page(quote: str, likely: LikelyText, page: int, needed: float) -> Iterator[Origin]:
    """The quote may begin on the page before, or begin on the one behind: it is from where it begins."""
    before, behind = likely.before[-_EDGE:], likely.behind[:_EDGE]
    ends = len(before), len(before) + len(likely.text) + 1
    for origin in _in(quote, likely, "page", "\n".join((before, likely.text, behind)), needed):
        turned = (origin.start > ends[1]) - (origin.start < ends[0])
        yield origin._replace(page=page + turned)


def _in(quote: str, likely: LikelyText, where: str, text: str, needed: float) -> Iterator[Origin]:
    """Where the quote stands in `text`; nothing if it does not, or if its words tell less than is `needed` to know one
    text from all others: small words stand anywhere."""
    alignment = aligned(respelled(quote, text), text)
    if not alignment or not _is_from(alignment, len(placed_words(quote))):
        return
    marks = tuple((start - alignment.start, end - alignment.start) for start, end in alignment.marks)
    true = text[alignment.start : alignment.end]
    if _information(true, marks, alignment.differences) >= needed or letters_of(quote) == letters_of(text):
        yield Origin(
            likely.number, likely.paper, where, None, true, marks, alignment.differences, alignment.share,
            alignment.turns, alignment.start,
        )  # fmt: skip


def _is_from(alignment: Alignment, words: int) -> bool:
    return words * (1 - alignment.share) <= _LOOSE * max(words - _FIRM, 0)


def _information(true: str, marks: Sequence[tuple[int, int]], differences: Sequence[Difference]) -> float:
    """What the words of a quote that stand there tell more than those that do not, each by its rarity, in nats."""
    kept = "".join(letter for at, letter in enumerate(true) if not any(start <= at < end for start, end in marks))
    lost = (term for difference in differences for term in terms(difference.quoted))
    return fsum(map(rarity, terms(kept))) - fsum(map(rarity, lost))
