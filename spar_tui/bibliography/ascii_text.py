"""Names and titles in plain ASCII letters, for citation keys."""

import re
import unicodedata

_LETTERS = str.maketrans(
    {"ß": "ss", "ẞ": "SS", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "æ": "ae", "Æ": "Ae", "þ": "th",
     "Þ": "Th", "ð": "d", "Ð": "D", "œ": "oe", "Œ": "Oe", "ı": "i", "ŋ": "ng", "Ŋ": "Ng", "ħ": "h", "Ħ": "H", "ŧ": "t",
     "Ŧ": "T", "ĸ": "k", "ſ": "s", "ƒ": "f", "ə": "e", "Ə": "E"}
)  # fmt: skip
_CYRILLIC = "абвгґдеєёжзиіїйклмнопрстуўфхцчшщъыьэюяјљњћђџѕќѓ"
_CYRILLIC_LATIN = (
    "a b v g g d e ie e zh z i i i i k l m n o p r s t u u f kh ts ch sh shch . y . e iu ia j lj nj c dj dz dz k g"
)
_GREEK = "αβγδεζηθικλμνξοπρσςτυφχψω"
_GREEK_LATIN = "a b g d e z i th i k l m n x o p r s s t y f ch ps o"


def _tables() -> dict[int, str]:
    table: dict[int, str] = {}
    for letters, latin in ((_CYRILLIC, _CYRILLIC_LATIN), (_GREEK, _GREEK_LATIN)):
        for letter, written in zip(letters, latin.replace(".", "-").split(), strict=True):
            small = written.strip("-")
            table[ord(letter)] = small
            table.setdefault(ord(letter.upper()), small.capitalize())
    return table


_SCRIPTS = _tables()


def to_ascii(text: str) -> str:
    """`text` in ASCII: Latin letters without their marks, Cyrillic and Greek transliterated, other scripts left out."""
    if text.isascii():
        return text
    # Composed letters first: й is a letter of its own and no и with a mark.
    text = unicodedata.normalize("NFC", text).translate(_LETTERS).translate(_SCRIPTS)
    marked = unicodedata.normalize("NFKD", text)
    bare = "".join(one for one in marked if not unicodedata.combining(one))
    return bare.translate(_LETTERS).translate(_SCRIPTS).encode("ascii", "ignore").decode()


def words(text: str) -> list[str]:
    """The ASCII words of `text`; an apostrophe does not part a word: `O'Neil` is `ONeil`."""
    return re.findall(r"[A-Za-z0-9]+", re.sub(r"['’‘ʼ`]", "", to_ascii(text)))
