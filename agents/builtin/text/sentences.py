"""Sentences of a text."""

import re

_END = re.compile(
    r"(?<=[.!?。！？])\s+(?=[\"'“(\[]?[A-Z0-9À-ÝΑ-Ω一-鿿])"
    r"|(?<=[a-z)\]%][.!?])(?=[A-Z](?:[a-z]*|[A-Z]{3,})[\s,:])|(?<=\d[.!?])(?=[A-Z][a-z]+\s)"
)
"""A space after a full stop, or the place of one: sources join the parts of an abstract without it."""
_NO_END = re.compile(r"(?:\b(?:e\.g|i\.e|et al|cf|vs|fig|eq|approx|no|dr|st|resp)|\b[A-Z])\.$", re.IGNORECASE)
_ABBREVIATION = 12
"""Maximum number of characters of an abbreviation, with the letter before it."""
LONGEST_QUOTE = 300


def sentences(text: str) -> list[str]:
    """Split `text` into sentences, verbatim."""
    parts: list[str] = []
    begin = 0
    for gap in _END.finditer(text):
        if not ends_open(text[max(begin, gap.start() - _ABBREVIATION) : gap.start()]):
            parts.append(text[begin : gap.start()])
            begin = gap.end()
    return [sentence for piece in (*parts, text[begin:]) if (sentence := piece.strip())]


def ends_open(piece: str) -> bool:
    """Whether the full stop at the end of `piece` belongs to an abbreviation or an initial."""
    return bool(_NO_END.search(piece, max(0, len(piece) - _ABBREVIATION)))
