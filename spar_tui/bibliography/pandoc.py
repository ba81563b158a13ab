"""References in any CSL style, by pandoc where it is installed."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from spar_tui.bibliography.csl_json import csl_file
from spar_tui.bibliography.entry import Entry
from spar_tui.errors import Failure, UsageError

_SECONDS = 300.0


def pandoc_references(entries: Sequence[Entry], style: Path) -> str:
    """The reference list of `entries` in the CSL style of a file. Raises `UsageError`, `Failure`."""
    program = shutil.which("pandoc")
    if program is None:
        raise UsageError(f"--style {style} needs pandoc, which is not installed; the styles without it are built in.")
    if not style.is_file():
        raise UsageError(f"--style {style}: there is no such file.")
    command = [program, "--citeproc", f"--csl={style.resolve()}", "--from=csljson", "--to=plain", "--wrap=none"]
    try:
        ran = subprocess.run(command, input=csl_file(entries), capture_output=True, text=True, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        raise Failure(f"pandoc took more than {_SECONDS:.0f} seconds.") from None
    if ran.returncode:
        raise Failure(f"pandoc could not use {style}: {ran.stderr.strip()[:300]}")
    return ran.stdout
