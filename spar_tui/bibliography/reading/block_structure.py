"""Where the entries of a .bib file begin and end: by their braces, and by nothing that stands within them.

A line that begins with an `@` begins an entry, but not inside an entry whose braces close: there it is text, such as an
example in an abstract. Whole entries that follow a closing brace are no example: a brace is missing before them. The
parser looks for lines only; so it is shown another sign in those places.
"""

import re
from itertools import pairwise

from spar_tui.bibliography.braces import closing_braces

INNER = "\ufdd0"
"""A code point that is no character and stands in no text."""
_BLOCK = re.compile(r"^[ \t]*(@)[ \t]*\w+\s*([{(])", re.MULTILINE)


def without_inner_blocks(text: str) -> str:
    """Return `text`, as long as before, with another sign for each `@` that begins a line inside of an entry.

    An entry whose braces never close ends where the next one begins, so it hides no other. Takes linear time.
    """
    text = text.replace(INNER, "\ufffd")
    blocks = list(_BLOCK.finditer(text))
    starts = [block.start(1) for block in blocks]
    bounds = list(pairwise([*starts, len(text)]))
    closed = [_closes(text[start:end]) for start, end in bounds]
    if all(closed):
        return text  # as nearly always
    closing = closing_braces(text, (span for span, whole in zip(bounds, closed, strict=True) if not whole))
    hidden: list[int] = []
    begin = end = 0
    for block, (start, after), whole in zip(blocks, bounds, closed, strict=True):
        inside = start < end
        if inside and whole and (not hidden or hidden[-1] < begin):
            inside = not (_ends_with_brace(text, begin, start) and _ends_with_brace(text, start, after))
        if inside:
            hidden.append(start)
        else:
            begin, end = start, closing.get(block.start(2), 0)
    if not hidden:
        return text
    pieces = [text[start + 1 : stop] for start, stop in zip([-1, *hidden], [*hidden, len(text)], strict=True)]
    return INNER.join(pieces)


def _closes(piece: str) -> bool:
    """Whether as many braces close in a text as open, escaped ones aside."""
    return piece.count("{") - piece.count("\\{") == piece.count("}") - piece.count("\\}")


def _ends_with_brace(text: str, start: int, end: int) -> bool:
    return text[start:end].rstrip().endswith("}")


def shown(text: str) -> str:
    """Return a part of what `without_inner_blocks` returned as it stands in the file."""
    return text.replace(INNER, "@")
