"""Compose and fold letters, so that names and words match, also without diacritics."""

import re
import unicodedata

PLAIN = {
    "ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ß": "ss",
    "ǿ": "o", "ǽ": "ae",
}  # fmt: skip
"""Letters that neither Unicode nor the tokenizer of SQLite takes for a letter with an accent."""
_BOTH_CASES = str.maketrans(PLAIN | {letter.upper(): plain for letter, plain in PLAIN.items() if letter not in "ıß"})
_BOTH_CASES[ord("ẞ")] = "ss"


_MARKS_CAP = 30
"""Maximum number of combining marks in a row, that of Unicode's stream-safe texts (UAX #15): Python puts a run of marks
in order in quadratic time."""
_PERHAPS_MARKS = re.compile(rf"[^\w\s\x00-\x7f]{{{_MARKS_CAP + 1},}}")


class _Letters(dict[int, str | int | None]):
    """Cache of a translation table by character code: removes accents, replaces the letters of `PLAIN`."""

    def __missing__(self, code: int) -> str | int | None:
        self[code] = None if unicodedata.combining(chr(code)) else code
        return self[code]


_LETTERS = _Letters({ord(letter): plain for letter, plain in PLAIN.items()})


def composed(text: str) -> str:
    """The Unicode normal form C of `text`, without the marks beyond `_MARKS_CAP` in a row."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _PERHAPS_MARKS.sub(_shortened, text))


def _shortened(run: re.Match[str]) -> str:
    letters, marks = list[str](), 0
    for letter in run[0]:
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks <= _MARKS_CAP:
            letters.append(letter)
    return "".join(letters)


_GREEK_OU = re.compile("([οΟ])([υύὐ-ὗὺῦΥΎὙ-ὟῪ])")


def to_ascii(text: str) -> str:
    """`text` in ASCII: Latin letters without their marks, other scripts transliterated, Greek `ου` as `ou`."""
    if text.isascii():
        return text
    from anyascii import anyascii

    latin = _GREEK_OU.sub(lambda pair: ("o" if pair[1] == "ο" else "O") + ("U" if pair[2].isupper() else "u"),
                          composed(text))  # fmt: skip
    return anyascii(latin)


def folded(text: str) -> str:
    """Normalize `text` for comparison: lowercase, without accents, ø as o, ł as l, æ as ae, ß as ss, ı as i."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKD", _PERHAPS_MARKS.sub(_shortened, text).casefold()).translate(_LETTERS).casefold()


def plain_letters(text: str) -> str:
    """Replace the letters of `PLAIN` in `text` and nothing else, as the full-text indexes of the library do."""
    return text if text.isascii() else text.translate(_BOTH_CASES)
