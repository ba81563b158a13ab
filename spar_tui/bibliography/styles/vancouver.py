"""Vancouver: `1. Family GM, Family G. Title. Journal. 2017;1(2):3–4. Available from: https://doi.org/…`"""

from collections.abc import Sequence

from spar_tui.bibliography.names import Name
from spar_tui.bibliography.styles.parts import Reference, initials, sentence


def reference(cited: Reference) -> str:
    people = _people(cited.makers)
    if cited.by_editors:
        people = f"{people}, {_role(cited.makers)}"
    kind = "".join([" [Internet]" if cited.link and cited.form not in ("article", "part") else "",
                    " [Thesis]" if cited.form == "thesis" else ""])  # fmt: skip
    parts = [sentence(part) for part in (people, cited.title + kind) if part]
    volume = f"; vol. {cited.volume}" if cited.volume else ""
    series = [f"({cited.series}{volume})."] if cited.series and cited.form != "article" else []
    return " ".join([*parts, *_source(cited), *series, *([f"Available from: {cited.link}"] if cited.link else [])])


def _people(names: Sequence[Name]) -> str:
    written = [_name(name) for name in names]
    return ", ".join(written[:6]) + (", et al" if len(written) > 6 else "")


def _name(name: Name) -> str:
    letters = initials(name.given, "", "")
    return name.literal or " ".join(filter(None, [name.surname, letters, name.suffix.rstrip(".")]))


def _role(names: Sequence[Name]) -> str:
    return "editors" if len(names) > 1 else "editor"


def _source(reference: Reference) -> list[str]:
    """Return the sentences after the title."""
    online = " [Internet]" if reference.link else ""
    pages, volume = (
        reference.short_pages(1),
        f"Vol. {reference.volume}" if reference.volume and not reference.series else "",
    )
    if reference.form == "article":
        issue = f"({reference.number})" if reference.number else ""
        where = f"{reference.volume}{issue}" + (f":{pages}" if pages else "")
        date = _date(reference)
        parts = [
            reference.container + online if reference.container else "",
            f"{date};{where}" if date and where else date or where,
        ]
        return [sentence(part) for part in parts if part]
    imprint = "; ".join(
        filter(
            None, [reference.imprint, _date(reference) if reference.form in ("report", "dataset") else reference.year]
        )
    )
    editors = f"{_people(reference.editors)}, {_role(reference.editors)}" if reference.editors else ""
    paged = f"p. {pages}" if pages else ""
    if reference.form == "part":
        text = " ".join(filter(None, [sentence(editors), reference.container + online if reference.container else ""]))
        parts = [f"In: {text}" if text else "", reference.edition, volume, imprint, paged]
    else:
        number = f"No. {reference.number}" if reference.number else ""
        container = (
            reference.container if reference.form == "other" and reference.container != reference.publisher else ""
        )
        parts = [container, editors, reference.edition, volume, number, imprint, paged]
    return [sentence(part) for part in parts if part]


def _date(reference: Reference) -> str:
    return " ".join(filter(None, [reference.year, reference.month[:3], reference.day if reference.month else ""]))
