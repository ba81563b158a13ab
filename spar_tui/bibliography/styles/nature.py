"""Nature: `1. Family, G. M. & Family, G. Title. Journal 1, 3–4 (2017).`"""

from spar_tui.bibliography.names import Name
from spar_tui.bibliography.styles.parts import Reference, commas, initials, listed, sentence, sentences


def reference(one: Reference) -> str:
    people = listed(one.entry.names, _name, 5, 1, "&", comma=False)
    date = f"({one.year})" if one.year else ""
    match one.entry.kind:
        case "article":
            place = commas(" ".join(filter(None, [one.container, one.volume])), one.pages)
        case "proceedings" | "chapter":
            place = " ".join(filter(None, [f"in {one.container}" if one.container else "", one.pages]))
        case "preprint":
            place = f"Preprint at {one.link or one.server}"
        case _:
            place = f"({commas(one.container, one.year)})" if one.container or one.year else ""
            date = ""
    source = " ".join(filter(None, [place, date]))
    found = "" if one.pages or one.entry.kind == "preprint" else one.link
    return sentences(people, one.title, sentence(source), found)


def _name(name: Name) -> str:
    return name.literal or commas(name.surname, initials(name.given), name.suffix)
