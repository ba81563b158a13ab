"""The files of a dump, line by line: JSON lines, gzipped or not, whole or still on their way."""

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from itertools import islice
from pathlib import Path

_HEAD = 65_536
"""Bytes by which a file is known again."""
_LONGEST_LINE = 64 * 1024 * 1024


class CutOff(Exception):
    """A gzipped file ends before its end; every whole line before that was read."""


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
            file = gzip.GzipFile(fileobj=raw) if zipped else raw
            try:
                for line in islice(iter(partial(file.readline, _LONGEST_LINE), b""), skipped, None):
                    if not line.endswith(b"\n") and not line.rstrip().endswith(b"}"):
                        raise CutOff
                    held.append(line)
                    if len(held) >= size:
                        yield held
                        held = []
            except (EOFError, zlib.error, gzip.BadGzipFile, CutOff):
                if held:
                    yield held
                raise CutOff from None
            if held:
                yield held
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from None
