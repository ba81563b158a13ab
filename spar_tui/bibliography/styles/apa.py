"""APA, 7th edition: `Family, G. M., & Family, G. (2017). Title. Journal, 1(2), 3–4. https://doi.org/…`"""

from collections.abc import Sequence

from spar_tui.bibliography.names import Name
from spar_tui.bibliography.styles.parts import Reference, commas, initials, sentence, sentences

_MOST = 20


def reference(one: Reference) -> str:
    date = f"({one.year or ('n.d.-' + one.letter if one.letter else 'n.d.')})"
    people, title = _people(one.entry.names), one.title + _bracket(one)
    lead = f"{sentence(people)} {date}." if people else f"{sentence(title)} {date}."
    return sentences(lead, title if people else "", _source(one), one.link)


def _people(names: Sequence[Name]) -> str:
    written = [_name(name) for name in names]
    if len(written) > _MOST:
        return f"{', '.join(written[: _MOST - 1])}, . . . {written[-1]}"
    return f"{', '.join(written[:-1])}, & {written[-1]}" if len(written) > 1 else "".join(written)


def _name(name: Name) -> str:
    return name.literal or commas(name.surname, initials(name.given), name.suffix)


def _bracket(one: Reference) -> str:
    match one.entry.kind:
        case "thesis":
            return f" [{commas('Thesis', one.container)}]"
        case "dataset":
            return " [Data set]"
        case "preprint" if one.entry.arxiv:
            return f" (arXiv:{one.entry.arxiv})"
    return ""


def _source(one: Reference) -> str:
    match one.entry.kind:
        case "article":
            volume = f"{one.volume}({one.number})" if one.number else one.volume
            return commas(one.container, volume, one.pages)
        case "proceedings" | "chapter":
            pages = f" ({'pp' if '–' in one.pages else 'p'}. {one.pages})" if one.pages else ""
            return f"In {one.container}{pages}" if one.container else ""
        case "preprint":
            return one.server
        case "thesis":
            return ""
    return one.container or one.entry.publisher
