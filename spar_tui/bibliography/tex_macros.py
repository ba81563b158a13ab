r"""The LaTeX macros that are understood in bibliographies, and their meaning.

Other macros, such as `\ce{H2O}`, are TeX that stays unchanged.
"""

import re
from functools import cache

from spar_tui.bibliography.format_tables import lines_of

ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304", ".": "\u0307",
    "r": "\u030a", "v": "\u030c", "u": "\u0306", "H": "\u030b", "c": "\u0327", "k": "\u0328", "d": "\u0323",
    "b": "\u0331", "h": "\u0309", "G": "\u030f", "U": "\u030e", "textcommabelow": "\u0326",
}  # fmt: skip
"""Accents over or under the next letter, as combining marks."""
LETTERS = dict(line.split("\t") for line in lines_of("tex_letters.txt"))
"""Characters by macro."""
MACRO_JOURNALS = dict(line.split(":") for line in lines_of("journal_macros.txt"))
"""Journals by their macros in astronomers' bibliographies, as defined by AASTeX and written by ADS."""
TAGS = {
    "emph": "i", "textit": "i", "textsl": "i", "mkbibemph": "i", "mkbibitalic": "i", "textbf": "b", "mkbibbold": "b",
    "textsuperscript": "sup", "mkbibsuperscript": "sup", "textsubscript": "sub", "mkbibsubscript": "sub",
    "textsc": "scp",
}  # fmt: skip
"""Macros whose argument gets a tag of `markup`."""
DECLARATIONS = {
    "em": "i", "it": "i", "itshape": "i", "sl": "i", "slshape": "i", "bf": "b", "bfseries": "b", "sc": "scp",
    "scshape": "scp",
}  # fmt: skip
"""Macros that apply to the rest of their brace group."""
QUOTES = {"": ("“”", "‘’"), "de": ("„“", "‚‘"), "fr": ("«»", "“”")}
"""Outer and inner quotation marks of csquotes by language; "" for any other."""
SURROUNDED = {"enquote": "“”", "mkbibquote": "“”", "mkbibparens": "()", "mkbibbrackets": "[]"}
"""Macros that enclose their argument in two characters."""
SINGLE_QUOTES = r"(?<![\w?!]){0}(?=[^\s{0}{1}])(?>(?:\\[\s\S]|[^{0}{1}\\]|{0}{0}|{1}{1}|{1}(?=[\w\\]|{{[^}}]))+){1}"
"""A text in the single quotation marks {0} and {1}; an apostrophe in it has a letter after it, of TeX also a macro."""
SILENT = frozenset(
    "textrm textsf texttt textup textmd textnormal underline mbox hbox text uppercase MakeUppercase relax protect rm"
    " sf tt rmfamily sffamily ttfamily upshape mdseries normalfont small footnotesize path nolinkurl ignorespaces"
    " unskip noindent bgroup egroup boldmath autocap mkbibacro foreignlanguage cyrchar".split()
)
"""Macros whose formatting is ignored; their text is kept."""
ESCAPED = {"less": "<", "greater": ">", "mathsemicolon": ";"}
"""Crossref's replacements, between dollar signs, for HTML characters in a record."""
UNSHOWN_FIRST = frozenset("href noopsort SortNoop texorpdfstring foreignlanguage textcolor".split())
"""Macros whose first argument is not printed."""
PECULIAR = frozenset(("url", "ensuremath", "a"))
"""Macros that need special treatment."""


_LONE_MACRO = re.compile(r"\\([a-z]+)\{\}")


def journal_of(text: str) -> str:
    r"""Return the journal for a macro such as `\apj{}`; `text` itself if it is no macro."""
    match = _LONE_MACRO.fullmatch(text)
    return MACRO_JOURNALS.get(match[1], text) if match else text


def symbol(name: str) -> str:
    """Return the character for the macro `name`; "" if it stands for none."""
    return LETTERS.get(name) or _symbols().get(name, "")


def is_known(name: str) -> bool:
    """Whether the macro `name` is understood, so that it does not stay in the text."""
    tables = (ACCENTS, TAGS, DECLARATIONS, SURROUNDED, SILENT, UNSHOWN_FIRST, PECULIAR)
    return any(name in table for table in tables) or bool(symbol(name))


@cache
def _symbols() -> dict[str, str]:
    r"""Return a library's further symbols: `\alpha`, `\textbaht`; words such as `\log` are math and stay TeX."""
    from pylatexenc.latex2text import get_default_latex_context_db

    context = get_default_latex_context_db()  # type: ignore[no-untyped-call]
    pairs = ((spec.macroname, spec.simplify_repl) for spec in context.iter_macro_specs())
    return {name: text for name, text in pairs if isinstance(text, str) and not text.isascii() and "%" not in text}
