r"""LaTeX as plain Unicode text: `{\"o}` is `ö`, protecting braces are gone, `$math$` stays as it was written.

Nothing is ever run: what is no known macro stays text. Deep nesting costs no stack.
"""

import re
import unicodedata
from typing import NamedTuple

_ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304", ".": "\u0307",
    "r": "\u030a", "v": "\u030c", "u": "\u0306", "H": "\u030b", "c": "\u0327", "k": "\u0328", "d": "\u0323",
    "b": "\u0331", "h": "\u0309", "G": "\u030f", "U": "\u030e",
}  # fmt: skip
_ALONE = {"^": "^", "~": "~"}
"""What an accent is over nothing."""
_LETTERS = {
    "ss": "ß", "SS": "ẞ", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł",
    "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ",
    "ng": "ŋ", "NG": "Ŋ", "S": "§", "P": "¶", "copyright": "©", "pounds": "£", "euro": "€", "texteuro": "€",
    "ldots": "…", "dots": "…", "textellipsis": "…", "textendash": "–", "textemdash": "—", "textquoteleft": "‘",
    "textquoteright": "’", "textquotedblleft": "“", "textquotedblright": "”", "textquotesingle": "'",
    "textquotedbl": '"', "quotesinglbase": "‚", "quotedblbase": "„", "guillemotleft": "«", "guillemotright": "»",
    "guillemetleft": "«", "guillemetright": "»", "guilsinglleft": "‹", "guilsinglright": "›", "lq": "‘", "rq": "’",
    "textasciitilde": "~", "textasciicircum": "^", "textbackslash": "\\", "textbraceleft": "{", "textbraceright": "}",
    "textunderscore": "_", "textless": "<", "textgreater": ">", "textbar": "|", "textdollar": "$",
    "textperiodcentered": "·", "textbullet": "•", "textdegree": "°", "textmu": "µ", "textregistered": "®",
    "texttrademark": "™", "textpm": "±", "texttimes": "×", "textdiv": "÷", "textonehalf": "½", "textonequarter": "¼",
    "textsection": "§", "textsterling": "£", "textexclamdown": "¡", "textquestiondown": "¿", "textordfeminine": "ª",
    "textordmasculine": "º", "textminus": "−", "textasciigrave": "`", "textasteriskcentered": "*", "slash": "/",
    "textnumero": "№", "textperthousand": "‰", "dag": "†", "textdagger": "†", "ddag": "‡", "textdaggerdbl": "‡",
    "LaTeX": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX", "quad": " ", "qquad": " ", "space": " ", "newline": " ",
    "par": " ", "newblock": " ", "textvisiblespace": " ",
}  # fmt: skip
_SILENT = frozenset(
    "emph textit textbf textsc textrm textsf texttt textup textsl textmd textnormal textsubscript textsuperscript"
    " underline mbox hbox text enquote uppercase MakeUppercase relax protect it em bf rm sc sf tt sl itshape bfseries"
    " scshape rmfamily sffamily ttfamily upshape mdseries normalfont small footnotesize noopsort path nolinkurl"
    " ignorespaces unskip noindent bgroup egroup boldmath".split()
)
"""Macros that shape their text; the text is kept."""
_LIGATURES = {"---": "—", "--": "–", "``": "“", "''": "”", "?`": "¿", "!`": "¡"}

_TOKEN = re.compile(
    r"\\(?P<word>[A-Za-z]+)\*?(?P<after>\s*)"
    r"|\\(?P<sign>[\s\S])"
    r"|(?P<math>(?<!\\)\$\$(?:\\.|[^$\\])+\$\$|\$(?:\\.|[^$\\])+\$)"
    r"|(?P<brace>[{}])"
    r"|(?P<ligature>---|--|``|''|\?`|!`)"
    r"|(?P<tie>~)"
    r"|(?P<text>[^\\{}$~`'?!-]+|[\s\S])",
)
_ARGUMENT = re.compile(r"\s*\{([^{}]*)\}")
_INLINE_MATH = re.compile(r"([\s\S]*?)\\\)")
_PLAIN = re.compile(r"[^\\{}$~`'?!-]*")


class _Group(NamedTuple):
    """An open brace: where its text begins, and the accents that wait for it."""

    start: int
    accents: str


def decode(latex: str) -> str:
    r"""The text that `latex`, the value of a field without its outer braces, stands for; line breaks stay."""
    if _PLAIN.fullmatch(latex):
        return unicodedata.normalize("NFC", latex)
    return unicodedata.normalize("NFC", _Decoder(latex).decoded())


class _Decoder:
    def __init__(self, latex: str) -> None:
        self.latex = latex
        self.written: list[str] = []
        self.groups: list[_Group] = []
        self.accents = ""
        """Marks that wait for the next letter, the innermost last."""

    def decoded(self) -> str:
        at = 0
        while found := _TOKEN.match(self.latex, at):
            at = found.end()
            match found.lastgroup:
                case "word" | "after":
                    at = self.word(found["word"], found["after"], at)
                case "sign":
                    at = self.sign(found["sign"], at)
                case "brace" if found["brace"] == "{":
                    self.groups.append(_Group(len(self.written), self.accents))
                    self.accents = ""
                case "brace":
                    self.close()
                case "ligature":
                    self.write(_LIGATURES[found["ligature"]])
                case "tie":
                    self.write(" ")
                case "math":
                    self.write(found["math"])
                case _:
                    text = found["text"]
                    self.write(text.lstrip() if self.accents else text)
        return "".join(self.written)

    def write(self, text: str) -> None:
        if text and self.accents:
            text = _accented(text, self.accents)
            self.accents = ""
        self.written.append(text)

    def close(self) -> None:
        if not self.groups:
            return  # a brace too many
        group = self.groups.pop()
        if group.accents:
            inner = "".join(self.written[group.start :])
            self.written[group.start :] = [_accented(inner, group.accents)]
        self.accents = ""

    def word(self, name: str, after: str, at: int) -> int:
        r"""A macro such as `\ss`; where reading goes on."""
        if name in _LETTERS:
            self.write(_LETTERS[name])
        elif name in _ACCENTS and not (len(name) == 1 and self.accents and not after):
            self.accents += _ACCENTS[name]
        elif name == "url" and (address := _ARGUMENT.match(self.latex, at)):
            self.write(address[1])
            return address.end()
        elif name == "href" and (address := _ARGUMENT.match(self.latex, at)):
            return address.end()
        elif name == "ensuremath" and (formula := _ARGUMENT.match(self.latex, at)):
            self.write(f"${formula[1]}$")
            return formula.end()
        elif name not in _SILENT:
            self.write(f"\\{name}{after}")
        return at

    def sign(self, sign: str, at: int) -> int:
        r"""A macro of one sign such as `\&`; where reading goes on."""
        if sign in _ACCENTS:
            self.accents += _ACCENTS[sign]
        elif sign == "(" and (formula := _INLINE_MATH.match(self.latex, at)):
            self.write(f"${formula[1].strip()}$")
            return formula.end()
        elif sign in "\\;: ,\t\n":
            self.write(" ")
        elif sign not in "/-!@()[]":
            self.write(sign)
        return at


def _accented(text: str, accents: str) -> str:
    """`text` with the marks on its first letter; a dotless i under an accent is an i."""
    text = text.lstrip() or text
    if not text.strip():
        marks = {mark: sign for sign, mark in _ACCENTS.items()}
        return "".join(_ALONE.get(marks[accent], "") for accent in accents) + text
    first = {"ı": "i", "ȷ": "j"}.get(text[0], text[0])
    return unicodedata.normalize("NFC", first + accents[::-1]) + text[1:]
