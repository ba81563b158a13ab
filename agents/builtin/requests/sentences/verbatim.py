"""What a person gives word for word, which stays so while the rest of a message is put otherwise: what stands in
quotation marks, and what a note says."""

import re
from collections.abc import Callable, Iterator

QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|(?<!\w)'[^']*'(?!\w)|‘[^’]*’(?!\w)")
_NOTE = re.compile(
    r"\b(?:notes?|comments?|remarks?|annotations?|annotate|memos?|reminders?|jot|scribble|write)\b[^:\"]{0,160}?"
    r"(?::\s+|\b(?:saying|that says|that reads|which says|which reads)(?: that)?:?\s+)(?=\S)",
    re.IGNORECASE,
)
"""What leads to the words of a note."""
_STAND_IN = "ꀀ"
"""A letter of a script that no request is written in: what is put aside is one word of it."""


def around_verbatim(text: str, changed: Callable[[str], str]) -> str:
    """`text` changed but for what it gives word for word, in whose places `changed` sees words of no meaning."""
    if _STAND_IN in text:
        return changed(text)
    kept: list[str] = []
    bare, begin = "", 0
    for start, end in _spans(text):
        kept.append(text[start:end])
        bare, begin = f"{bare}{text[begin:start]}{_stand_in(len(kept))}", end
    told = changed(bare + text[begin:])
    for number, words in reversed(list(enumerate(kept, start=1))):
        told = told.replace(_stand_in(number), words)
    return told


def _stand_in(number: int) -> str:
    return _STAND_IN * (number + 2)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Where words stand that are given as they are, without their quotation marks; a note reaches to the end."""
    note = _NOTE.search(text)
    end = note.end() if note else len(text)
    for quoted in QUOTED.finditer(text):
        if quoted.end() <= end and quoted.end() - quoted.start() > len('""'):
            yield quoted.start() + 1, quoted.end() - 1
    if note:
        yield end, len(text)
