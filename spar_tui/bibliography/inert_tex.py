r"""Neutralize TeX commands in the LaTeX of a field: `\input{x}` becomes text that shows `\input`; `\alpha` stays
unchanged.

TeX also finds commands by other spellings: `^^69` is an i anywhere, `\begin{input}` runs `\input`, and after a package
has made `@` a letter `\@nameuse` is one name. This module handles each of them.

Commands that act are recognized in two ways. Primitives of TeX, e-TeX, pdfTeX, XeTeX and LuaTeX are listed; commands
of LaTeX and its packages that read, write, run or define are recognized by parts of their names. No list of names is
complete: of 565 commands in TeX Live that pass an argument to `\input`, `\openin`, `\write18` or the like, 420 have
names such as `\code`. An allowlist would turn a person's own macros, such as `\Package{x}`, into text. So an unknown
command stays unchanged, unless its field has a path that leads out of the document's folder, or a pipe: then it becomes
text too. An unknown command can still read files in that folder, and run a program if it does so without a path.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from cache.originals import Original
from spar_tui.bibliography.format_tables import lines_of
from spar_tui.bibliography.tex_macros import is_known

_PRIMITIVES = frozenset(" ".join(lines_of("tex_primitives.txt")).split())
"""In lowercase, because BibTeX styles may lowercase a title, including its macros."""
_PRIMITIVES_BY_PREFIX = r"(pdf(?!(la)?tex$)|xetex|etex|luatex(?!$)|ptex|umath|ifpdf)[a-z]+"
_READS_OR_WRITES = (
    r".*(input|include).*|(sub)?import(from)?|subfile|.*graphics?|epsf(ig|box|file)|psfig|externaldocument|iffileexists"
    r"|(file|csv|tsv|db|table)read(er)?|(end)?filecontents|(embed|attach)file|textattachfile|(open|read|save|load)file"
    r"|(immediate)?write(file|status|log)?|typein|typeout|wlog|addto(contents|contentsline)|addcontentsline|contentsline"
    r"|tableofcontents|listof[a-z]+|listfiles|nofiles|make(index|glossary|glossaries)|(tracing|logging)[a-z]+"
    r"|(print|add)?(bibliography|bibresource)|bibliographystyle|loadfont[a-z]+"
)
_RUNS = (
    r"lua(direct|exec|code|func)[a-z]*|.*(shellesc|exec)[a-z]*|loop|iterate|repeat|csuse|nameuse|.*hook[a-z]*"
    r"|(use|expand|pass|process|execute|load)(name|args|list|options[a-z]*|class[a-z]*|package[a-z]*)"
    r"|at(begin|end|every|next|used)[a-z]+|(before|after)(begin|end)[a-z]+"
)
_REDEFINES = (
    r"(re)?new(attribute|bibmacro|box|[a-z]*command[a-z]*|catcodetable|columntype|count(er)?|dimen|[a-z]*environment|fam"
    r"|float|font|help|if|insert|label|language|length|lua[a-z]+|mark(class|s)|muskip|savebox|skip|theorem|toks|whatsit"
    r"|robustcmd|protected[a-z]+|read|write)|(provide|declare|undeclare)[a-z]{3,}|(usepackage|requirepackage)[a-z]*"
    r"|[a-z]*document(class|style|metadata)?|makeat(letter|other)|explsyntax(on|off)|makerobust|[a-z]*cs(def|let)|letcs"
    r"|(set|addto|step|refstep|counterwith)(counter|length|in|out)|setto(width|height|depth)|(robust|patch|appto|preto)cmd"
    r"|[a-z]*catcode[a-z]*|[a-z]*chardef|set(symbolfont|mathalphabet|keys)|checkcommand|insertmark"
    r"|(this)?pagestyle|pagenumbering"
)
_ACTS = re.compile(f"(?:{_PRIMITIVES_BY_PREFIX}|{_READS_OR_WRITES}|{_RUNS}|{_REDEFINES})")


@lru_cache(maxsize=1_000)
def acts(name: str) -> bool:
    """Whether the TeX command `name` (without its backslash) can do more than typeset."""
    folded = name.lower()
    return not is_known(name) and (folded in _PRIMITIVES or _ACTS.fullmatch(folded) is not None)


_TOKEN = re.compile(
    r"\\(?P<environment>begin|end)(?![A-Za-z])(?:\s*\{(?P<name>[^{}\\^]*)\})?"
    r"|\\(?P<word>[A-Za-z]+)(?P<at>@?)"
    r"|\\(?P<internal>@(?=[A-Za-z@]))"
    r"|(?P<hidden>\\?\^\^+)"
    r"|\\[\s\S]"
)
_NAMED = re.compile(r"\\([A-Za-z]+)")
_COMMAND = re.compile(r"\\[A-Za-z@]|\^\^")
_OUTSIDE = re.compile(r"""(?<=[\s{\[",=])(?:~|\.\.?|[A-Za-z]:|\$\{?\w+\}?)?/(?=[\w.~$])|(?<=[{\["])\s*\|""")
"""A path that leads out of the document's folder, or a pipe instead of a file."""
_BACKSLASH, _CARET = r"\textbackslash{}", r"\textasciicircum{}"


class InertTex(NamedTuple):
    """The escaped text of a field, and the commands that were escaped."""

    text: str
    commands: tuple[str, ...]


def inert(latex: str) -> InertTex:
    r"""Escape every command in `latex`, the value of a field, that can do more than typeset. Takes linear time."""
    if not _COMMAND.search(latex):
        return InertTex(latex, ())
    outside = ("/" in latex or "|" in latex) and _OUTSIDE.search(latex) is not None
    if not (outside or any(mark in latex for mark in ("^^", "@", r"\begin")) or any(map(acts, _NAMED.findall(latex)))):
        return InertTex(latex, ())
    commands: list[str] = []

    def replaced(token: re.Match[str]) -> str:
        letters = token[0]
        if letters.endswith("^^"):
            commands.append("^^")
            return letters.replace("\\", _BACKSLASH).replace("^", _CARET)
        if token["internal"]:
            commands.append("\\@")
            return r"\@{}"
        word = token["word"] or token["environment"]
        strange = outside and not is_known(token["name"] or word or "")
        if word and (strange or (acts(word) if token["word"] else _acts_as_environment(token["name"]))):
            commands.append(f"\\{word}" if token["word"] else f"\\{word}{{{token['name'] or ''}}}")
            return _BACKSLASH + letters[1:]
        if token["at"]:
            commands.append(f"\\{word}@")
            return f"\\{word}{{}}@"
        return letters

    return InertTex(_TOKEN.sub(replaced, latex), tuple(dict.fromkeys(commands)))


def acting_commands(original: Original) -> tuple[str, ...]:
    """Return the commands in the fields of a BibTeX or BibLaTeX entry that can do more than typeset, without
    duplicates."""
    if original.format != "bibtex":
        return ()
    values = (value for _, value in original.whole if "\\" in value or "^^" in value)
    return tuple(dict.fromkeys(command for value in values for command in inert(value).commands))


def _acts_as_environment(name: str | None) -> bool:
    r"""Whether `\begin{name}` can do more than typeset: it runs `\name`. True for a name that is not plain ASCII
    letters."""
    plain = (name or "").strip().removesuffix("*")
    return not plain.isalpha() or not plain.isascii() or acts(plain)
