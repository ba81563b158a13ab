"""Titles and abstracts as a terminal can show them: letters, signs and small digits in place of TeX and tags."""

import logging
import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, Literal, Protocol

from connectors.records.publication import without_withdrawal

_FORMULA = re.compile(r"\$\$?(?=[^$]*[\\^_{]|\s*[^$\s]+\s*\$)[^$]+\$\$?(?!\d)")
"""A formula between dollar signs: TeX, or a single word; other dollars are money."""
_MACRO = re.compile(r"\\(?:[\"'`^~=.](?:\{\\?[A-Za-z]\}|[A-Za-z])|[A-Za-z]+\{[^{}]*\})")
"""An accent, or a command with its text."""
_STYLE = re.compile(r"</?(?:[ib]|scp|span(?:\s[^<>]*)?)>")
_SCRIPT = re.compile(
    r"<(?P<tag>su[bp])>(?P<tagged>[^<>]*)</(?P=tag)>"
    r"|(?P<sign>[\^_])\{(?P<group>[^{}]*)\}"
    r"|(?<=[\w)\]])(?<![a-z]{2})(?:\^(?P<power>[-+]?\d+)|_(?P<index>\d)(?!\d))"
)
"""A sub- or superscript outside a formula: a tag, a group of TeX, or digits behind a symbol, not a word."""
Script = Literal["sub", "super"]


class HasTitle(Protocol):
    """A paper, or a row of the shelf: its title, and the same with tags."""

    @property
    def title(self) -> str: ...
    @property
    def styled_title(self) -> str: ...
    @property
    def retracted(self) -> bool: ...


def title_text(paper: HasTitle) -> str:
    """Return the title of `paper` as it is shown: `α-decay of ²³⁸U` for `$\\alpha$-decay of $^{238}$U`."""
    return shown_title(paper.styled_title or paper.title)


def warned_title(paper: HasTitle) -> str:
    """Return the title of `paper` as it is shown, after `RETRACTED: ` if the paper is retracted."""
    return f"{'RETRACTED: ' if paper.retracted else ''}{unmarked(title_text(paper), paper.retracted)}"


def unmarked(title: str, retracted: bool) -> str:
    """Return `title`; for a `retracted` paper, remove the publisher's mark, because spar adds its own warning."""
    return without_withdrawal(title) if retracted else title


@lru_cache(maxsize=4096)  # a row is drawn again and again
def shown_title(title: str) -> str:
    """Return `title`, or an abstract, without TeX and tags. Balances the braces of formulas; a formula that still
    cannot be parsed stays as it is."""
    text = _STYLE.sub("", title) if "<" in title else title
    if text.count("$") > 1:
        text = _FORMULA.sub(_formula_text, text).replace("  ", " ")
    if "\\" in text:
        text = _MACRO.sub(_formula_text, text)
    return (_SCRIPT.sub(_script_text, text) if any(sign in text for sign in "^_<") else text) or title


def formulas_as_text(text: str) -> str:
    """Return `text` with formulas in dollars as letters, such as x²; all else stays as it is."""
    return _FORMULA.sub(lambda formula: _SCRIPT.sub(_script_text, _formula_text(formula)), text)


def _formula_text(formula: re.Match[str]) -> str:
    try:
        return " ".join(_converter()(_balanced(formula[0])).split())
    except (ValueError, LookupError, RecursionError):
        return formula[0]


def _balanced(formula: str) -> str:
    """Return `formula` with balanced braces: drop unmatched closing ones, and close open ones at the end."""
    pieces, depth = [], 0
    for piece in re.split(r"(\\.|[{}])", formula.rstrip("$")):
        depth += (piece == "{") - (piece == "}")
        pieces += [piece] if depth >= 0 else []
        depth = max(depth, 0)
    return "".join(pieces) + "}" * depth + formula[len(formula.rstrip("$")) :]


def _refuse(warning: logging.LogRecord) -> bool:
    """Raise `ValueError` instead of logging: after a warning, pylatexenc returns the placeholders of its templates."""
    raise ValueError(warning.getMessage())


def _script_text(match: re.Match[str]) -> str:
    is_sub = match["tag"] == "sub" or match["sign"] == "_" or match["index"]
    text = next(filter(None, (match["tagged"], match["group"], match["power"], match["index"])), "")
    return _script("sub" if is_sub else "super", text)


def _script(kind: Script, text: str) -> str:
    """Return `text` as a sub- or superscript if Unicode has one for each letter, else after TeX's sign (`_` or `^`)."""
    text, letters = text.strip(), _letters(kind)
    if all(letter in letters for letter in text):
        return "".join(map(letters.__getitem__, text))
    is_one = text.isalnum() or len(text) == 1 or (text[0] + text[-1] in ("()", "[]", "{}"))
    return f"{'_' if kind == 'sub' else '^'}{text if is_one else f'({text})'}"


@cache
def _letters(kind: Script) -> dict[str, str]:
    """Return the sub- or superscript of each letter and sign that has one."""
    letters = {" ": " ", **({"'": "′", "″": "″", "∘": "°"} if kind == "super" else {})}
    for script in map(chr, range(0xAA, 0x2C80)):
        how, *usual = unicodedata.decomposition(script).split()[:3] or [""]
        if how == f"<{kind}>" and len(usual) == 1:
            letters[chr(int(usual[0], 16))] = script
    return letters | {"-": letters["−"]}


@cache
def _converter() -> Callable[[str], str]:
    """Return a function that converts a TeX formula to text. It raises `ValueError`, `LookupError` or `RecursionError`
    for a malformed one."""
    from pylatexenc import latex2text, latexwalker, macrospec  # few titles need it

    source, display = latexwalker.get_default_latex_context_db(), latex2text.get_default_latex_context_db()  # type: ignore[no-untyped-call]
    kinds: dict[str, Script] = {"_": "sub", "^": "super"}
    scripts = [macrospec.SpecialsSpec(sign, macrospec.MacroStandardArgsParser("{")) for sign in kinds]  # type: ignore[attr-defined, no-untyped-call]
    source.add_context_category("scripts", specials=scripts, prepend=True)
    texts = [
        latex2text.SpecialsTextSpec(  # type: ignore[no-untyped-call]
            sign, lambda node, l2tobj, kind=kind: _script(kind, l2tobj.nodelist_to_text(node.nodeargd.argnlist))
        )
        for sign, kind in kinds.items()
    ]
    display.add_context_category("scripts", specials=texts, prepend=True)
    latex2text.logger.addFilter(_refuse)
    convert: Any = latex2text.LatexNodes2Text(latex_context=display)  # type: ignore[no-untyped-call]

    def text(formula: str) -> str:
        try:
            return str(convert.latex_to_text(formula, latex_context=source, tolerant_parsing=False))
        except latexwalker.LatexWalkerError as error:
            raise ValueError(str(error)) from None

    return text
