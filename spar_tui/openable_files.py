"""Decide which local files may be opened with the desktop's default program: only PDFs, by their content.

A desktop runs programs, shortcuts and scripts that it is asked to open. So the first bytes of a file count, not its
name in a bibliography. Paths on other machines are not even checked for existence: on Windows, that alone sends the
person's credentials there.
"""

import os
import stat
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

_MARK, _BEFORE, _READ = b"%PDF-", b"\xef\xbb\xbf \t\r\n\0", 1024
"""Signature of a PDF, the characters allowed before it, and the number of bytes to read."""


class OpenableFile(NamedTuple):
    """The file of a paper to open, if there is one, and the reasons against the files before it.

    If the file is not `chosen`, only a bibliography named it: ask the person first.
    """

    named: str
    """The path as the shelf has it; "" if there is none."""
    path: str | None
    """The path after resolving links; None if there is no file to open."""
    chosen: bool
    refused: tuple[str, ...]

    @property
    def question(self) -> str:
        """The fact to tell the person before opening a file that is not chosen."""
        return f"{self.path} is outside the folder of the bibliography that named it"


def openable_file(files: Sequence[str], chosen: Collection[str]) -> OpenableFile:
    """Return the first of `files` that is a PDF, preferring those that the person has `chosen`."""
    reasons: list[str] = []
    for file in sorted(files, key=lambda file: file not in chosen):
        if reason := refusal(file):
            reasons.append(reason)
        else:
            return OpenableFile(file, str(Path(file).resolve()), file in chosen, tuple(reasons))
    return OpenableFile("", None, chosen=False, refused=tuple(reasons))


def is_local_file(file: str) -> bool:
    """Whether the path is absolute, on this machine, and leads to a regular file."""
    if file[:1] in "\\/" and file[1:2] in ("\\", "/"):
        return False
    try:
        return os.path.isabs(file) and stat.S_ISREG(Path(file).stat().st_mode)
    except (OSError, ValueError):
        return False


def is_pdf(content: bytes) -> bool:
    """Whether a file with these first bytes is a PDF."""
    return content[:_READ].lstrip(_BEFORE).startswith(_MARK)


def refusal(file: str) -> str:
    """Return the reason not to open the file; "" if there is none."""
    if file[:1] in "\\/" and file[1:2] in ("\\", "/"):
        return f"{file} is on another machine or a device; spar opens only local files."
    if not is_local_file(file):
        return f"no such file: {file}."
    try:
        whole = Path(file).resolve()
        with whole.open("rb") as opened:
            content = opened.read(_READ)
    except (OSError, RuntimeError, ValueError) as error:
        return f"{file} cannot be read ({getattr(error, 'strerror', None) or error})."
    if whole.suffix.lower() != ".pdf" or not is_pdf(content):
        return f"{file} is not a PDF; spar opens only PDFs."
    return ""
