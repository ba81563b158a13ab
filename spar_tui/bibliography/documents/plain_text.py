"""Split plain text and Markdown into lines."""

import re

from spar_tui.bibliography.documents.citing_document import TextLine

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t](.*)")
_BOLD_LINE = re.compile(r"\s{0,3}(?:\*\*|__)([^*_]{3,60})(?:\*\*|__):?\s*")
_UNDERLINE = re.compile(r"\s{0,3}(?:=+|-+)\s*")
_ATTRIBUTES = re.compile(r" ?\{[^{}]*\}$")
_DIVISION = re.compile(r"\s{0,3}:{3,}")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\(<?([^()\s<>]*)>?(?:\s+\"[^\"]*\")?\)(?:\{[^{}]*\})?")
_NOTE = re.compile(r"(\s{0,3})\[\^([^\[\]\s]{1,20})\]:")
_ADDRESS = re.compile(r"<(https?://[^<>\s]+)>")
_EMPHASIS = re.compile(r"(?<![\w*_])(\*{1,3}|_{1,3})(?=\S)([^*_]+?)(?<=\S)\1(?![\w*_])")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def text_lines(text: str) -> list[TextLine]:
    """Return the lines unchanged."""
    return [TextLine(line.expandtabs(4)) for line in text.split("\n")]


def markdown_lines(text: str) -> list[TextLine]:
    """Return the lines as displayed: headings are marked, links become text and address, code is dropped."""
    lines: list[TextLine] = []
    fenced = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
            lines.append(TextLine(""))
        elif fenced or _DIVISION.match(line):
            lines.append(TextLine(""))
        elif heading := _HEADING.match(line):
            lines.append(TextLine(_plain(_ATTRIBUTES.sub("", heading[2].strip(" \t#"))), len(heading[1])))
        elif bold := _BOLD_LINE.fullmatch(line):
            lines.append(TextLine(bold[1], 6))
        elif line.strip() and _UNDERLINE.fullmatch(line) and lines and lines[-1].text.strip():
            lines[-1] = TextLine(lines[-1].text, 1 if "=" in line else 2)
            lines.append(TextLine(""))
        else:
            lines.append(TextLine(_plain(line.expandtabs(4))))
    return lines


def _plain(line: str) -> str:
    line = _NOTE.sub(r"\1[\2]", line)
    line = _ADDRESS.sub(r"\1", _LINK.sub(_shown, line))
    return _ESCAPED.sub(r"\1", _EMPHASIS.sub(r"\2", line))


def _shown(link: re.Match[str]) -> str:
    text, address = link[1], link[2]
    return text if address in text or not address.startswith("http") else f"{text} {address}"
