"""Nature: `1. Family, G. M. & Family, G. Title. Journal 1, 3–4 (2017).`"""

from collections.abc import Sequence

from spar_tui.bibliography.names import Name
from spar_tui.bibliography.styles.parts import Reference, commas, initials, listed, sentence, sentences


def reference(one: Reference) -> str:
    people = _people(one.makers)
    if one.by_editors:
        people += f" ({'eds' if len(one.makers) > 1 else 'ed.'})"
    doi = f"doi:{one.entry.doi}" if one.entry.doi else ""
    editors = f"({'eds' if len(one.editors) > 1 else 'ed.'} {_people(one.editors)})" if one.editors else ""
    volume = f"vol. {one.volume}" if one.volume else ""
    date = f"({one.year})" if one.year else ""
    imprint = commas(one.publisher, one.place, one.year)
    imprint = f"({imprint})" if imprint else ""
    match one.form:
        case "article":
            place = commas(" ".join(filter(None, [one.container, one.volume])), one.pages)
            told = [sentence(_spaced(place, date)), doi]
        case "part":
            place = f"in {one.container}" if one.container else ""
            told = [sentence(_spaced(place, one.edition, editors, volume, one.pages, imprint)), doi]
        case "preprint":
            told = [sentence(_spaced(f"Preprint at {one.link or one.server}", date))]
        case _:
            container = one.container if one.container != one.publisher else ""
            number = f"no. {one.number}" if one.number else ""
            told = [sentence(_spaced(container, one.edition, editors, volume, number, one.pages, imprint)),
                    doi or one.link]  # fmt: skip
    return sentences(people, one.title, *told)


def _spaced(*parts: str) -> str:
    return " ".join(filter(None, parts))


def _people(names: Sequence[Name]) -> str:
    return listed(names, _name, 5, 1, "&", comma=False)


def _name(name: Name) -> str:
    return name.literal or commas(name.surname, initials(name.given), name.suffix)
