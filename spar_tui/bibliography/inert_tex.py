r"""Neutralize TeX commands in the LaTeX of a field: `\input{x}` becomes text that shows `\input`; `\alpha` stays
unchanged.

TeX also finds commands by other spellings: `^^69` is an i anywhere, `\begin{input}` runs `\input`, and after a package
has made `@` a letter `\@nameuse` is one name. This module handles each of them.
"""

import re
from typing import NamedTuple

from cache.originals import Original
from spar_tui.bibliography.tex_commands import acts

_TOKEN = re.compile(
    r"\\(?P<environment>begin|end)(?![A-Za-z])(?:\s*\{(?P<name>[^{}\\^]*)\})?"
    r"|\\(?P<word>[A-Za-z]+)(?P<at>@?)"
    r"|\\(?P<internal>@(?=[A-Za-z@]))"
    r"|(?P<hidden>\\?\^\^+)"
    r"|\\[\s\S]"
)
_BACKSLASH, _CARET = r"\textbackslash{}", r"\textasciicircum{}"


class InertTex(NamedTuple):
    """The escaped text of a field, and the commands that were escaped."""

    text: str
    commands: tuple[str, ...]


def inert(latex: str) -> InertTex:
    r"""Escape every command in `latex`, the value of a field, that can do more than typeset. Takes linear time."""
    if "\\" not in latex and "^^" not in latex:
        return InertTex(latex, ())
    commands: list[str] = []

    def replaced(token: re.Match[str]) -> str:
        shown = token[0]
        if shown.endswith("^^"):
            commands.append("^^")
            return shown.replace("\\", _BACKSLASH).replace("^", _CARET)
        if token["internal"]:
            commands.append("\\@")
            return r"\@{}"
        word = token["word"] or token["environment"]
        if word and (acts(word) if token["word"] else _acts_as_environment(token["name"])):
            commands.append(f"\\{word}" if token["word"] else f"\\{word}{{{token['name'] or ''}}}")
            return _BACKSLASH + shown[1:]
        if token["at"]:
            commands.append(f"\\{word}@")
            return f"\\{word}{{}}@"
        return shown

    return InertTex(_TOKEN.sub(replaced, latex), tuple(dict.fromkeys(commands)))


def acting_commands(original: Original) -> tuple[str, ...]:
    """Return the commands in the fields of a BibTeX or BibLaTeX entry that can do more than typeset, without
    duplicates."""
    if original.format != "bibtex":
        return ()
    values = (value for _, value in (*original.fields, *original.inherited))
    return tuple(dict.fromkeys(command for value in values for command in inert(value).commands))


def _acts_as_environment(name: str | None) -> bool:
    r"""Whether `\begin{name}` can do more than typeset: it runs `\name`. True for a name that is not plain ASCII
    letters."""
    plain = (name or "").strip().removesuffix("*")
    return not plain.isalpha() or not plain.isascii() or acts(plain)
