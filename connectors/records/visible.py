"""Show only the visible characters of foreign text. Light to import, for all code that draws or prints."""

import re
import unicodedata

COMBINING_CAP = 4
"""Maximum number of combining marks on one letter: enough for every living script, too few to cover other lines."""
_INVISIBLE_LETTERS = dict.fromkeys([0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, 0x2800])
_VARIATION_SELECTORS = dict.fromkeys([*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), *range(0x180B, 0x180E)])
_REMOVED = _INVISIBLE_LETTERS | _VARIATION_SELECTORS


def visible(text: str) -> str:
    """Keep only visible characters, with at most `COMBINING_CAP` marks on a letter."""
    return _UNUSUAL.sub(_visible_run, text)


_UNUSUAL = re.compile("[^ -~]+")


def _visible_run(run: re.Match[str]) -> str:
    characters: list[str] = []
    marks = 0
    for character in run[0].translate(_REMOVED):
        category = unicodedata.category(character)
        if category in ("Mn", "Me"):
            marks += 1
            if marks > COMBINING_CAP:
                continue
        elif category in ("Cc", "Cf", "Cn") and character not in "\t\n\r\x0b\x0c\x85":
            continue
        else:
            marks = 0
        if category == "Cs":
            characters.append("\ufffd")
        else:
            characters.append(" " if category in ("Cc", "Zs", "Zl", "Zp") else character)
    return "".join(characters)


def shortened(text: str, max_letters: int = 70) -> str:
    """Return `text`, cut with an ellipsis if it has more than `max_letters` characters."""
    return text if len(text) <= max_letters else text[: max_letters - 1].rstrip() + "…"


def first_words(text: str, max_letters: int) -> str:
    """Return `text`, with an ellipsis in place of its last words if it has more than `max_letters` characters."""
    return text if len(text) <= max_letters else text[:max_letters].rpartition(" ")[0] + " …"
