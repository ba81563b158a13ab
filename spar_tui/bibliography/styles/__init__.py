"""References as readers see them: six styles by rules of our own, so that they are the same on every machine.

What the rules leave out is said in docs/bibliographies.md.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from spar_tui.bibliography.ascii_text import to_ascii
from spar_tui.bibliography.entry import Entry
from spar_tui.bibliography.styles import apa, chicago, ieee, mla, nature, vancouver
from spar_tui.bibliography.styles.parts import Reference


class Style(NamedTuple):
    """How a style writes a reference; `number` is what stands before it, or "" where they are sorted by author."""

    title: str
    write: Callable[[Reference], str]
    number: str = ""
    lettered: bool = False
    """Whether works of the same authors and year are told apart by letters."""


STYLES: Mapping[str, Style] = {
    "apa": Style("APA, 7th edition", apa.reference, lettered=True),
    "ieee": Style("IEEE", ieee.reference, "[{}] "),
    "nature": Style("Nature", nature.reference, "{}. "),
    "vancouver": Style("Vancouver (NLM)", vancouver.reference, "{}. "),
    "chicago": Style("Chicago author-date, 17th edition", chicago.reference, lettered=True),
    "mla": Style("MLA, 9th edition", mla.reference),
}


def references(entries: Sequence[Entry], style: Style) -> list[str]:
    """The reference list: in the order of `entries` where it is numbered, else by author, year and title."""
    if style.number:
        return [style.number.format(place) + style.write(Reference(one)) for place, one in enumerate(entries, 1)]
    ordered = [Reference(one) for one in sorted(entries, key=_order)]
    return [style.write(one) for one in (_lettered(ordered) if style.lettered else ordered)]


def _order(entry: Entry) -> tuple[str, str, str, str]:
    people = " ".join(name.inverted for name in entry.names) or entry.title
    return to_ascii(people).casefold(), entry.year or "9999", to_ascii(entry.title).casefold(), entry.key


def _lettered(ordered: Sequence[Reference]) -> list[Reference]:
    """Works of the same authors in the same year are 2020a, 2020b."""
    groups: dict[object, list[int]] = defaultdict(list)
    for place, one in enumerate(ordered):
        groups[(one.entry.names, one.entry.year)].append(place)
    found = list(ordered)
    for places in groups.values():
        if len(places) > 1 and found[places[0]].entry.names:
            for nth, place in enumerate(places):
                found[place] = replace(found[place], letter=_letters(nth))
    return found


def _letters(nth: int) -> str:
    return (_letters(nth // 26 - 1) if nth >= 26 else "") + chr(ord("a") + nth % 26)
