"""Convert a Markdown summary to a LaTeX document that compiles with LaTeX alone.

It is made from the lines of `summary_markdown`, so both have the same contents. All text is literal: math or macros in
an abstract have no effect.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from spar_tui.bibliography.latex import literal

_PREAMBLE = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\usepackage{longtable}
\setlength{\emergencystretch}{3em}"""
_PART = re.compile(
    r"(?P<cite>\\(?:auto)?cite\{[^{}]*\})|\\(?P<sign>.)|&#(?P<number>\d+);|(?P<strike>~~)|(?P<emphasis>\*)"
    r"|`(?P<code>[^`]*)`|<(?P<address>https?://[^<>\s]+)>|(?P<text>[^\\&~*`<]+|.)"
)
_HEADING = re.compile(r"(#+) (.*)")
_NUMBER = re.compile(r"\d+(?:\.\d+)* ")
"""The number of a section; LaTeX adds the same numbers."""
_ITEM = re.compile(r"( *)- (.*)")
_CELL_END = re.compile(r"(?<!\\)\|")
_BOXED = re.compile(r"^\\known\{(.)\}\{\w+\}\{\\fbox", re.MULTILINE)
_MOST_SHOWN = 10
_AFTER_LATIN = 0x180
_OF_LATEX = frozenset("‘’‚“”„–—…†‡•‰‹›€™№℃")
"""Characters in papers that LaTeX itself supports, besides accented Latin letters."""
_SECTIONS = {2: "section", 3: "subsection", 4: "subsubsection"}
_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξπρςστυφχψωΓΔΘΛΞΠΣΥΦΨΩ",
        "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho varsigma sigma tau upsilon"
        " varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split(),
        strict=True,
    )
)
_LIKE_LATIN = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧο", "ABEZHIKMNOPTXo", strict=True))
"""Greek letters without a macro, and the Latin letters that look the same."""
_MATH = {
    "≤": r"\leq", "≥": r"\geq", "≈": r"\approx", "≠": r"\neq", "≡": r"\equiv", "∼": r"\sim", "−": "-", "∞": r"\infty",
    "→": r"\rightarrow", "←": r"\leftarrow", "↔": r"\leftrightarrow", "⇒": r"\Rightarrow", "↑": r"\uparrow",
    "↓": r"\downarrow", "∈": r"\in", "∪": r"\cup", "∩": r"\cap", "⊂": r"\subset", "⊆": r"\subseteq", "∀": r"\forall",
    "∃": r"\exists", "∑": r"\sum", "∏": r"\prod", "∫": r"\int", "∂": r"\partial", "∇": r"\nabla", "√": r"\surd",
    "⋅": r"\cdot", "∗": "*", "′": "'", "⊕": r"\oplus", "⊗": r"\otimes", "ℓ": r"\ell", "ϵ": r"\epsilon",
    "ϕ": r"\phi",
}  # fmt: skip
_SPACES = {"\u2002": r"\enspace{}", "\u2003": r"\quad{}", "\u2009": r"\,", "\u202f": r"\,", "\u200a": r"\,"}
_DASHES = {"\u2010": "-", "\u2011": "-", "\u2012": "--", "\u2015": "---"}


def latex_document(lines: Sequence[str], bibliography: str = "", entries: str = "", *, biblatex: bool = False) -> str:
    """Return the LaTeX document for these lines. If anything is cited, it ends with a list of references from the file
    `bibliography` (without suffix), whose text is `entries`. The list is made by biblatex or else by natbib."""
    heading = _HEADING.fullmatch(lines[0]) if lines else None
    title, body = (_inline(heading[2]), lines[1:]) if heading else ("", lines)
    body_text = "\n".join(_blocks(body))
    package, ended = list[str](), list[str]()
    if bibliography and biblatex:
        package = [r"\usepackage[style=numeric,sorting=none]{biblatex}", rf"\addbibresource{{{bibliography}.bib}}"]
        ended = ["", r"\printbibliography"]
    elif bibliography:
        package = [r"\usepackage[numbers]{natbib}"]
        ended = ["", r"\bibliographystyle{unsrtnat}", rf"\bibliography{{{bibliography}}}"]
    head = [_PREAMBLE, *package, r"\usepackage[hidelinks]{hyperref}", *_declared(f"{title}{body_text}{entries}")]
    head += [rf"\title{{{title}}}", r"\author{}", r"\date{}", r"\begin{document}", r"\maketitle"]
    return "\n".join([*head, "", body_text, *ended, "", r"\end{document}", ""])


def remarks(document: str) -> list[str]:
    """Return a note on letters in a document that pdfLaTeX may not be able to print."""
    boxed = [letter for letter in _BOXED.findall(document) if ord(letter) >= _AFTER_LATIN and letter not in _OF_LATEX]
    if not boxed:
        return []
    letters = ", ".join(boxed[:_MOST_SHOWN]) + (" …" if len(boxed) > _MOST_SHOWN else "")
    return [f"LaTeX may lack some letters of the text or its bibliography; it then prints their numbers: {letters}"]


def _blocks(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of the document's body: headings, lists, tables and quotations; all others are paragraphs."""
    depth, table = 0, list[str]()
    for line in [*lines, ""]:
        item, heading = _ITEM.fullmatch(line), _HEADING.fullmatch(line)
        if table and not line.startswith("|"):
            yield from _table(table)
            table = []
        level = (2 if item[1] else 1) if item else 0
        yield from [r"\begin{itemize}"] * (level - depth) or [r"\end{itemize}"] * (depth - level)
        depth = level
        if item:
            yield rf"\item {{}}{_inline(item[2])}"  # so that a bracket is not read as an option
        elif heading:
            kind, numbered = _SECTIONS.get(len(heading[1]), "paragraph"), _NUMBER.match(heading[2])
            yield rf"\{kind}{'' if numbered else '*'}{{{_inline(heading[2][numbered.end() if numbered else 0 :])}}}"
        elif line.startswith("|"):
            table.append(line)
        elif line.startswith("> "):
            yield from (r"\begin{quote}", _inline(line[2:]), r"\end{quote}")
        else:
            yield _inline(line)


def _table(lines: Sequence[str]) -> Iterator[str]:
    """Format a table that can span pages; its columns share the width, with less for the first."""
    rows = [
        [_inline(cell.strip()) for cell in _CELL_END.split(line)[1:-1]] for line in lines if not line.startswith("|-")
    ]
    share = 0.78 / max(1, len(rows[0]) - 1)
    columns = rf"p{{0.1\linewidth}}*{{{len(rows[0]) - 1}}}{{p{{{share:.2f}\linewidth}}}}"
    yield rf"\begin{{longtable}}{{{columns}}}"
    for number, cells in enumerate(rows):
        yield " & ".join(rf"\raggedright {cell}" if cell else "" for cell in cells) + r" \tabularnewline"
        if number == 0:
            yield r"\hline \endhead"
    yield r"\end{longtable}"


def _inline(text: str) -> str:
    """Convert a line's Markdown to LaTeX, with all other text literal."""
    pieces, run, emphasized = list[str](), list[str](), False

    def print_run() -> None:
        pieces.append(literal("".join(run)).text)
        run.clear()

    for part in _PART.finditer(text):
        match part.lastgroup:
            case "text" | "sign" | "code":
                run.append(part[part.lastgroup])
            case "number":
                run.append(chr(int(part["number"])))
            case "strike":
                pass
            case "emphasis":
                print_run()
                pieces.append("}" if emphasized else r"\emph{")
                emphasized = not emphasized
            case "cite":
                print_run()
                pieces.append(part["cite"])
            case "address":
                print_run()
                pieces.append(rf"\url{{{_address(part['address'])}}}")
    print_run()
    return "".join([*pieces, "}" if emphasized else ""])


def _address(address: str) -> str:
    return re.sub(
        r"[{}\\%#^~]", lambda match: f"\\{match[0]}" if match[0] in "%#" else f"%{ord(match[0]):02X}", address
    )


def _declared(text: str) -> list[str]:
    """Return declarations for pdfLaTeX of letters that it may not know; other engines know all letters."""
    letters = sorted({letter for letter in text if not letter.isascii()})
    if not letters:
        return []
    return [
        r"\ifdefined\DeclareUnicodeCharacter",
        r"\newcommand{\known}[3]{\ifcsname u8:\detokenize{#1}\endcsname\else\DeclareUnicodeCharacter{#2}{#3}\fi}",
        *(rf"\known{{{letter}}}{{{ord(letter):04X}}}{{{_shown(letter)}}}" for letter in letters),
        r"\fi",
    ]


def _shown(letter: str) -> str:
    if _is_mark(letter):
        return ""
    macro = _macro(letter)
    return rf"\fbox{{\tiny U+{ord(letter):04X}}}" if macro is None else macro


def _is_mark(letter: str) -> bool:
    """Whether a character prints nothing by itself: a combining accent, or a mark of writing direction."""
    return unicodedata.category(letter) in ("Mn", "Me", "Cf")


def _macro(letter: str) -> str | None:
    """Return the macro for a letter that every LaTeX has; None if unknown."""
    if macro := _MATH.get(letter):
        return rf"\ensuremath{{{macro}}}"
    if macro := _GREEK.get(letter):
        return rf"\ensuremath{{\{macro}}}"
    return _SPACES.get(letter) or _DASHES.get(letter) or _LIKE_LATIN.get(letter)
