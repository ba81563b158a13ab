"""Retrieve for the nodes of one level at once (ConTReGen §2.1): sources are sent each facet like a query of a search,
and shared references of its papers are added (RefChain, SPAR §3.2)."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import sqrt

from agents.builtin.question_parsing.sources import choose_sources
from agents.run.events import FoundBy, QueryPlanned, ReadQuery
from agents.run.retrieval.fetching import (
    IN_TURN,
    QueryBounds,
    ask,
    filling_abstracts,
    found_by_any,
    gap_of,
    left_out,
    look_up,
    taken_in,
    why_fallback,
)
from agents.run.retrieval.queries import question_itself
from agents.summary.events import ROOT, NodeRetrieved
from agents.summary.relevance import POOL, candidates, listed, papers_of, to_the_topic
from agents.summary.session import SummarySession
from agents.summary.tree import level
from connectors.identifiers import Identifier
from connectors.source import Source


async def retrieve(session: SummarySession, nodes: Sequence[str]) -> None:
    """Post the papers of the nodes that have none yet."""
    waiting = [node for node in nodes if node not in session.state.retrieved]
    if not waiting:
        return
    sources = _asked_sources(session)
    async with filling_abstracts(session, sources) as refill:
        bounds = QueryBounds(*session.bounds, POOL, session.options.source_seconds)
        await ask(session, _planned(session, waiting, sources), sources, bounds, refill)
        fallback = session.resources.fallback
        if fallback and not session.control.stopping and not found_by_any(session.findings, session.resources.live):
            session.warn(why_fallback(session.resources, session.findings))
            await ask(session, _planned(session, waiting, fallback), fallback, bounds, refill)
        await follow_references(session, waiting)
    if session.control.stopping:  # a node not asked for in time is not one without papers
        waiting = [node for node in waiting if candidates(session, node)]
        if not waiting:
            return
    relevance = to_the_topic(session, level(waiting[0]))
    session.post(*(NodeRetrieved(node, tuple(papers_of(session, node, relevance))) for node in waiting))


def _asked_sources(session: SummarySession) -> dict[str, Source]:
    """Return this machine's sources and the live ones that suit the topic, without sources that failed every time."""
    answering, live = session.answering, list(session.resources.live)
    suited = choose_sources(session.reading, live) if session.options.choose_sources else live
    session.post(*left_out(session, session.topic, suited))
    return {name: answering[name] for name in (*session.resources.local, *suited) if name in answering}


def _planned(session: SummarySession, nodes: Sequence[str], sources: Mapping[str, Source]) -> list[QueryPlanned]:
    """Return the query of each node and source, planned earlier or now.

    A slow source gets as many queries of a level as its rate limit allows in half its time, if there is a quick one.
    """
    queries = {node: ReadQuery(session.state.query(node)) for node in nodes}
    if ROOT in queries:
        queries[ROOT] = question_itself(session.topic, session.reading)
    quick = any(gap_of(name) < IN_TURN for name in sources if name in session.resources.live)
    plan = []
    for name in sources:
        gap = gap_of(name)
        limit = 1 + int(session.options.source_seconds / 2 / gap) if quick and gap >= IN_TURN else len(nodes)
        for node, query in list(queries.items())[:limit]:
            sent = query.text_for(name)
            plan.append(QueryPlanned(name, query.text, level(node) + 1, sent if sent != query.text else None))
    already = {(planned.source, planned.query) for planned in session.findings.planned}
    session.post(*(planned for planned in plan if (planned.source, planned.query) not in already))
    return plan


SEEDS = 25
"""Number of a node's best papers whose references count."""
MOST_REFERENCES = 30
"""Maximum number of references added for a node."""
_LOOKED_UP = 2


async def follow_references(session: SummarySession, nodes: Sequence[str]) -> None:
    """Add the references that the papers found for each of `nodes` share, if their records list them."""
    references = {node: _shared(session, node) for node in nodes}
    names = list(dict.fromkeys(name for best in references.values() for name in best))
    if not names or not await session.control.ready():
        return
    answers = await session.control.unless_stopping(look_up(session, names, session.options.source_seconds)) or ()
    arrived = {name: (source, paper) for source, papers in answers for paper in papers for name in paper.identifiers}
    papers_found = []
    for node, best in references.items():
        worth_by_paper = {
            arrived[name][1].id: (arrived[name], worth) for name, worth in best.items() if name in arrived
        }
        order = sorted(
            worth_by_paper.values(),
            key=lambda entry: (-entry[1] / sqrt(1 + (entry[0][1].citation_count or 0)), entry[0][1].id),
        )
        query = session.state.query(node)
        papers_found += [
            (paper, FoundBy(source, query, rank, "references"))
            for rank, ((source, paper), _) in enumerate(order[:MOST_REFERENCES], start=1)
        ]
    session.post(*taken_in(session.works, papers_found))


def _shared(session: SummarySession, node: str) -> dict[Identifier, float]:
    """Return the references of a node's best papers with their worth: each paper that lists one adds to it."""
    worth: dict[Identifier, float] = defaultdict(float)
    for rank, work in enumerate(listed(session, session.state.query(node), links=False)[:SEEDS]):
        for name in session.paper(work).references:
            worth[name] += 1 / (1 + rank / 10)
    best = sorted(worth, key=lambda name: (-worth[name], name.scheme, name.value))[: _LOOKED_UP * MOST_REFERENCES]
    return {name: worth[name] for name in best}
