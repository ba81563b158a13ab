"""Facets that are the same, merged across the branches of the tree: by what they ask, then by what they found."""

from collections.abc import Callable, Sequence

from agents.builtin.text.terms import terms
from agents.summary.events import ROOT, FacetsMerged
from agents.summary.session import SummarySession
from agents.summary.tree import in_order, level, parent

SAME_WORDS = 0.8
"""From this share of common terms on, two facets ask the same question."""
SAME_PAPERS = 0.8
"""From this share of common papers on, two facets have the same answer."""


Same = Callable[[SummarySession, str, str], str]
"""Why the second facet is the first one again; "" if it is not."""


def merge(session: SummarySession, nodes: Sequence[str], same: Same) -> None:
    """Merge each of `nodes` that is the same as a facet planned before it, which goes on for both."""
    for node in nodes:
        for other in _before(session, node):
            if reason := same(session, other, node):
                session.post(FacetsMerged(other, node, reason))
                break


def _before(session: SummarySession, node: str) -> list[str]:
    """The facets that stand and were planned before `node`, level by level; its own parent is none of them.

    Nothing that is planned later can change them, so that a summary that goes on merges nothing else.
    """
    kept = [facet for facet in session.state.nodes if facet not in (ROOT, parent(node))]
    earlier = [facet for facet in kept if (level(facet), in_order(facet)) < (level(node), in_order(node))]
    return sorted(earlier, key=lambda facet: (level(facet), in_order(facet)))


def same_words(session: SummarySession, first: str, second: str) -> str:
    """By what they ask."""
    words, others = (frozenset(terms(session.state.query(node))) for node in (first, second))
    is_same = len(words & others) >= SAME_WORDS * len(words | others)
    return f"it asks for the same as “{session.state.title(first)}”" if is_same else ""


def same_papers(session: SummarySession, first: str, second: str) -> str:
    """By what they found themselves."""
    works, others = (frozenset(session.state.own_works(node)) for node in (first, second))
    is_same = bool(works) and len(works & others) >= SAME_PAPERS * len(works | others)
    return f"it found the same papers as “{session.state.title(first)}”" if is_same else ""
