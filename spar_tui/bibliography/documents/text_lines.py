"""Convert the references in the lines of a text to entries."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from connectors.identifiers import parse_identifier
from connectors.pdf.cited import CitedWork
from connectors.pdf.entries import is_surely_reference, listed_works
from connectors.pdf.parsing import parsed
from connectors.pdf.sections import is_heading
from connectors.records.build import partial_date
from connectors.records.matching import title_key
from spar_tui.bibliography.documents.citing_document import TextLine
from spar_tui.bibliography.reading.entries import RawEntry, entry_of
from spar_tui.bibliography.reading.entries_read import FileEntries, FoundEntry, Problem
from spar_tui.bibliography.reading.identifier_list import names_in_lines, read_identifiers

SHOWN = 80
"""Maximum number of characters shown of a reference whose title is not recognized."""


_LEAD_IN = re.compile(r"(?:(?:see|cf\.?|compare|also|and|e\.g\.,?|for example,?) )+", re.IGNORECASE)
"""Words that introduce a work in a note."""


def found_in_lines(lines: Sequence[TextLine], *, numbered: bool) -> FileEntries:
    """Return the references among `lines`; empty if they contain no list of references. Positions are line numbers or,
    if the lines are not `numbered` for the person, running numbers."""
    works = listed_works(_in_lists(lines), alone=True)
    return found_of_works(
        (line if numbered else number, work, "") for number, (line, work) in enumerate(works, start=1)
    )


def found_in_text(text: str) -> FileEntries:
    """Return the references and the identifiers in the lines of a text."""
    identifiers, references = lists_apart(text)
    parts = (read_identifiers(identifiers), found_in_lines(text_lines(references), numbered=True))
    entries = sorted((entry for part in parts for entry in part.entries), key=lambda entry: entry.line)
    problems = sorted((problem for part in parts for problem in part.problems), key=lambda problem: problem.line)
    return FileEntries(tuple(entries), tuple(problems))


def found_in_notes(notes: Sequence[str]) -> FileEntries:
    """Return the works that notes cite in full, each with the number of its first note. Short forms and “ibid.” are
    skipped. Pages are skipped too, because a note names the page that it refers to."""
    works: dict[tuple[str, str], tuple[int, CitedWork, str]] = {}
    for number, note in enumerate(notes, start=1):
        for part in note.split("; "):
            work = parsed(_LEAD_IN.sub("", part.strip()))
            if work.title and work.year and is_surely_reference(work.raw):
                works.setdefault((title_key(work.title), work.first_author), (number, replace(work, pages=""), ""))
    return found_of_works([*works.values()])


def lists_apart(text: str) -> tuple[str, str]:
    """Split `text` into the lines that are identifiers and all others, replacing removed lines by empty ones. If every
    identifier stands below a reference without one, it is appended to that reference."""
    names = {number - 1: name for number, name in names_in_lines(text)}
    lines = text.split("\n")
    others = [lines[index] for index, name in names.items() if name is None]
    if len(others) == len(names) or 2 * sum(map(is_surely_reference, others)) <= len(others):
        return "", text
    words = (word.rstrip(".,;)") for line in others for word in line.split())
    has_identifiers = any(parse_identifier(word) for word in words if not word.isdecimal())  # a volume is not a PMID
    apart = has_identifiers or not all(names.get(index - 1, "") is None for index, name in names.items() if name)
    alone = ["" if names.get(index) is None else line for index, line in enumerate(lines)]
    below = [*alone[1:], ""]
    rest = (
        "" if name else line if apart else f"{line} {next_name}".rstrip()
        for line, name, next_name in zip(lines, alone, below, strict=True)
    )
    return "\n".join(alone) if apart else "", "\n".join(rest)


def found_of_works(works: Iterable[tuple[int, CitedWork, str]]) -> FileEntries:
    """Convert works, with their lines and keys, to entries; without a recognized title and an identifier they are
    problems."""
    entries = [entry_of_work(*work) for work in works]
    return FileEntries(
        tuple(entry for entry in entries if isinstance(entry, FoundEntry)),
        tuple(entry for entry in entries if isinstance(entry, Problem)),
    )


def entry_of_work(line: int, work: CitedWork, key: str = "") -> FoundEntry | Problem:
    """Convert a reference to an entry; without a recognized title it has only its identifier."""
    if not (work.title or work.identifiers):
        shown = work.raw[:SHOWN] + ("…" if len(work.raw) > SHOWN else "")
        return Problem(line, key, f"its title could not be recognized: “{shown}”")
    entry = entry_of(
        RawEntry(
            line=line,
            key=key,
            title=work.title,
            authors=list(work.authors) if work.title else [],
            et_al=work.et_al,
            date=partial_date(work.year) if work.title else None,
            venue=work.venue if work.title else "",
            names=[(name.scheme, name.value) for name in work.identifiers],
            url=work.url,
            details={"volume": work.volume, "number": work.number, "pages": work.pages},
        )
    )
    if isinstance(entry, Problem):
        return entry
    return FoundEntry(line, entry.key, entry.paper, details=entry.details, address=entry.address, text=work.raw)


def _in_lists(lines: Sequence[TextLine]) -> list[str]:
    """Return the lines, with those under headings other than the references' emptied; all lines if no heading is for
    references."""
    shown, level = list[str](), 0
    for line in lines:
        if is_heading(line.text):
            level = line.heading or 1
            shown.append(line.text)
            continue
        if line.heading and level and line.heading <= level:
            level = 0
        shown.append(line.text if level and not line.heading else "")
    return shown if any(shown) else [line.text for line in lines]


_HEADING = re.compile(r" {0,3}(#{1,6})[ \t](.*)")
_BOLD_LINE = re.compile(r"\s{0,3}(?:\*\*|__)([^*_]{3,60})(?:\*\*|__):?\s*")
_UNDERLINE = re.compile(r"\s{0,3}(?:=+|-+)\s*")
_ATTRIBUTES = re.compile(r" ?\{[^{}]*\}$")
_DIVISION = re.compile(r"\s{0,3}:{3,}")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\(<?([^()\s<>]*)>?(?:\s+\"[^\"]*\")?\)(?:\{[^{}]*\})?")
_NOTE = re.compile(r"(\s{0,3})\[\^([^\[\]\s]{1,20})\]:")
_ADDRESS = re.compile(r"<(https?://[^<>\s]+)>")
_EMPHASIS = re.compile(r"(?<![\w*_])(\*{1,3}|_{1,3})(?=\S)([^*_]+?)(?<=\S)\1(?![\w*_])")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def text_lines(text: str) -> list[TextLine]:
    """Return the lines unchanged."""
    return [TextLine(line.expandtabs(4)) for line in text.split("\n")]


def markdown_lines(text: str) -> list[TextLine]:
    """Return the lines as displayed: headings are marked, links become text and address, code is dropped."""
    lines: list[TextLine] = []
    fenced = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
            lines.append(TextLine(""))
        elif fenced or _DIVISION.match(line):
            lines.append(TextLine(""))
        elif heading := _HEADING.match(line):
            lines.append(TextLine(_plain(_ATTRIBUTES.sub("", heading[2].strip(" \t#"))), len(heading[1])))
        elif bold := _BOLD_LINE.fullmatch(line):
            lines.append(TextLine(bold[1], 6))
        elif line.strip() and _UNDERLINE.fullmatch(line) and lines and lines[-1].text.strip():
            lines[-1] = TextLine(lines[-1].text, 1 if "=" in line else 2)
            lines.append(TextLine(""))
        else:
            lines.append(TextLine(_plain(line.expandtabs(4))))
    return lines


def _plain(line: str) -> str:
    line = _NOTE.sub(r"\1[\2]", line)
    line = _ADDRESS.sub(r"\1", _LINK.sub(_shown, line))
    return _ESCAPED.sub(r"\1", _EMPHASIS.sub(r"\2", line))


def _shown(link: re.Match[str]) -> str:
    text, address = link[1], link[2]
    return text if address in text or not address.startswith("http") else f"{text} {address}"
