"""Check that Python imports spar's own packages; fast, because it runs at every start.

They have common names and are top-level, so anything earlier on Python's path hides one: a `cache.py` in a folder of
`PYTHONPATH`, another program's `agents`.
"""

import os
import sys
from importlib.util import find_spec

PACKAGES = ("agents", "cache", "connectors", "spar_tui")
PLACE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
"""The folder of spar's packages."""


def leave_out_current_folder() -> None:
    """Do not import from the current folder, which `python -m` searches first."""
    here = os.path.realpath(os.getcwd())
    if not sys.flags.safe_path and here != PLACE and sys.path and os.path.realpath(sys.path[0]) == here:
        del sys.path[0]


def strangers() -> dict[str, str]:
    """Return spar's packages that Python would import from elsewhere, each with the file; "" for one that it does
    not find."""
    files = {}
    for package in PACKAGES:
        spec = find_spec(package)
        origin = spec.origin if spec else None
        ours = os.path.join(PLACE, package, "__init__.py")
        if origin != ours and (origin is None or os.path.realpath(origin) != ours):
            files[package] = origin or ""
    return files
