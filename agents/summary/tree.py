"""Places in the tree of a summary: "" is the root, "2" its second facet, "2.1" that one's first."""

from collections.abc import Iterable

from agents.summary.events import ROOT


def child(node: str, number: int) -> str:
    """The facet `number` (from 1) of a node."""
    return f"{node}.{number}" if node else str(number)


def parent(node: str) -> str:
    """The node that a facet is a facet of."""
    return node.rpartition(".")[0]


def level(node: str) -> int:
    """How many steps a node lies below the root."""
    return node.count(".") + 1 if node != ROOT else 0


def in_order(node: str) -> tuple[int, ...]:
    """A key that sorts nodes as a reader meets them."""
    return tuple(map(int, node.split("."))) if node else ()


def numbered(nodes: Iterable[str]) -> dict[str, str]:
    """The section number of each of `nodes`, counted without those that are missing: what was "3.2" may be "2.1"."""
    numbers = {ROOT: ""}
    below: dict[str, int] = {}
    for node in sorted(nodes, key=in_order):
        if node != ROOT:
            above = parent(node)
            below[above] = below.get(above, 0) + 1
            numbers[node] = child(numbers[above], below[above])
    return numbers
