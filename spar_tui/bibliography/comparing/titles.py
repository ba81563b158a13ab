"""Compare two titles word by word.

Ignores case, accents, punctuation, LaTeX, formulas, hyphens, articles, British and American spelling, numbers in words
or figures, and a subtitle or addition in brackets that only one title has.
"""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from unicodedata import name

from rapidfuzz.distance import OSA

from agents.builtin.text.quantities import NUMBER_WORDS
from connectors.records.letters import folded
from connectors.records.matching import SUBTITLE, title_key

_ARTICLES = frozenset(("a", "an", "the"))
_SPELLINGS = (
    (re.compile(r"(?<=[a-z]{2})is(?=(?:e|es|ed|er|ers|ing|ation|ations)$)"), "iz"),
    (re.compile(r"(?<=[a-z]{2})ys(?=(?:e|es|ed|er|ers|ing)$)"), "yz"),
    (re.compile(r"(?<=[a-z]{2})our(?=s|$|ed|ing|al|able|hood)"), "or"),
    (re.compile(r"(?<=[a-z][tb])re(?=s?$)"), "er"),
    (re.compile(r"(?<=[a-z]{2})ogue(?=s?$)"), "og"),
    (re.compile(r"ll(?=(?:ed|ing|er|ers)$)"), "l"),
    (re.compile(r"ae|oe"), "e"),
)
"""British spellings and their American forms."""
_ALIKE = {word: str(number) for word, number in NUMBER_WORDS.items()} | {"versus": "vs", "v": "vs"}
"""Words with two spellings."""
_NO_PLURAL = re.compile(r"(?:s|u|i|[^aeiou]y)s$")
_GREEK = re.compile(r"[α-ω]")
_MATH = re.compile(r"\$([^$]*)\$")
_FORMULA = "…"
"""Placeholder for a formula: sources write formulas in different ways, or omit them."""
_TYPO_LENGTH = 6
"""Minimum length of a word in which one wrong letter counts as a typing error."""


@dataclass(frozen=True, slots=True)
class TitleChange:
    """Words of one title that replace words of another; `slip` if a typing error or a plural explains it."""

    yours: str
    theirs: str
    slip: bool = False


def title_changes(yours: str, theirs: str) -> list[TitleChange]:
    """Return the words in which two titles differ, in order; empty if one only lacks the other's subtitle."""
    mine, other = _words(yours), _words(theirs)
    if not mine or not other or _lacks_part(mine, theirs) or _lacks_part(other, yours):
        return []
    shown = _shown(yours), _shown(theirs)
    changes = []
    for tag, start, end, first, last in SequenceMatcher(None, mine, other, autojunk=False).get_opcodes():
        if tag == "equal":
            pairs = zip(shown[0][start:end], shown[1][first:last], strict=True)
            changes += [TitleChange(*pair, slip=True) for pair in pairs if len(set(map(_american, pair))) > 1]
        elif {*mine[start:end]} == {_FORMULA} or {*other[first:last]} == {_FORMULA}:
            continue
        elif "".join(mine[start:end]) != "".join(other[first:last]):
            slip = end - start == last - first == 1 and _is_slip(mine[start], other[first])
            changes.append(TitleChange(" ".join(shown[0][start:end]), " ".join(shown[1][first:last]), slip))
    return changes


def _shown(title: str) -> list[str]:
    """Return the words of a title for display, without articles, with names for Greek letters. A formula of more than
    letters and digits is one word."""
    words = list[str]()
    for index, part in enumerate(_MATH.split(title)):
        if index % 2 and not {*"\\^_"}.isdisjoint(part):
            words.append(_FORMULA)
            continue
        key = title_key(part.replace("&", " and "))
        spelled = _GREEK.sub(lambda letter: f" {name(letter[0]).rpartition(' ')[2].lower()} ", key)
        words += [word for word in spelled.split() if word not in _ARTICLES]
    return words


def _words(title: str) -> list[str]:
    """Return the words of a title in the singular and in American spelling."""
    return [_singular(_american(word)) for word in _shown(title)]


def _american(word: str) -> str:
    for pattern, spelling in _SPELLINGS:
        word = pattern.sub(spelling, word)
    return _ALIKE.get(word, word)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not _NO_PLURAL.search(word) else word


def _lacks_part(words: list[str], title: str) -> bool:
    """Whether `words` are the main title of `title`, or its subtitle."""
    parts = [part for part in SUBTITLE.split(folded(title)) if _words(part)]
    return any(words in (_words(" ".join(parts[:cut])), _words(" ".join(parts[cut:]))) for cut in range(1, len(parts)))


def _is_slip(mine: str, other: str) -> bool:
    """Whether two long words differ by one letter after the first: prefixes such as `a-` change the meaning."""
    return (
        min(len(mine), len(other)) >= _TYPO_LENGTH
        and mine[0] == other[0]
        and OSA.distance(mine, other) == 1
        and not any(map(str.isdigit, mine + other))
    )
