"""What is imported is declared, what is declared is imported, and the bounds are those that are tried."""

import ast
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from spar_tui.installation.packages import PACKAGES

ROOT = Path(__file__).parents[1]
with (ROOT / "pyproject.toml").open("rb") as described:
    PROJECT = tomllib.load(described)
NEEDED = [Requirement(text) for text in PROJECT["project"]["dependencies"]]
EXTRA = [Requirement(text) for more in PROJECT["project"]["optional-dependencies"].values() for text in more]
GROUPS = PROJECT["dependency-groups"].values()
DEVELOPING = [Requirement(one) for group in GROUPS for one in group if isinstance(one, str)]
OURS = {*PACKAGES, "tests", "tools"}


def names(requirements: list[Requirement]) -> set[str]:
    return {canonicalize_name(one.name) for one in requirements}


def imported(*folders: str) -> dict[str, str]:
    """The distributions that the files in `folders` import, each with one of the files."""
    owners = packages_distributions()
    return {
        canonicalize_name(owner): str(path.relative_to(ROOT))
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
        for module in modules(path)
        if module not in OURS and module not in sys.stdlib_module_names
        for owner in owners.get(module, [module])[:1]
    }


def modules(path: Path) -> Iterator[str]:
    """The topmost modules that a file imports, inside functions and for types alone included."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def test_every_library_that_is_imported_is_declared() -> None:
    known = names(NEEDED) | names(EXTRA)
    assert {name: file for name, file in imported(*PACKAGES).items() if name not in known} == {}


def test_every_library_that_is_declared_is_imported() -> None:
    assert (names(NEEDED) | names(EXTRA)) - imported(*PACKAGES).keys() == set()


def test_what_tests_and_tools_import_is_declared_too() -> None:
    known = names(NEEDED) | names(EXTRA) | names(DEVELOPING)
    assert {name: file for name, file in imported("tests", "tools").items() if name not in known} == {}


def test_no_file_needs_what_only_some_systems_have() -> None:
    lacking = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}
    found = {path.name for folder in PACKAGES for path in (ROOT / folder).rglob("*.py") if lacking & {*modules(path)}}
    assert found == {
        "child.py",
        "holder.py",
        "standing_in.py",
    }  # which do without where there is none


def pins(file: str) -> dict[str, Version]:
    """The versions that a file of constraints names."""
    rows = [line.split("==") for line in (ROOT / file).read_text().splitlines() if not line.startswith("#")]
    return {canonicalize_name(name): Version(version) for name, version in rows}


@pytest.mark.parametrize("file", ["constraints.txt", "constraints-oldest.txt"])
def test_the_versions_that_are_tried_are_allowed(file: str) -> None:
    tried = pins(file)
    asked = [one for one in (*NEEDED, *EXTRA, *DEVELOPING) if canonicalize_name(one.name) in tried]
    assert [str(one) for one in asked if tried[canonicalize_name(one.name)] not in one.specifier] == []
    assert names(NEEDED) <= tried.keys()


def test_the_oldest_versions_that_are_allowed_are_tried() -> None:
    tried = pins("constraints-oldest.txt")
    lowest = {
        canonicalize_name(one.name): next(Version(bound.version) for bound in one.specifier if bound.operator == ">=")
        for one in (*NEEDED, *EXTRA)
    }
    assert {name: version for name, version in tried.items() if name in lowest} == lowest
