"""Passages of a text that show words in context: pure functions over pages and marks."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

SPAN = 180
"""Maximum length, in characters, of the marked part of one passage."""
CONTEXT = 90
"""Maximum number of characters shown before and after it."""
CUT = "…"


class Mark(NamedTuple):
    """The position of a word on a page, and its index among the wanted words."""

    start: int
    end: int
    word: int


class Passage(NamedTuple):
    """A passage on a page of a paper's PDF, from page 1; `…` marks where it is cut out. `marks` are the positions of
    the wanted words in `text`."""

    page: int
    text: str
    marks: tuple[tuple[int, int], ...] = ()


class _Window(NamedTuple):
    page: int
    start: int
    end: int
    words: frozenset[int]


def passages_on(pages: Mapping[int, tuple[str, Sequence[Mark]]], most: int) -> list[Passage]:
    """Return the fewest passages that show each word marked on `pages`, at most `most`, in page order."""
    windows = [window for page, (_, marks) in pages.items() for window in _windows(page, sorted(marks))]
    windows_chosen: list[_Window] = []
    words_shown: set[int] = set()
    while windows and len(windows_chosen) < most:
        best = max(
            windows, key=lambda span: (len(span.words - words_shown), span.start - span.end, -span.page, -span.start)
        )
        if best.words <= words_shown:
            break
        windows_chosen.append(best)
        words_shown |= best.words
    return [_passage(span, *pages[span.page]) for span in sorted(windows_chosen)]


def _windows(page: int, marks: Sequence[Mark]) -> list[_Window]:
    """Return, from each mark on, the longest possible passage."""
    windows = []
    for index, first in enumerate(marks):
        near = [first]
        for mark in marks[index + 1 :]:
            if mark.start - first.start > SPAN:
                break
            # A passage ends with the last new word: repeating a word adds nothing.
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
    """Return the start of a passage that shows `position`: a near start of a sentence, else of a word."""
    least = max(position - CONTEXT, 0)
    sentence = max(text.rfind(f"{stop} ", least, position) for stop in ".!?")
    if sentence >= 0:
        return sentence + 2
    blank = text.find(" ", least, position)
    return 0 if not least else blank + 1 if blank >= 0 else least


def _end(text: str, position: int) -> int:
    """Return the end of a passage that shows the text before `position`."""
    most = position + CONTEXT
    if most >= len(text):
        return len(text)
    stops = [stop_at for stop in ".!?" if (stop_at := text.find(f"{stop} ", position, most)) >= 0]
    if stops:
        return min(stops) + 1
    blank = text.rfind(" ", position, most)
    return blank if blank >= 0 else most
