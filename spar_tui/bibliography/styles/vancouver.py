"""Vancouver: `1. Family GM, Family G. Title. Journal. 2017;1(2):3–4. Available from: https://doi.org/…`"""

from collections.abc import Sequence

from spar_tui.bibliography.names import Name
from spar_tui.bibliography.styles.parts import Reference, initials, sentence


def reference(one: Reference) -> str:
    people = _people(one.makers)
    if one.by_editors:
        people = f"{people}, {_role(one.makers)}"
    kind = "".join([" [Internet]" if one.link and one.form not in ("article", "part") else "",
                    " [Thesis]" if one.form == "thesis" else ""])  # fmt: skip
    parts = [sentence(part) for part in (people, one.title + kind) if part]
    volume = f"; vol. {one.volume}" if one.volume else ""
    series = [f"({one.series}{volume})."] if one.series and one.form != "article" else []
    return " ".join([*parts, *_source(one), *series, *([f"Available from: {one.link}"] if one.link else [])])


def _people(names: Sequence[Name]) -> str:
    written = [_name(name) for name in names]
    return ", ".join(written[:6]) + (", et al" if len(written) > 6 else "")


def _name(name: Name) -> str:
    letters = initials(name.given, "", "")
    return name.literal or " ".join(filter(None, [name.surname, letters, name.suffix.rstrip(".")]))


def _role(names: Sequence[Name]) -> str:
    return "editors" if len(names) > 1 else "editor"


def _source(one: Reference) -> list[str]:
    """The sentences behind the title."""
    online = " [Internet]" if one.link else ""
    pages, volume = one.short_pages(1), f"Vol. {one.volume}" if one.volume and not one.series else ""
    if one.form == "article":
        issue = f"({one.number})" if one.number else ""
        where = f"{one.volume}{issue}" + (f":{pages}" if pages else "")
        date = _date(one)
        told = [one.container + online if one.container else "", f"{date};{where}" if date and where else date or where]
        return [sentence(part) for part in told if part]
    imprint = "; ".join(filter(None, [one.imprint, _date(one) if one.form in ("report", "dataset") else one.year]))
    editors = f"{_people(one.editors)}, {_role(one.editors)}" if one.editors else ""
    paged = f"p. {pages}" if pages else ""
    if one.form == "part":
        place = " ".join(filter(None, [sentence(editors), one.container + online if one.container else ""]))
        told = [f"In: {place}" if place else "", one.edition, volume, imprint, paged]
    else:
        number = f"No. {one.number}" if one.number else ""
        container = one.container if one.form == "other" and one.container != one.publisher else ""
        told = [container, editors, one.edition, volume, number, imprint, paged]
    return [sentence(part) for part in told if part]


def _date(one: Reference) -> str:
    return " ".join(filter(None, [one.year, one.month[:3], one.day if one.month else ""]))
