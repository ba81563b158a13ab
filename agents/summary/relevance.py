"""How relevant the papers found so far are to the topic, and which of them are a node's."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median

from agents.builtin.ranking.relevance import assess
from agents.builtin.ranking.topic_coverage import coverage
from agents.builtin.text.languages import is_english
from agents.run.retrieval.meaning import pool_of, rank
from agents.run.retrieval.queries import within
from agents.summary.events import ROOT
from agents.summary.session import SummarySession
from agents.summary.state import SummaryState
from agents.summary.tree import level, parent
from connectors.paper import WorkId

POOL = 50
"""Papers of a node's lists that facets are looked for in, and that count as evidence for others."""
FLOOR = 0.1
"""By rule a paper is relevant that is at least a tenth as likely so as the middle one of the topic's own papers."""
AGAIN = 0.6
"""What a paper is worth to a facet when a node above it has it already."""
CHOSEN_FROM = 24
"""Papers of a facet that a model chooses those from which the facet is written from."""
_NOTHING: Mapping[WorkId, str] = {}
_EVEN = 10
"""How far down a list places hardly differ."""


def candidates(session: SummarySession, node: str) -> list[WorkId]:
    """The works found for the query of a node, within its bounds, best first by that query; `POOL` at most."""
    if node not in session.lists:
        session.lists[node] = listed(session, session.state.query(node))
    return session.lists[node]


def listed(session: SummarySession, query: str, links: bool = True) -> list[WorkId]:
    """The works found for `query`, best first; those that only `links` brought may be left out."""
    ways = {
        work: mine
        for work, candidate in session.findings.found.items()
        if (mine := [record for record in candidate.found_by if record.query == query and (links or not record.link)])
        and within(candidate.paper, *session.bounds)
    }
    papers = {work: session.paper(work) for work in sorted(ways, key=lambda work: session.paper(work).id)}
    return rank(query, papers, ways)[:POOL]


def to_the_topic(session: SummarySession, depth: int) -> Mapping[WorkId, float]:
    """The built-in probability of relevance to the topic, of every work found for it or for a facet of level `depth`.

    They are weighed together, as evidence for each other, once sources have answered for that level.
    """
    if depth not in session.relevance:
        nodes = dict.fromkeys([ROOT, *_retrieved_for(session.state, depth)])
        works = {work for node in nodes for work in candidates(session, node)}
        papers = {work: session.paper(work) for work in sorted(works, key=lambda work: session.paper(work).id)}
        found_by = {work: session.findings.found[work].found_by for work in papers}
        assessments = assess(pool_of(session.topic, papers, found_by, words=session.meaning))
        session.relevance[depth] = {
            work: assessment.probability for work, assessment in zip(papers, assessments, strict=True)
        }
    return session.relevance[depth]


def covered(session: SummarySession, on_pages: Mapping[WorkId, str] = _NOTHING) -> float:
    """How much of the topic any paper found for it says, as a search doubts it: all where it is in another language and
    nobody has said what it means. `on_pages` is what papers say beyond their records."""
    papers = [session.paper(work) for work in candidates(session, ROOT)]
    read = ((session.paper(work), text) for work, text in on_pages.items())
    papers += [replace(paper, abstract=f"{paper.about} {text}") for paper, text in read]
    subject = session.meaning or (session.reading.topic if is_english(session.topic) else "")
    return coverage(subject, papers) if papers and subject else 1.0


def floor(session: SummarySession, relevance: Mapping[WorkId, float]) -> float:
    """How relevant a paper must be to count as on the topic: a share of what the middle one of its own papers is."""
    own = [relevance[work] for work in session.state.works(ROOT) if work in relevance]
    return FLOOR * median(own) if own else 0.0


def _retrieved_for(state: SummaryState, depth: int) -> list[str]:
    """The nodes of a level that sources were asked for; what a later check made of them does not matter."""
    return [
        node
        for node in state.facets
        if level(node) == depth
        and (node in state.retrieved or ((node, "needed") in state.verified and not state.gone(node)))
    ]


def papers_of(session: SummarySession, node: str, relevance: Mapping[WorkId, float]) -> Sequence[WorkId]:
    """The works of a node: high in its own lists, relevant to the topic, and rather those that no node above it has;
    as many as a node is written from, of a facet as many as a model chooses from if there is one."""
    state = session.state
    most = session.options.papers if node == ROOT or session.resources.model is None else CHOSEN_FROM
    above = {work for upper in (ROOT, parent(node)) if upper != node for work in state.works(upper)}
    work_ids = candidates(session, node)
    worth = {
        work: relevance[work] * (AGAIN if work in above else 1.0) / (_EVEN + rank) for rank, work in enumerate(work_ids)
    }
    return sorted(work_ids, key=lambda work: -worth[work])[:most]
