"""Which of the readings that were offered a person takes: by its number, or by its words."""

import re
from collections.abc import Sequence

_NUMBER = re.compile(
    r"(?:(?:no|please|yes|rather|then|ok(?:ay)?|i meant?|take|do|try)[ ,]+)*"
    r"(?:(?:reading|option|choice) )?(?P<n>[1-9])[.)!]?(?: (?:please|instead|then))?",
    re.IGNORECASE,
)
_LEAST_WORDS = 2
"""Words that a reading is taken by; one could be a request of its own."""


def taken(text: str, labels: Sequence[str]) -> int | None:
    """The place of the one of `labels`, from 0, that `text` takes; None if it takes none, or could take several."""
    said = " ".join(text.split()).strip(" .!?")
    if not labels or not said:
        return None
    if number := _NUMBER.fullmatch(said):
        place = int(number["n"]) - 1
        return place if place < len(labels) else None
    words = _words(said)
    if len(words) < _LEAST_WORDS:
        return None
    begun = [place for place, label in enumerate(labels) if _words(label)[: len(words)] == words]
    return begun[0] if len(begun) == 1 else None


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())
