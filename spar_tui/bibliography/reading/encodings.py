"""Decode a bibliography entry by entry: files grow by pasting, so their entries may have different encodings.

Valid UTF-8 is UTF-8. For other entries the encoding is guessed, and each guess is reported with its lines: it is the
encoding that needs the fewest bits, because frequent letters of a language need few. The frequencies come from a
library, whose own detection needs longer texts than one entry.
"""

import codecs
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from itertools import groupby, pairwise
from typing import NamedTuple

_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
_BOM_OF_LINE = re.compile(b"^" + codecs.BOM_UTF8, re.MULTILINE)
"""The mark at the start of a file that was pasted behind another."""
_DECLARED = re.compile(rb"(?:%\s*Encoding:\s*|<\?xml[^>]{1,80}\bencoding=[\"'])([\w.-]{2,30})", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\ud800-\uf8ff\ufffe\uffff]")
"""Characters that occur in no text."""
_ENTRY = re.compile(
    rb"^(?:(?=[ \t]*(?:@[ \t]*\w+\s*[{(]|TY[ \t]*-|PMID *-|%0 |PT [A-Z]$|RT [A-Z]))|(?<=\n\n)(?=%[A-Z] ))", re.MULTILINE
)
"""The start of an entry, in any encoding that extends ASCII."""
_ESCAPED = re.compile(rb"\x1b\$(?:[@B]|\([A-D])[^\x1b]*+(?:\x1b\([BJ])?")
_ISO_2022 = "iso2022_jp_2"
"""Text in seven bits, as mail and old databases of Japan have it: escape codes change the set of characters."""
_WORD = re.compile(rb"[A-Za-z\x80-\xff]++")
_MOST_LOOKED_AT = 200
"""Maximum number of entries in Latin script used to guess their encoding."""
_LATIN_SHARE, _OTHER_SHARE = 0.4, 0.8
"""Limits for the share of non-ASCII bytes: below the first a word is in Latin script, above the second it is not."""
_LATIN = ("cp1252", "cp1250", "cp1254", "cp1257", "iso8859_2", "iso8859_15", "mac_roman", "cp850")
_ALPHABETIC = ("cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "iso8859_5", "cp866", "mac_cyrillic")
"""The order decides between encodings that fit equally well."""


class _TwoBytes(NamedTuple):
    """An encoding with two bytes per character: its language, and ranges of first bytes of the common characters, with
    the bits per character."""

    language: str
    ranges: tuple[tuple[int, int, float], ...]


_TWO_BYTES = {
    "gb18030": _TwoBytes("Chinese", ((0xA1, 0xA3, 9), (0xB0, 0xD7, 12))),
    "big5": _TwoBytes("Chinese", ((0xA1, 0xA3, 9), (0xA4, 0xC6, 12.5))),
    "shift_jis": _TwoBytes("Japanese", ((0x81, 0x81, 9), (0x82, 0x82, 7.5), (0x83, 0x83, 9.5), (0x88, 0x98, 13))),
    "euc_jp": _TwoBytes("Japanese", ((0xA1, 0xA1, 9), (0xA4, 0xA4, 7.5), (0xA5, 0xA5, 9.5), (0xB0, 0xCF, 13))),
    "euc_kr": _TwoBytes("Korean", ((0xA1, 0xA3, 9), (0xB0, 0xC8, 10.5))),
}
"""The first level of each standard has the common characters; the bits are the logarithm of their number, fewer for
Korean, in which some syllables are far more frequent than others."""
_RARE = ("euc_jp", "iso8859_2", "iso8859_5", "iso8859_15", "cp866", "mac_cyrillic", "mac_roman", "cp850")
_OF_SYMBOL, _OFTEN, _SOMETIMES, _SELDOM = 6.0, 8.0, 9.5, 18.0
"""Bits of a sign such as `±`, of a frequent character of a language, of its other characters, and of characters of
other languages."""
_FAR_LIKELIER = 3 * _SELDOM
"""Bits that another encoding must save in an entry: a name or two with foreign letters need less."""
_LETTERS = {
    "German": "äöüß", "French": "àâæçéèêëîïôœùûüÿ", "Spanish": "áéíñóúü", "Portuguese": "ãáàâçéêíóôõú",
    "Italian": "àèéìòóù", "Catalan": "àçéèíïóòúü", "Dutch": "éëïóöüáíúè", "Danish": "æøåéôó", "Norwegian": "æøåéòôó",
    "Swedish": "åäöé", "Finnish": "åäöšž", "Icelandic": "áæðéíóöúýþ", "Polish": "ąćęłńóśźż",
    "Czech": "áčďéěíňóřšťúůýž", "Slovak": "áäčďéíĺľňóôŕšťúýž", "Hungarian": "áéíóöőúüű", "Romanian": "ăâîșțşţ",
    "Croatian": "čćđšž", "Turkish": "âçğıiöşüû", "Estonian": "äõöüšž", "Latvian": "āčēģīķļņšūž",
    "Lithuanian": "ąčęėįšųūž", "Albanian": "çë",
}  # fmt: skip
"""Non-ASCII letters of languages in Latin script (exemplar characters of Unicode's CLDR)."""


def _is_mark(sign: str) -> bool:
    """Whether `sign` is a quotation mark, dash or the like, which all languages use."""
    return sign == "…" or unicodedata.category(sign) in ("Pd", "Ps", "Pi", "Pf", "Zs")


_SYMBOL = re.compile(
    r"(?<![^\W\d_])(?:[±°µ§×©¶·•†‡‰¿¡]|[½¼¾£¥€¢](?![^\W\d_]))|(?:[®™]|(?<![^\W\d_]{3})[¹²³ªº])(?![^\W\d_])"
)
"""A sign of all languages at a place where it is usual beside letters: `°C`, `£5`, `cm²`."""
TWICE = "UTF-8 twice"
UTF_8 = "utf-8"
LOST = "\ufffd"
"""Replacement for bytes that the encoding does not define."""
_ENTRY_IN_TEXT = re.compile(_ENTRY.pattern.decode(), re.MULTILINE)
_SIGNS_OF_CP1252 = {ord(sign): byte for byte in range(0x80, 0xA0) if (sign := bytes([byte]).decode("cp1252", "ignore"))}
_BEHIND = "".join(sign for sign in map(chr, (*range(0x80, 0xC0), *_SIGNS_OF_CP1252)) if not _is_mark(sign))
_TWICE = re.compile(
    f"[\xc2-\xf4](?:[{''.join(sign for sign in _BEHIND if unicodedata.category(sign) != 'So')}]|(?<=[ÂÃâ])[{_BEHIND}])"
)
"""The first two bytes of a UTF-8 character, read as cp1252; not pairs that occur in text, such as a letter before a
quotation mark or `™`."""


class Guess(NamedTuple):
    """A guessed encoding, and the lines (from 1) of its entries; or an encoding `stated` in the file, and that line."""

    encoding: str
    lines: tuple[int, ...]
    stated: bool = False


class DecodedText(NamedTuple):
    """A decoded text with `\\n` line ends, and its guessed or stated encodings."""

    text: str
    guesses: tuple[Guess, ...] = ()


def decode(raw: bytes, encoding: str = "") -> DecodedText:
    """Decode `raw`: in `encoding` if given, else as stated by its byte order mark or head, else entry by entry. Raises
    `LookupError` for an encoding unknown to Python, and `ValueError` if the bytes are not text."""
    text, guesses = _decoded(raw, encoding)
    lines = [line for line, words in enumerate(text.split("\n"), 1) if LOST in words] if LOST in text else []
    return DecodedText(text, (*guesses, *([Guess(LOST, tuple(lines))] if lines else [])))


def _decoded(raw: bytes, encoding: str) -> DecodedText:
    if encoding:
        return DecodedText(_lines(raw.decode(encoding, "replace").removeprefix("\ufeff")))
    raw = raw.removeprefix(codecs.BOM_UTF8)  # files that grow by pasting begin with it too
    for bom, name in _BOMS:
        if raw.startswith(bom):
            return DecodedText(_lines(raw.removeprefix(bom).decode(name, "replace")))
    if b"\0" in raw:
        return _wide(raw)
    if _ESCAPED.search(raw):
        lines = tuple(line for line, words in enumerate(raw.split(b"\n"), 1) if b"\x1b$" in words)
        rest = _decoded(_ESCAPED.sub(lambda match: match[0].decode(_ISO_2022, "replace").encode(), raw), encoding)
        return DecodedText(rest.text, (*rest.guesses, Guess(_ISO_2022, lines)))
    declared = _DECLARED.search(raw[:2_000])
    head = Guess(declared[1].decode(), (raw.count(b"\n", 0, declared.start()) + 1,), True) if declared else None
    if is_utf8(raw):
        wrong = head and not raw.isascii() and not head.encoding.lower().replace("-", "").startswith("utf8")
        return _once(DecodedText(_lines(raw.decode()), (head._replace(encoding=UTF_8),) if head and wrong else ()))
    if head:
        with suppress(UnicodeDecodeError, LookupError):
            return _once(DecodedText(_lines(raw.decode(head.encoding)), (head,)))
    return _once(_by_entry(raw))


def _once(decoded: DecodedText) -> DecodedText:
    """Repair, entry by entry, UTF-8 that was read as cp1252 and encoded in UTF-8 again."""
    if not _TWICE.search(decoded.text):
        return decoded
    text, lines, line = decoded.text, list[int](), 1
    starts = [0, *(match.start() for match in _ENTRY_IN_TEXT.finditer(text) if match.start())]
    pieces = [text[start:end] for start, end in pairwise([*starts, len(text)])]
    for index, piece in enumerate(pieces):
        while _TWICE.search(piece) and (once := _undone(piece)):
            pieces[index] = piece = once
            lines += [line] if line not in lines[-1:] else []
        line += piece.count("\n")
    return DecodedText("".join(pieces), (*decoded.guesses, *([Guess(TWICE, tuple(lines))] if lines else [])))


def _undone(piece: str) -> str:
    """Undo double encoding; return "" unless all non-ASCII characters of `piece` result from it."""
    try:
        return piece.translate(_SIGNS_OF_CP1252).encode("latin-1").decode()
    except UnicodeError:
        return ""


def _wide(raw: bytes) -> DecodedText:
    """Decode UTF-16 without a byte order mark: most of every other byte is zero. Raises `ValueError` for all else."""
    name = "utf-16-le" if raw[1::2].count(0) > raw[::2].count(0) else "utf-16-be"
    try:
        text = raw.decode(name)
    except UnicodeDecodeError:
        text = ""
    if 4 * raw.count(0) < len(raw) or not text or _CONTROL.search(text):
        raise ValueError("it is not text")
    return DecodedText(_lines(text), (Guess(name, (1,)),))


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _by_entry(raw: bytes) -> DecodedText:
    raw = _BOM_OF_LINE.sub(b"", raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
    starts = sorted({0, *(match.start() for match in _ENTRY.finditer(raw))})
    pieces = [raw[start:end] for start, end in zip(starts, [*starts[1:], len(raw)], strict=True)]
    pieces = [part for piece in pieces for part in _in_one_encoding(piece)]
    in_latin = [piece for piece in pieces if not is_utf8(piece) and _share_beyond_ascii(piece) < _LATIN_SHARE]
    latin = _likeliest(_LATIN, in_latin[:: max(1, len(in_latin) // _MOST_LOOKED_AT)])
    texts, guessed, line = list[str](), defaultdict[str, list[int]](list), 1
    for piece in pieces:
        if is_utf8(piece):
            texts.append(piece.decode())
        else:
            share = _share_beyond_ascii(piece)
            encodings = (*(_LATIN if share < _OTHER_SHARE else ()), *_TWO_BYTES, *_ALPHABETIC)
            name = _in_latin(piece, latin) if share < _LATIN_SHARE else _likeliest(encodings, [piece])
            texts.append(_read(piece, name))
            guessed[name].append(line)
        line += piece.count(b"\n")
    guesses = tuple(Guess(name, tuple(lines)) for name, lines in guessed.items())
    return DecodedText("".join(texts), guesses)


def _in_one_encoding(piece: bytes) -> list[bytes]:
    """Return the piece, or its runs of lines in UTF-8 and of others in Latin script, if it has letters in both, as a
    table or YAML has, whose entries have no sign of their own."""
    runs = [b"".join(lines) for _, lines in groupby(piece.splitlines(keepends=True), is_utf8)]
    others = b"".join(run for run in runs if not is_utf8(run))
    mixed = any(is_utf8(run) and not run.isascii() for run in runs) and _share_beyond_ascii(others) < _LATIN_SHARE
    return runs if mixed and len(runs) > 1 else [piece]


def _in_latin(piece: bytes, usual: str) -> str:
    """Return the encoding of an entry in Latin script: the `usual` one of the file, unless another is far likelier."""
    likeliest = _likeliest(_LATIN, [piece])
    return likeliest if _bits(piece, usual) - _bits(piece, likeliest) > _FAR_LIKELIER else usual


def is_utf8(piece: bytes) -> bool:
    try:
        piece.decode()
    except UnicodeDecodeError:
        return False
    return True


def _share_beyond_ascii(piece: bytes) -> float:
    """Return the share of non-ASCII bytes in the words that have any, without short ones with one, such as `µg`."""
    words = [word for word in _high_words(piece) if len(word) > 3 or sum(byte >= 0x80 for byte in word) > 1]
    return sum(byte >= 0x80 for word in words for byte in word) / max(sum(map(len, words)), 1)


def _high_words(piece: bytes) -> list[bytes]:
    """Return the words of `piece` that are not ASCII."""
    return [word for word in _WORD.findall(piece) if not word.isascii()]


def _read(piece: bytes, name: str) -> str:
    try:
        return piece.decode(name)
    except UnicodeDecodeError:
        return piece.decode("cp1252" if name in _LATIN else name, "replace")


def _likeliest(names: Sequence[str], pieces: Sequence[bytes]) -> str:
    """Return the encoding that needs the fewest bits for the pieces, each in its best language."""
    return min(names, key=lambda name: round(sum(_bits(piece, name) for piece in pieces) + _OFTEN * (name in _RARE), 3))


def _bits(piece: bytes, name: str) -> float:
    """Return the bits for the non-ASCII characters of `piece`; the ASCII letters in their words tell the language."""
    try:
        text = (piece if name in _TWO_BYTES else b" ".join(_high_words(piece))).decode(name)
    except UnicodeDecodeError:
        return len(piece) * _SELDOM
    if name in _TWO_BYTES:
        return sum(_bits_of_sign(sign, name) * times for sign, times in Counter(text).items() if sign > "\x7f")
    text, symbols = _SYMBOL.subn(" ", text)
    within = [(before, sign) for before, sign in pairwise(text) if before.isalpha() and sign.isalpha()]
    odd = sum(sign.isupper() or (name not in _LATIN and before.isascii() != sign.isascii()) for before, sign in within)
    signs = Counter(sign for sign in text.lower() if sign.isalpha() or sign > "\x7f")
    marks = sum(times for sign, times in signs.items() if _is_mark(sign))
    signs_by_count = Counter({sign: times for sign, times in signs.items() if sign > "\x7f" and not _is_mark(sign)})
    plain = {sign: times for sign, times in signs.items() if sign < "\x80"} if name in _LATIN else {}

    def bits_of(counts: Mapping[str, int], bits: Mapping[str, float]) -> float:
        return sum(bits.get(sign, _SELDOM) * times for sign, times in counts.items())

    best = min(_letters(latin=name in _LATIN), key=lambda bits: bits_of(signs_by_count, bits) + bits_of(plain, bits))
    return bits_of(signs_by_count, best) + _OFTEN * (odd + marks) + _OF_SYMBOL * symbols


@lru_cache(maxsize=10_000)
def _bits_of_sign(sign: str, name: str) -> float:
    language, ranges = _TWO_BYTES[name]
    raw = sign.encode(name)
    bits = next((bits for first, last, bits in ranges if len(raw) == 2 and first <= raw[0] <= last), _SELDOM)
    return min(bits, _OFTEN) if sign in _frequent()[language] else bits


@cache
def _letters(*, latin: bool) -> list[dict[str, float]]:
    """Return the bits of each letter by language: their frequencies decrease by a constant factor with the rank."""
    frequent = {name: letters for name, letters in _frequent().items() if letters[0].isascii() == latin}
    base = frequent.get("English", ())
    return [
        dict.fromkeys(_LETTERS.get(language, ""), _SOMETIMES)
        | {letter: 3 + 0.18 * rank for rank, letter in enumerate(frequent.get(language, base))}
        for language in (*frequent, *(_LETTERS.keys() - frequent.keys() if latin else ()))
    ]


@cache
def _frequent() -> Mapping[str, Sequence[str]]:
    """Return the letters or characters of languages by frequency."""
    from charset_normalizer.constant import FREQUENCIES

    return FREQUENCIES


def guess_notices(guesses: Iterable[Guess]) -> Iterator[tuple[int, str]]:
    """Yield the first line that each guess concerns, and a sentence about it."""
    for encoding, lines, stated in guesses:
        more_text = f" (and {len(lines) - 1:,} more)" if len(lines) > 1 else ""
        if encoding == TWICE:
            yield lines[0], f"encoded in UTF-8 twice{more_text}; decoded twice; --encoding utf-8 decodes once"
        elif encoding == UTF_8:
            yield lines[0], "another encoding is stated here, but the file is UTF-8 and read as such"
        elif encoding == LOST:
            yield (
                lines[0],
                f"has {LOST} for letters that cannot be read{more_text}; --encoding NAME sets another encoding",
            )
        else:
            remark = " (as stated here)" if stated else more_text
            yield lines[0], f"not UTF-8; read as {encoding}{remark}; --encoding NAME sets another"
