"""IEEE: `[1] G. M. Family and G. Family, “Title,” Journal, vol. 1, no. 2, pp. 3–4, Jun. 2017, doi: ….`"""

from spar_tui.bibliography.names import Name
from spar_tui.bibliography.styles.parts import Reference, commas, initials, listed, quoted, sentence

_MONTHS = "Jan. Feb. Mar. Apr. May June July Aug. Sept. Oct. Nov. Dec.".split()


def reference(one: Reference) -> str:
    people = listed(one.entry.names, _name, 6, 1, "and")
    doi = f"doi: {one.entry.doi}" if one.entry.doi else ""
    kind = one.entry.kind
    if kind == "book":
        told = f"{commas(people, sentence(one.title))} {commas(one.container, one.year, doi)}"
        return sentence(told.strip()) + _online(one)
    title = quoted(one.title, ",")
    lead = f"{people}, {title}" if people and title else people or title
    volume = f"vol. {one.volume}" if one.volume else ""
    number = f"no. {one.number}" if one.number else ""
    pages = f"{'pp' if '–' in one.pages else 'p'}. {one.pages}" if one.pages else ""
    match kind:
        case "article":
            rest = commas(one.container, volume, number, pages, _date(one), doi)
        case "proceedings" | "chapter":
            rest = commas(f"in {one.container}" if one.container else "", volume, one.year, pages, doi)
        case "preprint":
            server = f"arXiv:{one.entry.arxiv}" if one.entry.arxiv else one.container
            rest = commas(_date(one), server, doi)
        case "thesis":
            rest = commas("Thesis", one.container, one.year, doi)
        case _:
            rest = commas(one.container, _date(one), doi)
    return sentence(f"{lead} {rest}".strip().rstrip(",")) + _online(one)


def _name(name: Name) -> str:
    return name.literal or " ".join(filter(None, [initials(name.given), name.surname, name.suffix]))


def _date(one: Reference) -> str:
    """`Jun. 2017`, of a preprint with the day."""
    if not one.month:
        return one.year
    month = _MONTHS[int((one.entry.date or "")[5:7]) - 1]
    return f"{month} {one.day}, {one.year}" if one.day and one.entry.kind == "preprint" else f"{month} {one.year}"


def _online(one: Reference) -> str:
    known = one.entry.doi or one.entry.arxiv or not one.entry.url
    return "" if known else f" [Online]. Available: {one.entry.url}"
