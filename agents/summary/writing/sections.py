"""Which facets have a section of the text: as many as there is room for, so that each says enough to be read.

The tree is grown for what it finds, the text for who reads it. Where the tree is finer than the text has room for, its
finest facets belong to the section of the facet above them, which is written from their papers too.
"""

from itertools import zip_longest
from math import inf

from agents.summary.events import ROOT
from agents.summary.state import SummaryState
from agents.summary.tree import level, parent
from connectors.paper import WorkId

SECTION_WORDS = 120
"""A finer level of facets has sections of its own if there are so many words for each."""
ROOT_SHARE = 0.18
"""What the topic's own text has of all words."""
LEAST_WORDS = 45
TLDR = 5
"""Sentences of the topic's own text where others follow."""
_PAPERS = 2
"""A section that others belong to is written from at most so many times the papers of one facet."""


def sections(state: SummaryState) -> list[str]:
    """The nodes that have a text of their own, in reading order, the topic first."""
    facets = state.nodes[1:]
    room = (1 - ROOT_SHARE) * (state.started.words if state.started else 0) / SECTION_WORDS
    deepest = max((level(node) for node in facets), default=0)
    while deepest > 1 and sum(level(node) <= deepest for node in facets) > room:
        deepest -= 1
    return [ROOT, *(node for node in facets if level(node) <= deepest or node in state.written)]


def words_for(state: SummaryState, section: str) -> int:
    """About how many words a section may have: the topic's own text a fixed share, the others the same each."""
    words, facets = state.started.words if state.started else 0, len(sections(state)) - 1
    if not facets:
        return words
    share = ROOT_SHARE * words if section == ROOT else (1 - ROOT_SHARE) * words / facets
    return max(int(share), LEAST_WORDS)


def most_sentences(state: SummaryState, section: str) -> float:
    """How many sentences a section may have: the topic's own text is a short one for readers in a hurry."""
    return TLDR if section == ROOT and len(sections(state)) > 1 else inf


def belonging(state: SummaryState, section: str) -> list[str]:
    """The facets without a section of their own whose papers `section` is written from."""
    own = set(sections(state))
    return [node for node in state.below(section) if node not in own and section_of(state, node) == section]


def works_of(state: SummaryState, section: str, papers: int) -> list[WorkId]:
    """The works a section is written from: its own, at most `papers` of them, and in turn those of each facet that
    belongs to it."""
    beside = belonging(state, section)
    if not beside:
        return list(state.works(section))
    in_turn = zip_longest(state.works(section)[:papers], *(state.works(node) for node in beside))
    return list(dict.fromkeys(work for turn in in_turn for work in turn if work is not None))[: _PAPERS * papers]


def is_told(state: SummaryState, section: str) -> bool:
    """Whether a section has a heading: it, or one below it, says something or is still to be written."""
    texts = [state.written.get(node) for node in sections(state) if node in state.below(section)]
    return any(text is None or text.sentences for text in texts)


def section_of(state: SummaryState, node: str) -> str:
    """The section that tells of a facet: its own, or that of a facet above it."""
    own = set(sections(state))
    while node not in own:
        node = parent(node)
    return node
