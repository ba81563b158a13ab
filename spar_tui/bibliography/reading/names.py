"""Lists of authors in BibTeX's notation."""

import re
from functools import lru_cache

from connectors.paper import Author
from connectors.records.build import author
from spar_tui.bibliography.reading.braces import is_braced, split
from spar_tui.bibliography.reading.latex import decode

NAME_CAP = 5_000
"""Characters that are read of a name: many accents are long in LaTeX."""
_AND = r"\s+and(?=[\s{])"
_PART = re.compile(r"\s*(family|given|prefix|suffix|given-i|useprefix)\s*=\s*", re.IGNORECASE)


def authors_of(latex: str) -> list[Author]:
    """`Family, Given and von Family, Jr, Given and {A Group}`; "and others" tells of nobody."""
    return [found for name in split(latex, _AND) if (found := _author(name.strip()[:NAME_CAP]))]


@lru_cache(maxsize=10_000)  # a person's bibliography names the same people again and again
def _author(latex: str) -> Author | None:
    if not latex or latex.casefold() == "others":
        return None
    if is_braced(latex):
        return author(decode(latex))
    parts = [part.strip() for part in split(latex, ",")]
    if _PART.match(parts[0]) and len(parts) > 1:
        return _extended(parts)
    if len(parts) == 1:
        return _given_first(_words(latex))
    if len(parts) == 2:
        return author(decode(parts[0]), decode(parts[1]))
    return author(f"{decode(parts[0])} {decode(parts[1])}".strip(), decode(", ".join(filter(None, parts[2:]))))


def _extended(parts: list[str]) -> Author | None:
    """BibLaTeX's `family=Waals, given=Johannes, prefix=van der`."""
    named = {name[1].lower(): decode(part[name.end() :]) for part in parts if (name := _PART.match(part))}
    family = " ".join(filter(None, (named.get("prefix"), named.get("family"), named.get("suffix"))))
    return author(family, named.get("given"))


def _given_first(words: list[str]) -> Author | None:
    """`Johannes Diderik van der Waals`: the family name begins at the first word in lower case, else it is the last."""
    start = next((index for index, word in enumerate(words[:-1]) if index and _is_lower(word)), len(words) - 1)
    return author(decode(" ".join(words[start:])), decode(" ".join(words[:start])))


def _is_lower(word: str) -> bool:
    letters = [letter for letter in (word if word.startswith("{") else decode(word)) if letter.isalpha()]
    return bool(letters) and not word.startswith("{") and letters[0].islower()


def _words(latex: str) -> list[str]:
    return [word for word in split(latex, r"[\s~]+") if word]
