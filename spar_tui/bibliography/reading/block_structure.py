"""Find the start and end of the entries in a .bib file by their braces or parentheses.

A line that starts with `@` begins an entry, except inside an entry that closes properly: there it is text, such as an
example in an abstract. If whole entries follow a closing brace, a brace is missing before them. The parser looks at
lines only, so an `@` inside an entry is masked.
"""

import re
from itertools import pairwise

from spar_tui.bibliography.braces import closing_braces

INNER = "\ufdd0"
"""A Unicode noncharacter, which no text contains."""
_BLOCK = re.compile(r"^[ \t]*(@)[ \t]*\w+\s*([{(])", re.MULTILINE)
_PARTNERS = {"{": "}", "(": ")"}
_MARK = re.compile(r"\\[\\{}]|[{}\")]|^[ \t]*@[ \t]*\w+\s*[{(]", re.MULTILINE)


def without_inner_blocks(text: str) -> str:
    """Return `text`, with the same length, with each `@` masked that begins a line inside an entry. An entry that never
    closes ends where the next one begins, so it hides no other. Takes linear time.
    """
    text = text.replace(INNER, "\ufffd")
    blocks = list(_BLOCK.finditer(text))
    starts = [block.start(1) for block in blocks]
    bounds = list(pairwise([*starts, len(text)]))
    closed = [
        _closes(text[start:end]) and (block[2] == "{" or _parenthesis(text, block.end(), end) > 0)
        for block, (start, end) in zip(blocks, bounds, strict=True)
    ]
    if all(closed):
        return text  # true of nearly all files
    closing = closing_braces(text, (span for span, is_closed in zip(bounds, closed, strict=True) if not is_closed))
    hidden: list[int] = []
    begin = end = 0
    closer, can_close = "}", True
    for block, (start, after), is_closed in zip(blocks, bounds, closed, strict=True):
        inside = start < end
        if inside and is_closed and (not hidden or hidden[-1] < begin):
            inside = not (
                text[begin:start].rstrip().endswith(closer) and text[start:after].rstrip().endswith(_PARTNERS[block[2]])
            )
        if inside:
            hidden.append(start)
        elif block[2] == "{":
            begin, end, closer = start, closing.get(block.start(2), 0), "}"
        else:  # only one search can reach the end of the file in vain, so this stays linear
            begin, end, closer = start, _parenthesis(text, block.end(), len(text)) if can_close else 0, ")"
            can_close = end >= 0
    if not hidden:
        return text
    pieces = [text[start + 1 : stop] for start, stop in zip([-1, *hidden], [*hidden, len(text)], strict=True)]
    return INNER.join(pieces)


_MOST_MENTIONED = 50
"""Maximum number of entries quoted in a field. The limit keeps the search for the end of an entry linear."""


def _closes(piece: str) -> bool:
    """Whether a text has as many closing braces as opening ones, without escaped ones."""
    return piece.count("{") - piece.count("\\{") == piece.count("}") - piece.count("\\}")


def _parenthesis(text: str, start: int, end: int) -> int:
    """Return the position of the parenthesis that closes an entry with fields from `start` on, outside braces and
    quotes; 0 if another entry begins before, -1 at the end of the text or after too many quoted entries."""
    depth, quoted, comma_count = 0, False, 0
    for mark in _MARK.finditer(text, start, end):
        if mark[0] in "{}":
            depth += 1 if mark[0] == "{" else -1
        elif depth == 0 and mark[0] == '"':
            quoted = not quoted
        elif depth == 0 and not quoted and mark[0] == ")":
            return mark.start()
        elif mark[0].lstrip()[0] == "@":
            if depth == 0 and not quoted:
                return 0
            comma_count += 1
            if comma_count > _MOST_MENTIONED:
                return -1
            depth += mark[0][-1] == "{"
    return -1


def shown(text: str) -> str:
    """Unmask a part of the result of `without_inner_blocks`."""
    return text.replace(INNER, "@")
