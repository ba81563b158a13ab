"""What the records of a list tell and its references do not."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from spar_tui.bibliography.markup import plain
from spar_tui.bibliography.styles.parts import Reference

_NAMED = 5


class Line(NamedTuple):
    """A reference, and how it was written."""

    one: Reference
    text: str


def absent_parts(lines: Sequence[Line]) -> Iterator[str]:
    """What the records tell and the references do not, as most styles have no place for something."""
    absent: dict[str, list[str]] = {}
    for one, text in lines:
        for part in _parts_absent(one, text):
            absent.setdefault(part, []).append(one.entry.key)
    for part, keys in absent.items():
        more = ", …" if len(keys) > _NAMED else ""
        entries = f"{len(keys)} {'entry' if len(keys) == 1 else 'entries'}"
        yield f"the references do not name the {part} of {entries} ({', '.join(sorted(keys)[:_NAMED])}{more})."


def _parts_absent(one: Reference, text: str) -> Iterator[str]:
    told, words = _folded(text), set(re.findall(r"\w+", text.casefold()))
    if _folded(one.title) not in told:
        yield "title"
    if one.edition and _folded(one.edition.removesuffix(" ed.")) not in told:
        yield "edition"
    if one.volume and not set(re.findall(r"\w+", one.volume.casefold())) <= words:
        yield "volume"
    if one.form != "article":  # a journal's editors and publisher stand in no list
        # A style may put a name's particle behind it, and name the first editor alone.
        first = next((name.family or name.literal for name in one.entry.editors), "")
        if _folded(plain(first)) not in told:
            yield "editors"
        if one.publisher and _folded(one.publisher) not in told:
            yield "publisher"
    if one.entry.doi and one.entry.doi.casefold() not in text.casefold():
        yield "DOI"


def _folded(text: str) -> str:
    """Letters and digits alone: a style may change capitals, quotation marks and signs between words."""
    return "".join(filter(str.isalnum, text.casefold()))
