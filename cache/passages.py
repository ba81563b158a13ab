"""The passages of a text that show words in their place: pure functions over pages and marks."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

SPAN = 180
"""Letters within which words are near enough to each other to be shown in one passage."""
CONTEXT = 90
"""Letters shown before and behind them, at most."""
CUT = "…"


class Mark(NamedTuple):
    """Where on a page a word stands, and which of those that were asked for it is."""

    start: int
    end: int
    word: int


class Passage(NamedTuple):
    """Words of a paper on a page of its PDF, whose first is 1; `…` stands where the passage is cut out of its page.

    `marks` are where in `text` what was asked for stands.
    """

    page: int
    text: str
    marks: tuple[tuple[int, int], ...] = ()


class _Window(NamedTuple):
    page: int
    start: int
    end: int
    words: frozenset[int]


def passages_on(pages: Mapping[int, tuple[str, Sequence[Mark]]], most: int) -> list[Passage]:
    """The fewest passages that show each word that is marked on `pages`, `most` at most, in the order of pages."""
    windows = [window for page, (_, marks) in pages.items() for window in _windows(page, sorted(marks))]
    chosen: list[_Window] = []
    shown: set[int] = set()
    while windows and len(chosen) < most:
        best = max(windows, key=lambda span: (len(span.words - shown), span.start - span.end, -span.page, -span.start))
        if best.words <= shown:
            break
        chosen.append(best)
        shown |= best.words
    return [_passage(span, *pages[span.page]) for span in sorted(chosen)]


def _windows(page: int, marks: Sequence[Mark]) -> list[_Window]:
    """From each mark on, as far as passages reach."""
    windows = []
    for index, first in enumerate(marks):
        near = [first]
        for mark in marks[index + 1 :]:
            if mark.start - first.start > SPAN:
                break
            # What is shown ends with the last word that is new: the same word again tells no more.
            if mark.word not in {other.word for other in near}:
                near.append(mark)
        end = max(mark.end for mark in near)
        windows.append(_Window(page, first.start, end, frozenset(mark.word for mark in near)))
    return windows


def _passage(window: _Window, text: str, marks: Sequence[Mark]) -> Passage:
    start, end = _beginning(text, window.start), _end(text, window.end)
    before = f"{CUT} " if start else ""
    inside = sorted({(mark.start, mark.end) for mark in marks if start <= mark.start and mark.end <= end})
    moved = tuple((begin - start + len(before), last - start + len(before)) for begin, last in inside)
    return Passage(window.page, before + text[start:end] + (f" {CUT}" if end < len(text) else ""), moved)


def _beginning(text: str, position: int) -> int:
    """Where a passage begins that shows `position`: with a sentence if one begins near, else with a word."""
    least = max(position - CONTEXT, 0)
    sentence = max(text.rfind(f"{stop} ", least, position) for stop in ".!?")
    if sentence >= 0:
        return sentence + 2
    blank = text.find(" ", least, position)
    return 0 if not least else blank + 1 if blank >= 0 else least


def _end(text: str, position: int) -> int:
    """Where a passage ends that shows what stands before `position`."""
    most = position + CONTEXT
    if most >= len(text):
        return len(text)
    stops = [stop_at for stop in ".!?" if (stop_at := text.find(f"{stop} ", position, most)) >= 0]
    if stops:
        return min(stops) + 1
    blank = text.rfind(" ", position, most)
    return blank if blank >= 0 else most
