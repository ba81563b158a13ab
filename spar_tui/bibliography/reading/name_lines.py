"""Names as databases and reference managers list them: `Family, Given`, with initials, or several on a line."""

import re
from collections.abc import Iterable

from connectors.paper import Author
from connectors.records.build import PARTICLES, author, author_from_name, is_generation
from spar_tui.bibliography.reading.names import AND_MORE, is_nobody

_UNDIVIDED = re.compile(r"[\u3400-\u9fff\uac00-\ud7af]{2,4}")
"""A name in Chinese or Korean, which has no comma between its parts."""
_BETWEEN = re.compile(r"(?:(?<!\s)\s+)?[;；|]\s*+|,?(?<!\s)\s+(?:and|&)\s++")
_OTHERS = re.compile(r"(?:(?:and|&)\s+)?others\.?", re.IGNORECASE)
_BEHIND = r"[^\W\d_][^\s,;]*+(?>(?: [^\W\d_](?![A-Z]{0,2}(?:[,.]|$))[^\s,;]*+)*) (?:[A-Z]{1,3}|(?:[A-Z]\.-?){1,4})"
_INITIALS_BEHIND = re.compile(_BEHIND)
_WITH_INITIALS = re.compile(rf"{_BEHIND}(?>(?:,\s+{_BEHIND})+)\.?")
_BEFORE = r"(?:[^\W\d_]\.[ -]?){1,4}(?:[a-z]+ ){0,3}[^\W\d_][^\s,;.]++"
_SEPARATOR = r"(?:,?(?<!\s)\s+(?:and|&)\s++|[,;]\s++)"
_BY_INITIALS = re.compile(rf"{_BEFORE}(?>(?:{_SEPARATOR}{_BEFORE})+)")
_INITIALS_BEFORE = re.compile(r"(?:[^\W\d_]\.[ -]){1,4}(?:[a-z]+ ){0,3}[^\W\d_][^\s,;.]++")
"""The name of a person; `U.S. Army` has no blank or hyphen behind each initial."""


def _names_in(text: str) -> list[str]:
    """Split a line into names, although it should have one. A semicolon or "and" separates names only if all have their
    given names after a comma or are Chinese or Korean, and a comma only if all have initials; other text is one name,
    such as that of an institute."""
    if more := AND_MORE.search(text):
        return [*_names_in(text[: more.start()]), "et al."]
    if _OTHERS.fullmatch(text):
        return ["et al."]
    if _WITH_INITIALS.fullmatch(text):
        return [", ".join(name.rsplit(" ", 1)) for name in re.split(r",\s+", text.rstrip("."))]
    if _BY_INITIALS.fullmatch(text):
        return re.split(_SEPARATOR, text)
    parts = [part for part in _BETWEEN.split(text) if part.strip()]
    are_people = all("," in part.strip(", ") for part in parts) or all(
        _UNDIVIDED.fullmatch(part.rstrip(", ")) for part in parts
    )
    return [name for part in parts for name in in_pairs(part)] if are_people or len(parts) == 1 else [text]


def in_pairs(text: str) -> list[str]:
    """Split `Roe, A.B., Poe, C.` into names if every second part has initials only; else return the text."""
    words = [part.strip() for part in text.rstrip(", ").split(",")]
    if len(words) < 4 or len(words) % 2 or not all(map(ONLY_INITIALS.fullmatch, words[1::2])):
        return [text]
    return list(map(", ".join, zip(words[::2], words[1::2], strict=True)))


ONLY_INITIALS = re.compile(r"(?:[A-Z\u00c0-\u00de]\.?[ -]?){1,5}")


def people_in(lines: Iterable[str], *, in_ris: bool = False) -> list[Author]:
    """Return the people in lines of names. If one name is inverted, a name without a comma is that of a group, unless
    it begins with initials. RIS inverts all names, so there a single name of several words is that of a group too."""
    names = [name.strip() for line in lines for name in _names_in(line)]
    inverted = any("," in name.rstrip(",") for name in names)
    words = 1 if in_ris and len(names) == 1 else 2
    return [person for name in names if (person := _author_of(_with_comma(name, inverted=inverted, most_words=words)))]


def _with_comma(name: str, *, inverted: bool, most_words: int) -> str:
    """Return a name with a comma behind the family name, or at the end of a group's; without one, it has its parts in
    natural order, which no name of more than `most_words` has without an initial, a particle or a generation."""
    *words, last = name.split() or [""]
    if "," in name or _INITIALS_BEFORE.fullmatch(name):
        return name
    if not inverted and _INITIALS_BEHIND.fullmatch(name) and not is_generation(last):
        return f"{' '.join(words)}, {last}"
    may_be_person = (
        len(words) < most_words
        or is_generation(last)
        or any(word in PARTICLES or _INITIAL.fullmatch(word) for word in words)
    )
    return name if may_be_person and not inverted else f"{name},"


_INITIAL = re.compile(r"(?:[^\W\d_]\.?-?){1,3}(?<=\.)|[^\W\d_]")


def _author_of(text: str) -> Author | None:
    """Parse `Family, Given, Suffix`, with the last two possibly exchanged; a group's name ends with a comma."""
    if is_nobody(text):
        return None
    if text.endswith(","):
        return author(text.rstrip(", "))
    family, *rest = [part.strip() for part in text.split(",")]
    if len(rest) == 1 and is_generation(rest[0]):
        return author_from_name(text)
    if len(rest) == 2:
        swapped = is_generation(rest[0]) and not is_generation(rest[1])
        given, suffix = reversed(rest) if swapped else rest
        return author(family, given, suffix=suffix)
    if len(rest) > 2:
        return author(text)  # probably several people, so it stays undivided
    return author(family, *rest) if rest else author_from_name(text)
