"""Read dumps record by record, gzipped or not, complete or still growing: JSON lines, dblp's and the ACL Anthology's
XML, BibTeX, Retraction Watch's CSV."""

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

from isal import isal_zlib

from connectors.dblp.record import KINDS
from connectors.records.retraction_watch import NATURE

_HEAD = 65_536
"""Bytes from which a file is recognized."""
_LONGEST_LINE = 64 * 1024 * 1024
_AT_ONCE = 16_384
"""Bytes of a file that are decompressed at once; around damage, one such block is lost."""
_LONGEST_ELEMENT = 1024 * 1024
"""Maximum size of a BibTeX entry, or of the XML of one publication, in bytes."""
_DBLP_END = re.compile(rb"</(%s|www)>" % "|".join(KINDS).encode())
_PAPER_END = re.compile(rb"</paper>")
_COLLECTION = re.compile(rb"<collection [^<>]*>")
_BIBTEX_STRING = re.compile(rb"@string\s*[{(]\s*([^\s=]+)", re.IGNORECASE)
_BIBTEX_ENTRY = re.compile(rb"@(?!comment|preamble)[a-z]+\s*[{(]", re.IGNORECASE)
_GZIP = 31
"""zlib's number for data with the header and checksum of gzip."""


class DumpCutOff(Exception):
    """A file ends too early; every complete line before was read, except some just before damage."""


class Unreadable(Exception):
    """A file cannot be read; the text gives the reason."""


@dataclass(frozen=True, slots=True)
class DumpPart:
    """A file of a dump. `digest` is of its first `head` bytes, so that a file is recognized after it has grown, and
    distinguished from another with its name."""

    path: str
    head: int
    digest: str
    size: int


def part_of(path: Path, head: int = _HEAD) -> DumpPart:
    """Return the current state of the file. Raises `Unreadable`."""
    try:
        with path.open("rb") as file:
            start = file.read(head)
            return DumpPart(
                str(path.absolute()), len(start), blake2b(start, digest_size=16).hexdigest(), path.stat().st_size
            )
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from None


def chunks(path: Path, offset: int, size: int) -> Iterator[list[bytes]]:
    """Yield the records after the first `offset` ones, `size` at a time; the rows of a table as JSON.

    Raises `DumpCutOff` after the last complete line of a file that ends inside a line or its gzipped data,
    `Unreadable` if it cannot be read.
    """
    lines_held: list[bytes] = []
    try:
        with path.open("rb") as raw:
            zipped = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            try:
                for line in islice(_records(_unzipped(raw) if zipped else _blocks(raw)), offset, None):
                    lines_held.append(line)
                    if len(lines_held) >= size:
                        yield lines_held
                        lines_held = []
            except (isal_zlib.error, DumpCutOff):
                if lines_held:
                    yield lines_held
                raise DumpCutOff from None
            if lines_held:
                yield lines_held
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from None


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    return iter(lambda: file.read(_AT_ONCE), b"")


def _unzipped(file: BinaryIO) -> Iterator[bytes]:
    """Yield the decompressed data of `file`, member by member. Raises `DumpCutOff` at the end of an incomplete member.

    The standard library is half as fast, and ISA-L's own file reader loses the data read before an early end.
    """
    member = isal_zlib.decompressobj(_GZIP)
    for block in _blocks(file):
        while block:
            if member.eof:
                block = block.lstrip(b"\0")  # padding of a member
                member = isal_zlib.decompressobj(_GZIP)
                continue
            yield member.decompress(block)
            block = member.unused_data
    if not member.eof:
        raise DumpCutOff


def _records(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Split the text into records according to the format of its beginning. Raises `DumpCutOff` after the last complete
    record if the text ends inside one."""
    fragment = next(blocks, b"")
    head, blocks = fragment.lstrip(b"\xef\xbb\xbf \t\r\n"), chain([fragment], blocks)
    if head.startswith(b"<"):
        return _anthology(blocks) if _COLLECTION.search(head) else _dblp(blocks)
    if head.startswith((b"@", b"%")):
        return _entries(blocks)
    if NATURE.encode() in head.partition(b"\n")[0]:
        return _rows(blocks)
    return _lines(blocks)


def _dblp(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield dblp's elements: publications, and person pages."""
    for piece, end in _pieces(blocks, _DBLP_END, b"</dblp>"):
        yield piece[max(piece.find(b"<" + end[1] + b" "), 0) :]


def _anthology(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the papers of the ACL Anthology, each as a collection with the head of its volume."""
    collection = volume = b""
    for piece, _ in _pieces(blocks, _PAPER_END, b"</collection>"):
        head, tag, paper = piece.partition(b"<paper ")
        collection = match[0] if (match := _COLLECTION.search(head)) else collection
        volume = head[begin:] if (begin := head.rfind(b"<volume ")) >= 0 else volume
        yield b"".join((collection, volume, tag, paper, b"</volume></collection>"))


def _pieces(blocks: Iterator[bytes], end: re.Pattern[bytes], last: bytes) -> Iterator[tuple[bytes, re.Match[bytes]]]:
    """Yield the text up to each `end`. Raises `DumpCutOff` if the text after the last one lacks the tag `last`."""
    text = b""
    for block in blocks:
        text, begin = text + block, 0
        for match in end.finditer(text):
            yield text[begin : match.end()], match
            begin = match.end()
        text = text[begin:]
        if len(text) > _LONGEST_ELEMENT:
            raise DumpCutOff
    if last not in text:
        raise DumpCutOff


def _entries(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield BibTeX entries, each with the `@string`s that it uses. An entry starts at the beginning of a line."""
    strings: dict[bytes, bytes] = {}
    text = entry = b""
    for block in chain(blocks, [b"\n@"]):
        *entries, text = (text + block).split(b"\n@")
        for piece in entries:
            entry = b"@" + piece.lstrip(b"\xef\xbb\xbf \t\r\n@").rstrip()
            if name := _BIBTEX_STRING.match(entry):
                strings[name[1]] = entry
            elif _BIBTEX_ENTRY.match(entry) and entry.endswith((b"}", b")")):
                yield b"\n".join([*(value for name, value in strings.items() if name in entry), entry])
        if len(text) > _LONGEST_ELEMENT:
            raise DumpCutOff
    if not entry.endswith((b"}", b")")):
        raise DumpCutOff


def _rows(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the rows of a table as JSON objects. The table is held in memory, a few megabytes."""
    text = io.StringIO(b"".join(blocks).decode("utf-8-sig", "replace"), newline="")
    try:
        for row in csv.DictReader(text):
            yield json.dumps({name: value for name, value in row.items() if name and value}).encode()
    except csv.Error:
        raise DumpCutOff from None


def _lines(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the lines of the text in `blocks`. Raises `DumpCutOff` after the last complete line if another began."""
    fragments: list[bytes] = []
    length = 0
    for block in blocks:
        first, *lines = block.split(b"\n")
        fragments.append(first)
        length += len(first)
        if lines:
            yield b"".join(fragments)
            yield from lines[:-1]
            fragments, length = lines[-1:], len(lines[-1])
        if length > _LONGEST_LINE:
            raise DumpCutOff
    last = b"".join(fragments)
    if last.rstrip().endswith(b"}"):
        yield last
    elif last:
        raise DumpCutOff
