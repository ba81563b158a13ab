"""Which local files may be handed to the program that the desktop opens them with: PDFs, by what is in them.

A desktop runs what it is handed if the file is a program, a shortcut or a script, so a file is judged by its first
bytes and not by what a bibliography calls it. A path to another machine is not even looked at: on Windows that alone
sends one's credentials there.
"""

import os
import stat
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

_MARK, _BEFORE, _READ = b"%PDF-", b"\xef\xbb\xbf \t\r\n\0", 1024
"""How a PDF begins, what may stand before that, and how many bytes are looked at."""


class OpenableFile(NamedTuple):
    """The file of a paper to be opened, None if there is none; and why the files before it are not.

    A file that is not `chosen` was named by a bibliography alone: the person has to be asked."""

    named: str
    """How the shelf names it; "" if there is none."""
    path: str | None
    """Where it lies, wherever links lead."""
    chosen: bool
    refused: tuple[str, ...]

    @property
    def question(self) -> str:
        """What the person is to be told before a file is opened that is not chosen."""
        return f"{self.path} is outside the folder of the bibliography that named it"


def openable_file(files: Sequence[str], chosen: Collection[str]) -> OpenableFile:
    """The first of `files` that is a PDF; those that the person has `chosen` go first."""
    refused: list[str] = []
    for file in sorted(files, key=lambda file: file not in chosen):
        if reason := _refusal(file):
            refused.append(reason)
        else:
            return OpenableFile(file, str(Path(file).resolve()), file in chosen, tuple(refused))
    return OpenableFile("", None, chosen=False, refused=tuple(refused))


def is_local_file(file: str) -> bool:
    """Whether the path is whole, of this machine, and that of a regular file."""
    if file[:1] in "\\/" and file[1:2] in ("\\", "/"):
        return False
    try:
        return os.path.isabs(file) and stat.S_ISREG(Path(file).stat().st_mode)
    except (OSError, ValueError):
        return False


def _refusal(file: str) -> str:
    """Why the file is not to be opened; "" if it may be."""
    if file[:1] in "\\/" and file[1:2] in ("\\", "/"):
        return f"{file} is on another machine or a device; spar opens only local files."
    if not is_local_file(file):
        return f"there is no file {file}."
    try:
        whole = Path(file).resolve()
        with whole.open("rb") as opened:
            is_pdf = opened.read(_READ).lstrip(_BEFORE).startswith(_MARK)
    except (OSError, RuntimeError, ValueError) as error:
        return f"{file} cannot be read ({getattr(error, 'strerror', None) or error})."
    if whole.suffix.lower() != ".pdf" or not is_pdf:
        return f"{file} is not a PDF; spar opens only PDFs."
    return ""
