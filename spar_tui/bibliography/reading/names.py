"""Lists of authors in BibTeX's notation."""

import re

from connectors.paper import Author
from connectors.record import author
from spar_tui.bibliography.reading.latex import decode

_AND = re.compile(r"\s+and(?=[\s{])", re.IGNORECASE)
_PART = re.compile(r"\s*(family|given|prefix|suffix|given-i|useprefix)\s*=\s*", re.IGNORECASE)


def authors_of(latex: str) -> list[Author]:
    """`Family, Given and von Family, Jr, Given and {A Group}`; "and others" tells of nobody."""
    return [found for one in _split(latex, _AND) if (found := _author(one.strip()))]


def _author(latex: str) -> Author | None:
    if not latex or latex.casefold() == "others":
        return None
    if _braced(latex):
        return author(decode(latex))
    parts = [part.strip() for part in _split(latex, re.compile(r","))]
    if _PART.match(parts[0]) and len(parts) > 1:
        return _extended(parts)
    if len(parts) == 1:
        return _given_first(_words(latex))
    if len(parts) == 2:
        return author(decode(parts[0]), decode(parts[1]))
    return author(f"{decode(parts[0])} {decode(parts[1])}".strip(), decode(", ".join(filter(None, parts[2:]))))


def _extended(parts: list[str]) -> Author | None:
    """BibLaTeX's `family=Waals, given=Johannes, prefix=van der`."""
    told = {name[1].lower(): decode(part[name.end() :]) for part in parts if (name := _PART.match(part))}
    family = " ".join(filter(None, (told.get("prefix"), told.get("family"), told.get("suffix"))))
    return author(family, told.get("given"))


def _given_first(words: list[str]) -> Author | None:
    """`Johannes Diderik van der Waals`: the family name begins at the first word in lower case, else it is the last."""
    start = next((place for place, word in enumerate(words[:-1]) if place and _is_lower(word)), len(words) - 1)
    return author(decode(" ".join(words[start:])), decode(" ".join(words[:start])))


def _is_lower(word: str) -> bool:
    letters = [letter for letter in (word if word.startswith("{") else decode(word)) if letter.isalpha()]
    return bool(letters) and not word.startswith("{") and letters[0].islower()


def _words(latex: str) -> list[str]:
    return [word for word in _split(latex, re.compile(r"[\s~]+")) if word]


def _braced(latex: str) -> bool:
    """Whether one pair of braces is around all of it."""
    if not (latex.startswith("{") and latex.endswith("}")) or latex.startswith("{\\"):
        return False
    return all(depth > 0 for depth in _depths(latex)[:-1])


def _split(latex: str, separator: re.Pattern[str]) -> list[str]:
    """`latex` cut where `separator` stands outside braces."""
    if "{" not in latex:
        return separator.split(latex)
    depths = _depths(latex)
    parts, start = [], 0
    for found in separator.finditer(latex):
        if depths[found.start()] <= 0:
            parts.append(latex[start : found.start()])
            start = found.end()
    return [*parts, latex[start:]]


def _depths(latex: str) -> list[int]:
    """How many braces are open after each character; escaped ones do not count."""
    depths, depth, escaped = [], 0, False
    for character in latex:
        if not escaped:
            depth += (character == "{") - (character == "}")
        escaped = character == "\\" and not escaped
        depths.append(depth)
    return depths
