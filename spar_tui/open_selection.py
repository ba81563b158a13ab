"""The papers selected in the open app, in a file beside the library, for the person's other programs."""

import json
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_FILE = "selection.json"


class OpenSelection(NamedTuple):
    """Papers by their numbers in the library; `marked` says whether the person marked them or the cursor is on one.
    `process` is the app's."""

    numbers: tuple[int, ...]
    marked: bool
    process: int


def write_selection(folder: Path, numbers: Sequence[int], marked: bool) -> None:
    """Replace this process's selection. Raises `OSError`."""
    handle, fresh = tempfile.mkstemp(prefix=".selection-", dir=folder)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump({"papers": list(numbers), "marked": marked, "process": os.getpid()}, file)
    os.replace(fresh, folder / _FILE)


def forget_selection(folder: Path) -> None:
    """Remove this process's selection."""
    stored = read_selection(folder)
    if stored is not None and stored.process == os.getpid():
        with suppress(OSError):
            (folder / _FILE).unlink()


def read_selection(folder: Path) -> OpenSelection | None:
    """Return the selection in the open app; None if none is open."""
    try:
        value = json.loads((folder / _FILE).read_text("utf-8"))
        numbers = tuple(int(number) for number in value["papers"])
        stored = OpenSelection(numbers, bool(value["marked"]), int(value["process"]))
        os.kill(stored.process, 0)
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return None
    return stored
