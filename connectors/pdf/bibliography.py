"""What a paper cites, read off its lines."""

from collections.abc import Sequence

from connectors.pdf.cited import CitedWork
from connectors.pdf.entries import entries, numbered_tail
from connectors.pdf.joining import joined, vocabulary
from connectors.pdf.layout import LINE_CAP
from connectors.pdf.parsing import parsed
from connectors.pdf.sections import sections, split_run_in

MOST_LINES = 200_000
"""More than two thousand pages hold."""
MOST_WORKS = 5_000


def works_of(lines: Sequence[str]) -> tuple[CitedWork, ...]:
    """Every work that the lists of references among `lines` name, in their order; () when there is no list."""
    lines = split_run_in([line[:LINE_CAP] for line in lines[:MOST_LINES]])
    words = vocabulary(lines)
    works: list[CitedWork] = []
    for start, end in sections(lines) or numbered_tail(lines):
        section = lines[start:end]
        for first, last in entries(section):
            works.append(_parsed(joined(section[first:last], words), works))
    return tuple(dict.fromkeys(works))[:MOST_WORKS]


def _parsed(text: str, before: Sequence[CitedWork]) -> CitedWork:
    """The work of an entry; a dash in place of the authors stands for those of the entry before."""
    bare = text.lstrip("—–_-⸺⸻ ")
    if before and len(text) - len(bare) >= 2 and text[0] in "—–_-⸺⸻":
        return parsed(f"{before[-1].first_author}{'' if bare[:1] in ',.' else ','} {bare}")
    return parsed(text)
