"""MLA, 9th edition: `Family, Given, and Given Family. “Title.” Journal, vol. 1, no. 2, 2017, pp. 3–4, https://….`"""

from collections.abc import Sequence

from spar_tui.bibliography.names import ET_AL, Name
from spar_tui.bibliography.styles.parts import MONTHS, Reference, commas, quoted, sentence, upper_first

_MONTHS = "Jan. Feb. Mar. Apr. May June July Aug. Sept. Oct. Nov. Dec.".split()


def reference(cited: Reference) -> str:
    whole = cited.form in ("book", "thesis", "report")
    title = sentence(cited.title) if whole else quoted(cited.title, ".")
    people = _people(cited.makers)
    if cited.by_editors:
        people += ", editors" if len(cited.makers) > 1 else ", editor"
    return " ".join(filter(None, [sentence(people), title, *_place(cited)]))


def _people(names: Sequence[Name]) -> str:
    if len(names) > 2 or ET_AL in names:
        return f"{names[0].inverted}, et al."
    return ", and ".join([name.inverted if index == 0 else name.display for index, name in enumerate(names)])


def _editors(reference: Reference) -> str:
    """`edited by Given Family and Given Family`"""
    people = [name.literal or name.display for name in reference.editors]
    if len(people) > 2:
        return f"edited by {people[0]} et al."
    return f"edited by {' and '.join(people)}" if people else ""


def _place(reference: Reference) -> list[str]:
    """Return the sentences after the title."""
    pages = reference.short_pages(2)
    pages = f"{'pp' if '–' in pages else 'p'}. {pages}" if pages else ""
    volume = f"vol. {reference.volume}" if reference.volume else ""
    in_series = reference.item.get("collection-number", "")
    number = reference.item.get("number", "") or (
        f"no. {reference.number}" if reference.number and not in_series else ""
    )
    if reference.form == "thesis":
        return [
            sentence(commas(volume, reference.year)),
            sentence(commas(reference.publisher, "Thesis", reference.link)),
        ]
    if reference.form == "preprint":
        named = f"arXiv:{reference.entry.arxiv}" if reference.entry.arxiv else ""
        return [sentence(commas(named, reference.server, _date(reference), reference.link))]
    container = (
        reference.container
        if reference.form in ("article", "part") or reference.container != reference.publisher
        else ""
    )
    publisher = "" if reference.form == "article" else reference.publisher
    date = reference.year if reference.form in ("book", "part") else _date(reference)
    text = commas(
        container, _editors(reference), reference.edition, volume, number, publisher, date, pages, reference.link
    )
    # After the title's full stop, capitalize the first word unless it belongs to a name.
    return [
        sentence(text if container else upper_first(text) if text != reference.link else text),
        sentence(f"{reference.series} {in_series}".strip()),
    ]


def _date(reference: Reference) -> str:
    month = _MONTHS[MONTHS.index(reference.month)] if reference.month in MONTHS else reference.month
    day = "" if reference.form == "article" else reference.day
    return " ".join(filter(None, [day, month, reference.year]))
