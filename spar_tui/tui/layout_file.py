"""The widths of the panes, in a small file beside the database, because they are no setting."""

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

Widths = Mapping[str, Mapping[str, int]]
"""For each arrangement, the width of each pane in hundredths of the whole."""
LAYOUT = "layout.json"


def read_widths(folder: Path) -> dict[str, dict[str, int]]:
    """Return the saved widths; skip invalid ones."""
    try:
        value = json.loads((folder / LAYOUT).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(value, dict):
        return {}
    return {
        str(name): {str(pane): width for pane, width in panes.items() if type(width) is int and 5 <= width <= 95}
        for name, panes in value.items()
        if isinstance(panes, dict)
    }


def write_widths(folder: Path, widths: Widths) -> None:
    """Replace the file; raises `OSError`."""
    handle, fresh = tempfile.mkstemp(prefix=".layout-", dir=folder)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(widths, file, indent=1)
    os.replace(fresh, folder / LAYOUT)
