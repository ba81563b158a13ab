"""Replacements of the same width for characters that a terminal's encoding lacks."""

import unicodedata

_BY_WORD = {
    "BOX": "+", "HORIZONTAL": "-", "VERTICAL": "|", "MINUS": "-", "BLOCK": "#", "UPWARDS": "^", "DOWNWARDS": "v",
    "LEFTWARDS": "<", "RIGHTWARDS": ">", "DOUBLE": '"', "SINGLE": "'",
}  # fmt: skip
_BY_CATEGORY = {"M": "", "S": "*", "P": ".", "Pd": "-"}


def stand_in(error: UnicodeError) -> tuple[str, int]:
    """Error handler for `codecs.register_error`: letters without accents, and ASCII art for lines."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_plain, error.object[error.start : error.end])), error.end


def _plain(character: str) -> str:
    whole = unicodedata.normalize("NFKD", character)
    base, marks = whole[0], whole[1:]
    if marks and (base.isdigit() or (not base.isalpha() and unicodedata.combining(marks[0]))):  # ½ is no 1, ≠ no =
        base = character
    if base.isascii() or base != character:
        return base if base.isascii() else _plain(base)
    words, category = unicodedata.name(base, "").split(), unicodedata.category(base)
    line = "" if "AND" in words else "HORIZONTAL VERTICAL"  # else a corner or a crossing
    word = next((word for word in (*line.split(), *_BY_WORD) if word in words), "")
    plain = _BY_WORD.get(word) or _BY_CATEGORY.get(category, _BY_CATEGORY.get(category[0], "?"))
    return plain * (2 if unicodedata.east_asian_width(base) in "WF" else 1)
