"""Where a quote is from, in words and as an object."""

from collections.abc import Callable, Sequence
from typing import Any

from agents.evidence.whence import Origin
from cache.conditions.wording import listed
from spar_tui.reports.json_objects import paper_object

NEARLY = 0.85


def origin_object(origin: Origin, rank: int) -> dict[str, Any]:
    """A paper that a quote is from. `marks` are the first and last character of `text` that differ, counted from 0, the
    last not included."""
    return {
        "rank": rank,
        "where": origin.where,
        "page": origin.page,
        "text": origin.text,
        "marks": [list(mark) for mark in origin.marks],
        "differences": [{"there": one.there, "quoted": one.quoted} for one in origin.differences],
        "share": round(origin.share, 3),
        "certainty": certainty(origin),
        "turns_meaning": origin.turns,
        "paper": paper_object(origin.paper, rank),
    }


def certainty(origin: Origin) -> str:
    """How nearly a quote stands there."""
    if not origin.differences:
        return "word for word"
    return "nearly word for word" if origin.share >= NEARLY else "in other words in part"


def place_text(origin: Origin) -> str:
    """`page 7 of its PDF`, `its abstract`."""
    return f"page {origin.page:,} of its PDF" if origin.page else f"its {origin.where}"


def marked(origin: Origin, mark: Callable[[str], str]) -> str:
    """The paper's own words, those that the quote has otherwise or not at all turned by `mark`."""
    told, at = "", 0
    for start, end in _joined(origin.marks, origin.text):
        told += origin.text[at:start] + mark(origin.text[start:end])
        at = end
    return told + origin.text[at:]


def differences_text(origin: Origin) -> str:
    """`The quote has “raised” for “increased”, lacks “highly” and adds “very”`; "" if nothing differs."""
    told = [
        f"has “{one.quoted}” for “{one.there}”" if one.quoted and one.there
        else f"adds “{one.quoted}”" if one.quoted else f"lacks “{one.there}”"
        for one in origin.differences
    ]  # fmt: skip
    turned = " A number or a word such as “not” is among them: it may say something else." if origin.turns else ""
    return f"The quote {listed(told)}.{turned}" if told else ""


def _joined(marks: Sequence[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """Marks of words in a row as one."""
    found: list[tuple[int, int]] = []
    for start, end in marks:
        if found and not any(map(str.isalnum, text[found[-1][1] : start])):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found
