"""The number for which a question asks: a time, a share, or a count, and in a count what is counted.

In a text, a number counts the nouns behind it (“310 tree frogs”), or those of the number before it if it has none (“40
were treated, 12 died”). A question that names the noun, a near synonym of it, or people in general, asks for it.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from agents.builtin.ranking.word_vectors import vector
from agents.builtin.text.quantities import UNITLESS, Quantity, is_whole, plain, quantities, shares
from agents.builtin.text.terms import terms
from connectors.query.stopwords import STOP_WORDS

_SHARES = frozenset("share fraction proportion percentage percent".split())
QUANTITIES = _SHARES | {"number", "amount"}
"""Nouns for the number itself; no text need have them."""
_PEOPLE = frozenset(terms("people persons participants subjects individuals patients volunteers respondents"))
"""Terms for those whom a study counts, whoever they are."""
_KINDS = _PEOPLE.union(terms("adults children men women students workers"))
"""These, and kinds of people to which other kinds are near."""
_SAMPLE = frozenset(terms("sample size"))
_SIZE = "participants"
_LIGHT = frozenset("take takes took taken part get got make made give gave go went".split())
"""Verbs that say nothing without their object, and “part”: a question asks with them for what papers say in other
words."""
_AND = frozenset({"and", "or"})
_SAME, _KIND = 0.7, 0.3
"""Least cosine of two words for the same things, and of one and another for things of one kind."""
_PLURAL = re.compile(r"(?:[^\W\d_]{2,}(?<![sui])s|people|children|men|women|mice|data)(?![\w-])", re.IGNORECASE)
_BEHIND = re.compile(
    r"(?:\s\([^()]{1,20}\))?(?:\s(?:of|out of)(?:\s(?:the|these|those|all))?)?((?:[\s,]{1,2}[^\W\d_][\w-]*){1,6})"
)
_BEFORE = re.compile(
    r"\b([^\W\d_][\w-]*)(?:\s(?:was|were|is|are|of)\s(?:about\s)?|[\s,(\[]{1,3}n\s?=\s?)$", re.IGNORECASE
)


class Amount(NamedTuple):
    """The question without its words for a number; how well a text has such a number, from 0 to 1; and the term of what
    is counted, if any, which a text that counts it has in other words."""

    subject: str
    answers: Callable[[str], float]
    counted: str = ""


def _has_any(text: str) -> float:
    return float(any(not number.name for number in quantities(text)))


def _has_time(text: str) -> float:
    return float(any(number.unit == "s" and not number.per for number in quantities(text)))


def _has_share(text: str) -> float:
    return float(any(number.unit == "%" for number in quantities(text)) or bool(shares(text)))


def _of(nouns: frozenset[str]) -> str:
    return rf"(?:what|which|how (?:large|big|high) an?) (?:{'|'.join(sorted(nouns))})(?: of)?"


_OF_SUBJECT = r"what (?:is|was|are|were) (?:the|its|their) (?:\w+ ){0,3}(?:size|rate|number|length|price|cost|age)"
_OF_SAMPLE = (
    r"(?:what|which)(?: (?:is|was))?(?: (?:the|its|their))? (?:sample|study) size(?: of)?"
    r"|how (?:large|big|small) (?:is|was) (?:the|its|their|this) (?:sample|study|trial|cohort)"
    r"(?=\W*$|\s(?:size|in|of)\b)(?: size)?"
)
_COUNTS = re.compile(rf"\b(?:how many|what number of|({_OF_SAMPLE}))\b", re.IGNORECASE)
_AMOUNTS: tuple[tuple[re.Pattern[str], Callable[[str], float]], ...] = tuple(
    (re.compile(rf"\b(?:{asking})\b", re.IGNORECASE), has_number)
    for asking, has_number in (
        ("how long", _has_time),
        (_of(_SHARES), _has_share),
        (_of(QUANTITIES - _SHARES), _has_any),
        (r"how (?:many|much|often|far|old|large|big|high|fast|hot|cold|deep|tall|heavy|wide)", _has_any),
        (_OF_SUBJECT, _has_any),
    )
)


def amount(question: str) -> Amount | None:
    """Return the number for which a question asks; None if it asks for none."""
    if counts := _COUNTS.search(question):
        words = f"{_SIZE if counts[1] else ''} {question[counts.end() :].rstrip(' ?')}"
        if nouns := [word for word in _noun_phrase(words) if _PLURAL.fullmatch(word)]:
            rest = " ".join(word for word in words.split() if word.lower() not in _LIGHT)
            subject = f"{question[: counts.start()]}{rest}"
            return Amount(subject, lambda text: _counting(text, nouns[0]), terms(nouns[0])[0])
    for asking, has_number in _AMOUNTS:
        if match := asking.search(question):
            phrase = match[0] if asking is _AMOUNTS[-1][0] else ""  # "what was the error rate": the noun is its subject
            return Amount(f"{question[: match.start()]}{phrase}{question[match.end() :]}", has_number)
    return None


def _noun_phrase(words: str) -> list[str]:
    """Return the words at the beginning of `words` up to the plurals that end a noun phrase, as “tall women” of “tall
    women took part”, and “men and women”; empty if there is no plural."""
    phrase: list[str] = []
    end = 0
    for word in re.split(r"[\s,]+", words.strip().lower()):
        is_plural = bool(_PLURAL.fullmatch(word))
        if word in STOP_WORDS - _AND or (end == len(phrase) > 0 and not is_plural and word not in _AND):
            break
        phrase.append(word)
        end = len(phrase) if is_plural else end
    return phrase[:end]


def _counting(text: str, noun: str) -> float:
    """Return 1 if a number of `text` counts what `noun` names, ½ if it has other numbers, else 0."""
    stems = {stem for nouns in _counted(plain(text)) for stem in nouns}
    return 1.0 if any(_is_named(stem, noun) for stem in stems) else _has_any(text) / 2


def _counted(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the terms of the words that each count of a `plain` text is about."""
    nouns: tuple[str, ...] = ()
    for number in quantities(text):
        if number.unit in UNITLESS and not number.name and not number.kind and is_whole(number.value):
            nouns = _nouns(text, number) or nouns
            yield nouns


def _nouns(text: str, number: Quantity) -> tuple[str, ...]:
    """Return the terms of what a number of `text` counts: of the noun phrase behind it, and of the word before it in
    “sample of 48” and “patients (n = 48)”."""
    behind, before = _BEHIND.match(text, number.end), _BEFORE.search(text, max(0, number.start - 40), number.start)
    size = _SIZE if before and "=" in before[0] else ""
    phrase = _noun_phrase(behind[1]) if behind else ()
    return tuple(terms(" ".join((*phrase, before[1] if before else "", size))))


@lru_cache(maxsize=4_096)
def _is_named(stem: str, noun: str) -> bool:
    """Whether a noun names things of this stem: it is the same word or a near synonym, or means people in general."""
    own = terms(noun)[0]
    if own in _PEOPLE and (stem in _SAMPLE or max(_cosine(stem, person) for person in _KINDS) >= _KIND):
        return True
    return stem == own or _cosine(stem, own) >= _SAME


def _cosine(first: str, second: str) -> float:
    return float(vector({first: 1}) @ vector({second: 1}))
