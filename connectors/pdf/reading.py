"""Read the lines of a PDF's pages in a child process that can do no harm.

A PDF is a program for drawing pages, written by strangers: it may expand to gigabytes or never end. The child
(`child.py`) has 60 s, 300 MiB and 2,000 pages, gets nothing of this process's environment, and has ended, if necessary
killed, before this module returns.
"""

import asyncio
import json
import math
import os
import sys
from pathlib import Path
from typing import NamedTuple

from connectors.errors import BadResponse, DeadlineExceeded, SourceError, Unsupported
from connectors.http.deadline import deadline_at
from connectors.http.json_values import listing, mapping
from connectors.pdf.child import CPU_SECONDS, LONGEST_TITLE, MEMORY, MOST_CHARACTERS, MOST_PAGES, PageLines

SOURCE = "pdf"
_CHILD = Path(__file__).with_name("child.py")
_MOST_OUTPUT = MOST_CHARACTERS * 4
"""Maximum output: characters may be written as escapes, and every line has its position."""
_KEPT_ENVIRONMENT = ("SYSTEMROOT", "PATH", "LD_LIBRARY_PATH")


class PdfText(NamedTuple):
    """The lines of every page with their positions, and the title in the file's properties, which anyone may have
    set."""

    pages: list[PageLines]
    title: str


async def read_pages(data: bytes) -> list[PageLines]:
    """Return the lines of every page with their positions. Raises as `read_pdf` does."""
    return (await read_pdf(data)).pages


async def read_pdf(data: bytes) -> PdfText:
    """Read a PDF. Raises a `SourceError` in the name of `pdf` if the file is damaged, locked, without text, or
    exceeds the limits."""
    end = deadline_at(CPU_SECONDS)
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        str(_CHILD),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ},
        start_new_session=True,  # Ctrl-C is for the parent, which ends the child itself
    )
    try:
        async with asyncio.timeout_at(end):
            output = await _exchange(child, data)
            await child.wait()
    except TimeoutError:
        raise DeadlineExceeded(SOURCE, "took too long to read; the file is too large or made to waste time.") from None
    finally:
        await _end(child)
    return _understood(output, child.returncode)


async def _exchange(child: asyncio.subprocess.Process, data: bytes) -> bytes:
    """Return the child's output for `data`, at most a byte over the limit."""
    assert child.stdin is not None
    assert child.stdout is not None
    feeding = asyncio.create_task(_feed(child.stdin, data))
    try:
        output = bytearray()
        while len(output) <= _MOST_OUTPUT and (piece := await child.stdout.read(1 << 16)):
            output += piece
        return bytes(output)
    finally:
        feeding.cancel()
        await asyncio.gather(feeding, return_exceptions=True)


async def _feed(stdin: asyncio.StreamWriter, data: bytes) -> None:
    try:
        stdin.write(data)
        await stdin.drain()
    except ConnectionError:
        pass  # the child ended early; its output, or the lack of it, gives the reason
    finally:
        stdin.close()


async def _end(child: asyncio.subprocess.Process) -> None:
    """End the child and its pipes in every case, even if cancelled meanwhile."""
    if child.returncode is None:
        child.kill()
    ending = asyncio.ensure_future(child.communicate())
    given_up = False
    while not ending.done():  # milliseconds, because the child is dead
        try:
            await asyncio.wait([ending])
        except asyncio.CancelledError:
            given_up = True
    if given_up:
        raise asyncio.CancelledError


def _understood(output: bytes, code: int | None) -> PdfText:
    try:
        answer = mapping(json.loads(output)) if len(output) <= _MOST_OUTPUT else {}
    except ValueError:
        answer = {}
    if "pages" not in answer:
        raise _fault(str(answer.get("fault", "time" if code in _OUT_OF_TIME else "memory")))
    pages = [[_line(line) for line in listing(page)] for page in listing(answer["pages"])]
    if not any(any(character.isalpha() for character in text) for page in pages for _, _, text in page):
        raise Unsupported(SOURCE, "has no text: its pages are scanned images.")
    return PdfText(pages, str(answer.get("title", ""))[:LONGEST_TITLE])


_OUT_OF_TIME = (-9, -24)
"""Exit codes of a child that was killed or ran out of time (SIGXCPU)."""


def _line(raw: object) -> tuple[float | None, float | None, str]:
    x, y, text = listing(raw)
    return _finite(x), _finite(y), str(text)


def _finite(raw: object) -> float | None:
    return raw if isinstance(raw, float) and math.isfinite(raw) else None


def _fault(name: str) -> SourceError:
    match name:
        case "locked":
            return Unsupported(SOURCE, "is locked with a password, or encrypted in a way that spar cannot read.")
        case "pages":
            return BadResponse(SOURCE, f"has more than {MOST_PAGES:,} pages, the limit.")
        case "text":
            return BadResponse(SOURCE, f"has more than {MOST_CHARACTERS:,} letters, the limit.")
        case "memory":
            return BadResponse(SOURCE, f"needs more than {MEMORY >> 20} MiB to be read, the limit.")
        case "time":
            return DeadlineExceeded(SOURCE, f"needs more than {CPU_SECONDS} s to be read, the limit.")
    return BadResponse(SOURCE, "is damaged: it is incomplete, or not a PDF.")
