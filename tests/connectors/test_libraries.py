"""What is used of the services' client libraries beyond what they promise is held at the versions it is known in."""

import ast
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[2]
LIBRARIES = {"arxiv": "arxiv", "pyalex": "pyalex", "semanticscholar": "semanticscholar", "Bio": "biopython"}
"""The packages by the name they are imported by."""


def requirements() -> dict[str, Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return {one.name: one for one in map(Requirement, project["dependencies"])}


def privately_used() -> set[str]:
    """The libraries of which a file of ours uses a name that begins with an underscore."""
    used = set()
    for path in (ROOT / "connectors").rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
        named = {name for node in imports for name in _modules(node) if name in LIBRARIES}
        private = any(_is_private(node) for node in ast.walk(tree)) or any(
            alias.name.startswith("_") for node in imports for alias in node.names
        )
        used |= {LIBRARIES[name] for name in named if private}
    return used


def _modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    return [name.partition(".")[0] for name in names]


def _is_private(node: ast.AST) -> bool:
    own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
    return isinstance(node, ast.Attribute) and node.attr.startswith("_") and "__" not in node.attr and not own


def test_a_library_of_which_private_names_are_used_stops_before_its_next_minor_version() -> None:
    found = privately_used()
    assert found == {"arxiv", "semanticscholar"}
    for name in found:
        lowest = Version(next(part.version for part in requirements()[name].specifier if part.operator in (">=", "~=")))
        following = f"{lowest.major}.{lowest.minor + 1}"
        assert not requirements()[name].specifier.contains(following), f"{name} {following} may rename what is used"


def test_the_docs_say_what_each_library_is_used_for() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    told = page[page.index("## The client libraries") :]
    assert all(f"`{package}`" in told for package in LIBRARIES.values())
