"""The seal on 80 of the requests, so that nobody who builds the assistant reads them by accident.

`sealed.bin` is a head that names the passphrase, then the lines, compressed and combined byte by byte with a stream
that follows from the passphrase. That keeps an editor, a search through the tree or a glance at a diff from showing the
lines; it keeps nobody out who wants in. What it is worth rests on the word of those who build, and on its digest:
`SEALED.sha256` was written with the seventh set, before it was put to the assistant, a test holds it, and so the
examination is the one set then. The seventh set was written by somebody who had not seen the rules; the second to the
sixth were opened when they had been put. The first set was sealed before the assistant was begun, and was opened when
it had been put to it.

`write(lines, path)` sealed it; `python -m tests.requests --sealed` counts what is in it, and `read_sealed` reads it.
"""

import zlib
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path

_HEAD = b"spar sealed requests 1; passphrase: "
PASSPHRASE = b"not before the rules are done"


def sealed(text: str, passphrase: bytes = PASSPHRASE) -> bytes:
    """`text` under the seal."""
    packed = zlib.compress(text.encode("utf-8"), 9)
    return _HEAD + passphrase + b"\n" + _combined(packed, passphrase)


def unsealed(held: bytes) -> str:
    """The text of `sealed`. Raises `ValueError` for anything else."""
    head, _, body = held.partition(b"\n")
    if not head.startswith(_HEAD):
        raise ValueError("these are no sealed requests")
    try:
        return zlib.decompress(_combined(body, head.removeprefix(_HEAD))).decode("utf-8")
    except zlib.error as error:
        raise ValueError("the seal is broken") from error


def write(text: str, path: Path) -> str:
    """Seal `text` into `path`, its digest beside it in `SEALED.sha256`; the digest."""
    held = sealed(text)
    path.write_bytes(held)
    digest = sha256(held).hexdigest()
    path.with_name("SEALED.sha256").write_text(f"{digest}  {path.name}\n", "utf-8")
    return digest


def _combined(data: bytes, passphrase: bytes) -> bytes:
    return bytes(one ^ other for one, other in zip(data, _stream(passphrase), strict=False))


def _stream(passphrase: bytes) -> Iterator[int]:
    for block in count():
        yield from sha256(passphrase + block.to_bytes(8, "big")).digest()
