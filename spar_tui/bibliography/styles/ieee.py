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


def reference(one: Reference) -> str:
    people = _people(one.makers)
    if one.by_editors:
        people = commas(people, _role(one.makers))
    doi = f"doi: {one.entry.doi}" if one.entry.doi else ""
    volume = f"vol. {one.volume}" if one.volume else ""
    number = f"no. {one.number}" if one.number else ""
    editors = commas(_people(one.editors), _role(one.editors)) if one.editors else ""
    series = f"in {one.series}" if one.series else ""
    pages = f"{'pp' if '–' in one.pages else 'p'}. {one.pages}" if one.pages else ""
    lead = commas(people, quoted(one.title, ","))
    match one.form:
        case "book":
            lead = sentence(commas(people, one.title, one.edition, volume, number, editors))
            lead = " ".join([lead, sentence(series)]) if series else lead
            rest = commas(one.imprint, one.year, pages)
        case "article":
            rest = commas(one.container, volume, number, pages, _date(one), doi)
            doi = ""
        case "part":
            place = f"in {one.container}" if one.container else ""
            rest = commas(place, one.edition, volume, number, editors, series, one.imprint, one.year, pages)
        case "preprint":
            rest = commas(_date(one), f"arXiv: arXiv:{one.entry.arxiv}" if one.entry.arxiv else one.server)
        case "thesis":
            rest = commas("Thesis", volume, one.imprint, one.year)
        case _:
            container = one.container if one.container != one.publisher else ""
            rest = commas(container, editors, upper_first(one.edition), volume, number, one.imprint, _date(one), pages)
    told = f"{lead} {rest}".strip().rstrip(",")
    return " ".join(filter(None, [sentence(told), sentence(doi), _online(one)]))


def _people(names: Sequence[Name]) -> str:
    return listed(names, _name, 6, 1, "and")


def _name(name: Name) -> str:
    return name.literal or " ".join(filter(None, [initials(name.given), name.surname, name.suffix]))


def _role(names: Sequence[Name]) -> str:
    return "Eds." if len(names) > 1 else "Ed."


def _date(reference: Reference) -> str:
    """`Jun. 2017`, of a preprint with the day."""
    if not reference.month:
        return reference.year
    month = _MONTHS[MONTHS.index(reference.month)] if reference.month in MONTHS else reference.month
    return (
        f"{month} {reference.day}, {reference.year}"
        if reference.day and reference.form == "preprint"
        else f"{month} {reference.year}"
    )


def _online(reference: Reference) -> str:
    return f"Available: {reference.link}" if reference.link and not reference.entry.doi else ""
