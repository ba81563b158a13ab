"""Where a quote is from, in words and as an object."""

from collections.abc import Callable, Sequence
from typing import Any

from agents.evidence.whence import Origin, certainty
from spar_tui.reports.json_objects import paper_object


def origin_object(origin: Origin, rank: int) -> dict[str, Any]:
    """A paper that a quote is from. `marks` are the first and last character of `text` that differ, counted from 0, the
    last not included."""
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
    """`page 7 of its PDF`, `its abstract`."""
    return f"page {origin.page:,} of its PDF" if origin.page else f"its {origin.where}"


def marked(origin: Origin, mark: Callable[[str], str]) -> str:
    """The paper's own words, those that the quote has otherwise or not at all turned by `mark`."""
    text_marked, at = "", 0
    for start, end in _joined(origin.marks, origin.text):
        text_marked += origin.text[at:start] + mark(origin.text[start:end])
        at = end
    return text_marked + origin.text[at:]


def _joined(marks: Sequence[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """Marks of words in a row as one."""
    spans: list[tuple[int, int]] = []
    for start, end in marks:
        if spans and not any(map(str.isalnum, text[spans[-1][1] : start])):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans
