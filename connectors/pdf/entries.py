"""Split a reference list into its entries.

Lists mark entries by numbers, labels, indentation, gaps, or only by the wording. All ways of splitting are tried, and
the one whose pieces look most like references wins.
"""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from connectors.pdf.cited import CitedWork
from connectors.pdf.layout import LINE_CAP
from connectors.pdf.names import end_of_names
from connectors.pdf.parsing import joined, parsed, vocabulary, without_label, year_head
from connectors.pdf.sections import sections, split_run_in

Span = tuple[int, int]
"""The first line of an entry and the line after its last."""

MOST_ENTRIES = 3_000
MOST_LINES = 40
"""Maximum number of lines of a reference."""
_DOUBT = 0.95
"""Factor on splits by wording, which are less certain than marks: with almost as many entries, the marked ones win."""
_TITLE_WORDS = 2
_TAIL = 100
"""Characters at the end of a line that show whether an entry ends there."""
_AHEAD = 12
"""Number of lines within which even a long list of authors ends."""
_RUN_ON = 16
"""A piece with more lines than this, and than four typical ones, is text after the list."""
_FOREIGN = 4
"""Number of pieces in a row that are not references after which the list is over."""

_NUMBERS = tuple(
    re.compile(pattern)
    for pattern in (
        r"\s*(?:[-•*]\s+)?\[(\d{1,4})\]",
        r"\s*(\d{1,4})\.(?!\d)(?:\s|$)",
        r"\s*\((\d{1,4})\)(?:\s|$)",
        r"\s*(\d{1,3})\s+(?=[^\W\d_a-z])",
        r"\s*(\d{1,3})$",
    )
)
_LABEL = re.compile(r"\s*\[[^\]\d]{1,35}[\d']{2,4}[a-z]?[^\]]{0,3}\]")
_BULLET = re.compile(r"\s*[-•*–]\s+\S")
_ENDING = re.compile(r"(?:[.)\]”\"]|\d|https?:\S+|10\.\d{4,9}/\S+)$")
_FINAL = re.compile(r"(?:(?:1[6-9]|20)\d\d[a-z]?\)?|https?:\S+|10\.\d{4,9}/\S+)\.?$")
_YEAR = re.compile(r"\b(?:1[6-9]|20)\d\d[a-z]?\b")
_SURE = re.compile(
    r"\b(?:1[6-9]|20)\d\d[a-z]?\b|arxiv|https?:|10\.\d{4}/|in press|to appear|n\.d\.|forthcoming", re.IGNORECASE
)
_NAMES = re.compile(r"[^\W\d_a-z]|(?:van|von|de|del|da|di|la|le|el|al|ter|ten|dos)\b|[“\"\[—–_]|\d|['’‘]t\b|d['’]")
_SAME_AUTHORS = re.compile(r"\s*[—–_⸺⸻-]{2,}[,.]?\s")
_CAPTION = re.compile(r"\s*(?:fig(?:ure|\.)|table|algorithm)\s*\d", re.IGNORECASE)
_DOI = re.compile(r"\b10\.\d{4,9}/")


def entries(lines: Sequence[str]) -> list[Span]:
    """Return the entries in `lines`, in order and without overlap; other lines are left out."""
    best: list[Span] = []
    most = 0.0
    for starts_of in _STARTS:
        pieces = _spans(lines, starts_of(lines))
        spans = _until_foreign(lines, pieces)
        last = spans[-1][1] if spans else 0
        worth = sum(_likeness(joined(lines[start:end])) for start, end in pieces if start < last)
        if starts_of is _worded:
            worth *= _DOUBT
        if worth > most:
            best, most = spans, worth
    return best


class _Link(NamedTuple):
    """A line that begins with a number: the length of the longest count ending here, and the previous link."""

    line: int
    length: int
    before: int | None


def _numbered(lines: Sequence[str]) -> list[int]:
    """Return the starts of consecutively numbered entries, in the number format with the most."""
    return max((_chain(lines, pattern) for pattern in _NUMBERS), key=len)


def _chain(lines: Sequence[str], pattern: re.Pattern[str]) -> list[int]:
    """Return the line indices with the longest ascending run of numbers, of which at most two in a row are missing."""
    links: list[_Link] = []
    best: dict[int, int] = {}  # by number: the link that ends the longest run
    for index, line in enumerate(lines):
        if not (match := pattern.match(line)):
            continue
        number = int(match[1])
        earlier = (best[count] for count in range(number - 3, number) if count in best)
        before = max(earlier, key=lambda end: links[end].length, default=None)
        link = _Link(index, 1 + (links[before].length if before is not None else 0), before)
        if number not in best or link.length >= links[best[number]].length:
            best[number] = len(links)
            links.append(link)
    chain: list[int] = []
    step = max(range(len(links)), key=lambda end: links[end].length, default=None)
    while step is not None:
        chain.append(links[step].line)
        step = links[step].before
    return chain[::-1]


def _labelled(lines: Sequence[str]) -> list[int]:
    return [index for index, line in enumerate(lines) if _LABEL.match(line)]


def _bulleted(lines: Sequence[str]) -> list[int]:
    return [index for index, line in enumerate(lines) if _BULLET.match(line)]


def _hanging(lines: Sequence[str]) -> list[int]:
    """Return the starts of entries with a hanging indent."""
    starts = [index for index, line in enumerate(lines) if line.strip() and not line[0].isspace()]
    return starts if len(starts) < sum(map(bool, lines)) else []


def _paragraphs(lines: Sequence[str]) -> list[int]:
    """Return the starts of entries whose first line alone is indented."""
    return [index for index, line in enumerate(lines) if line.strip() and line[0].isspace()]


def _parted(lines: Sequence[str]) -> list[int]:
    """Return the starts of entries with a wider gap between them."""
    return [index for index, line in enumerate(lines) if line.strip() and (index == 0 or not lines[index - 1].strip())]


def _hanging_or_parted(lines: Sequence[str]) -> list[int]:
    return sorted({*_hanging(lines), *_parted(lines)})


def _each(lines: Sequence[str]) -> list[int]:
    return [index for index, line in enumerate(lines) if line.strip()]


def _worded(lines: Sequence[str]) -> list[int]:
    """Return the starts of entries by wording alone: one is complete, and the next line begins with names."""
    starts: list[int] = []
    before, dated = "", False
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    by_year = year_head(joined(lines[first : first + _AHEAD])[:700]) is not None
    for index, line in enumerate(lines):
        if not line.strip():
            continue
        complete = dated and _ENDING.search(before[-_TAIL:])
        if not starts or (complete and _begins(lines, index, before, by_year)):
            starts.append(index)
            dated = False
        dated = dated or _YEAR.search(line) is not None
        before = line.rstrip()
    return starts


def _begins(lines: Sequence[str], index: int, before: str, by_year: bool) -> bool:
    if not _NAMES.match(lines[index].strip()):
        return False
    if _SAME_AUTHORS.match(lines[index]):
        return True
    ahead = joined(lines[index : index + _AHEAD])[:700]
    if by_year:
        return year_head(ahead) is not None
    # Without a year after the names, names alone are not enough: the previous line must look like an end too.
    end = end_of_names(ahead)
    return end is not None and end[1] != "," and _FINAL.search(before[-_TAIL:]) is not None


_STARTS: tuple[Callable[[Sequence[str]], list[int]], ...] = (
    _numbered, _labelled, _bulleted, _hanging, _hanging_or_parted, _parted, _paragraphs, _each, _worded,
)  # fmt: skip


def _spans(lines: Sequence[str], starts: Sequence[int]) -> list[Span]:
    bounds = pairwise([*starts[:MOST_ENTRIES], len(lines)])
    spans = [(start, min(end, start + MOST_LINES)) for start, end in bounds]
    if spans:
        spans[-1] = _last(lines, spans)
    return spans


def _last(lines: Sequence[str], spans: Sequence[Span]) -> Span:
    """Return the last entry, up to the gap after it, because no later entry shows its end."""
    start, end = spans[-1]
    longest = max((after - index for index, after in spans[:-1]), default=MOST_LINES)
    for index in range(start + 1, end):
        so_far = joined(lines[start:index])
        if not lines[index].strip() and _SURE.search(so_far) and _ENDING.search(so_far[-_TAIL:]):
            return start, index
    return start, min(end, start + longest + 2)


def _until_foreign(lines: Sequence[str], spans: Sequence[Span]) -> list[Span]:
    """Return the references in `spans` up to the end of the list: at a piece that runs on, or at several in a row
    that are not references. The list continues after a figure or a table if certain references follow."""
    own_spans: list[Span] = []
    strange = 0
    for index, (start, end) in enumerate(spans):
        longest = max((after - first for first, after in own_spans), default=0)
        runs_on = longest and end - start > max(_RUN_ON, 2 * longest)
        if runs_on and end - start == MOST_LINES:
            return [*own_spans, (start, start + longest)]
        if runs_on:
            end = start + longest
        if strange >= _FOREIGN and not all(
            is_surely_reference(joined(lines[slice(*span)])) for span in spans[index : index + 2]
        ):
            continue
        if _likeness(joined(lines[start:end])) > 0:
            own_spans.append((start, end))
            strange = _FOREIGN if runs_on else 0
        else:
            strange += 1
    return own_spans


def is_surely_reference(text: str) -> bool:
    """Whether `text` looks like one reference, and begins with names or with names and a year."""
    bare = without_label(text)
    return _likeness(text) >= 1.0 and (year_head(bare) is not None or end_of_names(bare) is not None)


def _likeness(text: str) -> float:
    """Return how much one piece looks like one reference: at most 1, below 0 for none or several."""
    if not 20 <= len(text) <= 1_800 or _CAPTION.match(text):
        return -1.0
    if not _SURE.search(text):
        return _undated_likeness(text)
    if not _NAMES.match(without_label(text)):
        return -0.5
    several = len(_DOI.findall(text)) > 2 or len(set(_YEAR.findall(text))) > 4 or len(text) > 900
    return 0.3 if several else 1.0


def _undated_likeness(text: str) -> float:
    """Return how much a piece without a year or an address looks like a reference. It must begin with names and go
    on with a title; without a number or label it counts little, so that no split is chosen for such pieces."""
    bare = without_label(text)
    end = end_of_names(bare)
    if end is None or len(bare[end[0] :].split()) < _TITLE_WORDS:
        return -1.0
    if bare != text.lstrip():
        return 0.3
    return 0.05 if end[1] == "." and bare.rstrip().endswith(".") else -1.0


def numbered_tail(lines: Sequence[str]) -> list[Span]:
    """Return the reference list of a paper without a heading for it, as in physics: a long count of `[1]`, `[2]` …;
    empty or one span."""
    chain = _chain(lines, _NUMBERS[0])
    return [(chain[0], len(lines))] if len(chain) >= 5 and _starts_at_one(lines[chain[0]]) else []


def _starts_at_one(line: str) -> bool:
    match = _NUMBERS[0].match(line)
    return match is not None and int(match[1]) <= 1


MOST_LINES_READ = 200_000
"""Maximum number of lines read, more than two thousand pages have."""
MOST_WORKS = 5_000
_AUTHORS_REPEATED = re.compile(r"(?:[—–_⸺⸻-]{2,}|[—⸺⸻])[\s,.]*")


class ListedWork(NamedTuple):
    """A work, and the line number, from 1, where its entry begins."""

    line: int
    work: CitedWork


def works_of(lines: Sequence[str]) -> tuple[CitedWork, ...]:
    """Return every work in the reference lists of `lines`, in order; () if there is no list."""
    return tuple(dict.fromkeys(entry.work for entry in listed_works(lines)))


def listed_works(lines: Sequence[str], *, alone: bool = False) -> list[ListedWork]:
    """Return every entry of the reference lists in `lines`; with `alone`, lines without a heading count as a list if
    most of them are references."""
    split = [
        (number, part)
        for number, line in enumerate(lines[:MOST_LINES_READ], start=1)
        for part in split_run_in([line[:LINE_CAP]])
    ]
    texts = [part for _, part in split]
    words = vocabulary(texts)
    works: list[ListedWork] = []
    for start, end in sections(texts) or numbered_tail(texts) or (_all_of(texts) if alone else []):
        section = texts[start:end]
        for first, last in entries(section):
            before = works[-1].work if works else None
            works.append(ListedWork(split[start + first][0], _parsed(joined(section[first:last], words), before)))
    return works[:MOST_WORKS]


def _all_of(lines: Sequence[str]) -> list[Span]:
    """Return all lines as one list if more than half of the non-empty ones belong to certain references."""
    sure = [lines[first:last] for first, last in entries(lines) if is_surely_reference(joined(lines[first:last]))]
    in_references = sum(bool(line.strip()) for piece in sure for line in piece)
    return [(0, len(lines))] if 2 * in_references > sum(bool(line.strip()) for line in lines) else []


def _parsed(text: str, before: CitedWork | None) -> CitedWork:
    """Return the work of an entry; a dash in place of the authors repeats those of the previous entry."""
    dash = _AUTHORS_REPEATED.match(text)
    if before and dash:
        return parsed(f"{before.first_author}, {text[dash.end() :]}")
    return parsed(text)
