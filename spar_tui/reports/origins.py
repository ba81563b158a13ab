"""The origin of a quote, in words and as an object."""

from collections.abc import Callable, Sequence
from typing import Any

from agents.evidence.whence import Origin, certainty
from spar_tui.reports.json_objects import paper_object


def origin_object(origin: Origin, rank: int) -> dict[str, Any]:
    """Return a paper that a quote is from. `marks` are the start (from 0) and end of each part of `text` that
    differs."""
    return {
        "rank": rank,
        "where": origin.where,
        "page": origin.page,
        "text": origin.text,
        "marks": [list(mark) for mark in origin.marks],
        "differences": [{"there": difference.there, "quoted": difference.quoted} for difference in origin.differences],
        "share": round(origin.share, 3),
        "certainty": certainty(origin),
        "turns_meaning": origin.turns,
        "paper": paper_object(origin.paper, rank),
    }


def place_text(origin: Origin) -> str:
    """Return the place, such as `page 7 of its PDF` or `its abstract`."""
    return f"page {origin.page:,} of its PDF" if origin.page else f"its {origin.where}"


def marked(origin: Origin, mark: Callable[[str], str]) -> str:
    """Return the paper's own words; `mark` is applied to those that the quote changes or omits."""
    text_marked, at = "", 0
    for start, end in _joined(origin.marks, origin.text):
        text_marked += origin.text[at:start] + mark(origin.text[start:end])
        at = end
    return text_marked + origin.text[at:]


def _joined(marks: Sequence[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for start, end in marks:
        if spans and not any(map(str.isalnum, text[spans[-1][1] : start])):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans
