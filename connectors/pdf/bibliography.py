"""What a paper cites, read off its lines."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from connectors.pdf.cited import CitedWork
from connectors.pdf.entries import Span, entries, is_surely_reference, numbered_tail
from connectors.pdf.joining import joined, vocabulary
from connectors.pdf.layout import LINE_CAP
from connectors.pdf.parsing import parsed
from connectors.pdf.sections import sections, split_run_in

MOST_LINES = 200_000
"""More than two thousand pages hold."""
MOST_WORKS = 5_000
_SAME_AUTHORS = re.compile(r"(?:[—–_⸺⸻-]{2,}|[—⸺⸻])[\s,.]*")


class ListedWork(NamedTuple):
    """A work, and the number of the line where its entry begins, from 1."""

    line: int
    work: CitedWork


def works_of(lines: Sequence[str]) -> tuple[CitedWork, ...]:
    """Every work that the lists of references among `lines` name, in their order; () when there is no list."""
    return tuple(dict.fromkeys(listed.work for listed in listed_works(lines)))


def listed_works(lines: Sequence[str], *, alone: bool = False) -> list[ListedWork]:
    """Every entry of the lists of references among `lines`; with `alone`, lines without a heading are such a list
    where references make up most of them."""
    split = [
        (number, part)
        for number, line in enumerate(lines[:MOST_LINES], start=1)
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
    """All lines as one list, if more than half of those that are not empty belong to pieces that surely are
    references."""
    sure = [lines[first:last] for first, last in entries(lines) if is_surely_reference(joined(lines[first:last]))]
    in_references = sum(bool(line.strip()) for piece in sure for line in piece)
    return [(0, len(lines))] if 2 * in_references > sum(bool(line.strip()) for line in lines) else []


def _parsed(text: str, before: CitedWork | None) -> CitedWork:
    """The work of an entry; a dash in place of the authors stands for those of the entry before."""
    dash = _SAME_AUTHORS.match(text)
    if before and dash:
        return parsed(f"{before.first_author}, {text[dash.end() :]}")
    return parsed(text)
