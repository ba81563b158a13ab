"""Edit a text in the person's own editor."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from spar_tui.errors import Failure, UsageError

_USUAL = ("nano", "micro", "vim", "vi")


def editor(environment: Mapping[str, str] | None = None) -> list[str]:
    """Return the person's editor as a command: VISUAL, EDITOR, or a common one. Raises `Failure`."""
    environment = os.environ if environment is None else environment
    for name in ("VISUAL", "EDITOR"):
        if not (raw := environment.get(name, "").strip()):
            continue
        try:
            command = shlex.split(raw)
        except ValueError:
            raise Failure(f"{name} cannot be read as a command: {raw}") from None
        if shutil.which(command[0], path=environment.get("PATH")) is None:
            raise Failure(f"the editor {command[0]} ({name}) is not installed; set {name} to another.")
        return command
    usual = next((name for name in _USUAL if shutil.which(name, path=environment.get("PATH"))), None)
    if usual is None:
        raise Failure("there is no editor; set EDITOR to one.")
    return [usual]


def check_terminal(instead: str) -> None:
    """Raise `UsageError`, with what to do `instead`, if there is no terminal for an editor."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(f"there is no terminal for an editor; {instead}.")


Opened = Callable[["subprocess.Popen[bytes]"], object]


def edit_file(command: Sequence[str], file: Path) -> None:
    """Open `file` itself in the editor. Raises `Failure` if the editor cannot be used or fails."""
    try:
        code = subprocess.call([*command, str(file)])
    except OSError as error:
        raise Failure(f"the editor {command[0]} could not be used: {error.strerror}.") from None
    if code:
        raise Failure(f"the editor {command[0]} ended with code {code}; {file} may be incomplete.")


def edited(command: Sequence[str], text: str, about: str, opened: Opened = lambda _: None) -> str:
    """Return `text` as edited by the person. Raises `Failure` if the editor cannot be used or fails.

    The edited file is named after `about`, which most editors show. `opened` gets the editor's process while it runs,
    to end it if needed.
    """
    name = re.sub(r"\W+", "-", about, flags=re.ASCII).strip("-")[:60]
    with tempfile.TemporaryDirectory(prefix="spar-") as folder:
        file = Path(folder) / f"{name or 'note'}.md"
        try:
            file.write_text(f"{text}\n" if text else "", "utf-8")
            with subprocess.Popen([*command, str(file)]) as process:
                opened(process)
                code = process.wait()
            after = file.read_text("utf-8", errors="replace")
        except OSError as error:
            raise Failure(f"the editor {command[0]} could not be used: {error.strerror}.") from None
    if code:
        raise Failure(f"the editor {command[0]} ended with code {code}; the text is unchanged.")
    return after
