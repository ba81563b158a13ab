"""The files of a dump, line by line: JSON lines, gzipped or not, whole or still on their way."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from isal import isal_zlib

_HEAD = 65_536
"""Bytes by which a file is known again."""
_LONGEST_LINE = 64 * 1024 * 1024
_AT_ONCE = 16_384
"""Bytes of a file that are unzipped at once: where it is damaged, what came with the damage is lost."""
_GZIP = 31
"""What zlib calls data with gzip's head and checksum."""


class CutOff(Exception):
    """A file ends before its end; every whole line before that was read, but for some right before damage."""


class Unreadable(Exception):
    """A file cannot be read; the text says why."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file of a dump. `digest` is of its first `head` bytes: so a file is known again when it has grown, and told
    from another one of its name."""

    path: str
    head: int
    digest: str
    size: int


def part_of(path: Path, head: int = _HEAD) -> Part:
    """The file as it is now. Raises `Unreadable`."""
    try:
        with path.open("rb") as file:
            start = file.read(head)
            return Part(
                str(path.absolute()), len(start), blake2b(start, digest_size=16).hexdigest(), path.stat().st_size
            )
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from None


def chunks(path: Path, skipped: int, size: int) -> Iterator[list[bytes]]:
    """The lines after the first `skipped` ones, `size` at a time.

    Raises `CutOff` after the last whole line of a file that ends within one or within its gzipped data, `Unreadable`
    for what cannot be read.
    """
    held: list[bytes] = []
    try:
        with path.open("rb") as raw:
            zipped = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            try:
                for line in islice(_lines(_unzipped(raw) if zipped else _blocks(raw)), skipped, None):
                    held.append(line)
                    if len(held) >= size:
                        yield held
                        held = []
            except (isal_zlib.error, CutOff):
                if held:
                    yield held
                raise CutOff from None
            if held:
                yield held
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from None


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    return iter(lambda: file.read(_AT_ONCE), b"")


def _unzipped(file: BinaryIO) -> Iterator[bytes]:
    """What is zipped in `file`, member after member. Raises `CutOff` at the end of one that is not whole.

    The standard library unzips at half the speed, and ISA-L's own reader of files forgets what it has read when the
    file ends too early."""
    member = isal_zlib.decompressobj(_GZIP)
    for block in _blocks(file):
        while block:
            if member.eof:
                block = block.lstrip(b"\0")  # with which a member may be filled up
                member = isal_zlib.decompressobj(_GZIP)
                continue
            yield member.decompress(block)
            block = member.unused_data
    if not member.eof:
        raise CutOff


def _lines(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """The lines of the text that comes in `blocks`. Raises `CutOff` after the last one if another has begun."""
    begun: list[bytes] = []
    length = 0
    for block in blocks:
        first, *lines = block.split(b"\n")
        begun.append(first)
        length += len(first)
        if lines:
            yield b"".join(begun)
            yield from lines[:-1]
            begun, length = lines[-1:], len(lines[-1])
        if length > _LONGEST_LINE:
            raise CutOff
    last = b"".join(begun)
    if last.rstrip().endswith(b"}"):
        yield last
    elif last:
        raise CutOff
