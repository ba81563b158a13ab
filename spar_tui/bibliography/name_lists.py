"""Lists of names in BibTeX's notation, in which spar keeps the people of a work."""

import re
from collections.abc import Iterable

from spar_tui.bibliography.names import ET_AL, Name, is_others, name_of
from spar_tui.bibliography.reading.names import people_of


def listed(names: Iterable[Name]) -> str:
    """Return names as a list in BibTeX's notation."""
    return " and ".join(filter(None, map(_in_list, names)))


_SIGNS = {"\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}", "~": r"\textasciitilde{}"}
"""Characters of a name that are special in LaTeX."""


def _in_list(name: Name) -> str:
    """Format a name for a BibTeX list, with braces around parts that would be split."""
    literal, *parts = (
        re.sub(r"[\\{}~]", lambda sign: _SIGNS[sign[0]], part)
        for part in (name.literal, name.surname, name.suffix, name.given)
    )
    if literal:
        is_word = re.fullmatch(r"[^\s,]+", literal) and not is_others(literal)
        return "others" if name == ET_AL else literal if is_word else f"{{{literal}}}"
    return ", ".join(f"{{{part}}}" if re.search(r",|\band\b", part, re.IGNORECASE) else part for part in parts if part)


def people(text: str) -> list[Name]:
    """Return the people and groups of a list in BibTeX's notation; `ET_AL` is the last if the list is incomplete."""
    persons = people_of(text)
    return [*map(name_of, persons.named), *([ET_AL] if persons.et_al else [])]
