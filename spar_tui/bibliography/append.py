"""Adding entries to a file that a person keeps: every byte of it stays, and new text comes behind."""

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
from spar_tui.bibliography.reading.entries_read import FoundEntry
from spar_tui.bibliography.reading.files import decoded, read_as
from spar_tui.errors import Failure


@dataclass(slots=True)
class Target:
    """The entries of a file, whatever they say."""

    entries: dict[int, str] = field(default_factory=dict)
    """The key of the first entry that begins in a line (from 1); "" if it has none."""
    keys: dict[str, str] = field(default_factory=dict)
    """Keys as they are written, by the casefolded key."""
    broken: list[str] = field(default_factory=list)
    """One sentence for each place that is no whole entry."""
    unclosed: int | None = None
    """The line of an entry that the file ends inside of."""
    dialect: Capabilities | None = None

    def add(self, line: int, key: str) -> None:
        """An entry that was found."""
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


def read_bib(text: str) -> Target:
    """What stands in the text of a .bib file."""
    target, position, lines, ends = Target(), 0, [match.start() for match in re.finditer("\n", text)], _ends(text)

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
    """The place behind the brace or parenthesis that closes each one, by the place of that; not of those that are not
    closed. A line that begins another entry inside means that the brace was forgotten."""
    opened, ends = list[int](), dict[int, int]()
    for match in _MARK.finditer(text):
        mark = match[0][-1]
        if mark in "{(":
            opened.append(match.end() - 1)
        elif mark == "\n":
            opened.clear()
        elif mark == ")" and opened and text[opened[-1]] == "(":
            ends[opened.pop()] = match.end()
        elif mark == "}":
            while opened and text[opened[-1]] == "(":
                ends[opened.pop()] = match.end()
            if opened:
                ends[opened.pop()] = match.end()
    return ends


def _add(target: Target, line: int, kind: str, key: str) -> None:
    if not key:
        target.broken.append(f"line {line}: @{kind} has no citation key")
    elif key.casefold() in target.keys:
        target.broken.append(f"line {line}: the key {key} stands in the file already")
    target.add(line, key)


def read_ris(text: str) -> Target:
    """What stands in the text of a RIS file."""
    target, key, began = Target(), "", 0
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
    """The file's new bytes, and what was done: papers by their number."""

    new: bytes
    added: dict[int, str] = field(default_factory=dict)
    """The key that each added paper has in this file."""
    present: dict[int, str] = field(default_factory=dict)
    """The key under which each paper stood there already."""
    unfit: dict[int, str] = field(default_factory=dict)
    """The characters for which a paper cannot be added to a file that is not in UTF-8."""


def is_utf8(old: bytes) -> bool:
    """Whether letters beyond ASCII can be added to the file."""
    try:
        old.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def read_target(old: bytes, ris: bool) -> tuple[Target, tuple[FoundEntry, ...]]:
    """What stands in the file, and those of its entries that can be read. Raises `Failure` if it cannot be added to."""
    if b"\0" in old:
        raise Failure("the file is not text in UTF-8 or Latin-1. Nothing was added.")
    text = decoded(old, "the file").text
    target = read_ris(text) if ris else read_bib(text)
    if target.unclosed is not None:
        raise Failure(f"the file ends inside the entry of line {target.unclosed}; close it first. Nothing was added.")
    return target, read_as("ris" if ris else "bibtex", text, "the file").entries


def there_already(store: Store, target: Target, entries: Collection[FoundEntry]) -> dict[int, str]:
    """The works of the library that stand in the file, by their number, with the key that each has there.

    An entry is the work that it would become if the file were imported; failing that the one that its key names, if
    the titles agree or the entry has none.
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
    """The works that an entry can be, the likeliest first."""
    if entry.original and (number := originals.paper_of(store, entry.original)) is not None:
        yield number
    bearer = citation_keys.paper_of(store, key) if key else None
    if bearer is not None and any(_may_be(entry.paper, paper) for paper in papers.by_ids(store, [bearer])):
        yield bearer
    if (number := papers.number_of(store, entry.paper)) is not None:
        yield number


def _may_be(entry: Paper, other: Paper) -> bool:
    """Whether the entry of a file, which bears the key of the paper `other`, is of that paper."""
    if entry.title != UNTITLED:
        return title_key(plain(entry.title)) == title_key(plain(other.title))
    names = {name.scheme: name for name in other.identifiers}
    return all(names.get(name.scheme, name) == name for name in entry.identifiers)


def appended(
    old: bytes,
    target: Target,
    there: Mapping[int, str],
    papers: Collection[int],
    keys: Mapping[int, str],
    write: Callable[[int, str], str],
    around: tuple[str, str] = ("", ""),
) -> Appended:
    """`old` with the entries behind it of those `papers` that are not `there`, by their numbers.

    `keys` are the papers' own; `write` makes the entry of a paper under a key; `around` them stand two texts. Where the
    file has given a paper's key to another work, the paper is written under a suffixed one.
    """
    result, used, any_letter = Appended(old), set(target.keys), is_utf8(old)
    texts: list[str] = []
    for number in sorted(papers, key=lambda number: (keys[number].casefold(), keys[number])):
        if number in there:
            result.present[number] = there[number]
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
    """The line end that the file uses most."""
    return "\r\n" if old.count(b"\r\n") * 2 > old.count(b"\n") else "\n"


def _gap(old: bytes) -> bytes:
    """The line ends that are missing for a blank line before what is added."""
    body = old.removeprefix(_BOM).rstrip()
    missing = max(0, 2 - old[len(old.rstrip()) :].count(b"\n")) if body else 0
    return _newline(old).encode() * missing
