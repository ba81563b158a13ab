"""Chicago author-date, 17th edition: `Family, Given, and Given Family. 2017. “Title.” Journal 1 (2): 3–4.`"""

from collections.abc import Sequence

from spar_tui.bibliography.names import Name
from spar_tui.bibliography.styles.parts import (
    ET_AL,
    Reference,
    commas,
    listed,
    quoted,
    sentence,
    sentences,
    upper_first,
)

_MOST, _SHOWN = 10, 7


def reference(one: Reference) -> str:
    people, date = _people(one.makers), one.year or "n.d."
    if one.by_editors:
        people += ", eds." if len(one.makers) > 1 else ", ed."
    title = one.title if one.form == "book" else quoted(one.title, ".")
    lead = [people, date, title] if people else [title, date]
    return sentences(*lead, _source(one), one.link and sentence(one.link))


def _people(names: Sequence[Name]) -> str:
    if not names:
        return ""
    written = [names[0].inverted, *(name.display for name in names[1:])]
    if len(written) > _MOST:
        return f"{', '.join(written[:_SHOWN])}, et al."
    if ET_AL in names:
        return ", ".join(written)
    return f"{', '.join(written[:-1])}, and {written[-1]}" if len(written) > 1 else written[0]


def _editors(one: Reference) -> str:
    """`edited by Given Family and Given Family`"""
    people = listed(one.editors, lambda name: name.literal or name.display, _MOST, _SHOWN, "and")
    return f"edited by {people}" if people else ""


def _pages(one: Reference) -> str:
    """The last page as this manual shortens it: whole behind a hundred, all that changes behind 101 to 109, …"""
    first = one.entry.page_range[0]
    if not first.isdecimal() or int(first) < 100 or int(first) % 100 == 0:
        return one.pages
    return one.short_pages(1 if int(first) % 100 < 10 else 2)


def _source(one: Reference) -> str:
    pages = _pages(one)
    match one.form:
        case "article":
            volume = " ".join(filter(None, [one.volume, f"({one.number})" if one.number else ""]))
            place = " ".join(filter(None, [one.container, volume]))
            return f"{place}: {pages}" if pages and volume else commas(place, pages)
        case "part":
            where = f"{one.volume}:{pages}" if one.volume and pages else pages
            place = commas(f"In {one.container}" if one.container else "", _editors(one), one.edition, where)
            volume = f"Vol. {one.volume}" if one.volume and not pages else ""
            return sentences(place, volume, one.series, one.imprint)
        case "book":
            volume = f"Vol. {one.volume}" if one.volume else ""
            return sentences(upper_first(_editors(one)), upper_first(one.edition), volume, one.series, one.imprint)
        case "thesis":
            return commas("Thesis", f"vol. {one.volume}" if one.volume else "", one.imprint)
        case "preprint":
            return one.server
    volume = f"Vol. {one.volume}" if one.volume else ""
    number = f"No. {one.number}" if one.number else ""
    container = one.container if one.container != one.publisher else ""
    return sentences(container, upper_first(_editors(one)), upper_first(one.edition), volume, number, one.imprint)
