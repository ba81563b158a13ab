"""Which facets get a section: as many as allow each enough words to be worth reading.

The tree may be finer than the length of the text allows. Then its finest facets belong to the section of the facet
above them, which is written from their papers too.
"""

from itertools import zip_longest

from agents.summary.events import ROOT
from agents.summary.state import SummaryState
from agents.summary.tree import level, parent
from connectors.paper import WorkId

SECTION_WORDS = 120
"""Minimum number of words for each section if a finer level of facets is to get its own."""
ROOT_SHARE = 0.18
"""Share of all words for the topic's own text."""
LEAST_WORDS = 45
PAPER_WORDS = 35
"""Maximum number of words of a section per paper. It limits the length by the papers, and the papers by the length; at
least half of a node's papers are used."""
TLDR = 5
"""Maximum number of sentences of the topic's own text if other sections follow."""
_PAPERS = 2
"""A section with facets that belong to it uses at most this many times the papers of one facet."""


def sections(state: SummaryState) -> list[str]:
    """Return the nodes with a text of their own, in reading order, the topic first."""
    facets = state.nodes[1:]
    room = (1 - ROOT_SHARE) * (state.started.words if state.started else 0) / SECTION_WORDS
    deepest = max((level(node) for node in facets), default=0)
    while deepest > 1 and sum(level(node) <= deepest for node in facets) > room:
        deepest -= 1
    return [ROOT, *(node for node in facets if level(node) <= deepest or node in state.written)]


def words_for(state: SummaryState, section: str) -> int:
    """Return the approximate words of a section: a fixed share for the topic's own text, equal shares for the
    others."""
    words, facets = state.started.words if state.started else 0, len(sections(state)) - 1
    if not facets:
        return words
    share = ROOT_SHARE * words if section == ROOT else (1 - ROOT_SHARE) * words / facets
    return max(int(share), LEAST_WORDS)


def most_sentences(state: SummaryState, section: str) -> int | None:
    """Return the maximum number of sentences of a section: few for the topic's own text above others, else None."""
    return TLDR if section == ROOT and len(sections(state)) > 1 else None


def belonging(state: SummaryState, section: str) -> list[str]:
    """Return the facets without a section of their own whose papers `section` is written from."""
    all_sections = set(sections(state))
    return [node for node in state.below(section) if node not in all_sections and section_of(state, node) == section]


def works_of(state: SummaryState, section: str, papers: int) -> list[WorkId]:
    """Return the works of a section: at most `papers` of its own, alternating with those of each facet that belongs to
    it."""
    facets = belonging(state, section)
    if not facets:
        return list(state.works(section))
    in_turn = zip_longest(state.works(section)[:papers], *(state.works(node) for node in facets))
    return list(dict.fromkeys(work for turn in in_turn for work in turn if work is not None))[: _PAPERS * papers]


def is_told(state: SummaryState, section: str) -> bool:
    """Whether a section gets a heading: it, or a section below it, has sentences or is not written yet."""
    texts = [state.written.get(node) for node in sections(state) if node in state.below(section)]
    return any(text is None or text.sentences for text in texts)


def section_of(state: SummaryState, node: str) -> str:
    """Return the section of a facet: its own, or that of a facet above it."""
    all_sections = set(sections(state))
    while node not in all_sections:
        node = parent(node)
    return node
