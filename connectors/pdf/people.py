"""The authors of a reference one by one, whichever part of a name its style prints first."""

from collections.abc import Iterator

from connectors.paper import Author
from connectors.pdf.names import (
    first_family,
    is_bare_initials,
    is_body,
    is_family,
    is_initials,
    is_list_of_names,
    is_others,
    parts_of,
    without_others,
)
from connectors.records.build import author, author_from_name, is_generation

MOST_AUTHORS = 500


def people_of(authors: str) -> tuple[tuple[Author, ...], bool]:
    """Everybody whom `authors`, the beginning of a reference, names, and whether it says that there are more."""
    bare = authors.strip().rstrip(",;: (")
    if not is_list_of_names(bare):
        body = author(first_family(bare))
        return ((body,) if body else ()), bare != without_others(bare)
    parts = parts_of(bare)
    named = [name for part in parts if not is_others(part) and (name := _name(part))]
    et_al = any(is_others(part) or part != without_others(part) for part in parts)
    found = (one for one in _inverted(named) if one)
    return tuple(found)[:MOST_AUTHORS], et_al


def _name(part: str) -> str:
    """`part` without marks of footnotes, and without the full stop that ends the list and no initial."""
    name = without_others(part).strip("*†‡§¶ ")
    last = name.split()[-1] if name else ""
    return name if is_initials(last) or is_generation(last) else name.rstrip(".")


def _inverted(parts: list[str]) -> Iterator[Author | None]:
    """The persons of the pieces between commas: `Doe` and `J. A.` are one, `Doe JA` is one, `Jane Doe` is one."""
    place = 0
    while place < len(parts):
        part, following = parts[place], parts[place + 1] if place + 1 < len(parts) else ""
        words, place = part.split(), place + 1
        if following and _is_given(following, part, parts, place):
            place += 1
            suffix = parts[place] if place < len(parts) and is_generation(parts[place]) else ""
            place += bool(suffix)
            yield author(part, following, None, suffix)
        elif following and is_generation(following):
            place += 1
            yield author_from_name(f"{part} {following}")
        elif len(words) > 1 and is_bare_initials(words[-1].rstrip(".")) and not is_initials(words[0]):
            yield author(" ".join(words[:-1]), words[-1].rstrip("."))
        elif is_body(words):
            yield author(part)
        else:
            yield author_from_name(part)


def _is_given(following: str, part: str, parts: list[str], place: int) -> bool:
    """Whether `following` is the given name of `part`, a family name before a comma: initials, or in the first name of
    a list (`Doe, Jane, and Richard Roe`) a name where a family name alone would stand."""
    if any(is_initials(word) for word in part.split()):
        return False
    if is_initials(following):
        return True
    return place == 1 and is_family(part) and (len(parts) == 2 or all(" " in one for one in parts[2:]))
