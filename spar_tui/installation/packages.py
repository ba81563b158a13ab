"""Whether Python takes our packages from where they lie: quick to tell, and told at every start.

They have common names and lie side by side, so whatever stands earlier on Python's path hides one: a `cache.py` in a
folder of `PYTHONPATH`, another program's `agents`.
"""

import os
import sys
from importlib.util import find_spec

PACKAGES = ("agents", "cache", "connectors", "spar_tui")
PLACE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
"""The folder in which our packages lie."""


def leave_out_current_folder() -> None:
    """Import nothing from the folder that a person happens to be in, which `python -m` looks at first."""
    here = os.path.realpath(os.getcwd())
    if not sys.flags.safe_path and here != PLACE and sys.path and os.path.realpath(sys.path[0]) == here:
        del sys.path[0]


def strangers() -> dict[str, str]:
    """Our packages that Python would take from elsewhere, each with the file; "" for one that it finds nowhere."""
    files = {}
    for package in PACKAGES:
        spec = find_spec(package)
        origin = spec.origin if spec else None
        ours = os.path.join(PLACE, package, "__init__.py")
        if origin != ours and (origin is None or os.path.realpath(origin) != ours):
            files[package] = origin or ""
    return files
