r"""Convert LaTeX to Unicode text: `{\"o}` is `ö`, protecting braces are removed, `$math$` stays unchanged.

Unknown macros stay too, with their arguments: the output of `\ce{H2O}` is unknown. One without arguments, `\foo`,
becomes `\foo{}`, which cannot be confused with text. No macro is ever executed. Deep nesting needs no stack.
"""

import re
from functools import cached_property
from typing import NamedTuple

from connectors.records.letters import composed
from spar_tui.bibliography.braces import closing_braces
from spar_tui.bibliography.markup import NO_CASE, end_of, start_of
from spar_tui.bibliography.tex_macros import (
    ACCENTS,
    DECLARATIONS,
    ESCAPED,
    QUOTES,
    SILENT,
    SINGLE_QUOTES,
    SURROUNDED,
    TAGS,
    UNSHOWN_FIRST,
    is_known,
    symbol,
)

_ALONE = {"^": "^", "~": "~", "`": "`"}
"""Accents without a letter."""
_SIGNS = {mark: sign for sign, mark in ACCENTS.items()}
_MOST_ACCENTS = 8
_LIGATURES = {"---": "—", "--": "–", "``": "“", "''": "”", "?`": "¿", "!`": "¡"}

_WITHIN = {outer[1]: inner for pair in QUOTES.values() for outer, inner in (pair, pair[::-1])} | {"”": "‘’"}
"""Inner quotation marks, by the closing mark of the outer ones."""
_QUOTING = ("enquote", "mkbibquote")
_QUOTED = SINGLE_QUOTES.format("`", "'")
_TOKEN = re.compile(
    r"\\(?P<word>[A-Za-z]+)(?P<after>\*?\s*)"
    r"|\\(?P<sign>[\s\S])"
    r"|(?P<math>(?<!\\)\$\$(?:\\.|[^$\\])+\$\$|\$(?:\\.|[^$\\])+\$)"
    r"|(?P<brace>[{}])"
    r"|(?P<ligature>---|--|``|''|\?`|!`)"
    rf"|(?P<quote>{_QUOTED})"
    r"|(?P<tie>~)"
    r"|(?P<text>[^\\{}$~`'?!-]+|[\s\S])"
)
_OPTION = re.compile(r"(?:\[[^\[\]{}]*\])?(?=\{)")
_INLINE_MATH = re.compile(r"([\s\S]*?)\\\)")
_PLAIN = re.compile(r"(?>(?:[^\\{}$~`'?!-]+|-(?!-)|'(?!')|[?!](?!`))*)")
_DASHES = re.compile(r"(?>(?:[^\\{}$~`'?!]+|'(?!')|[?!](?!`))*)")
"""Text whose only LaTeX are dashes, like pages."""
_WITH_BRACES = re.compile(rf"{_PLAIN.pattern}(?>(?:\{{(?=[^{{}}]){_PLAIN.pattern}\}}{_PLAIN.pattern})*)")
"""Text whose only LaTeX are braces around some of it, like most titles."""
_WITHOUT_LETTERS = re.compile(r"\{(?>(?:[^\w{}]|[\d_])*)\}")
_BRACES = str.maketrans("", "", "{}")
_WITH_ESCAPES = re.compile(rf"{_PLAIN.pattern}(?>(?:\\[&%#_]{_PLAIN.pattern})+)")
"""Text whose only LaTeX are escaped signs."""


class LatexText(NamedTuple):
    """The text of some LaTeX, plain and with the tags of `markup`."""

    text: str
    styled: str


def decode(latex: str, language: str = "") -> str:
    r"""Convert `latex`, the value of a field without its outer braces, to text; line breaks stay. The `language` of the
    work decides which quotation marks `\enquote` has."""
    if _DASHES.fullmatch(latex):
        return composed(latex.replace("---", "—").replace("--", "–"))
    return decode_styled(latex, language).text


def decode_styled(latex: str, language: str = "") -> LatexText:
    r"""Like `decode`, with tags: `\emph{x}` is `<i>x</i>`, and braces that protect capitals become a tag."""
    if _PLAIN.fullmatch(latex):
        text = composed(latex)
        return LatexText(text, text)
    if "{" not in latex and _WITH_ESCAPES.fullmatch(latex):
        text = composed(latex.replace("\\", ""))
        return LatexText(text, text)
    if _WITH_BRACES.fullmatch(latex) and not _WITHOUT_LETTERS.search(latex):
        text = composed(latex.translate(_BRACES))
        return LatexText(text, composed(latex.replace("{", start_of(NO_CASE)).replace("}", end_of(NO_CASE))))
    decoded = _Decoder(_without_shorthands(latex), QUOTES.get(language, QUOTES[""])).decoded()
    text = composed("".join(part for part in decoded if type(part) is str))
    return LatexText(text, composed("".join(decoded)) if _Tag in map(type, decoded) else text)


_LEFT_OVER = re.compile(
    r"\{\\[\"'`^~=.] ?\{?\\?[A-Za-z]\}?\}|\\[\"'`^~=.]\{\\?[A-Za-z]\}"
    r"|\{\\[uvHcdbrk][ {]\\?[A-Za-z]\}?\}|\{\\[A-Za-z]{1,14}(?:\{\})?\}"
)


def without_accents(text: str) -> str:
    r"""Decode letters such as `{\"o}` and `{\ss}` that a program left over in a format without LaTeX."""
    if "\\" not in text:
        return text
    return _LEFT_OVER.sub(lambda letter: letter[0] if "\\" in (decoded := decode(letter[0])) else decoded, text)


def _without_shorthands(latex: str) -> str:
    """Replace the German quotation marks of babel, "` and "', with macros."""
    first, *others = latex.split('"`')
    parts = [first]
    for part in others:
        quoted, end, text_after = part.partition("\"'")
        parts.append(rf"\glqq{{}}{quoted}{{}}\grqq{{}}{text_after}" if end else f'"`{part}')
    return "".join(parts)


class _Tag(str):
    """A tag in the output."""


class _Decoder:
    def __init__(self, latex: str, quotes: tuple[str, str]) -> None:
        self.latex = latex
        self.quotes = quotes
        self.written: list[str] = []
        self.ends: list[list[str]] = [[]]
        """The closing text of each open brace, innermost last; the first belongs to the whole text."""
        self.accents = ""
        """Accents to apply to the next letter, innermost last."""
        self.protected = 0
        """The nesting depth of the outermost group that protects capitals; 0 outside of such a group."""
        self.behind_macro = -1
        """The position after the last macro; a brace there opens its argument."""
        self.closing_quote = -1
        """The position of the mark that closes the last opened single quotation marks."""

    def decoded(self) -> list[str]:
        at = 0
        while match := _TOKEN.match(self.latex, at):
            at = match.end()
            match match.lastgroup:
                case "text" if match.start() == self.closing_quote:
                    self.write("’")
                case "text":
                    text = match["text"]
                    self.write(text.lstrip() if self.accents else text)
                case "after":
                    self.behind_macro = at = self.word(match["word"], match["after"], match.start(), at)
                case "sign":
                    at = self.sign(match["sign"], at)
                case "brace" if match["brace"] == "{":
                    self.open(NO_CASE if self.protects(at) else "")
                case "brace" if len(self.ends) == 1:
                    pass  # an unmatched closing brace
                case "brace":
                    self.close()
                case "ligature":
                    self.write(_LIGATURES[match["ligature"]])
                case "quote":
                    at = match.start() + 1
                    self.closing_quote = match.end() - 1
                    self.write("‘")
                case "tie":
                    self.write(" ")
                case _:
                    self.write(ESCAPED.get(match["math"].strip("$\\"), match["math"]))
        while self.ends:
            self.close()
        return self.written

    def write(self, text: str) -> None:
        if text and self.accents:
            text = _accented(text, self.accents)
            self.accents = ""
        self.written.append(text)

    def open(self, tag: str) -> None:
        """Open a group, with the style of `tag` if given."""
        self.ends.append([])
        if tag:
            self.shape(tag)
        if tag == NO_CASE:
            self.protected = len(self.ends)

    def shape(self, tag: str) -> None:
        r"""Apply the style of `tag` until the group ends, as `\em` does."""
        self.written.append(_Tag(start_of(tag)))
        self.ends[-1].append(_Tag(end_of(tag)))

    def close(self) -> None:
        if self.accents:
            self.written.append(_accented("", self.accents))
            self.accents = ""
        if self.protected == len(self.ends):
            self.protected = 0
        if ends := self.ends.pop():
            self.written += reversed(ends)

    def protects(self, at: int) -> bool:
        """Whether the brace before `at` protects its contents from case changes by styles."""
        if self.accents or at - 1 == self.behind_macro or self.latex[at : at + 1] in ("", "\\", "}", "$"):
            return False
        if _WITHOUT_LETTERS.match(self.latex, at - 1):
            return False
        return not self.protected

    @cached_property
    def closing(self) -> dict[int, int]:
        return closing_braces(self.latex)

    def word(self, name: str, after: str, start: int, at: int) -> int:
        r"""Convert a macro such as `\ss` that begins at `start`; return where to continue."""
        if name in ACCENTS:
            self.accents = (self.accents + ACCENTS[name])[-_MOST_ACCENTS:]
        elif letter := symbol(name):
            self.write(letter)
            return at - len(after) if after.startswith("*") else at
        elif name in DECLARATIONS:
            self.shape(DECLARATIONS[name])
        elif name == "a" and self.latex[at : at + 1] in ("'", "`", "="):  # an accent in a tabbing environment
            return self.sign(self.latex[at], at + 1)
        elif name in SILENT:
            return self.closing.get(at, at - 1) + 1 if name in UNSHOWN_FIRST else at
        elif not is_known(name):
            return self.keep(start, start + 1 + len(name) + after.startswith("*"), at)
        elif (end := self.closing.get(at)) is not None:
            return self.with_argument(name, at + 1, end)
        return at

    def with_argument(self, name: str, start: int, end: int) -> int:
        r"""Convert a macro such as `\emph` whose argument is from `start` to `end`; return where to continue."""
        if name in TAGS:
            self.open(TAGS[name])
            return start
        if name in SURROUNDED:
            marks = SURROUNDED[name]
            if name in _QUOTING:
                around = (_WITHIN.get("".join(ends)) for ends in reversed(self.ends))
                marks = next(filter(None, around), self.quotes[self.latex[start - 2] == "*"])
            self.write(marks[0])
            self.ends.append([marks[1]])
            return start
        if name == "url":
            self.write(self.latex[start:end])
        elif name == "ensuremath":
            self.write(f"${self.latex[start:end]}$")
        return end + 1

    def keep(self, start: int, end: int, at: int) -> int:
        """Keep an unknown macro from `start` to `end` and its adjacent arguments; return where to continue."""
        stop = end
        while (option := _OPTION.match(self.latex, stop)) and (closing := self.closing.get(option.end())):
            stop = closing + 1
        self.write(self.latex[start:stop] if stop > end else self.latex[start:end] + "{}")
        return stop if stop > end else at

    def sign(self, sign: str, at: int) -> int:
        r"""Convert a macro of one character such as `\&`; return where to continue."""
        if sign in ACCENTS:
            self.accents = (self.accents + ACCENTS[sign])[-_MOST_ACCENTS:]
        elif sign == "(" and (formula := _INLINE_MATH.match(self.latex, at)):
            self.write(f"${formula[1].strip()}$")
            return formula.end()
        elif sign in "\\;: ,\t\n":
            self.write(" ")
        elif sign not in "/-!@()[]":
            self.write(sign)
        return at


def _accented(text: str, accents: str) -> str:
    """Put the accents on the first letter of `text`; a dotless i under an accent becomes an i."""
    text = text.lstrip() or text
    if not text.strip():
        return "".join(_ALONE.get(_SIGNS[accent], "") for accent in accents) + text
    first = {"ı": "i", "ȷ": "j"}.get(text[0], text[0])
    return composed(first + accents[::-1]) + text[1:]
