"""Names as databases and reference managers list them: `Family, Given`, with initials, or several on a line."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from connectors.paper import Author
from connectors.records.build import GENERATION, PARTICLES, author, author_from_name, is_generation, is_group
from connectors.records.clean import unescaped
from spar_tui.bibliography.reading.names import AND_MORE, is_nobody

Order = Literal["inverted", "natural", ""]
"""How a format writes names; "" if that differs between files."""

_UNDIVIDED = re.compile(r"[\u3400-\u9fff\uac00-\ud7af]{2,4}")
"""A name in Chinese or Korean, which has no comma between its parts."""
_AND = re.compile(r",?(?<!\s)\s+(?:and|&)\s++")
_COMMA = re.compile(rf"{_AND.pattern}|,\s*+")
_OTHERS = re.compile(r"(?:(?:and|&)\s+)?others\.?", re.IGNORECASE)
_CAPITAL = r"[A-Z\u00c0-\u00de]"
_INITIALS = rf"(?:{_CAPITAL}{{1,3}}(?!\.)|{_CAPITAL}\.?(?:{_CAPITAL}\.|[ -]{_CAPITAL}\.?){{0,4}}?)"
_GIVEN = re.compile(rf"{_INITIALS}(?:, {GENERATION})?")
_INITIALS_BEHIND = re.compile(rf"([^\W\d_][^,]*?) ({_INITIALS})(?:,? ({GENERATION}))?\.?")
_INITIALS_BEFORE = re.compile(rf"(?:[^\W\d_]\.[ -]?){{1,4}}(?:[a-z]+ ){{0,3}}[^\W\d_][^\s,;.]++(?:,? {GENERATION})?")
_PERSON = re.compile(r"(?:[^\W\d_]\.[ -]){1,4}(?:[a-z]+ ){0,3}[^\W\d_][^\s,;.]++")
"""The name of a person; `U.S. Army` has no blank or hyphen behind each initial."""
_GENERATION_BEHIND = re.compile(rf"[^,]+ {GENERATION}")


@lru_cache(maxsize=10_000)  # the same people write many papers of a field
def names_in(text: str) -> Sequence[str]:
    """Split a line into names. A semicolon always separates names; "and" does if all have their given names after a
    comma; a comma does if the names have initials, or if there are three in natural order. Other text is one name, such
    as that of an institute. A generation belongs to the name before it."""
    text = unescaped(text).replace("，", ", ")
    if more := AND_MORE.search(text):
        return [*names_in(text[: more.start()]), "et al."]
    if _OTHERS.fullmatch(text):
        return ["et al."]
    parts = _with_generations(re.split("[;；、|]", text))
    return [name for part in parts for name in names_in(part)] if len(parts) > 1 else _listed(parts[0]) if parts else []


def _with_generations(parts: Iterable[str]) -> list[str]:
    """Return the parts of a list that are not empty, each generation behind the part before it."""
    names = list[str]()
    for part in map(str.strip, parts):
        if names and is_generation(part.rstrip(", ")):
            names[-1] += f", {part}"
        elif part.strip(", "):
            names.append(part)
    return names


def _listed(text: str) -> list[str]:
    words = _with_generations(_COMMA.split(text))
    short = list(map(_INITIALS_BEHIND.fullmatch, words))
    if len(words) < 2:
        return [text]
    if 2 * sum(map(bool, short)) > len(words):
        if "." not in text[:-1] and text.endswith("."):  # it ends the list
            return _listed(text[:-1])
        return [_inverted(match) if match else word for word, match in zip(words, short, strict=True)]
    if all(map(_INITIALS_BEFORE.fullmatch, words)):
        return words
    if len(words) > 2 and len(words) % 2 == 0 and all(map(_GIVEN.fullmatch, words[1::2])):
        return list(map(", ".join, zip(words[::2], words[1::2], strict=True)))
    people = _AND.split(text)
    if len(people) > 1 and (all("," in name.strip(", ") for name in people) or all(map(_UNDIVIDED.fullmatch, people))):
        return [name for part in people for name in _listed(part)]
    several = len(words) > 2 or any(map(_GENERATION_BEHIND.fullmatch, words))
    natural = "," in text.rstrip(",") and all(len(name.split()) > 1 and not is_group(name.split()) for name in words)
    return words if several and natural and not text.endswith(",") else [text]


def _inverted(name: re.Match[str]) -> str:
    return ", ".join(filter(None, name.groups()))


def people_in(lines: Iterable[str], order: Order = "") -> list[Author]:
    """Return the people in lines of names. If one name is inverted, a name without a comma is that of a group, unless
    it begins with initials. Where all names are inverted, a single name of several words is that of a group too."""
    names = [name for line in lines for name in names_in(line)]
    inverted = order != "natural" and any(_is_inverted(name.rstrip(",")) for name in names)
    most_words = {"inverted": 2, "natural": 9}.get(order, 3) if len(names) == 1 else 9 if order == "natural" else 4
    return [person for name in names if (person := _author_of(name, inverted, most_words))]


def order_of(names: Iterable[str]) -> Order:
    """Return the order of the names of a file, as most of them show it."""
    inverted = list(map(_is_inverted, names))
    return "" if len(inverted) < 2 else "inverted" if 2 * sum(inverted) > len(inverted) else "natural"


def _is_inverted(name: str) -> bool:
    """Whether a comma ends the family name; one before a generation says nothing about the order."""
    return any(not is_generation(part.strip()) for part in name.split(",")[1:])


def _with_comma(name: str, inverted: bool, most_words: int) -> str:
    """Return a name with a comma after the family name, or at the end of a group. Without a comma the parts are in
    natural order; `most_words` words are a name only with an initial, a particle or a generation."""
    words = name.split()
    if "," in name or _PERSON.fullmatch(name):
        return name
    short = None if inverted else _INITIALS_BEHIND.fullmatch(name)
    if short and (short[3] or not is_generation(words[-1])):
        return _inverted(short)
    may_be_person = (
        len(words) < most_words
        or is_generation(words[-1])
        or any(word in PARTICLES or _INITIAL.fullmatch(word) for word in words[:-1])
    )
    return name if may_be_person and not inverted and not is_group(words) else f"{name},"


_INITIAL = re.compile(r"(?:[^\W\d_]\.?-?){1,3}(?<=\.)|[^\W\d_]")


@lru_cache(maxsize=10_000)
def _author_of(name: str, inverted: bool, most_words: int) -> Author | None:
    """Parse a name; that of a group ends with a comma."""
    text = _with_comma(name, inverted, most_words)
    if is_nobody(text):
        return None
    return author(text.rstrip(", ")) if text.endswith(",") else author_from_name(text)
