"""IEEE: `[1] G. M. Family and G. Family, “Title,” Journal, vol. 1, no. 2, pp. 3–4, Jun. 2017, doi: ….`"""

from collections.abc import Sequence

from spar_tui.bibliography.names import Name
from spar_tui.bibliography.styles.parts import (
    MONTHS,
    Reference,
    commas,
    initials,
    listed,
    quoted,
    sentence,
    upper_first,
)

_MONTHS = "Jan. Feb. Mar. Apr. May Jun. Jul. Aug. Sep. Oct. Nov. Dec.".split()


def reference(cited: Reference) -> str:
    people = _people(cited.makers)
    if cited.by_editors:
        people = commas(people, _role(cited.makers))
    doi = f"doi: {cited.entry.doi}" if cited.entry.doi else ""
    volume = f"vol. {cited.volume}" if cited.volume else ""
    number = f"no. {cited.number}" if cited.number else ""
    editors = commas(_people(cited.editors), _role(cited.editors)) if cited.editors else ""
    series = f"in {cited.series}" if cited.series else ""
    pages = f"{'pp' if '–' in cited.pages else 'p'}. {cited.pages}" if cited.pages else ""
    lead = commas(people, quoted(cited.title, ","))
    match cited.form:
        case "book":
            lead = sentence(commas(people, cited.title, cited.edition, volume, number, editors))
            lead = " ".join([lead, sentence(series)]) if series else lead
            rest = commas(cited.imprint, cited.year, pages)
        case "article":
            rest = commas(cited.container, volume, number, pages, _date(cited), doi)
            doi = ""
        case "part":
            where = f"in {cited.container}" if cited.container else ""
            rest = commas(where, cited.edition, volume, number, editors, series, cited.imprint, cited.year, pages)
        case "preprint":
            rest = commas(_date(cited), f"arXiv: arXiv:{cited.entry.arxiv}" if cited.entry.arxiv else cited.server)
        case "thesis":
            rest = commas("Thesis", volume, cited.imprint, cited.year)
        case _:
            container = cited.container if cited.container != cited.publisher else ""
            rest = commas(
                container, editors, upper_first(cited.edition), volume, number, cited.imprint, _date(cited), pages
            )
    text = f"{lead} {rest}".strip().rstrip(",")
    online = f"Available: {cited.link}" if cited.link and not cited.entry.doi else ""
    return " ".join(filter(None, [sentence(text), sentence(doi), online]))


def _people(names: Sequence[Name]) -> str:
    return listed(names, _name, 6, 1, "and")


def _name(name: Name) -> str:
    return name.literal or " ".join(filter(None, [initials(name.given), name.surname, name.suffix]))


def _role(names: Sequence[Name]) -> str:
    return "Eds." if len(names) > 1 else "Ed."


def _date(reference: Reference) -> str:
    """Return `Jun. 2017`; for a preprint also the day."""
    if not reference.month:
        return reference.year
    month = _MONTHS[MONTHS.index(reference.month)] if reference.month in MONTHS else reference.month
    return (
        f"{month} {reference.day}, {reference.year}"
        if reference.day and reference.form == "preprint"
        else f"{month} {reference.year}"
    )
