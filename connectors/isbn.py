"""ISSNs and ISBNs; the 10-digit and 13-digit forms of a book's ISBN are equal."""

import re

_ISBN = re.compile(r"(?<![0-9A-Za-z])(?:97[89][- ]?)?[0-9](?:[- ]?[0-9]){8}[- ]?[0-9Xx](?![0-9A-Za-z])")
_SERIAL = re.compile(
    r"(?:(?<![0-9A-Za-z-])|(?<=IS[SB]N-)|(?<=IS[SB]N))"
    r"(?:(?:97[89] )?[0-9](?:-?[0-9]){6,11}-?[0-9Xx]|(?:97[89] )?[0-9](?: ?[0-9]){8} ?[0-9Xx])(?![0-9A-Za-z-])"
)
_ALONE = re.compile(r"^[0-9]|is[sb]n", re.IGNORECASE)
"""Beginning of a field, or label in it, by which a single number is its ISSN or ISBN."""
_BARE_ISSN = re.compile(r"(?<![0-9A-Za-z-])([0-9]{4})([0-9]{3}[0-9Xx])(?![0-9A-Za-z-])")
_LABEL = re.compile(r"(?:urn:)?isbn(?:-?1[03])?\s*[:=]?\s*", re.IGNORECASE)


_DASH = re.compile("[‐-―−]")
"""Typographic hyphens and dashes."""


def isbn(text: str) -> str:
    """Return the 13 digits of an ISBN, with or without label; "" for anything else or a wrong check digit."""
    digits = _digits(text)
    if len(digits) == 10:
        total = sum(weight * (10 if digit == "X" else int(digit)) for weight, digit in enumerate(reversed(digits), 1))
        return "" if total % 11 else _with_check_digit(f"978{digits[:9]}")
    return digits if digits.isdigit() and digits == _with_check_digit(digits[:12]) else ""


def is_mistyped(text: str) -> bool:
    """Whether a text has the form of an ISBN, but a wrong check digit."""
    return bool(_digits(text) and not isbn(text))


def _digits(text: str) -> str:
    """Return the digits of an ISBN, with or without label; "" for anything else."""
    text = _DASH.sub("-", text.strip())
    bare = text[label.end() :] if (label := _LABEL.match(text)) else text
    return re.sub("[- ]", "", bare).upper() if len(text) <= 40 and _ISBN.fullmatch(bare) else ""


def isbns(text: str) -> frozenset[str]:
    """Return all ISBNs in a field, which may list several bindings, as 13 digits."""
    return frozenset(number for match in _ISBN.finditer(_DASH.sub("-", text)) if (number := isbn(match[0])))


def serials(text: str) -> list[str]:
    """Return the ISSNs and ISBNs in a field, without labels, remarks and addresses; its whole text if it has none.

    Inserts the hyphen that Scopus and others leave out into each ISSN.
    """
    matches = _SERIAL.findall(_DASH.sub("-", text))
    numbers = [_BARE_ISSN.sub(lambda issn: f"{issn[1]}-{issn[2].upper()}", number) for number in matches]
    return list(dict.fromkeys(numbers)) if len(numbers) > 1 or (numbers and _ALONE.search(text)) else [text]


def _with_check_digit(twelve: str) -> str:
    total = sum(int(digit) * (3 if index % 2 else 1) for index, digit in enumerate(twelve))
    return f"{twelve}{-total % 10}"
