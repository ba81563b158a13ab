"""Convert positioned lines to plain text.

The layout shows where bibliography entries begin, so it is kept simply: an indented line begins with two spaces, and a
wider gap between lines is an empty line. Running heads and page numbers are removed, and letters that some fonts encode
as control characters are restored.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median_low

from connectors.pdf.child import PageLines
from connectors.pdf.parsing import continued, joined, vocabulary
from connectors.records.clean import clean_text
from connectors.records.visible import visible

LINE_CAP = 1_000
_INDENT = 3.0
"""Minimum indentation in points: more than an uneven margin, less than any indentation."""
_OUTSIDE = 40.0
_WIDE = 1.3
"""Factor on the usual line spacing from which it is a gap."""
_EDGE = 2
"""Number of lines at the top and the bottom of a page that may be running heads."""
_LONGEST_HEAD = 200

# If the glyph names of a font cannot be read, letters appear as their codes in TeX's two font encodings.
_TEX_LETTERS = {0x1B: "ff", 0x1C: "fi", 0x1D: "fl", 0x1E: "ffi", 0x1F: "ffl", 0x0B: "ff", 0x0E: "ffi", 0x0F: "ffl"}
_TEX_SIGNS = {0x10: "“", 0x11: "”", 0x15: "–", 0x16: "—", 0x7F: "-", 0xAD: "-", 0x2010: "-", 0x2011: "-"}
_LETTERS = str.maketrans(
    _TEX_LETTERS
    | _TEX_SIGNS
    | {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
)
_LOOSE_ACCENT = re.compile(r"([¨´`ˆ˜ˇ¸˘˚˝])\s?([A-Za-zı])")
_COMBINING = dict(zip("¨´`ˆ˜ˇ¸˘˚˝", "\u0308\u0301\u0300\u0302\u0303\u030c\u0327\u0306\u030a\u030b", strict=True))
_PAGE_NUMBER = re.compile(r"\W*(?:page\s*)?\d{1,5}(?:\s*(?:of|/)\s*\d{1,5})?\W*", re.IGNORECASE)


def lines_of(pages: Iterable[PageLines]) -> list[str]:
    """Return the lines of all pages in reading order, with indentation and gaps, without running heads."""
    return [line for page in lines_by_page(pages) for line in page]


def lines_by_page(pages: Iterable[PageLines], cap: int = LINE_CAP) -> list[list[str]]:
    """Like `lines_of`, but per page; lines are cut after `cap` letters."""
    positioned = [[(x, y, legible(text, cap)) for x, y, text in page] for page in pages]
    heads = _running_heads([[text for _, _, text in page] for page in positioned])
    lines_of_pages: list[list[str]] = []
    for page in positioned:
        inner = [line for index, line in enumerate(page) if not _is_head(index, len(page), line[2], heads)]
        columns = _columns(inner)
        usual = median_low([step for column in columns for step in _steps(column)] or [0.0])
        lines_of_pages.append([line for column in columns for line in _set(column, usual)])
    return lines_of_pages


def legible(text: str, cap: int = LINE_CAP) -> str:
    """Return `text` on one line, with ligatures and accents composed."""
    letters = text[:cap].translate(_LETTERS)
    accented = _LOOSE_ACCENT.sub(lambda match: match[2].replace("ı", "i") + _COMBINING[match[1]], letters)
    return unicodedata.normalize("NFC", " ".join(visible(accented).split()))


def _running_heads(pages: Sequence[Sequence[str]]) -> set[str]:
    """Return the texts that recur at the edges of several pages, ignoring numbers."""
    edges = Counter(
        key for page in pages for key in {_masked(text) for text in _edge(page) if len(text) <= _LONGEST_HEAD}
    )
    return {key for key, count in edges.items() if count >= 3 and key}


def _edge(page: Sequence[str]) -> list[str]:
    return [*page[:_EDGE], *page[max(_EDGE, len(page) - _EDGE) :]]


def _is_head(index: int, length: int, text: str, heads: set[str]) -> bool:
    if _EDGE <= index < length - _EDGE:
        return False
    return _masked(text) in heads or (len(text) < 30 and _PAGE_NUMBER.fullmatch(text) is not None)


def _masked(text: str) -> str:
    return re.sub(r"\d+", "#", text).casefold()


def _columns(page: PageLines) -> list[PageLines]:
    """Split a page into columns: runs of lines that go down the page; the next column begins higher up."""
    columns: list[PageLines] = []
    lowest: float | None = None
    for line in page:
        y = line[1]
        if not columns or (y is not None and lowest is not None and y > lowest + 2 * _INDENT):
            columns.append([])
            lowest = None
        columns[-1].append(line)
        lowest = y if y is not None else lowest
    return columns


def _steps(column: PageLines) -> list[float]:
    return [above - below for (_, above, _), (_, below, _) in pairwise(column) if above and below and above > below]


def _set(column: PageLines, usual: float) -> list[str]:
    margin = _margin([x for x, _, _ in column if x is not None])
    lines: list[str] = []
    above: float | None = None
    for x, y, text in column:
        if usual and above is not None and y is not None and above - y > usual * _WIDE:
            lines.append("")
        indented = x is not None and margin is not None and x > margin + _INDENT
        lines.append(("  " if indented else "") + text)
        above = y if y is not None else above
    return lines


def _margin(starts: Sequence[float]) -> float | None:
    """Return the left edge of a column's lines; a single line far outside, such as a line number, does not count."""
    first = min(starts, default=None)
    second = min((start for start in starts if first is not None and start > first), default=None)
    alone = first is not None and second is not None and second - first > _OUTSIDE and starts.count(first) == 1
    return second if alone else first


PAGE_CAP = 40_000
"""Maximum length of a page in letters: four times that of the fullest journal page."""


def page_texts(pages: Sequence[PageLines]) -> tuple[str, ...]:
    """Return the text of each page, without running heads; "" for a page without text. Words hyphenated across lines
    are joined; a word across pages is completed on the first of them."""
    lines = lines_by_page(pages, PAGE_CAP)  # some programs write a page as one line
    words = vocabulary(line for page in lines for line in page)
    texts = [joined(page, words, PAGE_CAP) for page in lines]
    for index, following in enumerate(texts[1:]):
        if texts[index].endswith("-") and following[:1].islower():
            rest, _, texts[index + 1] = following.partition(" ")
            texts[index] = continued(texts[index], rest, words)
    return tuple(clean_text(text, PAGE_CAP) for text in texts)
