"""Bytes of a bibliography as text, entry by entry: files grow by pasting, and their entries need not agree.

An entry that is valid UTF-8 is UTF-8. What is left is guessed, and every guess is told with the lines it concerns.
Entries in another script than Latin are told by a library that detects encodings. For Latin entries that library has
too little to go by; theirs is the encoding in which the letters of each entry are those of one language.
"""

import codecs
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
_DECLARED = re.compile(rb"(?:%\s*Encoding:\s*|<\?xml[^>]{1,80}\bencoding=[\"'])([\w.-]{2,30})", re.IGNORECASE)
_ENTRY = re.compile(rb"^(?=[ \t]*(?:@[ \t]*\w+\s*[{(]|TY[ \t]*-|PMID *-|%0 |PT [A-Z]$))", re.MULTILINE)
"""Where an entry begins, in any encoding that keeps ASCII."""
_WORD = re.compile(rb"[A-Za-z\x80-\xff]++")
_LATIN_SHARE = 0.6
"""Words of Latin script have fewer bytes beyond ASCII than this; those of other scripts consist of them."""
_LATIN = ("cp1252", "cp1250", "cp1254", "cp1257", "mac_roman", "cp850")
"""Encodings of Latin scripts; of those that fit equally well the first is taken."""
_OTHER = (
    "gb18030", "big5", "shift_jis", "euc_jp", "euc_kr", "cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "cp866",
    "mac_cyrillic",
)  # fmt: skip
_KANA = ("shift_jis", "euc_jp")
_ALPHABETS = tuple(
    frozenset(letters)
    for letters in (
        "äöüß", "àâæçéèêëîïôœùûüÿ", "áéíñóúü", "ãáàâçéêíóôõú", "àèéìòóù", "àçéèíïóòúü", "éëïóöüáíúè", "æøåéòôó",
        "åäöé", "åäöšž", "áæðéíóöúýþ", "ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîșțşţ",
        "čćđšž", "âçğıiöşüû", "äõöüšž", "āčēģīķļņšūž", "ąčęėįšųūž", "çë",
    )
)  # fmt: skip
"""The letters beyond ASCII of languages in Latin script (the exemplar characters of Unicode's CLDR)."""


class Guess(NamedTuple):
    """An encoding that was guessed, and the lines (from 1) of the entries that were read so."""

    encoding: str
    lines: tuple[int, ...]


class Decoded(NamedTuple):
    """A text with `\\n` at the ends of its lines, and what was guessed on the way."""

    text: str
    guesses: tuple[Guess, ...] = ()


def decode(raw: bytes, encoding: str = "") -> Decoded:
    """Return `raw` as text: in `encoding` if one is given, else as its first bytes or its head say, else entry by
    entry. Raises `LookupError` for an encoding that Python does not know, and `ValueError` for bytes that are no
    text."""
    if encoding:
        return Decoded(_lines(raw.decode(encoding, "replace").removeprefix("\ufeff")))
    for bom, name in _BOMS:
        if raw.startswith(bom):
            return Decoded(_lines(raw.removeprefix(bom).decode(name, "replace")))
    if b"\0" in raw:
        raise ValueError("it is no text")
    declared = _DECLARED.search(raw[:2_000])
    for name in ("utf-8", *([declared[1].decode()] if declared else [])):
        try:
            return Decoded(_lines(raw.decode(name)))
        except (UnicodeDecodeError, LookupError):
            continue
    return _by_entry(raw)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _by_entry(raw: bytes) -> Decoded:
    raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    starts = sorted({0, *(found.start() for found in _ENTRY.finditer(raw))})
    pieces = [raw[start:end] for start, end in zip(starts, [*starts[1:], len(raw)], strict=True)]
    latin = _latin_encoding([piece for piece in pieces if not _is_utf8(piece) and _is_latin(piece)])
    texts, guessed, line = list[str](), defaultdict[str, list[int]](list), 1
    for piece in pieces:
        if _is_utf8(piece):
            texts.append(piece.decode())
        else:
            name = latin if _is_latin(piece) else _other_encoding(piece)
            texts.append(_read(piece, name))
            guessed[name].append(line)
        line += piece.count(b"\n")
    guesses = tuple(Guess(name, tuple(lines)) for name, lines in guessed.items())
    return Decoded("".join(texts), guesses)


def _is_utf8(piece: bytes) -> bool:
    try:
        piece.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_latin(piece: bytes) -> bool:
    """Whether the words of `piece` that are not ASCII consist of ASCII letters for the most part."""
    words = _high_words(piece)
    high = sum(1 for word in words for byte in word if byte >= 0x80)
    return high < _LATIN_SHARE * sum(len(word) for word in words)


def _high_words(piece: bytes) -> list[bytes]:
    """Return the words of `piece` that are not ASCII."""
    return [word for word in _WORD.findall(piece) if not word.isascii()]


def _read(piece: bytes, name: str) -> str:
    try:
        return piece.decode(name)
    except UnicodeDecodeError:
        return piece.decode("cp1252" if name in _LATIN else name, "replace")


def _latin_encoding(pieces: Sequence[bytes]) -> str:
    fits = {name: sum(_fit(piece, name) for piece in pieces) for name in _LATIN}
    return max(_LATIN, key=lambda name: round(fits[name], 6))


def _fit(piece: bytes, name: str) -> float:
    """Return the share of the signs beyond ASCII that are letters of one language or punctuation, from 0 to 1."""
    try:
        signs = Counter(sign for sign in piece.decode(name).lower() if sign > "\x7f")
    except UnicodeDecodeError:
        return 0.0
    letters = {sign: times for sign, times in signs.items() if not _is_mark(sign)}
    known = max(sum(times for sign, times in letters.items() if sign in alphabet) for alphabet in _ALPHABETS)
    return known / total if (total := sum(letters.values())) else 1.0


def _is_mark(sign: str) -> bool:
    """Whether `sign` is a quotation mark, a dash or the like, which stand in every language."""
    return sign == "…" or unicodedata.category(sign) in ("Pd", "Ps", "Pi", "Pf", "Zs")


def _other_encoding(piece: bytes) -> str:
    from charset_normalizer import from_bytes

    fitting = list(from_bytes(b" ".join(_high_words(piece)), cp_isolation=list(_OTHER), threshold=0.5))
    if not fitting:
        return "cp1252"
    # Nobody writes in half-width katakana, as which many bytes of other scripts can be read.
    fitting = [found for found in fitting if _share(str(found), "ｦ", "ﾟ") < 0.2] or fitting
    japanese = (found for found in fitting if found.encoding in _KANA and _share(str(found), "\u3041", "\u30fe") > 0.1)
    others = (found for found in fitting if found.encoding != "euc_kr" or _share(str(found), "가", "힣") > 0.95)
    return [*japanese, *others, fitting[0]][0].encoding


def _share(text: str, first: str, last: str) -> float:
    """Return the share of the letters beyond ASCII that lie between two of them."""
    letters = [sign for sign in text if sign > "\x7f" and sign.isalpha()]
    return sum(first <= letter <= last for letter in letters) / max(len(letters), 1)


def told_guesses(guesses: Iterable[Guess]) -> Iterator[tuple[int, str]]:
    """Yield the first line that each guess concerns, and a sentence about it."""
    for encoding, lines in guesses:
        others = f", and {len(lines) - 1:,} more" if len(lines) > 1 else ""
        yield lines[0], f"not UTF-8; read as {encoding}{others} (another: --encoding NAME)"
