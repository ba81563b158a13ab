"""What the papers of a node cite together, taken in beside what its query found (RefChain, SPAR §3.2)."""

from collections import defaultdict
from collections.abc import Sequence
from math import sqrt

from agents.run.events import FoundBy
from agents.run.retrieval.fetching import look_up, taken_in
from agents.summary.relevance import listed
from agents.summary.session import SummarySession
from connectors.identifiers import Identifier

SEEDS = 25
"""The best papers of a node whose references count."""
MOST = 30
"""References taken in for a node."""
_ASKED = 2


async def follow_references(session: SummarySession, nodes: Sequence[str]) -> None:
    """Take in the references that the papers found for each of `nodes` share, where their records list them."""
    chosen = {node: _shared(session, node) for node in nodes}
    names = list(dict.fromkeys(name for best in chosen.values() for name in best))
    if not names or not await session.control.ready():
        return
    answers = await session.control.unless_stopping(look_up(session, names, session.options.source_seconds)) or ()
    arrived = {name: (source, paper) for source, papers in answers for paper in papers for name in paper.identifiers}
    papers_found = []
    for node, best in chosen.items():
        ranked = {arrived[name][1].id: (arrived[name], worth) for name, worth in best.items() if name in arrived}
        order = sorted(
            ranked.values(), key=lambda entry: (-entry[1] / sqrt(1 + (entry[0][1].citation_count or 0)), entry[0][1].id)
        )
        query = session.state.query(node)
        papers_found += [
            (paper, FoundBy(source, query, rank, "references"))
            for rank, ((source, paper), _) in enumerate(order[:MOST], start=1)
        ]
    session.post(*taken_in(session.works, papers_found))


def _shared(session: SummarySession, node: str) -> dict[Identifier, float]:
    """The references of a node's best papers, the most shared first, by what their being shared is worth."""
    worth: dict[Identifier, float] = defaultdict(float)
    for rank, work in enumerate(listed(session, session.state.query(node), links=False)[:SEEDS]):
        for name in session.paper(work).references:
            worth[name] += 1 / (1 + rank / 10)
    best = sorted(worth, key=lambda name: (-worth[name], name.scheme, name.value))[: _ASKED * MOST]
    return {name: worth[name] for name in best}
