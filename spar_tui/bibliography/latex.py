"""Convert Unicode text to LaTeX that biber, BibTeX and pandoc convert back to the same text."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple

from connectors.records.clean import unescaped
from connectors.records.letters import composed
from spar_tui.bibliography.markup import NO_CASE, pieces, tidy
from spar_tui.bibliography.tex_macros import SINGLE_QUOTES

_SPECIAL = {
    "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_", "$": r"\$", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    # A command in some languages of babel, and the end of a value for programs that write values in quotation marks.
    '"': '{"}',
    # `\{` counts as a brace for biber and BibTeX, which then swallow the next entry; and pandoc, which does not know
    # these two macros, takes all braces right behind one for its arguments and drops what is in them.
    "{": r"{\textbraceleft}", "}": r"{\textbraceright}",
}  # fmt: skip
_SPECIALS = re.compile("[" + re.escape("".join(_SPECIAL)) + "]")
_LIGATURE = re.compile(r"(?<=-)-|(?<=')'|(?<=`)`|(?<=[?!])`|(?<=,),|(?<=<)<|(?<=>)>")
_QUOTED = re.compile(SINGLE_QUOTES.format("‘", "’"))
"""Text in quotation marks, which ASCII has as the pair `', so that readers tell the closing one from an apostrophe."""
_BACKTICK = re.compile(r"(?<!\w)`(?!\s)")
"""A backtick that could open such a pair."""
_PLAIN = re.compile(r"(?!.*(?:--|''|,,))[A-Za-z0-9.:;()/,'!?*+=@|\[\]-]+(?: [A-Za-z0-9.:;()/,'!?*+=@|\[\]-]+)*")
"""Text that needs no conversion, like most names."""
_COMMANDS = {"i": r"\emph", "b": r"\textbf", "sub": r"\textsubscript", "sup": r"\textsuperscript", "scp": r"\textsc",
             NO_CASE: ""}  # fmt: skip
_WORD = re.compile(r"(?:[^\W_][\u0300-\u036f]*)+")

_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u030a": "r ", "\u030c": "v ",
    "\u0306": "u ", "\u030b": "H ", "\u0304": "=", "\u0307": ".", "\u0327": "c ", "\u0328": "k ", "\u0323": "d ",
    "\u0331": "b ",
}  # fmt: skip
_LETTERS = {
    "ß": r"{\ss}", "æ": r"{\ae}", "Æ": r"{\AE}", "œ": r"{\oe}", "Œ": r"{\OE}", "ø": r"{\o}", "Ø": r"{\O}",
    "ł": r"{\l}", "Ł": r"{\L}", "å": r"{\aa}", "Å": r"{\AA}", "ı": r"{\i}",
    "–": "--", "—": "---", "‘": r"\textquoteleft{}", "’": "'", "“": "``", "”": "''", "…": r"\ldots{}",
    "£": r"\pounds{}", "§": r"\S{}", "©": r"\copyright{}",
}  # fmt: skip
"""Macros that every reader understands."""
_MORE_LETTERS = {
    "Þ": r"{\TH}", "þ": r"{\th}", "Ð": r"{\DH}", "ð": r"{\dh}", "Đ": r"{\DJ}", "đ": r"{\dj}",
    "Ŋ": r"{\NG}", "ŋ": r"{\ng}",
}  # fmt: skip
"""Macros that LaTeX has, but that pandoc or biber lose."""
Ascii = bool | Literal["all"]
"""Whether letters become macros: no; yes, if every reader understands the macro; or "all"."""


class Encoded(NamedTuple):
    """LaTeX, and the characters that could not be converted to ASCII."""

    text: str
    kept: frozenset[str] = frozenset()


@lru_cache(maxsize=4_000)  # names and journals repeat
def encode(text: str, *, ascii_only: Ascii = False, protect: bool = False) -> Encoded:
    """Convert `text` for a field in braces; `protect` keeps styles from lowercasing capitals inside words."""
    if not text or (not protect and _PLAIN.fullmatch(text)):
        return Encoded(text)
    written: list[str] = []
    letters: set[str] = set()
    # In a text all in capitals, those in its words mean nothing.
    cased = [word for word in _WORD.findall(text) if word.upper() != word.lower()] if protect else []
    shouted = len(cased) > 3 and all(word == word.upper() for word in cased)
    after_tex, protected = False, False
    text = tidy(text)
    if ascii_only and "‘" in text:
        text = _QUOTED.sub(lambda match: f"\1{match[0][1:-1]}\2", text)
    for piece in pieces(text):
        match piece.kind:
            case "math" | "tex":
                piece_text = piece.text.replace("\1", "‘").replace("\2", "’")
                letters |= {letter for letter in piece_text if ascii_only and not letter.isascii()}
            case "open":
                piece_text = _COMMANDS[piece.text] + "{"
            case "close":
                piece_text = "}"
            case _:
                piece_text = _words(piece.text, ascii_only, protect and not (shouted or protected), letters)
        # A macro would read braces after it as its argument; `\/` prints nothing.
        written += ["\\/", piece_text] if after_tex and piece_text.startswith("{") else [piece_text]
        after_tex = piece.kind == "tex"
        if piece.text == NO_CASE and piece.kind in ("open", "close"):
            protected = piece.kind == "open"
    return Encoded("".join(written), frozenset(letters))


def _words(text: str, ascii_only: Ascii, protect: bool, kept_letters: set[str]) -> str:
    if not protect:
        return _letters(text, ascii_only, kept_letters)
    pieces, start = [], 0
    for word in _WORD.finditer(text):
        pieces.append(_letters(text[start : word.start()], ascii_only, kept_letters))
        encoded = _letters(word[0], ascii_only, kept_letters)
        pieces.append(f"{{{encoded}}}" if any(letter.isupper() for letter in word[0][1:]) else encoded)
        start = word.end()
    return "".join([*pieces, _letters(text[start:], ascii_only, kept_letters)])


def _letters(text: str, ascii_only: Ascii, kept_letters: set[str]) -> str:
    """Escape TeX's special characters in `text`; for ASCII, use the macros that all readers understand."""
    text = _LIGATURE.sub(lambda match: "\0" + match[0], text)
    text = _SPECIALS.sub(lambda match: _SPECIAL[match[0]], text)
    text = _BACKTICK.sub(r"\\`{}", text)
    if ascii_only and (not text.isascii() or "\1" in text or "\2" in text):
        text = text.replace("\1", "`").replace("\2", "'")
        text = _apart(_in_ascii(letter, kept_letters, ascii_only) for letter in _LETTERS_WITH_MARKS.findall(text))
    return text.replace("\0", "{}")


def _apart(pieces: Iterable[str]) -> str:
    """Join letters, with separators where they would form another ligature: –— would become -----."""
    parts, last = list[str](), ""
    for text in pieces:
        if text[0] in "-'`" and (last == text[0] or (text[0] == "`" and last in ("?", "!"))):
            parts.append("{}")
        parts.append(text)
        last = text[-1]
    return "".join(parts)


def literal(text: str) -> Encoded:
    """Convert `text` so that every character is printed: no markup, math or macro in it takes effect."""
    letters: set[str] = set()
    return Encoded(_letters(text, True, letters), frozenset(letters))


def with_escaped_ampersands(latex: str) -> str:
    r"""Return a person's LaTeX with `\&` for each bare `&`, which stops TeX, and with characters for HTML entities;
    math, tables and addresses stay unchanged."""
    if "&" not in latex or r"\begin" in latex:
        return latex
    return _AMPERSAND.sub(
        lambda match: unescaped(match["kept"] or "") or _letters(unescaped(match["sign"]), False, set()), latex
    )


_AMPERSAND = re.compile(
    r"(?P<kept>\\(?:verb|lstinline)\*?(?P<mark>[^\w\s*])[^\n]{0,999}?(?P=mark)"
    r"|\\(?:url|href|path)\s?\{[^{}]{0,999}\}|[a-z]{1,20}://[^\s{}]+|\\(?!&(?:[a-z]{1,30}|#\w{1,8});)[\s\S]|\$[^$]{0,999}\$)"
    r"|\\?(?P<sign>&(?:[a-z][a-z0-9]{1,30};|#[0-9]{1,6};|#x[0-9a-f]{1,6};)?)",
    re.IGNORECASE,
)


def encode_letters(latex: str, ascii_only: Ascii = True) -> Encoded:
    """Convert the non-ASCII letters in a person's LaTeX to macros, and leave everything else unchanged."""
    if latex.isascii():
        return Encoded(latex)
    kept: set[str] = set()
    letters = _LETTERS_WITH_MARKS.findall(composed(_QUOTED.sub(lambda match: f"`{match[0][1:-1]}'", latex)))
    return Encoded("".join(_in_ascii(letter, kept, ascii_only) for letter in letters), frozenset(kept))


_LETTERS_WITH_MARKS = re.compile(r"[\s\S][\u0300-\u036f]*")


def _in_ascii(letter: str, kept_letters: set[str], ascii_only: Ascii) -> str:
    if letter.isascii():
        return letter
    more_letters = _MORE_LETTERS if ascii_only == "all" else {}
    if ascii_form := _LETTERS.get(letter) or more_letters.get(letter):
        return ascii_form
    base, *marks = list(unicodedata.normalize("NFD", letter))
    accents = [_ACCENTS.get(mark) or ("textcommabelow " if more_letters and mark == "\u0326" else "") for mark in marks]
    if base.isascii() and base.isalpha() and all(accents) and (len(marks) == 1 or more_letters):
        for accent in accents:
            base = f"\\{accent.strip()}{{{base}}}"
        return f"{{{base}}}"  # one letter for BibTeX, which sorts and abbreviates by letters
    kept_letters.add(letter)
    return letter


def verbatim(text: str) -> str:
    """Percent-encode only the characters of a DOI, address, identifier or path that would break the field."""
    return re.sub(r"[{}\\\s\x00-\x1f\x7f]", lambda match: f"%{ord(match[0]):02X}", text) if text else ""
