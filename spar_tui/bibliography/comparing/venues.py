"""Whether two names of venues are of one venue, of two, or cannot be compared.

Understood are acronyms, ISO abbreviations, years and ordinals in names, sponsors, and series; a workshop is not the
conference that it is held at.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from cache.conditions.venue_names import JOURNALS
from connectors.records.letters import folded
from spar_tui.bibliography.comparing.venue_table import (
    PUBLISHERS,
    REPOSITORIES,
    SAME_ACRONYMS,
    SERIES,
    SISTERS,
    WRITTEN_OUT,
)

VenueRelation = Literal["same", "different", "unclear"]
ALIKE = 0.75
"""Minimum share of common words for two names to be spellings of one name."""

_LONGEST_ACRONYM = 12
_WORD = re.compile(r"[^\W_]+")
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_INSTITUTION = re.compile(r"\([^()]*(?:universit|institut|laborator|library|centre|center|organi[sz]ation)", re.I)
_END = re.compile(r"[:;,.@(–—]|\s-+\s|\sand the\s|\bworkshops?\b|\bcompanion\b|\bfindings\b", re.I)
SMALL_WORDS = frozenset(
    "a an and as at au aux da das de dei del della delle der des di die dos du et for from für fur im in la las le les"
    " los of on or para per pour the to und van vom von voor with zu zur".split()
)
"""Articles, conjunctions and prepositions, which names of venues are abbreviated without."""
_FRAME = frozenset(
    "proceedings proc advances adv annual biennial meeting conference conf international intl int symposium symp"
    " workshop workshops acm ieee cvf usenix ifip siam aaai joint volume vol long short papers track edition".split()
)
"""Words that frame the name of a conference, and may be left out."""
_FIRM = frozenset(
    "press publishing publisher publishers publications verlag books house university inc ltd llc gmbh ag bv co company"
    " corporation group international society".split()
)
"""Words that many publishers have in their names."""
_ORDINAL = re.compile(
    r"\d+(?:st|nd|rd|th)?|[ivxl]+|(?:(?:twent|thirt|fort|fift|sixt|sevent|eight|ninet)(?:y|ieth))?(?:first|second|third|"
    r"fourth|fifth|sixth|seventh|eighth|ninth)?|tenth|eleventh|twelfth|(?:thir|four|fif|six|seven|eigh|nine)teenth"
)
_TAIL = re.compile(r"\bof the\b", re.I)


@dataclass(frozen=True, slots=True)
class VenueName:
    """A name as it was understood: `ids` are venues of the table, `spelled` all its words, `words` those without small
    words and numbers, `content` those that tell it from others. `acronym` is one word in capitals that the table does
    not have."""

    ids: frozenset[str]
    spelled: tuple[str, ...]
    words: tuple[str, ...]
    content: tuple[str, ...]
    acronym: str = ""
    workshop: bool = False
    elsewhere: bool = False
    """Whether it names a series, a repository or a publisher, which says nothing of the venue."""


def venue_relation(yours: str, theirs: str) -> VenueRelation:
    """How two names of venues are related; `unclear` wherever a name is not understood."""
    one, two = venue_name(yours), venue_name(theirs)
    if not one.words or not two.words or one.elsewhere or two.elsewhere:
        return "same" if one.words == two.words else "unclear"
    if _same_words(one.words, two.words):
        return "same"
    if one.workshop != two.workshop:
        return "different"
    if one.ids and two.ids:
        return "same" if one.ids & two.ids or any(one.ids & sister and two.ids & sister for sister in SISTERS) else (
            "different"
        )  # fmt: skip
    if _same_words(one.content, two.content):
        return "same"
    for short, long in ((one, two), (two, one)):
        acronym = short.acronym or (short.words[0] if short.ids and len(short.words) == 1 else "")
        if acronym and (_initials(acronym, long.spelled) or acronym in long.words):
            return "same"
    if one.acronym or two.acronym:
        return "unclear"
    if _begins(one.content, two.content):
        return "same" if _TAIL.search(max((yours, theirs), key=len)) else "unclear"
    return "unclear" if _share(one.content, two.content) >= ALIKE else "different"


@lru_cache(maxsize=2_000)
def venue_name(name: str) -> VenueName:
    """Read the name of a venue."""
    plain = folded(name).partition(" @ ")[0].replace("&", " and ")
    bare = _BRACKETS.sub(" ", plain)
    spelled = tuple(_WORD.findall(bare))
    words = tuple(word for word in spelled if word not in SMALL_WORDS and not _ORDINAL.fullmatch(word))
    content = tuple(word for word in words if word not in _FRAME)
    capitals = [word for word in _WORD.findall(name) if sum(map(str.isupper, word)) >= 2 or word == name]
    acronyms = {folded(word).rstrip("0123456789") for word in capitals}
    ids = {known for word in acronyms if (known := SAME_ACRONYMS.get(word, word)) in _ACRONYMS}
    if len(words) > 1:
        ids = {id for id in ids if id not in PUBLISHERS} | _written_out(bare)
    if not ids and words == content:
        ids = {" ".join(journal) for journal in _JOURNALS if _same_words(words, journal)}
    alone = len(content) == 1 and content[0] in acronyms and not ids
    text = " ".join(_WORD.findall(plain))
    repository = any(f" {part}" in f" {text}" or (part == "rxiv" and part in text) for part in REPOSITORIES)
    return VenueName(
        frozenset(ids),
        spelled,
        words,
        content,
        content[0] if alone else "",
        bool(re.search(r"\bworkshops?\b", plain))
        or any(word[:-1] in _ACRONYMS and word[-1] == "w" for word in acronyms),
        repository
        or bool(_INSTITUTION.search(plain))
        or words[-1:] == ("ebooks",)
        or any(f" {series}" in f" {text}" for series in SERIES)
        or (not ids and set(words) <= PUBLISHERS),
    )


def same_publisher(yours: str, theirs: str) -> bool:
    """Return whether two names can mean one publisher: they share a distinctive word, or one has the initials of the
    other."""
    one, two = (_WORD.findall(folded(name)) for name in (yours, theirs))
    telling, others = (
        [word for word in words if len(word) > 1 and word not in _FIRM | SMALL_WORDS] for words in (one, two)
    )
    if not telling or not others or any(_abbreviates(word, other) for word in telling for other in others):
        return True
    return any(len(short) == 1 and _initials(short[0], long) for short, long in ((telling, two), (others, one)))


def _written_out(bare: str) -> set[str]:
    """The venues of the table whose written-out name, or an ISO abbreviation of it, ends a part of the name; of names
    within each other the longest."""
    found: dict[str, int] = {}
    for part in _END.split(bare):
        words = [word for word in _WORD.findall(part) if word not in SMALL_WORDS and not _ORDINAL.fullmatch(word)]
        for acronym, name in _NAMES:
            if len(name) <= len(words) and _same_words(words[-len(name) :], name):
                found[acronym] = max(len(name), found.get(acronym, 0))
    return {acronym for acronym, length in found.items() if length == max(found.values())}


def _same_words(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether the words are the same, or those of one abbreviate those of the other in their places."""
    return bool(first) and len(first) == len(second) and all(map(_abbreviates, first, second))


def _abbreviates(first: str, second: str) -> bool:
    """Whether the shorter word begins like the longer, and has its letters in order: `natl`, `national`."""
    short, long = sorted((first, second), key=len)
    if long.startswith(short):
        return True
    rest = iter(long)
    return len(short) >= 3 and short[:2] == long[:2] and all(letter in rest for letter in short)


def _initials(acronym: str, words: Sequence[str]) -> bool:
    """Whether the letters of `acronym` stand in order in `words`, each beginning a word or going on in the last one."""
    if len(words) < 2 or len(acronym) > _LONGEST_ACRONYM:
        return False

    @cache
    def fits(letters: str, place: int, offset: int) -> bool:
        if not letters:
            return True
        within = words[place][offset : offset + 1] if offset else ""
        if within == letters[0] and fits(letters[1:], place, offset + 1):
            return True
        following = range(place + bool(offset), min(place + bool(offset) + 3, len(words)))
        return any(words[at][0] == letters[0] and fits(letters[1:], at, 1) for at in following)

    return fits(acronym, 0, 0)


def _begins(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether one name is the beginning of the other."""
    short, long = sorted((first, second), key=len)
    return bool(short) and _same_words(short, long[: len(short)])


def _share(first: Sequence[str], second: Sequence[str]) -> float:
    """The share of the words of two names that both have."""
    both = sum(any(_abbreviates(word, other) for other in second) for word in first)
    return both / max(len(first), len(second), 1)


_ACRONYMS = frozenset(
    {acronym for acronym, _ in WRITTEN_OUT} | {word for sister in SISTERS for word in sister} | {"eurographics"}
) - SAME_ACRONYMS.keys()  # fmt: skip
_NAMES = tuple(
    (SAME_ACRONYMS.get(acronym, acronym), tuple(word for word in name.split() if word not in SMALL_WORDS))
    for acronym, name in WRITTEN_OUT
)
_JOURNALS = frozenset(
    tuple(word for word in _WORD.findall(folded(name)) if word not in SMALL_WORDS)
    for name in JOURNALS
    if not name.isupper()
)
