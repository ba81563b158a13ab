"""Compare two lists of authors person by person.

Initials, accents, transliterations, hyphens and the order of given and family name make nobody another person.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from connectors.paper import Author, Paper
from connectors.records.letters import folded

LISTED_AT_MOST = 100
"""Authors after which sources cut a list."""
_WORD = re.compile(r"[^\W\d_]+")
_GLUED_INITIALS = re.compile(r"[A-Z]{2,3}")
_GROUP = re.compile(r"\b(?:collaboration|consortium|group|team|committee|project|initiative|network)\b", re.IGNORECASE)
_TRANSLITERATED = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"))


@dataclass(frozen=True, slots=True)
class AuthorChanges:
    """How a list of authors differs from another: who is `missing` in it, who is `added`, whether the `order` differs,
    and pairs of names in one place with one family name but different given names (`respelled`). `strangers`: nobody is
    in both."""

    missing: tuple[Author, ...] = ()
    added: tuple[Author, ...] = ()
    respelled: tuple[tuple[Author, Author], ...] = ()
    order: bool = False
    strangers: bool = False

    def __bool__(self) -> bool:
        return bool(self.missing or self.added or self.respelled or self.order)


def author_changes(yours: Paper, theirs: Paper) -> AuthorChanges:
    """How the authors of `yours` differ from those of `theirs`; not at all where one of them names nobody.

    A list that says “et al.”, or that a source cut, is compared as far as it goes.
    """
    mine, other = yours.authors, theirs.authors
    if not mine or not other:
        return AuthorChanges()
    pairs = _pairs(mine, other)
    matched = set(pairs.values())
    missing = [place for place in range(len(other)) if place not in matched]
    added = [place for place in range(len(mine)) if place not in pairs]
    respelled = [(place, place) for place in added if place in missing and _one_family(mine[place], other[place])]
    missing = [place for place in missing if (place, place) not in respelled and not _is_group(other[place])]
    added = [place for place in added if (place, place) not in respelled and not _is_group(mine[place])]
    strangers = not pairs and not respelled
    if yours.et_al:
        # The first authors are named, and "et al." stands for all behind them.
        missing = [place for place in missing if place < len(mine) and not strangers]
    if theirs.et_al or len(other) >= LISTED_AT_MOST:
        added = [place for place in added if place < len(other)]
    places = [pairs[place] for place in sorted(pairs)]
    return AuthorChanges(
        tuple(other[place] for place in missing),
        tuple(mine[place] for place in added),
        tuple((mine[one], other[two]) for one, two in respelled),
        places != sorted(places),
        strangers,
    )


def _pairs(mine: Sequence[Author], other: Sequence[Author]) -> dict[int, int]:
    """Who of `mine` is who of `other`, by their places; somebody at the same place goes first."""
    pairs: dict[int, int] = {}
    free = set(range(len(other)))
    for alike in (lambda one, two: _words(one) == _words(two), same_person):
        for place, author in enumerate(mine):
            if place in pairs:
                continue
            candidates = sorted(free, key=lambda at: (abs(at - place), at))
            match = next((at for at in candidates if alike(author, other[at])), None)
            if match is not None:
                pairs[place] = match
                free.discard(match)
    return pairs


def same_person(first: Author, second: Author) -> bool:
    """Whether two names can be of one person: each word of the shorter name is a word of the other, or its initial,
    and one word is written out in both."""
    one, two = _words(first), _words(second)
    if not one or not two:
        return False
    if "".join(one) == "".join(two) or "".join(sorted(one)) == "".join(sorted(two)):
        return True
    short, long = sorted((one, two), key=len)
    left, whole = list(long), False
    for word in sorted(short, key=len, reverse=True):
        match = next((other for other in left if _one_word(word, other)), None)
        if match is None:
            return False
        left.remove(match)
        whole = whole or min(len(word), len(match)) > 1
    return whole


def _one_word(first: str, second: str) -> bool:
    """Whether two words of names are one: equal, an initial, a short form, or transliterated otherwise."""
    short, long = sorted((first, second), key=len)
    if _plain(first) == _plain(second):
        return True
    # "Chris" is short for "Christopher"; "Chen" and "Cheng" are two names.
    if long.startswith(short) and (len(short) == 1 or (len(short) >= 3 and len(long) >= len(short) + 3)):
        return True
    return len(short) >= 5 and first[0] == second[0] and OSA.distance(first, second) == 1


def _plain(word: str) -> str:
    for written, letter in _TRANSLITERATED:
        word = word.replace(written, letter)
    return word


def _words(author: Author) -> list[str]:
    given = [
        part
        for word in re.split(r"[\s.]+", author.given)
        for part in (word if _GLUED_INITIALS.fullmatch(word) else (word,))
    ]
    return _WORD.findall(folded(f"{' '.join(given)} {author.family}").replace("'", "").replace("’", ""))


def _one_family(first: Author, second: Author) -> bool:
    return _WORD.findall(folded(first.family))[-1:] == _WORD.findall(folded(second.family))[-1:]


def _is_group(author: Author) -> bool:
    return bool(_GROUP.search(author.name)) or (not author.given and len(author.family.split()) > 3)
