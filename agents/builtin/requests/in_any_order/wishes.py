"""Wishes that no paper is named in, read by the words that they are made of: what to read, what is known of a taste,
what was saved last.

Each is read only where all of its words are known to belong to it; with a word more it is left to the other readers.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from agents.builtin.requests.references import number_of
from agents.builtin.requests.scene import Reading, Scene, plan, step
from agents.builtin.requests.vocabulary import NUMBERS


def _words(said: str) -> frozenset[str]:
    return frozenset(said.split())


_ASIDE = _words("""
    a an the of in on at to from by for with as about so and or but is are was were be been do does did done has have
    having had can could may might shall should will would i me my mine myself we us you your it its that this these
    those there here what which whose how whatever please kindly tell show give let know see want wish need get got say
    said just only also now again ever yet still then some any all both each not no nothing if whether up until till
    today list remind find out hi hello hey ok okay well thanks thank hm um oh ah right alright sorry wait like
    really maybe perhaps exactly actually something anything things thing one ones am
""")
_READING = _words("""
    recommend recommends recommended recommendation recommendations suggest suggests suggested suggestion suggestions
    read reading next new good interesting fresh papers paper article articles stuff work works literature evening
    tonight weekend week morning afternoon tomorrow night train flight few couple left run idea ideas tip tips further
    worth advise advice propose pick choose could should next-up else more else run-out library after future look
""")
_TASTE = _words("""
    profile taste tastes preference preferences interests likes dislikes expectations expect dislike know think believe
    picture image impression current opinion stand stands written down recorded stored hold holds according going
    statement statements own words far kind kinds sort sorts content contents output wanted required remembered
    noted learned far describe judge says paper going-by basically idea
""")
_SAVED = _words("""
    saved save bookmarked added put shelf bookmarks last latest most recently recent newest lastly papers paper article
    articles where when-not three two four five six seven eight nine ten shelved placed
""")


class _Wish(NamedTuple):
    """The words that belong to a wish, whether those of a request make it, and what it asks for."""

    words: frozenset[str]
    made: Callable[[frozenset[str], str], bool]
    read: Callable[[str], Reading]


def _is_recommended(said: frozenset[str], text: str) -> bool:
    advised = said & _words("recommend suggest recommendation recommendations suggestion suggestions propose advise")
    to_read = "read" in said and "next" in said and bool(said & _words("what which should something anything"))
    return bool(advised or to_read) and _PAST.search(text) is None and not said & _words("these those of ones one")


_PAST = re.compile(
    r"\b(?:did|have|were|was|has)\b (?:you|i|been|we)(?! (?:any|some|got|a)\b)|\b(?:you|was|were|been) (?:recommended"
    r"|suggested)\b|\b(?:my|past|last|previous|earlier) recommendations?\b|\b(?:recommended|suggested) (?:last"
    r"|to me)\b",
    re.IGNORECASE,
)


def _is_of_taste(said: frozenset[str], text: str) -> bool:
    own = _MINE.search(text) is not None
    stated = "i" in said and bool(said & _words("like dislike expect")) and bool(said & _words("statement profile"))
    asked = bool(said & _words("what which how show tell see list give is are output wanted remind"))
    return (own or stated) and (asked or len(said) < _FEW)


_FEW = 5
_MINE = re.compile(
    r"\bmy (?:own |current |whole )?(?:profile|tastes?|preferences|interests|likes|dislikes|expectations)\b",
    re.IGNORECASE,
)


def _is_saved_last(said: frozenset[str], text: str) -> bool:
    late = said & _words("last latest recently newest lastly") or {"most", "recent"} <= said
    mine = said & _words("i me my")
    return bool(late) and bool(said & _words("saved save bookmarked added put")) and bool(mine)


def _saved_last(text: str) -> Reading:
    number = re.search(rf"\b(?:\d{{1,2}}|{'|'.join(NUMBERS)})\b(?! of\b)", text, re.IGNORECASE)
    single = re.search(r"\b(?:papers|articles|ones|things|works|which)\b", text, re.IGNORECASE) is None
    limit = number_of(number[0]) if number and number[0].lower() != "one" else 1 if single else None
    return plan(step("shelf", limit=limit), onward=False)


def _recommended(text: str) -> Reading:
    number = re.search(rf"\b(?:\d{{1,2}}|{'|'.join(NUMBERS)})\b", text, re.IGNORECASE)
    limit = number_of(number[0]) if number and number[0].lower() not in ("one", "couple", "hundred") else None
    return plan(step("recommend", limit=limit), onward=False)


_NUMBERS = frozenset(NUMBERS)
_WISHES = (
    _Wish(_READING | _NUMBERS, _is_recommended, _recommended),
    _Wish(_TASTE, _is_of_taste, lambda text: plan(step("profile"))),
    _Wish(_SAVED | _NUMBERS, _is_saved_last, _saved_last),
)
_LONGEST = 25
"""Words of a wish, at most."""
_WORD = re.compile(r"[^\W\d_]+|\d+")


def wished(text: str, scene: Scene) -> Reading | None:
    """The plan of a wish whose every word is known to belong to it, None if it is none of these."""
    words = [word.lower() for word in _WORD.findall(text)]
    if not 1 < len(words) <= _LONGEST:
        return None
    said = frozenset(words)
    for wish in _WISHES:
        known = wish.words | _ASIDE
        if all(word in known or word.isdigit() for word in said) and wish.made(said, text):
            return wish.read(text)
    return None
