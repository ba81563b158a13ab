"""From placed lines to text as a person would type it.

How lines stand on the page tells where an entry of a bibliography begins, so it is kept in the plainest way: a line
that is indented begins with two spaces, and a wider gap between lines is an empty line. Running heads and page numbers
are gone, and letters that some fonts hide in control characters are back.
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
"""Points: more than the unevenness of a margin, less than any indentation."""
_OUTSIDE = 40.0
_WIDE = 1.3
"""How many times the usual step between lines is a gap."""
_EDGE = 2
"""Lines at the head and the foot of a page among which running heads are."""
_LONGEST_HEAD = 200

# Where the names of a font's letters cannot be read, letters come as their places in TeX's two font encodings.
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
    """The lines of all pages in reading order, indentation and gaps kept, running heads left out."""
    return [line for page in lines_by_page(pages) for line in page]


def lines_by_page(pages: Iterable[PageLines], cap: int = LINE_CAP) -> list[list[str]]:
    """As `lines_of`, for each page its own; a line is cut after `cap` letters."""
    placed = [[(x, y, legible(text, cap)) for x, y, text in page] for page in pages]
    heads = _running_heads([[text for _, _, text in page] for page in placed])
    lines_of_pages: list[list[str]] = []
    for page in placed:
        inner = [line for index, line in enumerate(page) if not _is_head(index, len(page), line[2], heads)]
        columns = _columns(inner)
        usual = median_low([step for column in columns for step in _steps(column)] or [0.0])
        lines_of_pages.append([line for column in columns for line in _set(column, usual)])
    return lines_of_pages


def legible(text: str, cap: int = LINE_CAP) -> str:
    """`text` in one line, its ligatures and accents put together."""
    letters = text[:cap].translate(_LETTERS)
    accented = _LOOSE_ACCENT.sub(lambda match: match[2].replace("ı", "i") + _COMBINING[match[1]], letters)
    return unicodedata.normalize("NFC", " ".join(visible(accented).split()))


def _running_heads(pages: Sequence[Sequence[str]]) -> set[str]:
    """What stands at the edges of several pages, whatever the numbers in it."""
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
    """Runs of lines that go down the page; the next column begins higher up."""
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
    """How far each line stands below the one before."""
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
    """Where the lines of a column begin; a single line far outside, such as a line number, does not move it."""
    first = min(starts, default=None)
    second = min((start for start in starts if first is not None and start > first), default=None)
    alone = first is not None and second is not None and second - first > _OUTSIDE and starts.count(first) == 1
    return second if alone else first


PAGE_CAP = 40_000
"""Letters of a page: four times what the fullest page of a journal holds."""


def page_texts(pages: Sequence[PageLines]) -> tuple[str, ...]:
    """What each of `pages` says, without running heads; "" for one that holds no text.

    A word that is divided at the end of a line is whole again; one at the end of a page is so on that page.
    """
    lines = lines_by_page(pages, PAGE_CAP)  # some programs write a page as one line
    words = vocabulary(line for page in lines for line in page)
    texts = [joined(page, words, PAGE_CAP) for page in lines]
    for index, following in enumerate(texts[1:]):
        if texts[index].endswith("-") and following[:1].islower():
            rest, _, texts[index + 1] = following.partition(" ")
            texts[index] = continued(texts[index], rest, words)
    return tuple(clean_text(text, PAGE_CAP) for text in texts)
