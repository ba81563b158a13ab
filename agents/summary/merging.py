"""Merge facets that are the same, across the branches of the tree: by their queries, then by their papers."""

from collections.abc import Callable, Sequence

from agents.builtin.text.terms import terms
from agents.summary.events import ROOT, FacetsMerged
from agents.summary.session import SummarySession
from agents.summary.tree import in_order, level, parent

SAME = 0.8
"""Share of common terms from which two facets ask the same question, and of common papers from which two have the same
answer."""
Same = Callable[[SummarySession, str, str], str]
"""Returns why the second facet repeats the first, "" if it does not."""


def merge(session: SummarySession, nodes: Sequence[str], same: Same) -> None:
    """Merge each of `nodes` into a facet planned before it that is the same."""
    for node in nodes:
        for other in _before(session, node):
            if reason := same(session, other, node):
                session.post(FacetsMerged(other, node, reason))
                break


def _before(session: SummarySession, node: str) -> list[str]:
    """Return the facets planned before `node` that still stand, by level, without its parent.

    Later plans cannot change this list, so a resumed summary merges the same facets.
    """
    kept = [facet for facet in session.state.nodes if facet not in (ROOT, parent(node))]
    earlier = [facet for facet in kept if (level(facet), in_order(facet)) < (level(node), in_order(node))]
    return sorted(earlier, key=lambda facet: (level(facet), in_order(facet)))


def same_words(session: SummarySession, first: str, second: str) -> str:
    """Compare two facets by their queries."""
    words, others = (frozenset(terms(session.state.query(node))) for node in (first, second))
    is_same = len(words & others) >= SAME * len(words | others)
    return f"it asks for the same as {_named(session, first)}" if is_same else ""


def same_papers(session: SummarySession, first: str, second: str) -> str:
    """Compare two facets by the papers that each retrieved itself."""
    works, others = (frozenset(session.state.own_works(node)) for node in (first, second))
    is_same = bool(works) and len(works & others) >= SAME * len(works | others)
    return f"it found the same papers as {_named(session, first)}" if is_same else ""


def _named(session: SummarySession, node: str) -> str:
    """Return the title of a facet with that of the facet above it, if any, because two may have the same title."""
    title, above = session.state.title(node), parent(node)
    return f"“{title}”" if above == ROOT else f"“{title}” of “{session.state.title(above)}”"
