"""Lists of identifiers: a DOI, arXiv id, PMID, or an address with one, in each line."""

import re
from collections.abc import Iterator
from itertools import islice

from connectors.identifiers import Identifier, parse_identifier
from connectors.isbn import is_mistyped, isbn
from connectors.records.build import UNTITLED, build_paper
from connectors.records.matching import BIBLIOGRAPHY
from spar_tui.bibliography.reading.entries_read import FileEntries, FoundEntry, Problem

_LOOKED_AT = 1_000
_LABEL = re.compile(r"^(?:[-*•–]|\[?[0-9]{1,4}[\].)]++)[ \t]++")
"""The bullet or number of a list item."""


def is_list(text: str) -> bool:
    """Whether the first line and most others are identifiers; blank lines and remarks do not count."""
    names = [name for _, name in islice(names_in_lines(text), _LOOKED_AT)]
    return bool(names) and names[0] is not None and 2 * sum(name is not None for name in names) > len(names)


def read_identifiers(text: str) -> FileEntries:
    """Return an entry with only the identifier for each distinct one. No source finds a book by its ISBN alone."""
    lines, problems, texts = dict[Identifier | str, int](), list[Problem](), text.lstrip("\ufeff").split("\n")
    for line, name in names_in_lines(text):
        if name:
            lines.setdefault(name, line)
        else:
            mistyped = is_mistyped(_bare(texts[line - 1]))
            reason = "the check digit of this ISBN is wrong" if mistyped else "it is not a single DOI, arXiv id or PMID"
            problems.append(Problem(line, "this line", reason))
    problems += [
        Problem(line, f"ISBN {name}", "no source finds books by ISBN; use the book's DOI")
        for name, line in lines.items()
        if isinstance(name, str)
    ]
    entries = (
        FoundEntry(line, "", build_paper(BIBLIOGRAPHY, title="", identifiers=[name]))
        for name, line in lines.items()
        if not isinstance(name, str)
    )
    return FileEntries(tuple(entries), tuple(sorted(problems, key=lambda problem: problem.line)))


def name_alone(entry: FoundEntry) -> Identifier | None:
    """Return the identifier of an entry without other data."""
    is_name_only = entry.original is None and entry.paper.title == UNTITLED and not entry.paper.authors
    return next(iter(entry.paper.identifiers), None) if is_name_only else None


def names_in_lines(text: str) -> Iterator[tuple[int, Identifier | str | None]]:
    """Yield each identifier or ISBN in the lines that are no remarks; None for a line without one."""
    for number, line in enumerate(text.lstrip("\ufeff").split("\n"), start=1):
        stripped = _bare(line)
        if stripped and not stripped.startswith("#"):
            parts = [isbn(part) or parse_identifier(part) for part in _BETWEEN.split(stripped)]
            identifier = isbn(stripped) or parse_identifier(stripped)
            yield from ((number, name) for name in (parts if not identifier and all(parts) else [identifier]))


def _bare(line: str) -> str:
    """Return a line without the bullet or number of a list item."""
    return _LABEL.sub("", line.strip().rstrip(",;"))


_BETWEEN = re.compile(r"(?<!\s)\s+[;,|]\s*|[;,]\s+|\t+")
"""Separators between the identifiers on a line."""
