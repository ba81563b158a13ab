"""Find the saved paper that a few words describe, best match first, and cite it in a text."""

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from cache.conditions.filters import Filter, FilterTerm
from cache.conditions.names import folded
from cache.shelf import ShelfRow

_PANDOC = re.compile(r"[A-Za-z0-9_]+(?:[:.+/-][A-Za-z0-9_]+)*")
_TYPST = re.compile(r"[A-Za-z0-9_-]+(?:[:.][A-Za-z0-9_-]+)*")
"""Keys that running text after them cannot extend."""
FORMATS: Mapping[str, Callable[[str], str]] = {
    "key": str,
    "latex": lambda key: f"\\cite{{{key}}}",
    "markdown": lambda key: f"[@{key}]" if _PANDOC.fullmatch(key) else f"[@{{{key}}}]",
    "typst": lambda key: f"@{key}" if _TYPST.fullmatch(key) else f'#cite(label("{key}"))',
}
_PARTS = re.compile(r"\w+")
_WHOLE = 2
"""Weight of a match of a whole word, compared with that of its beginning."""


class _Place(NamedTuple):
    """Words of a paper, and the weight of a match with one of them."""

    words: frozenset[str]
    weight: int


def matching(rows: Sequence[ShelfRow], keys: Mapping[int, Sequence[str]], condition: Filter) -> list[ShelfRow]:
    """Return the `rows` in which every plain word of `condition` begins a word of title, authors, venue, year or a key,
    and no negated one does; best first, ties in the order given.

    The other terms (`others`) must be applied by the library.
    """
    scored = [(_score(_places(row, keys.get(row.number, ())), _plain(condition)), row) for row in rows]
    return [row for score, row in sorted(scored, key=lambda pair: -(pair[0] or 0)) if score is not None]


def others(condition: Filter) -> Filter:
    """Return the terms of a filter that are not plain words."""
    plain = _plain(condition)
    return Filter(tuple(term for term in condition.terms if term not in plain))


def nearest(keys: Sequence[str], text: str, limit: int = 3) -> list[str]:
    """Return the keys most similar to `text`; empty if none is similar."""
    by_folded = {key.casefold(): key for key in keys}
    return [
        by_folded[match]
        for match in get_close_matches("".join(text.casefold().split()), by_folded, n=limit, cutoff=0.5)
    ]


def _plain(condition: Filter) -> list[FilterTerm]:
    if condition.in_full_texts:
        return []
    return [term for term in condition.terms if (words := term.words) and not words.exact]


def _places(row: ShelfRow, keys: Sequence[str]) -> list[_Place]:
    texts = [
        (" ".join(row.authors[:1]), 4),
        (str(row.year or ""), 4),
        (row.title, 3),
        (" ".join(row.authors[1:]), 2),
        (row.venue, 1),
    ]
    places = [_Place(frozenset(_words(text)), weight) for text, weight in texts]
    return [*places, _Place(frozenset(word for key in keys for word in (*_words(key), folded(key))), 1)]


def _score(places: Sequence[_Place], terms: Sequence[FilterTerm]) -> int | None:
    """Score the match of all terms; None if one of them fails."""
    score = 0
    for term in terms:
        text = str(term.values[0])
        parts = _words(text) or [folded(text)]
        scores = [_best(places, part) for part in parts]
        if all(scores) == term.negated:
            return None
        score += 0 if term.negated else sum(scores)
    return score


def _best(places: Sequence[_Place], part: str) -> int:
    """Score the best match of `part`: 0 unless a word begins with it or, in scripts without blanks, contains it."""
    return max(
        text.weight * (_WHOLE if part in text.words else 1)
        if any(word.startswith(part) or (not part.isascii() and part in word) for word in text.words)
        else 0
        for text in places
    )


def _words(text: str) -> list[str]:
    return _PARTS.findall(folded(text))
