"""APA, 7th edition: `Family, G. M., & Family, G. (2017). Title. Journal, 1(2), 3–4. https://doi.org/…`"""

from collections.abc import Sequence

from spar_tui.bibliography.names import Name
from spar_tui.bibliography.styles.parts import ET_AL, Reference, commas, initials, listed, sentence, sentences

_MOST = 20
_KINDS_TOLD = {"dataset": " [Data set]", "software": " [Computer software]"}
"""What stands behind the title of what is no text."""


def reference(one: Reference) -> str:
    date = f"({one.year or ('n.d.-' + one.letter if one.letter else 'n.d.')})"
    people, title = _people(one.makers), one.title + _bracket(one)
    if one.by_editors:
        people += f" ({_role(one.makers)})"
    lead = f"{sentence(people)} {date}." if people else f"{sentence(title)} {date}."
    return sentences(lead, title if people else "", _source(one), one.link)


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


def _bracket(one: Reference) -> str:
    """What stands behind the title: which of several it is, and what kind of work."""
    volume = f"Vol. {one.volume}" if one.volume else ""
    if one.form == "preprint":
        return f" (arXiv:{one.entry.arxiv})" if one.entry.arxiv else ""
    told = ""
    if one.form not in ("article", "part"):
        number = f"No. {one.number}" if one.number else ""
        editors = f"{_editors(one.editors)}, {_role(one.editors)}" if one.editors else ""
        inside = "; ".join(filter(None, [editors, commas(one.edition, volume, number, _pages(one))]))
        told = f" ({inside})" if inside else ""
    if one.form == "thesis":
        return f"{told} [{commas('Thesis', one.publisher)}]"
    return told + _KINDS_TOLD.get(one.item.get("type", ""), "")


def _pages(one: Reference) -> str:
    return f"{'pp' if '–' in one.pages else 'p'}. {one.pages}" if one.pages else ""


def _source(one: Reference) -> str:
    match one.form:
        case "article":
            volume = f"{one.volume}({one.number})" if one.number else one.volume
            return commas(one.container, volume, one.pages)
        case "part":
            volume = f"Vol. {one.volume}" if one.volume else ""
            inside = commas(one.edition, volume, _pages(one))
            editors = f"{_editors(one.editors)} ({_role(one.editors)}), " if one.editors else ""
            place = f"In {editors}{one.container}" if one.container or editors else ""
            return sentences(" ".join(filter(None, [place, f"({inside})" if inside else ""])), one.publisher)
        case "thesis":
            return ""
        case "other":
            return sentences(one.container, one.publisher if one.publisher != one.container else "")
    return one.publisher
