r"""Parse reference lists written by BibTeX and biber: `\bibitem`s of any style, and biblatex's `\entry`s."""

import re
from collections.abc import Iterator
from dataclasses import replace

from cache.originals import Original
from connectors.pdf.cited import CitedWork
from connectors.pdf.in_print import printed_in
from connectors.pdf.names import is_list_of_names
from connectors.pdf.parsing import parsed, year_head
from connectors.pdf.titles import tidy
from spar_tui.bibliography.braces import closing_braces
from spar_tui.bibliography.documents.text_lines import found_of_works
from spar_tui.bibliography.reading.bib_item import raw_entry
from spar_tui.bibliography.reading.entries import RawEntry, found_of
from spar_tui.bibliography.reading.entries_read import FileEntries
from spar_tui.bibliography.reading.latex import decode
from spar_tui.bibliography.tex_macros import UNSHOWN_FIRST, is_known

MOST_ITEMS = 5_000
ITEM_CAP = 8_000
"""Maximum number of characters read of one `\\bibitem`: four times the limit for its text."""
_ITEM = re.compile(r"\\bibitem(?![A-Za-z])\s*")
_LIST_END = re.compile(r"\\end\s*\{thebibliography\}")
_NOISE = re.compile(
    r"\\(?:hskip|hspace|vspace|kern)\*?[^\\{}\n]{0,60}\\relax|\\penalty-?\d+|\\(?:BIBentry|bibinfo@)[A-Za-z]+"
    r"|\\(?:providecommand|newcommand|renewcommand|def|expandafter|csname)\b[^\n]*|\\natexlab\s*\{[^{}]*\}"
)
_UNSEEN_FIRST = re.compile(r"\\([A-Za-z@]+)[ \n]{0,3}\{([^{}]*)\}[ \n]{0,3}(?=\{)")
_COMMAND = re.compile(r"\\([A-Za-z@]+)\*?")
_BLOCK = "\x1e"
_ENTRY = re.compile(r"^[^\S\n]*\\entry\s*\{([^{}]*)\}\s*\{([^{}]*)\}", re.MULTILINE)
_FIELD = re.compile(r"\\(?:field|strng)\s*(?=\{)|\\list\s*(?=\{)|\\name\s*(?=\{)|\\verb\s*\{(\w+)\}\s*\\verb\s+(\S+)")
_DELIMITER = re.compile(r"\\bib(?:namedelim[a-d]|initdelim)(?![A-Za-z])\s?")
_RANGE_DASH = re.compile(r"\\bibrangedash(?![A-Za-z])\s?")
_PART = re.compile(r"(family|given|prefix|suffix)=(?=\{)")
_MOST_GROUPS = 6


def found_in_bbl(text: str) -> FileEntries:
    """Return the references of a list in `text`, each with its key and line; empty without such a list."""
    if _ENTRY.search(text):
        return found_of(_biblatex_entries(text))
    return found_of_works((line, _work(written), key) for line, key, written in _items(text))


def _items(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line, the key and the LaTeX of each `\\bibitem`."""
    starts = list(_ITEM.finditer(text))[:MOST_ITEMS]
    line, position = 1, 0
    for number, start in enumerate(starts):
        line, position = line + text.count("\n", position, start.start()), start.start()
        after = starts[number + 1].start() if number + 1 < len(starts) else len(text)
        item = text[start.end() : min(after, start.end() + ITEM_CAP)]
        item = _LIST_END.split(item, maxsplit=1)[0]
        rest = item[_end_of_option(item) :].lstrip("% \t\n")
        if not rest.startswith("{"):
            continue
        end = closing_braces(rest).get(0)
        if end is not None:
            yield line, " ".join(rest[1:end].split()), rest[end + 1 :]


def _end_of_option(text: str) -> int:
    """Return the end of the bracketed label at the start of `text`, allowing for nested braces; 0 without one."""
    if not text.startswith("["):
        return 0
    depth = 0
    for position, sign in enumerate(text):
        depth += (sign == "{") - (sign == "}")
        if sign == "]" and depth <= 0:
            return position + 1
    return 0


def _work(written: str) -> CitedWork:
    """Parse a `\\bibitem`. In styles with `\\newblock`s these separate authors, title and the rest."""
    blocks = [" ".join(block.split()) for block in _plain(written).split(_BLOCK)]
    blocks = [block for block in blocks if block]
    work = parsed(" ".join(blocks))
    if len(blocks) < 3:
        return work
    head = year_head(f"{blocks[0]} {blocks[1]}")
    if not (head or is_list_of_names(blocks[0])):
        return work
    title, rest = tidy(blocks[1].rstrip(". ")), " ".join(blocks[2:])
    return replace(work, title=title, **printed_in(rest)._asdict()) if title else work


def _plain(written: str) -> str:
    """Return LaTeX as plain text, with a mark where a block begins."""
    text = _NOISE.sub(" ", re.sub(r"(?<!\\)%[^\n]*", "", written))
    addresses = [first for _, first in _UNSEEN_FIRST.findall(text) if first.startswith(("http", "10."))]
    for _ in range(_MOST_GROUPS):
        text = _UNSEEN_FIRST.sub(
            lambda match: match[0] if is_known(match[1]) and match[1] not in UNSHOWN_FIRST else "", text
        )
    text = re.sub(r"\\newblock\b\s*", _BLOCK, text)
    text = _COMMAND.sub(lambda match: match[0] if is_known(match[1]) else " ", text)
    shown = decode(text)
    return " ".join([shown, *(address for address in addresses if address not in shown)])


def _biblatex_entries(text: str) -> Iterator[RawEntry]:
    """Yield the entries of biblatex's data, parsed like the .bib entries from which they were made."""
    starts = list(_ENTRY.finditer(text))[:MOST_ITEMS]
    line, position = 1, 0
    seen: set[str] = set()
    for number, start in enumerate(starts):
        line, position = line + text.count("\n", position, start.start(1)), start.start(1)
        key = start[1].strip()
        if key in seen or start[2].strip() == "set":  # repeated in another list, or a set, whose members follow
            continue
        seen.add(key)
        after = starts[number + 1].start() if number + 1 < len(starts) else len(text)
        # without biber's separators between parts of a name and before the last page
        fields = dict(_fields(_DELIMITER.sub(" ", _RANGE_DASH.sub("-", text[start.end() : after]))))
        yield raw_entry(Original("bibtex", start[2].strip(), key, tuple(fields.items())), line)


def _fields(body: str) -> Iterator[tuple[str, str]]:
    closing = closing_braces(body)
    for match in _FIELD.finditer(body):
        if match[1]:
            yield match[1], match[2]
            continue
        groups = list(_groups(body, match.end(), closing))
        if len(groups) < 2:
            continue
        if match[0].startswith(r"\name"):
            others = ["others"] if rf"\true{{more{groups[0]}}}" in body else []
            if people := " and ".join([*_names(groups[-1]), *others]):
                yield groups[0], people
        elif match[0].startswith(r"\list"):
            yield groups[0], " and ".join(part for _, part in _inner(groups[-1]))
        else:
            yield groups[0], groups[-1]


def _groups(text: str, position: int, closing: dict[int, int]) -> Iterator[str]:
    """Yield the brace groups that follow each other from `position` on."""
    for _ in range(_MOST_GROUPS):
        while position < len(text) and text[position] in " %\n\t":
            position += 1
        end = closing.get(position)
        if end is None:
            return
        yield text[position + 1 : end]
        position = end + 1


def _inner(text: str) -> Iterator[tuple[int, str]]:
    """Yield the outermost groups in `text` with their positions."""
    closing, position = closing_braces(text), 0
    while (position := text.find("{", position)) >= 0:
        end = closing.get(position)
        if end is None:
            return
        yield position, text[position + 1 : end]
        position = end + 1


def _names(text: str) -> Iterator[str]:
    """Yield the persons of a biblatex list in BibTeX's notation."""
    for _, person in _inner(text):
        closing = closing_braces(person)
        parts = {
            match[1]: person[match.end() + 1 : closing[match.end()]]
            for match in _PART.finditer(person)
            if match.end() in closing
        }
        if family := parts.get("family"):
            last = f"{parts['prefix']} {family}" if parts.get("prefix") else family
            suffix = f", {parts['suffix']}" if parts.get("suffix") else ""
            yield f"{last}{suffix}, {parts['given']}" if parts.get("given") else f"{{{last}}}"
