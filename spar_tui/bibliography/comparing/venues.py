"""Decide whether two venue names mean one venue, two venues, or cannot be compared.

Recognizes acronyms, ISO abbreviations, years and ordinals, sponsors and series; a workshop differs from its conference.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from cache.conditions.venue_names import ABBREVIATED, JOURNALS
from connectors.records.letters import folded
from spar_tui.bibliography.format_tables import lines_of

WRITTEN_OUT: tuple[tuple[str, str], ...] = (
    *((acronym, name) for acronym, name in ABBREVIATED.items()),
    *((acronym, name) for line in lines_of("venue_acronyms.txt") for acronym, _, name in [line.partition(": ")]),
)
"""Acronyms, each with the words at the end of the written-out name, before volume and year."""
SAME_ACRONYMS = {"nips": "neurips", "nips*": "neurips", "pami": "tpami"}
SISTERS: tuple[frozenset[str], ...] = tuple(
    frozenset(line.split())
    for line in (
        "siggraph tog", "vldb pvldb", "popl oopsla icfp pldi pacmpl", "sigmod pods pacmmod", "cscw chi pacmhci",
        "ubicomp imwut", "eurographics cgf", "infovis tvcg", "icra iros ral", "kdd sigkdd", "sosp osr",
    )
)  # fmt: skip
"""Venues that share a publication, so that either may be cited."""
SERIES = (
    "lecture notes", "communications in computer and information science", "advances in intelligent systems",
    "advances in information and communication technology", "procedia", "ceur", "lipics",
    "leibniz international proceedings", "proceedings of machine learning research", "pmlr", "conference series",
    "acm international conference proceeding series", "proceedings in theoretical computer science",
    "frontiers in artificial intelligence and applications", "studies in", "smart innovation", "springer proceedings",
    "workshop and conference proceedings",
)  # fmt: skip
"""Beginnings or names of series that contain the proceedings of many conferences."""
PUBLISHERS = frozenset(
    "acm aaai ieee springer elsevier usenix pmlr openreview net org press association computing machinery curran"
    " associates inc wiley siam nature publishing group publishers publisher publication publications verlag".split()
)
"""Words of publishers' names: a venue with no other words says nothing."""
REPOSITORIES = (
    "rxiv", "corr", "ssrn", "zenodo", "openreview", "figshare", "research square", "preprint", "repository", "hal",
    "dspace", "eprint", "e print", "osf", "pubmed",
)  # fmt: skip


VenueRelation = Literal["same", "different", "unclear"]
ALIKE = 0.75
"""Minimum share of common words for two spellings of one name."""

_LONGEST_ACRONYM = 12
_WORD = re.compile(r"[^\W_]+")
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_INSTITUTION = re.compile(r"\([^()]*(?:universit|institut|laborator|library|centre|center|organi[sz]ation)", re.I)
_END = re.compile(r"[:;,.@(–—]|\s-+\s|\sand the\s|\bworkshops?\b|\bcompanion\b|\bfindings\b", re.I)
SMALL_WORDS = frozenset(
    "a an and as at au aux da das de dei del della delle der des di die dos du et for from für fur im in la las le les"
    " los of on or para per pour the to und van vom von voor with zu zur".split()
)
"""Articles, conjunctions and prepositions, which abbreviated names omit."""
_FRAME = frozenset(
    "proceedings proc advances adv annual biennial meeting conference conf international intl int symposium symp"
    " workshop workshops acm ieee cvf usenix ifip siam aaai joint volume vol long short papers track edition series ser"
    " section sect".split()
)
"""Generic words in names of conferences, which may be omitted."""
_FIRM = frozenset(
    "press publishing publisher publishers publications verlag books house university inc ltd llc gmbh ag bv co company"
    " corporation group international society".split()
)
"""Words that occur in the names of many publishers."""
_ORDINAL = re.compile(
    r"\d+(?:st|nd|rd|th)?|[ivxl]+|(?:(?:twent|thirt|fort|fift|sixt|sevent|eight|ninet)(?:y|ieth))?(?:first|second|third|"
    r"fourth|fifth|sixth|seventh|eighth|ninth)?|tenth|eleventh|twelfth|(?:thir|four|fif|six|seven|eigh|nine)teenth"
)
_TAIL = re.compile(r"\bof the\b", re.I)


@dataclass(frozen=True, slots=True)
class VenueName:
    """A parsed name: `ids` are venues in the table, `spelled` all words, `words` those without small words and numbers,
    `content` the distinctive ones. `acronym` is a single word in capitals that is not in the table."""

    ids: frozenset[str]
    spelled: tuple[str, ...]
    words: tuple[str, ...]
    content: tuple[str, ...]
    acronym: str = ""
    workshop: bool = False
    elsewhere: bool = False
    """Whether it is a series, a repository or a publisher, which does not identify the venue."""


def venue_relation(yours: str, theirs: str) -> VenueRelation:
    """Return how two venue names are related; `unclear` if one is not understood and their words differ."""
    left, right = venue_name(yours), venue_name(theirs)
    if not left.words or not right.words or left.elsewhere or right.elsewhere:
        return "same" if left.words == right.words else "unclear"
    if _same_words(left.words, right.words):
        return "same"
    if left.workshop != right.workshop:
        return "different"
    if left.ids and right.ids:
        sisters = any(left.ids & sister and right.ids & sister for sister in SISTERS)
        return "same" if left.ids & right.ids or sisters else "different"
    if _same_words(left.content, right.content):
        return "same"
    for short, long in ((left, right), (right, left)):
        acronym = short.acronym or (short.words[0] if short.ids and len(short.words) == 1 else "")
        if acronym and (_initials(acronym, long.spelled) or acronym in long.words):
            return "same"
    if left.acronym or right.acronym:
        return "unclear"
    if _begins(left.content, right.content):
        return "same" if _TAIL.search(max((yours, theirs), key=len)) else "unclear"
    return "unclear" if _share(left.content, right.content) >= ALIKE else "different"


@lru_cache(maxsize=2_000)
def venue_name(name: str) -> VenueName:
    """Parse the name of a venue."""
    plain = folded(name).partition(" @ ")[0].replace("&", " and ")
    bare = _BRACKETS.sub(" ", plain)
    spelled = tuple(_WORD.findall(bare))
    words = tuple(word for word in spelled if word not in SMALL_WORDS and not _ORDINAL.fullmatch(word))
    content = tuple(word for word in words if word not in _FRAME)
    capitals = [word for word in _WORD.findall(name) if sum(map(str.isupper, word)) >= 2 or word == name]
    acronyms = {folded(word).rstrip("0123456789") for word in capitals}
    ids = {acronym for word in acronyms if (acronym := SAME_ACRONYMS.get(word, word)) in _ACRONYMS}
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
    left, right = (_WORD.findall(folded(name)) for name in (yours, theirs))
    telling, others = (
        [word for word in words if len(word) > 1 and word not in _FIRM | SMALL_WORDS] for words in (left, right)
    )
    if not telling or not others or any(_abbreviates(word, other) for word in telling for other in others):
        return True
    return any(len(short) == 1 and _initials(short[0], long) for short, long in ((telling, right), (others, left)))


def _written_out(bare: str) -> set[str]:
    """Return the venues in the table whose written-out name, or its ISO abbreviation, ends a part of the name; the
    longest of nested names."""
    counts: dict[str, int] = {}
    for part in _END.split(bare):
        words = [word for word in _WORD.findall(part) if word not in SMALL_WORDS and not _ORDINAL.fullmatch(word)]
        for acronym, name in _NAMES:
            if len(name) <= len(words) and _same_words(words[-len(name) :], name):
                counts[acronym] = max(len(name), counts.get(acronym, 0))
    return {acronym for acronym, length in counts.items() if length == max(counts.values())}


def _same_words(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether the words are equal, or each abbreviates the one at the same position in the other list."""
    return bool(first) and len(first) == len(second) and all(map(_abbreviates, first, second))


def _abbreviates(first: str, second: str) -> bool:
    """Whether the shorter word begins like the longer and has its letters in order: `natl`, `national`."""
    short, long = sorted((first, second), key=len)
    if long.startswith(short):
        return True
    rest = iter(long)
    return len(short) >= 3 and short[:2] == long[:2] and all(letter in rest for letter in short)


def _initials(acronym: str, words: Sequence[str]) -> bool:
    """Whether the letters of `acronym` occur in order in `words`: each begins a word or continues one."""
    if len(words) < 2 or len(acronym) > _LONGEST_ACRONYM:
        return False

    @cache
    def fits(letters: str, position: int, offset: int) -> bool:
        if not letters:
            return True
        within = words[position][offset : offset + 1] if offset else ""
        if within == letters[0] and fits(letters[1:], position, offset + 1):
            return True
        following = range(position + bool(offset), min(position + bool(offset) + 3, len(words)))
        return any(words[at][0] == letters[0] and fits(letters[1:], at, 1) for at in following)

    return fits(acronym, 0, 0)


def _begins(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether one name is a prefix of the other."""
    short, long = sorted((first, second), key=len)
    return bool(short) and _same_words(short, long[: len(short)])


def _share(first: Sequence[str], second: Sequence[str]) -> float:
    """Return the share of words that two names have in common."""
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
