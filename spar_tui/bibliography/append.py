"""Append entries to a person's file, keeping every existing byte."""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field

from cache import citation_keys, originals, papers
from cache.store import Store
from connectors.paper import Paper
from connectors.records.build import UNTITLED
from connectors.records.matching import title_key
from spar_tui.bibliography.bibtex import Capabilities
from spar_tui.bibliography.citation_key import unused_key
from spar_tui.bibliography.markup import plain
from spar_tui.bibliography.reading.encodings import is_utf8
from spar_tui.bibliography.reading.entries_read import FoundEntry
from spar_tui.bibliography.reading.files import decoded, read_as
from spar_tui.errors import Failure


@dataclass(slots=True)
class AppendTarget:
    """The entries of a file, by line and by key."""

    entries: dict[int, str] = field(default_factory=dict)
    """The citation key of the first entry in each line (from 1); "" if it has none."""
    keys: dict[str, str] = field(default_factory=dict)
    """The keys as written, by casefolded key."""
    broken: list[str] = field(default_factory=list)
    """One sentence for each entry that is damaged."""
    unclosed: int | None = None
    """The line of an entry that is still open at the end of the file."""
    dialect: Capabilities | None = None

    def add(self, line: int, key: str) -> None:
        """Add an entry."""
        self.entries.setdefault(line, key)
        if key:
            self.keys.setdefault(key.casefold(), key)


_START = re.compile(r"@[ \t]*([a-zA-Z]+)\s*([{(])")
_NEW_LINE_ENTRY = re.compile(r"^[ \t]*@[ \t]*[a-zA-Z]+\s*[{(]", re.MULTILINE)
_MARK = re.compile(r"\\\\|[{})]|@[ \t]*[a-zA-Z]+\s*\(|\n(?=[ \t]*@[ \t]*[a-zA-Z]+\s*[{(][^{}=\n]*+\n)")
_KEY = re.compile(r"\s*([^\s,{}()\"=#%]+)\s*,")
_ONLY_BIBLATEX = re.compile(
    r"(?:^|,)[ \t]*+(?:journaltitle|date|eprinttype|eprintclass|location)\s*="
    r"|^[ \t]*@(?:online|set|xdata|thesis|report)\b",
    re.MULTILINE | re.IGNORECASE,
)


def read_bib(text: str) -> AppendTarget:
    """Find the entries in the text of a .bib file."""
    target, position, lines, ends = AppendTarget(), 0, [match.start() for match in re.finditer("\n", text)], _ends(text)

    def line_of(match: re.Match[str]) -> int:
        return bisect_left(lines, match.start()) + 1

    while match := _START.search(text, position):
        end = ends.get(match.end() - 1)
        if end is None:
            again = _NEW_LINE_ENTRY.search(text, match.end())
            if again is None:
                target.unclosed = line_of(match)
                break
            target.broken.append(f"line {line_of(match)}: @{match[1]} is not closed")
            position = again.start()
            continue
        if match[1].lower() not in ("comment", "string", "preamble"):
            key = _KEY.match(text, match.end(), end - 1)
            _add(target, line_of(match), match[1], key[1] if key else "")
        position = end
    if target.keys:
        target.dialect = "biblatex" if _ONLY_BIBLATEX.search(text) else "bibtex"
    return target


def _ends(text: str) -> dict[int, int]:
    """Map the position of each opening brace or parenthesis to the position after its closing one; unclosed ones are
    missing. A line that starts a new entry inside of them means that the closing brace was forgotten."""
    starts, ends = list[int](), dict[int, int]()
    for match in _MARK.finditer(text):
        mark = match[0][-1]
        if mark in "{(":
            starts.append(match.end() - 1)
        elif mark == "\n":
            starts.clear()
        elif mark == ")" and starts and text[starts[-1]] == "(":
            ends[starts.pop()] = match.end()
        elif mark == "}":
            while starts and text[starts[-1]] == "(":
                ends[starts.pop()] = match.end()
            if starts:
                ends[starts.pop()] = match.end()
    return ends


def _add(target: AppendTarget, line: int, kind: str, key: str) -> None:
    if not key:
        target.broken.append(f"line {line}: @{kind} has no citation key")
    elif key.casefold() in target.keys:
        target.broken.append(f"line {line}: the key {key} is already in the file")
    target.add(line, key)


def read_ris(text: str) -> AppendTarget:
    """Find the entries in the text of a RIS file."""
    target, key, began = AppendTarget(), "", 0
    for line, content in enumerate(text.split("\n"), 1):
        tag, _, value = content.partition("  -")
        tag = tag.lstrip("\ufeff")
        if tag == "TY":
            if began:
                target.broken.append(f"line {began}: the record has no ER line")
            key, began = "", line
        elif tag == "ER" and began:
            target.add(began, key)
            began = 0
        elif tag == "ID":
            key = key or value.strip()
    target.unclosed = began or None
    return target


_BOM = b"\xef\xbb\xbf"


@dataclass(slots=True)
class Appended:
    """The new bytes of the file, and the result for each paper by number."""

    new: bytes
    added: dict[int, str] = field(default_factory=dict)
    """The key of each added paper in this file."""
    present: dict[int, str] = field(default_factory=dict)
    """The key of each paper that was in the file already."""
    unfit: dict[int, str] = field(default_factory=dict)
    """The characters that keep a paper from being added to a file that is not in UTF-8."""


def read_target(old: bytes, ris: bool) -> tuple[AppendTarget, tuple[FoundEntry, ...]]:
    """Return the contents of the file and its readable entries. Raises `Failure` if nothing can be added to it."""
    if b"\0" in old:
        raise Failure("the file is not text in UTF-8 or Latin-1. Nothing was added.")
    text = decoded(old, "the file").text
    target = read_ris(text) if ris else read_bib(text)
    if target.unclosed is not None:
        raise Failure(f"the file ends inside the entry of line {target.unclosed}; close it first. Nothing was added.")
    return target, read_as("ris" if ris else "bibtex", text, "the file").entries


def there_already(store: Store, target: AppendTarget, entries: Collection[FoundEntry]) -> dict[int, str]:
    """Return the numbers of the library's papers that are in the file, each with its key there.

    An entry is matched as an import would match it; failing that by its key, if the titles agree or the entry has no
    title.
    """
    by_number: dict[int, str] = {}
    with store.reading():
        for entry in entries:
            key = entry.key or target.entries.get(entry.line, "")
            if (
                number := next((work for work in _works(store, entry, key) if work not in by_number), None)
            ) is not None:
                by_number[number] = key
        read = {entry.line for entry in entries}
        for line, key in target.entries.items():
            if line not in read and key and (bearer := citation_keys.paper_of(store, key)) is not None:
                by_number.setdefault(bearer, key)
    return by_number


def _works(store: Store, entry: FoundEntry, key: str) -> Iterator[int]:
    """Yield the papers that an entry may be, most likely first."""
    if entry.original and (number := originals.paper_of(store, entry.original)) is not None:
        yield number
    bearer = citation_keys.paper_of(store, key) if key else None
    if bearer is not None and any(_may_be(entry.paper, paper) for paper in papers.by_ids(store, [bearer])):
        yield bearer
    if (number := papers.number_of(store, entry.paper)) is not None:
        yield number


def _may_be(entry: Paper, candidate: Paper) -> bool:
    """Whether an entry of the file with the key of the paper `candidate` can be that paper."""
    if entry.title != UNTITLED:
        return title_key(plain(entry.title)) == title_key(plain(candidate.title))
    names = {name.scheme: name for name in candidate.identifiers}
    return all(names.get(name.scheme, name) == name for name in entry.identifiers)


def appended(
    old: bytes,
    target: AppendTarget,
    present: Mapping[int, str],
    papers: Collection[int],
    keys: Mapping[int, str],
    write: Callable[[int, str], str],
    around: tuple[str, str] = ("", ""),
) -> Appended:
    """Append to `old` the entries of the `papers` that are not `present`, all by number.

    `keys` are the papers' own keys; `write` makes an entry from number and key; `around` is text before and after the
    new entries. If another entry in the file has a paper's key, the paper gets a suffixed one.
    """
    result, used, any_letter = Appended(old), set(target.keys), is_utf8(old)
    texts: list[str] = []
    for number in sorted(papers, key=lambda number: (keys[number].casefold(), keys[number])):
        if number in present:
            result.present[number] = present[number]
            continue
        key = unused_key(keys[number], used) if keys[number].casefold() in used else keys[number]
        text = write(number, key)
        if not (any_letter or text.isascii()):
            result.unfit[number] = "".join(sorted({letter for letter in text if not letter.isascii()}))[:20]
            continue
        used.add(key.casefold())
        result.added[number] = key
        texts.append(text)
    if texts:
        top, bottom = around
        new = f"{top}{chr(10).join(texts)}{chr(10) + bottom.rstrip() + chr(10) if bottom else ''}"
        if any_letter or new.isascii():
            result.new = old + _gap(old) + new.replace("\n", _newline(old)).encode()
        else:
            result.new = old + _gap(old) + "\n".join(texts).replace("\n", _newline(old)).encode()
    return result


def _newline(old: bytes) -> str:
    """Return the more frequent line end of the file."""
    return "\r\n" if old.count(b"\r\n") * 2 > old.count(b"\n") else "\n"


def _gap(old: bytes) -> bytes:
    """Return the line ends needed for a blank line before the new text."""
    body = old.removeprefix(_BOM).rstrip()
    line_breaks = max(0, 2 - old[len(old.rstrip()) :].count(b"\n")) if body else 0
    return _newline(old).encode() * line_breaks
