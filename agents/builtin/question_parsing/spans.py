"""Places in a question that were understood as a condition, and what is left without them."""

import re
from collections.abc import Iterable
from typing import NamedTuple

_DASHES_AND_QUOTES = str.maketrans("‐‑‒–—−“”„‟«»＂‘’‚´`", "------" + '"' * 7 + "'" * 5)


class Span(NamedTuple):
    """A stretch of a text, as for slicing."""

    start: int
    end: int

    def overlaps(self, others: Iterable["Span"]) -> bool:
        return any(self.start < other.end and other.start < self.end for other in others)


def plain(text: str) -> str:
    """`text` with one kind of dash, quote and apostrophe; every character keeps its place."""
    return text.translate(_DASHES_AND_QUOTES)


def blanked(text: str, spans: Iterable[Span]) -> str:
    """`text` with blanks for `spans`, so that everything else keeps its place."""
    kept = list(text)
    for span in spans:
        kept[span.start : span.end] = " " * (span.end - span.start)
    return "".join(kept)


def without(text: str, spans: Iterable[Span]) -> str:
    """`text` without `spans` and without the brackets and commas that are then left hanging."""
    left = re.sub(r"\((?:\s*[,;])?\s*\)", " ", blanked(text, spans))
    # A number may begin with a point.
    left = re.sub(r"(?<!\s)\s+([,;:?!)]|\.(?!\w))", r"\1", " ".join(left.split()))
    return re.sub(r"(?<![,;:])(?:[,;:] ?)+(?=[,;:.?!]|$)", "", left).strip()


def words_before(text: str, position: int, count: int = 1) -> list[str]:
    """The last `count` words before `position`, in lower case; none of them stands before the end of a sentence."""
    head = re.split(r"[.;?!]", text[max(0, position - 80) : position])[-1]
    return re.findall(r"[^\W_]+(?:['-][^\W_]+)*", head.lower())[-count:]


def word_after(text: str, position: int) -> str:
    """The word that follows `position` after nothing but one space or hyphen; empty if something else follows."""
    found = re.match(r"[ -]([^\W\d_]+)", text[position:])
    return found[1] if found else ""
