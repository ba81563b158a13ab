"""Nodes in the tree of a summary: "" is the root, "2" its second facet, "2.1" the first facet of that one."""

from collections.abc import Iterable

from agents.summary.events import ROOT


def child(node: str, number: int) -> str:
    """Return the facet `number` (from 1) of a node."""
    return f"{node}.{number}" if node else str(number)


def parent(node: str) -> str:
    """Return the node above a facet."""
    return node.rpartition(".")[0]


def level(node: str) -> int:
    """Return the number of steps from the root to a node."""
    return node.count(".") + 1 if node != ROOT else 0


def in_order(node: str) -> tuple[int, ...]:
    """Return a key that sorts nodes in reading order."""
    return tuple(map(int, node.split("."))) if node else ()


def numbered(nodes: Iterable[str]) -> dict[str, str]:
    """Return the section number of each node, counting only `nodes`: without "2", "3.1" becomes "2.1"."""
    numbers = {ROOT: ""}
    below: dict[str, int] = {}
    for node in sorted(nodes, key=in_order):
        if node != ROOT:
            above = parent(node)
            below[above] = below.get(above, 0) + 1
            numbers[node] = child(numbers[above], below[above])
    return numbers
