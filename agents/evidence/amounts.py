"""The kind of number for which a question asks: a time, a share, or a count."""

import re
from collections.abc import Callable

from agents.builtin.text.quantities import quantities, shares

_SHARES = frozenset("share fraction proportion percentage percent".split())
QUANTITIES = _SHARES | {"number", "amount"}
"""Nouns for the number itself; no text need have them."""
HasNumber = Callable[[str], bool]
"""Whether a text has a number that may answer a question."""


def _has_any(text: str) -> bool:
    return any(not number.name for number in quantities(text))


def _has_time(text: str) -> bool:
    return any(number.unit == "s" and not number.per for number in quantities(text))


def _has_share(text: str) -> bool:
    return any(number.unit == "%" for number in quantities(text)) or bool(shares(text))


def _of(nouns: frozenset[str]) -> str:
    return rf"(?:what|which|how (?:large|big|high) an?) (?:{'|'.join(sorted(nouns))})(?: of)?"


_OF_SUBJECT = r"what (?:is|was|are|were) (?:the|its|their) (?:\w+ ){0,3}(?:size|rate|number|length|price|cost|age)"
_AMOUNTS: tuple[tuple[re.Pattern[str], HasNumber], ...] = tuple(
    (re.compile(rf"\b(?:{asking})\b", re.IGNORECASE), has_number)
    for asking, has_number in (
        ("how long", _has_time),
        (_of(_SHARES), _has_share),
        (_of(QUANTITIES - _SHARES), _has_any),
        (r"how (?:many|much|often|far|old|large|big|high|fast|hot|cold|deep|tall)", _has_any),
        (_OF_SUBJECT, _has_any),
    )
)


def amount(question: str) -> tuple[str, HasNumber | None]:
    """Return the question without its words for a number, and a test for texts with such a number; None if it asks for
    none."""
    for asking, has_number in _AMOUNTS:
        if match := asking.search(question):
            phrase = match[0] if asking is _AMOUNTS[-1][0] else ""  # "what was the error rate": the noun is its subject
            return f"{question[: match.start()]}{phrase}{question[match.end() :]}", has_number
    return question, None
