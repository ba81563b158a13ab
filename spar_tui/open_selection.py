"""The papers selected in open apps, in one file beside the library for each app, for the person's other programs."""

import json
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_NAME = "selection-{}.json"
"""Of the file of a process."""


class OpenSelection(NamedTuple):
    """Papers by their numbers in the library; `marked` says whether the person marked them or the cursor is on one."""

    numbers: tuple[int, ...]
    marked: bool


def write_selection(folder: Path, numbers: Sequence[int], marked: bool) -> None:
    """Replace this process's selection. Raises `OSError`."""
    handle, fresh = tempfile.mkstemp(prefix=".selection-", dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"papers": list(numbers), "marked": marked}, file)
        os.replace(fresh, folder / _NAME.format(os.getpid()))
    except OSError:  # with a full disk, each move of the cursor would leave a file
        os.unlink(fresh)
        raise


def forget_selection(folder: Path, process: int | None = None) -> None:
    """Remove the selection of `process`, this one by default."""
    with suppress(OSError):
        (folder / _NAME.format(process or os.getpid())).unlink()


def read_selection(folder: Path) -> OpenSelection | None:
    """Return the newest selection in an open app; None if no app is open. Remove those of apps that were killed."""
    newest: tuple[float, OpenSelection] | None = None
    for path in folder.glob(_NAME.format("*")):
        try:
            os.kill(process := int(path.stem.partition("-")[2]), 0)
            value = json.loads(path.read_text("utf-8"))
            numbers = tuple(int(number) for number in value["papers"])
            entry = path.stat().st_mtime, OpenSelection(numbers, bool(value["marked"]))
            newest = max(newest or entry, entry)
        except ProcessLookupError:
            forget_selection(folder, process)
        except (OSError, ValueError, KeyError, TypeError, OverflowError):
            continue
    return newest and newest[1]
