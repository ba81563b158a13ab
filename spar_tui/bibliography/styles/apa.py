"""APA, 7th edition: `Family, G. M., & Family, G. (2017). Title. Journal, 1(2), 3–4. https://doi.org/…`"""

from collections.abc import Sequence

from spar_tui.bibliography.names import ET_AL, Name
from spar_tui.bibliography.styles.parts import Reference, commas, initials, listed, sentence, sentences

_MOST = 20
_KINDS_TOLD = {"dataset": " [Data set]", "software": " [Computer software]"}
"""Bracketed text after the title of works that are not texts."""


def reference(cited: Reference) -> str:
    date = f"({cited.year or ('n.d.-' + cited.letter if cited.letter else 'n.d.')})"
    people, title = _people(cited.makers), cited.title + _bracket(cited)
    if cited.by_editors:
        people += f" ({_role(cited.makers)})"
    lead = f"{sentence(people)} {date}." if people else f"{sentence(title)} {date}."
    return sentences(lead, title if people else "", _source(cited), cited.link)


def _people(names: Sequence[Name]) -> str:
    written = [_name(name) for name in names]
    if len(written) > _MOST:
        return f"{', '.join(written[: _MOST - 1])}, … {written[-1]}"
    if ET_AL in names:
        return ", ".join(written)
    return f"{', '.join(written[:-1])}, & {written[-1]}" if len(written) > 1 else "".join(written)


def _name(name: Name) -> str:
    return name.literal or commas(name.surname, initials(name.given), name.suffix)


def _editors(names: Sequence[Name]) -> str:
    """`G. M. Family & G. Family`"""
    return listed(names, lambda name: " ".join(filter(None, [initials(name.given), name.surname])) or name.literal,
                  _MOST, _MOST - 1, "&")  # fmt: skip


def _role(names: Sequence[Name]) -> str:
    return "Eds." if len(names) > 1 else "Ed."


def _bracket(reference: Reference) -> str:
    """Return the bracketed text after the title: editors, edition and numbers, and the kind of work."""
    volume = f"Vol. {reference.volume}" if reference.volume else ""
    if reference.form == "preprint":
        return f" (arXiv:{reference.entry.arxiv})" if reference.entry.arxiv else ""
    label = ""
    if reference.form not in ("article", "part"):
        number = f"No. {reference.number}" if reference.number else ""
        editors = f"{_editors(reference.editors)}, {_role(reference.editors)}" if reference.editors else ""
        inside = "; ".join(filter(None, [editors, commas(reference.edition, volume, number, _pages(reference))]))
        label = f" ({inside})" if inside else ""
    if reference.form == "thesis":
        return f"{label} [{commas('Thesis', reference.publisher)}]"
    return label + _KINDS_TOLD.get(reference.item.get("type", ""), "")


def _pages(cited: Reference) -> str:
    return f"{'pp' if '–' in cited.pages else 'p'}. {cited.pages}" if cited.pages else ""


def _source(reference: Reference) -> str:
    match reference.form:
        case "article":
            volume = f"{reference.volume}({reference.number})" if reference.number else reference.volume
            return commas(reference.container, volume, reference.pages)
        case "part":
            volume = f"Vol. {reference.volume}" if reference.volume else ""
            inside = commas(reference.edition, volume, _pages(reference))
            editors = f"{_editors(reference.editors)} ({_role(reference.editors)}), " if reference.editors else ""
            container = f"In {editors}{reference.container}" if reference.container or editors else ""
            return sentences(" ".join(filter(None, [container, f"({inside})" if inside else ""])), reference.publisher)
        case "thesis":
            return ""
        case "other":
            return sentences(
                reference.container, reference.publisher if reference.publisher != reference.container else ""
            )
    return reference.publisher
