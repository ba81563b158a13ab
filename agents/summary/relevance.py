"""The relevance to the topic of the papers found so far, and the choice of each node's papers."""

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
"""Number of a node's papers in which facets are looked for, and which count as evidence for others."""
FLOOR = 0.1
"""Least relevance by rule, as a share of that of the median paper of the topic."""
AGAIN = 0.6
"""Factor on a paper's worth to a facet if a node above has the paper already."""
CHOSEN_FROM = 24
"""Number of a facet's papers from which a model chooses those to write from."""
_NOTHING: Mapping[WorkId, str] = {}
_EVEN = 10
"""Offset to ranks: the first positions of a list hardly differ."""


def candidates(session: SummarySession, node: str) -> list[WorkId]:
    """Return the works found for the query of a node within its bounds, best first; at most `POOL`."""
    if node not in session.lists:
        session.lists[node] = listed(session, session.state.query(node))
    return session.lists[node]


def listed(session: SummarySession, query: str, links: bool = True) -> list[WorkId]:
    """Return the works found for `query`, best first; `links` includes those found only by links."""
    hits_by_work = {
        work: hits
        for work, candidate in session.findings.found.items()
        if (hits := [record for record in candidate.found_by if record.query == query and (links or not record.link)])
        and within(candidate.paper, *session.bounds)
    }
    papers = {work: session.paper(work) for work in sorted(hits_by_work, key=lambda work: session.paper(work).id)}
    return rank(query, papers, hits_by_work)[:POOL]


def to_the_topic(session: SummarySession, depth: int) -> Mapping[WorkId, float]:
    """Return the built-in probability of relevance to the topic of each work found for it or for facets of level
    `depth`.

    All are assessed together, as evidence for each other, once sources have answered for that level.
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
    """Return the share of the topic that any paper found for it covers; 1.0 for a topic in another language without a
    known meaning. `on_pages` are words of papers beyond their records."""
    papers = [session.paper(work) for work in candidates(session, ROOT)]
    read = ((session.paper(work), text) for work, text in on_pages.items())
    papers += [replace(paper, abstract=f"{paper.about} {text}") for paper, text in read]
    subject = session.meaning or (session.reading.topic if is_english(session.topic) else "")
    return coverage(subject, papers) if papers and subject else 1.0


def floor(session: SummarySession, relevance: Mapping[WorkId, float]) -> float:
    """Return the least relevance of a paper on the topic: a share of that of the median paper of the topic."""
    values = [relevance[work] for work in session.state.works(ROOT) if work in relevance]
    return FLOOR * median(values) if values else 0.0


def _retrieved_for(state: SummaryState, depth: int) -> list[str]:
    """Return the nodes of a level for which sources were asked, whatever later checks decided."""
    return [
        node
        for node in state.facets
        if level(node) == depth
        and (node in state.retrieved or ((node, "needed") in state.verified and not state.gone(node)))
    ]


def papers_of(session: SummarySession, node: str, relevance: Mapping[WorkId, float]) -> Sequence[WorkId]:
    """Return the works of a node: high in its own list, relevant to the topic, and preferably not those of a node
    above. The root gets the papers to write from; a facet gets as many as a model chooses from, if there is one."""
    state = session.state
    limit = session.options.papers if node == ROOT or session.resources.model is None else CHOSEN_FROM
    above = {work for upper in (ROOT, parent(node)) if upper != node for work in state.works(upper)}
    work_ids = candidates(session, node)
    worth = {
        work: relevance[work] * (AGAIN if work in above else 1.0) / (_EVEN + rank) for rank, work in enumerate(work_ids)
    }
    return sorted(work_ids, key=lambda work: -worth[work])[:limit]
