"""The summary: one topic in, a stream of events out (ConTReGen).

Top-down: retrieve for the topic, plan its facets, verify them, retrieve for them, verify their papers, and repeat this
for each level. Then bottom-up: write the leaves, the nodes above, and the topic. Every step reads the board and posts
only what the board lacks, so an interrupted run resumes at any point.
"""

from collections.abc import AsyncGenerator
from datetime import date
from functools import partial

from agents.run.control import Control
from agents.run.findings import Board
from agents.run.resources import Resources
from agents.summary.events import ROOT, FacetDropped, SummaryEvent, SummaryFinished, SummaryStarted
from agents.summary.options import SummaryOptions
from agents.summary.planning import plan
from agents.summary.retrieval import retrieve
from agents.summary.session import SummarySession, bounds_of
from agents.summary.state import SummaryState
from agents.summary.verification import verify_needed, verify_relevant
from agents.summary.writing.comparison import compare
from agents.summary.writing.synthesis import write

__all__ = ["Resources", "SummaryOptions", "summarize"]


def summarize(
    topic: str,
    resources: Resources,
    options: SummaryOptions,
    board: Board[SummaryState, SummaryEvent] | None = None,
    control: Control | None = None,
    today: date | None = None,
) -> AsyncGenerator[SummaryEvent, None]:
    """Yield the events of a summary, or of the rest of the one on `board`; closing the iterator stops it at once."""
    board, control = board or Board(SummaryState()), control or Control(options.seconds)
    session = SummarySession(topic, resources, options, board, control)
    return session.stream(partial(_run, today=today or date.today()))


async def _run(session: SummarySession, today: date) -> None:
    if session.state.finished:
        return
    if not session.state.started:
        session.post(started(session, today))
    await _grow(session)
    if not session.options.outline:
        await write(session)
        compare(session)
    session.count_broken_off()
    session.post(SummaryFinished(session.seconds, session.ending))


def started(session: SummarySession, today: date) -> SummaryStarted:
    """Return the first event of a summary."""
    options = session.options
    sources = (*session.resources.local, *session.resources.live)
    size, bounds = (options.depth, options.branch, options.words), bounds_of(session.topic, options, today)
    return SummaryStarted(session.topic, sources, *size, options.seed, today, session.model_name, *bounds)


async def _grow(session: SummarySession) -> None:
    """Plan, verify and retrieve level by level, until the tree has its full depth; a summary that stops plans no more
    facets."""
    await retrieve(session, [ROOT])
    if not session.options.depth:
        await verify_relevant(session, [ROOT])
    for depth in range(1, session.options.depth + 1):
        state = session.state
        await plan(session, [ROOT] if depth == 1 else state.at_level(depth - 1))
        verify_needed(session, session.state.at_level(depth))
        await retrieve(session, session.state.at_level(depth))
        await verify_relevant(session, [*session.state.at_level(depth), ROOT])
    late = [node for node in session.state.nodes if node not in (ROOT, *session.state.retrieved)]
    session.post(*(FacetDropped(node, "relevant", "the summary stopped before it was searched") for node in late))
