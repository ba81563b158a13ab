r"""LaTeX of a field in which nothing acts: `\input{x}` becomes text that shows `\input`, and `\alpha` stays what it is.

TeX knows a name by other ways than its letters: `^^69` is an i wherever it stands, `\begin{input}` runs `\input`, and
where a package has made `@` a letter `\@nameuse` is one name. Each of them is taken into account.
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
    """A field's text, and the commands that were made text in it."""

    text: str
    commands: tuple[str, ...]


def inert(latex: str) -> InertTex:
    r"""`latex`, the value of a field, with every command that acts as plain text. Linear in its length."""
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
    """The commands that act in the fields of an entry of BibTeX or BibLaTeX, each once."""
    if original.format != "bibtex":
        return ()
    values = (value for _, value in (*original.fields, *original.inherited))
    return tuple(dict.fromkeys(command for value in values for command in inert(value).commands))


def _acts_as_environment(name: str | None) -> bool:
    r"""Whether `\begin{name}`, which runs `\name`, or an environment whose name is not plain letters, can act."""
    plain = (name or "").strip().removesuffix("*")
    return not plain.isalpha() or not plain.isascii() or acts(plain)
