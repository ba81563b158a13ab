"""Chicago author-date, 17th edition: `Family, Given, and Given Family. 2017. “Title.” Journal 1 (2): 3–4.`"""

from collections.abc import Sequence

from spar_tui.bibliography.names import Name
from spar_tui.bibliography.styles.parts import Reference, commas, quoted, sentences

_MOST, _SHOWN = 10, 7


def reference(one: Reference) -> str:
    people, date = _people(one.entry.names), one.year or "n.d."
    title = one.title if one.entry.kind in ("book", "dataset") else quoted(one.title, ".")
    lead = [people, date, title] if people else [title, date]
    return sentences(*lead, _source(one), one.link)


def _people(names: Sequence[Name]) -> str:
    if not names:
        return ""
    written = [names[0].inverted, *(name.display for name in names[1:])]
    if len(written) > _MOST:
        return f"{', '.join(written[:_SHOWN])}, et al."
    return f"{', '.join(written[:-1])}, and {written[-1]}" if len(written) > 1 else written[0]


def _source(one: Reference) -> str:
    match one.entry.kind:
        case "article":
            volume = " ".join(filter(None, [one.volume, f"({one.number})" if one.number else ""]))
            place = " ".join(filter(None, [one.container, volume]))
            return f"{place}: {one.pages}" if one.pages and volume else commas(place, one.pages)
        case "proceedings" | "chapter":
            return commas(f"In {one.container}", one.pages) if one.container else ""
        case "preprint":
            return one.server
        case "thesis":
            return commas("Thesis", one.container)
    return one.container or one.entry.publisher
