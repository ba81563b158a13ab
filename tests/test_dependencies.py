"""What is imported is declared, what is declared is imported, and the bounds are those that are tried."""

import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import grimp
import pytest
from grimp import ImportGraph
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from spar_tui.installation.packages import PACKAGES
from tests.rows import each

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


@pytest.fixture(scope="module")
def graph() -> ImportGraph:
    """Which module imports which, inside functions and for types alone included."""
    return grimp.build_graph(*OURS, include_external_packages=True, cache_dir=None)


def imported(graph: ImportGraph, *packages: str) -> dict[str, str]:
    """The distributions that the modules in `packages` import, each with one of the modules."""
    owners = packages_distributions()
    return {
        canonicalize_name(owner): min(importers)
        for module in sorted(graph.modules)
        if graph.is_module_squashed(module) and module not in sys.stdlib_module_names
        if (importers := importers_of(graph, module, *packages))
        for owner in owners.get(module, [module])[:1]
    }


def importers_of(graph: ImportGraph, module: str, *packages: str) -> set[str]:
    return {one for one in graph.find_modules_that_directly_import(module) if one.partition(".")[0] in packages}


def test_every_library_that_is_imported_is_declared(graph: ImportGraph) -> None:
    known = names(NEEDED) | names(EXTRA)
    assert {name: module for name, module in imported(graph, *PACKAGES).items() if name not in known} == {}


def test_every_library_that_is_declared_is_imported(graph: ImportGraph) -> None:
    assert (names(NEEDED) | names(EXTRA)) - imported(graph, *PACKAGES).keys() == set()


def test_what_tests_and_tools_import_is_declared_too(graph: ImportGraph) -> None:
    known = names(NEEDED) | names(EXTRA) | names(DEVELOPING)
    assert {name: module for name, module in imported(graph, "tests", "tools").items() if name not in known} == {}


def test_no_module_needs_what_only_some_systems_have(graph: ImportGraph) -> None:
    lacking = {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"} & graph.modules
    assert set().union(*(importers_of(graph, module, *PACKAGES) for module in lacking)) == {
        "cache.salvage.holder",
        "connectors.pdf.child",
        "spar_tui.tui.picking.screen",
    }  # which do without where there is none


def pins(file: str) -> dict[str, Version]:
    """The versions that a file of constraints names."""
    rows = [line.split("==") for line in (ROOT / file).read_text().splitlines() if not line.startswith("#")]
    return {canonicalize_name(name): Version(version) for name, version in rows}


@each("file", ["constraints.txt", "constraints-oldest.txt"])
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
