"""MLA, 9th edition: `Family, Given, and Given Family. “Title.” Journal, vol. 1, no. 2, 2017, pp. 3–4, https://….`"""

from collections.abc import Sequence

from spar_tui.bibliography.names import Name
from spar_tui.bibliography.styles.parts import ET_AL, MONTHS, Reference, commas, quoted, sentence, upper_first

_MONTHS = "Jan. Feb. Mar. Apr. May June July Aug. Sept. Oct. Nov. Dec.".split()


def reference(one: Reference) -> str:
    whole = one.form in ("book", "thesis", "report")
    title = sentence(one.title) if whole else quoted(one.title, ".")
    people = _people(one.makers)
    if one.by_editors:
        people += ", editors" if len(one.makers) > 1 else ", editor"
    return " ".join(filter(None, [sentence(people), title, *_place(one)]))


def _people(names: Sequence[Name]) -> str:
    if len(names) > 2 or ET_AL in names:
        return f"{names[0].inverted}, et al."
    return ", and ".join([name.inverted if place == 0 else name.display for place, name in enumerate(names)])


def _editors(one: Reference) -> str:
    """`edited by Given Family and Given Family`"""
    people = [name.literal or name.display for name in one.editors]
    if len(people) > 2:
        return f"edited by {people[0]} et al."
    return f"edited by {' and '.join(people)}" if people else ""


def _place(one: Reference) -> list[str]:
    """The sentences behind the title."""
    pages = one.short_pages(2)
    pages = f"{'pp' if '–' in pages else 'p'}. {pages}" if pages else ""
    volume = f"vol. {one.volume}" if one.volume else ""
    in_series = one.item.get("collection-number", "")
    number = one.item.get("number", "") or (f"no. {one.number}" if one.number and not in_series else "")
    if one.form == "thesis":
        return [sentence(commas(volume, one.year)), sentence(commas(one.publisher, "Thesis", one.link))]
    if one.form == "preprint":
        named = f"arXiv:{one.entry.arxiv}" if one.entry.arxiv else ""
        return [sentence(commas(named, one.server, _date(one), one.link))]
    container = one.container if one.form in ("article", "part") or one.container != one.publisher else ""
    publisher = "" if one.form == "article" else one.publisher
    date = one.year if one.form in ("book", "part") else _date(one)
    told = commas(container, _editors(one), one.edition, volume, number, publisher, date, pages, one.link)
    # Behind the title's full stop the first word is a large one, if it is not a name's.
    return [
        sentence(told if container else upper_first(told) if told != one.link else told),
        sentence(f"{one.series} {in_series}".strip()),
    ]


def _date(one: Reference) -> str:
    month = _MONTHS[MONTHS.index(one.month)] if one.month in MONTHS else one.month
    day = "" if one.form == "article" else one.day
    return " ".join(filter(None, [day, month, one.year]))
