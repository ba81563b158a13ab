"""The answer: one question and papers at hand in, a stream of events out.

Find the papers, choose the sentences of abstracts and full texts that bear on the question, and let the model write the
answer from them; each of its sentences passes the checks of a summary. Every step posts only what the board lacks.
"""

import asyncio
from collections.abc import AsyncGenerator
from datetime import date
from functools import partial

from agents.evidence.choosing import ONLY, evidence
from agents.run.control import Control
from agents.run.findings import Board
from agents.run.resources import Resources
from agents.summary.answering.writing import write_answer
from agents.summary.events import ROOT, Citation, EvidenceChosen, SummaryEvent, SummaryFinished
from agents.summary.loop import started
from agents.summary.options import SummaryOptions
from agents.summary.retrieval import retrieve
from agents.summary.session import SummarySession
from agents.summary.state import SummaryState

QUOTES, NEAREST = 12, 3
"""Maximum number of quotes, and of those that are merely the nearest."""


def answer(
    question: str,
    resources: Resources,
    options: SummaryOptions,
    board: Board[SummaryState, SummaryEvent],
    control: Control,
    today: date | None = None,
) -> AsyncGenerator[SummaryEvent, None]:
    """Yield the events of an answer, or of the rest of the one on `board`; closing the iterator stops it at once."""
    session = SummarySession(question, resources, options, board, control)
    return session.stream(partial(_run, today=today or date.today()))


async def _run(session: SummarySession, today: date) -> None:
    if session.state.finished:
        return
    if not session.state.started:
        session.post(started(session, today))
    await retrieve(session, [ROOT])
    if session.state.evidence is None:
        session.post(await asyncio.to_thread(_evidence, session))
    if session.state.answered is None and not session.control.stopping:
        await write_answer(session)
    session.count_broken_off()
    session.post(SummaryFinished(session.seconds, session.ending))


def _evidence(session: SummarySession) -> EvidenceChosen:
    """Choose the quotes. A word in common is enough for a quote of a single paper that the person named, of the only
    one that bears on the question, and of the nearest ones if none does."""
    question, pages = session.meaning or session.topic, session.full_texts.pages
    papers = {work: session.paper(work) for work in session.state.works(ROOT)}
    is_named = session.options.corpus == "papers" and len(papers) == 1
    pieces = [] if is_named else evidence(question, papers, pages)
    bearing = papers.keys() if is_named else {piece.paper for piece in pieces}
    far = not bearing
    if far:
        pieces = evidence(question, papers, pages, a_paper=1, bears=0)[:NEAREST]
    elif len(bearing) == 1:
        pieces = evidence(question, {work: papers[work] for work in bearing}, pages, ONLY, bears=0)
    read = sum(bool(paper.abstract or pages(paper)) for paper in papers.values())
    quotes = tuple(Citation(piece.paper, piece.text, page=piece.page) for piece in pieces[:QUOTES])
    return EvidenceChosen(quotes, read, far)
