"""The commands that install additions to spar or reinstall it, for the installer in use. Every message about
installing something gets its command here."""

import os
import re
import shlex
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from spar_tui.installation import metadata


def adding(*requirements: str) -> str:
    """Return the command that installs `requirements` where spar runs."""
    if receipt := _receipt_of_uv():
        return _with_uv(receipt, requirements)
    if _is_of_pipx():
        return _command("pipx", "inject", os.path.basename(sys.prefix), *requirements)
    if find_spec("pip"):
        return _command(sys.executable, "-m", "pip", "install", *requirements)
    return _command("uv", "pip", "install", "--python", sys.executable, *requirements)


def adding_extra(extra: str) -> str:
    """Return the command that installs the missing requirements of one of spar's extras; "" if there are none."""
    missing = metadata.unmet(extra)
    return adding(*missing) if missing else ""


def again() -> str:
    """Return the command that reinstalls spar's own files, in an environment of its own."""
    if receipt := _receipt_of_uv():
        return _with_uv(receipt, (), "--reinstall")
    if _is_of_pipx():
        return _command("pipx", "reinstall", os.path.basename(sys.prefix))
    source = metadata.source()
    return _command("pipx", "install", source) if source else "pipx install, with the address of its source"


def _is_of_pipx() -> bool:
    return os.path.exists(os.path.join(sys.prefix, "pipx_metadata.json"))


def _receipt_of_uv() -> dict[str, Any]:
    """Return the receipt of `uv tool`; {} if it did not install spar."""
    try:
        with open(os.path.join(sys.prefix, "uv-receipt.toml"), "rb") as file:
            return tomllib.load(file).get("tool", {})  # type: ignore[no-any-return]  # what stands in a file
    except (OSError, tomllib.TOMLDecodeError):
        return {}


def _with_uv(receipt: dict[str, Any], requirements: tuple[str, ...], *options: str) -> str:
    """Return the `uv tool install` command with all existing requirements, which it would otherwise remove."""
    ours: list[str] = []
    others: list[str] = []
    for entry in receipt.get("requirements", ()):
        if entry["name"] != metadata.DISTRIBUTION:
            others += ["--with", _requirement(entry)]
        elif "editable" in entry:
            ours = ["--editable", f"{entry['editable']}{_extras(entry)}"]
        else:
            ours = [_requirement(entry)]
    python = ["--python", receipt["python"]] if "python" in receipt else []
    more = [word for requirement in requirements for word in ("--with", requirement)]
    return _command("uv", "tool", "install", *options, *python, *others, *more, *ours)


def _requirement(requirement: dict[str, Any]) -> str:
    """Convert a requirement from uv's receipt to its command-line form."""
    name, marker = f"{requirement['name']}{_extras(requirement)}", requirement.get("marker", "")
    path = next((requirement[key] for key in ("directory", "path", "editable") if key in requirement), "")
    address = Path(path).as_uri() if path else requirement.get("url", "")
    if "git" in requirement:  # uv takes a revision after `@`, but stores it as a query
        address = "git+" + re.sub(r"\?(?:rev|tag|branch)=", "@", requirement["git"])
    return f"{name} @ {address}" if address else f"{name}{requirement.get('specifier', '')}{marker and f'; {marker}'}"


def _extras(requirement: dict[str, Any]) -> str:
    return f"[{','.join(requirement['extras'])}]" if requirement.get("extras") else ""


def _command(*words: str) -> str:
    """Quote `words` for a shell; Windows' shells have no single quotes."""
    if os.name != "nt":
        return shlex.join(words)
    return " ".join(f'"{word}"' if re.search(r"[^\w@+:.,/\\=-]", word) else word for word in words)
