"""MLA, 9th edition: `Family, Given, and Given Family. “Title.” Journal, vol. 1, no. 2, 2017, pp. 3–4, https://….`"""

from collections.abc import Sequence

from spar_tui.bibliography.names import Name
from spar_tui.bibliography.styles.parts import Reference, commas, quoted, sentence

_MONTHS = "Jan. Feb. Mar. Apr. May June July Aug. Sept. Oct. Nov. Dec.".split()


def reference(one: Reference) -> str:
    kind = one.entry.kind
    whole = kind in ("book", "dataset", "thesis", "report")
    title = sentence(one.title) if whole else quoted(one.title, ".")
    volume = f"vol. {one.volume}" if one.volume else ""
    number = f"no. {one.number}" if one.number else ""
    pages = f"{'pp' if '–' in one.pages else 'p'}. {one.pages}" if one.pages else ""
    if kind == "thesis":
        place = commas(one.container, one.year, "Thesis")
    elif kind == "preprint":
        place = commas(one.server, _date(one), one.link)
    else:
        place = commas(one.container or one.entry.publisher, volume, number, one.year, pages)
    if kind != "preprint":
        place = commas(place, one.link)
    return " ".join(filter(None, [sentence(_people(one.entry.names)), title, sentence(place)]))


def _people(names: Sequence[Name]) -> str:
    if len(names) > 2:
        return f"{names[0].inverted}, et al."
    return ", and ".join([name.inverted if place == 0 else name.display for place, name in enumerate(names)])


def _date(one: Reference) -> str:
    month = _MONTHS[int((one.entry.date or "")[5:7]) - 1] if one.month else ""
    return " ".join(filter(None, [one.day, month, one.year]))
