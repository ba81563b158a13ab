"""Chicago author-date, 17th edition: `Family, Given, and Given Family. 2017. “Title.” Journal 1 (2): 3–4.`"""

from collections.abc import Sequence

from spar_tui.bibliography.names import ET_AL, Name
from spar_tui.bibliography.styles.parts import Reference, commas, listed, quoted, sentence, sentences, upper_first

_MOST, _SHOWN = 10, 7


def reference(cited: Reference) -> str:
    people, date = _people(cited.makers), cited.year or "n.d."
    if cited.by_editors:
        people += ", eds." if len(cited.makers) > 1 else ", ed."
    title = cited.title if cited.form == "book" else quoted(cited.title, ".")
    lead = [people, date, title] if people else [title, date]
    return sentences(*lead, _source(cited), cited.link and sentence(cited.link))


def _people(names: Sequence[Name]) -> str:
    if not names:
        return ""
    written = [names[0].inverted, *(name.display for name in names[1:])]
    if len(written) > _MOST:
        return f"{', '.join(written[:_SHOWN])}, et al."
    if ET_AL in names:
        return ", ".join(written)
    return f"{', '.join(written[:-1])}, and {written[-1]}" if len(written) > 1 else written[0]


def _editors(reference: Reference) -> str:
    """`edited by Given Family and Given Family`"""
    people = listed(reference.editors, lambda name: name.literal or name.display, _MOST, _SHOWN, "and")
    return f"edited by {people}" if people else ""


def _pages(reference: Reference) -> str:
    """Return the pages, with the last one shortened: changed digits after 101 to 109, two digits after 110, …"""
    first = reference.entry.page_range[0]
    if not first.isdecimal() or int(first) < 100 or int(first) % 100 == 0:
        return reference.pages
    return reference.short_pages(1 if int(first) % 100 < 10 else 2)


def _source(reference: Reference) -> str:
    pages = _pages(reference)
    match reference.form:
        case "article":
            volume = " ".join(filter(None, [reference.volume, f"({reference.number})" if reference.number else ""]))
            text = " ".join(filter(None, [reference.container, volume]))
            return f"{text}: {pages}" if pages and volume else commas(text, pages)
        case "part":
            where = f"{reference.volume}:{pages}" if reference.volume and pages else pages
            text = commas(
                f"In {reference.container}" if reference.container else "",
                _editors(reference),
                reference.edition,
                where,
            )
            volume = f"Vol. {reference.volume}" if reference.volume and not pages else ""
            return sentences(text, volume, reference.series, reference.imprint)
        case "book":
            volume = f"Vol. {reference.volume}" if reference.volume else ""
            return sentences(
                upper_first(_editors(reference)),
                upper_first(reference.edition),
                volume,
                reference.series,
                reference.imprint,
            )
        case "thesis":
            return commas("Thesis", f"vol. {reference.volume}" if reference.volume else "", reference.imprint)
        case "preprint":
            return reference.server
    volume = f"Vol. {reference.volume}" if reference.volume else ""
    number = f"No. {reference.number}" if reference.number else ""
    container = reference.container if reference.container != reference.publisher else ""
    return sentences(
        container, upper_first(_editors(reference)), upper_first(reference.edition), volume, number, reference.imprint
    )
