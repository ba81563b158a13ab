"""The faults of the installation, as sentences with what to do."""

import os
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import PackagePath, packages_distributions

from spar_tui.installation import commands, metadata
from spar_tui.installation.packages import PACKAGES, PLACE, strangers

_MOST_NAMED = 3


def faults() -> list[str]:
    """Return a sentence on each fault of the installation; [] if it is complete."""
    return [*_hidden()] or [*_changed(), *_unmet()]


def other_owners() -> dict[str, list[str]]:
    """Return the other distributions in this environment with packages of spar's names."""
    owners = packages_distributions()
    ours = {metadata.DISTRIBUTION}
    return {package: others for package in PACKAGES if (others := sorted(set(owners.get(package, [])) - ours))}


def _hidden() -> Iterator[str]:
    for package, origin in strangers().items():
        if origin:
            yield f"{origin} hides spar's own package {package!r} in {PLACE}; {_way_out(origin)}"
        else:
            yield f"spar's package {package!r} is missing from {PLACE}; install spar again: {commands.again()}"


def _way_out(origin: str) -> str:
    folder = os.path.dirname(origin)
    if os.path.basename(origin) == "__init__.py":
        folder = os.path.dirname(folder)
    on_path = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    if os.path.realpath(folder) in map(os.path.realpath, on_path):
        return f"remove {folder} from PYTHONPATH."
    return f"reinstall spar in its own environment: {commands.again()}"


def _changed() -> Iterator[str]:
    """Yield a sentence for each package whose files differ from the installer's hashes, because another distribution
    or a person overwrote them."""
    installed = metadata.distribution()
    files = installed.files or [] if installed else []
    others = other_owners()
    for package in PACKAGES:
        if files_changed := [str(file) for file in files if file.parts[0] == package and not _is_unchanged(file)]:
            names = ", ".join(files_changed[:_MOST_NAMED]) + (", …" if len(files_changed) > _MOST_NAMED else "")
            by = f" by {', '.join(others[package])}" if package in others else ""
            reinstall = f"reinstall spar in its own environment: {commands.again()}"
            yield f"files of spar were changed or removed{by} ({names}); {reinstall}"


def _is_unchanged(file: PackagePath) -> bool:
    """Whether a file has the installer's hash."""
    if file.hash is None or file.hash.mode != "sha256":
        return True
    try:
        digest = sha256(file.read_binary()).digest()
    except OSError:
        return False
    return urlsafe_b64encode(digest).rstrip(b"=").decode() == file.hash.value


def _unmet() -> Iterator[str]:
    try:
        unmet = metadata.unmet()
    except ImportError:
        unmet = {"packaging": ""}
    if unmet:
        needs = (f"{requirement} (installed: {version or 'none'})" for requirement, version in unmet.items())
        yield f"spar needs {', '.join(needs)}; install with: {commands.adding(*unmet)}"
