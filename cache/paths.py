"""Paths as people and their settings write them.

`Path.expanduser` and `Path.resolve` raise `RuntimeError` for `~` before a name that no user has, and for symbolic links
in a circle. These functions leave such a path as it is; opening it then fails like any missing file.
"""

import os
from pathlib import Path


def expanded(path: str | Path) -> Path:
    """Return `path` with `~` replaced by the home folder."""
    return Path(os.path.expanduser(path))


def resolved(path: str | Path) -> Path:
    """Return where `path` leads after `~` and symbolic links, as an absolute path."""
    return Path(os.path.realpath(os.path.expanduser(path)))
