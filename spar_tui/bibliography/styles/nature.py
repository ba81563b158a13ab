"""Nature: `1. Family, G. M. & Family, G. Title. Journal 1, 3–4 (2017).`"""

from collections.abc import Sequence

from spar_tui.bibliography.names import Name
from spar_tui.bibliography.styles.parts import Reference, commas, initials, listed, sentence, sentences


def reference(cited: Reference) -> str:
    people = _people(cited.makers)
    if cited.by_editors:
        people += f" ({'eds' if len(cited.makers) > 1 else 'ed.'})"
    doi = f"doi:{cited.entry.doi}" if cited.entry.doi else ""
    editors = f"({'eds' if len(cited.editors) > 1 else 'ed.'} {_people(cited.editors)})" if cited.editors else ""
    volume = f"vol. {cited.volume}" if cited.volume else ""
    date = f"({cited.year})" if cited.year else ""
    imprint = commas(cited.publisher, cited.place, cited.year)
    imprint = f"({imprint})" if imprint else ""
    match cited.form:
        case "article":
            where = commas(" ".join(filter(None, [cited.container, cited.volume])), cited.pages)
            parts = [sentence(_spaced(where, date)), doi]
        case "part":
            where = f"in {cited.container}" if cited.container else ""
            parts = [sentence(_spaced(where, cited.edition, editors, volume, cited.pages, imprint)), doi]
        case "preprint":
            parts = [sentence(_spaced(f"Preprint at {cited.link or cited.server}", date))]
        case _:
            container = cited.container if cited.container != cited.publisher else ""
            number = f"no. {cited.number}" if cited.number else ""
            parts = [sentence(_spaced(container, cited.edition, editors, volume, number, cited.pages, imprint)),
                    doi or cited.link]  # fmt: skip
    return sentences(people, cited.title, *parts)


def _spaced(*parts: str) -> str:
    return " ".join(filter(None, parts))


def _people(names: Sequence[Name]) -> str:
    return listed(names, _name, 5, 1, "&", comma=False)


def _name(name: Name) -> str:
    return name.literal or commas(name.surname, initials(name.given), name.suffix)
