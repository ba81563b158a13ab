"""The installer's metadata of the running spar: its source, its files and its requirements."""

import json
import os
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, version
from importlib.metadata import distribution as noted
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from spar_tui.installation.packages import PLACE

if TYPE_CHECKING:
    from packaging.requirements import Requirement


DISTRIBUTION = "spar-research-desk"
"""The name under which spar is installed, because `spar` is another program in the public registry."""


def distribution() -> Distribution | None:
    """Return the distribution of the running spar; None if it runs from a folder without being installed."""
    try:
        package = noted(DISTRIBUTION)
    except PackageNotFoundError:
        return None
    origin = _origin(package)
    editable = origin.get("dir_info", {}).get("editable", False)
    folder = folder_of(origin["url"]) if editable else str(package.locate_file(""))
    return package if os.path.realpath(folder) == PLACE else None


def source() -> str:
    """Return the source from which spar can be reinstalled, in the form for installers: a folder, `git+https://…`;
    "" if unknown."""
    if os.path.exists(_description()):
        return PLACE
    package = distribution()
    origin = _origin(package) if package else {}
    if "vcs_info" in origin:
        asked_for = origin["vcs_info"].get("requested_revision", "")
        return f"{origin['vcs_info']['vcs']}+{origin['url']}{asked_for and f'@{asked_for}'}"
    url = str(origin.get("url", ""))
    return folder_of(url) if url.startswith("file:") else url


def requirements(extra: str = "") -> "Iterator[Requirement]":
    """Yield spar's requirements, or those that one of its extras adds. Raises `ImportError` without `packaging`."""
    from packaging.requirements import Requirement

    for text in _requirements():
        requirement = Requirement(text)
        always = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if always if not extra else not always and requirement.marker and requirement.marker.evaluate({"extra": extra}):
            yield requirement


def unmet(extra: str = "") -> dict[str, str]:
    """Return the unmet requirements, in the form for installers, each with the installed version, or "". Raises
    `ImportError` without `packaging`."""
    versions = {}
    for requirement in requirements(extra):
        there = version_of(requirement.name)
        if not there or not requirement.specifier.contains(there, prereleases=True):
            versions[f"{requirement.name}{requirement.specifier}"] = there
    return versions


def version_of(name: str) -> str:
    """Return the installed version of the distribution `name`, or ""."""
    try:
        return version(name) or ""
    except PackageNotFoundError:
        return ""


def folder_of(url: str) -> str:
    """Return the path of a `file:` address."""
    return url2pathname(urlsplit(url).path)


def _description() -> str:
    return os.path.join(PLACE, "pyproject.toml")


def _requirements() -> list[str]:
    """Return the requirements, from the source if spar runs from it, because an installer's metadata may be out of
    date."""
    if not os.path.exists(_description()):
        package = distribution()
        return list(package.requires or ()) if package else []
    import tomllib

    with open(_description(), "rb") as file:
        project = tomllib.load(file)["project"]
    extras = project["optional-dependencies"].items()
    return [
        *project["dependencies"],
        *(f"{requirement}; extra == '{extra}'" for extra, more in extras for requirement in more),
    ]


def _origin(package: Distribution) -> dict[str, Any]:
    origin: dict[str, Any] = json.loads(package.read_text("direct_url.json") or "{}")
    return origin
